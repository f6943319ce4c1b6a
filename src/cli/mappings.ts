/** Mapping files named on the command line: read once, put before the built-in dialects. Errors name file, line and key. */
import { readFileSync } from 'node:fs';
import { DIALECTS } from '../core/dialects';
import type { Dialect } from '../core/dialects/dialect';
import { readMapping } from '../core/mapping/mapping';
import { type Option, UsageError } from './command';
import { whyUnread } from './files';

export const MAPPING_OPTION: Readonly<Record<string, Option>> = {
  mapping: { value: 'FILE', about: 'a mapping file for a protocol of your own', many: true },
};

/** The dialects to judge with: those of the mapping files first. */
export const dialectsWith = (paths: readonly string[]): readonly Dialect[] => {
  if (paths.length === 0) return DIALECTS;
  const mapped = paths.map((path) => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      throw new UsageError(`The mapping file ${path} cannot be read: ${whyUnread(error)}.`);
    }
    const result = readMapping(text);
    if (result.ok) return result.dialect;
    const problems = result.problems.map(
      ({ line, key, message }) => `  ${path}${line === null ? '' : `:${line}`}: ${key === '' ? '' : `${key} `}${message}`,
    );
    throw new UsageError(`This mapping file is not right; docs/mapping.md describes the format.\n${problems.join('\n')}`);
  });
  return [...mapped, ...DIALECTS];
};
