/** Mapping files named on the command line: read once, put before the built-in dialects. Errors name file, line and key. */
import { readFileSync } from 'node:fs';
import { DIALECTS } from '../core/dialects';
import type { Dialect } from '../core/dialects/dialect';
import { readMapping } from '../core/mapping/mapping';
import { type Misfit, misfitOf } from '../core/mapping/misfit';
import { type Option, UsageError } from './command';
import { whyUnread } from './files';

export const MAPPING_OPTION: Readonly<Record<string, Option>> = {
  mapping: { value: 'FILE', about: 'a mapping file for a protocol of your own', many: true },
};

/** The dialects to judge with, those of the mapping files first; and, when all is read, which of those files took no stream. */
export interface Mapped {
  readonly dialects: readonly Dialect[];
  /** A sentence for each that fits nothing so far, with what the nearest frame lacks. */
  unfit(): readonly string[];
}

const whyUnfit = (path: string, misfit: Misfit | null): string => {
  const none = `The mapping ${path} fits no stream in it`;
  if (misfit === null || misfit.frames === 0) return `${none}: no frame came.`;
  const among = misfit.frames === 1 ? 'the one frame' : `the first ${misfit.frames} frames`;
  switch (misfit.reason) {
    case 'url':
      return `${none}: its url does not match ${JSON.stringify(misfit.where)}.`;
    case 'frames':
      return `${none}: none of ${among} is a JSON object.`;
    case 'path':
      return `${none}: ${among} ${misfit.frames === 1 ? 'has' : 'have'} no ${JSON.stringify(misfit.where)} where recognise.where looks.`;
    default:
      return `${none}: ${JSON.stringify(misfit.where)} is ${JSON.stringify((misfit.found ?? '').slice(0, 60))} in ${among}, which its pattern does not match.`;
  }
};

export const mappingsFrom = (paths: readonly string[]): Mapped => {
  const files = paths.map((path) => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      throw new UsageError(`The mapping file ${path} cannot be read: ${whyUnread(error)}.`);
    }
    const result = readMapping(text);
    if (!result.ok) {
      const problems = result.problems.map(
        ({ line, key, message }) => `  ${path}${line === null ? '' : `:${line}`}: ${key === '' ? '' : `${key} `}${message}`,
      );
      throw new UsageError(`This mapping file is not right; docs/mapping.md describes the format.\n${problems.join('\n')}`);
    }
    const { dialect, mapping } = result;
    let fits = false;
    let nearest: Misfit | null = null;
    const watched: Dialect = {
      ...dialect,
      recognise(opening) {
        const answer = dialect.recognise(opening);
        if (answer === 'certain') fits = true;
        else if (!fits) {
          const misfit = misfitOf(mapping, opening);
          if (nearest === null || misfit.met > nearest.met || (misfit.met === nearest.met && misfit.frames >= nearest.frames))
            nearest = misfit;
        }
        return answer;
      },
    };
    return { dialect: watched, why: () => (fits ? [] : [whyUnfit(path, nearest)]) };
  });
  return {
    dialects: [...files.map((file) => file.dialect), ...DIALECTS],
    unfit: () => files.flatMap((file) => file.why()),
  };
};

export const dialectsWith = (paths: readonly string[]): readonly Dialect[] =>
  paths.length === 0 ? DIALECTS : mappingsFrom(paths).dialects;
