/** Where a command writes: looked at before any work is done, and never left half written. */
import { createWriteStream, rmSync } from 'node:fs';
import { access, constants, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Args, CANNOT_JUDGE, CLEAN, type Option, type Terminal, UsageError } from './command';

export const OUTPUT_OPTIONS: Readonly<Record<string, Option>> = {
  output: { value: 'FILE', about: 'where to write it (default: standard output); packed if it ends in .gz', short: 'o' },
  force: { value: null, about: 'write over a file that is there' },
};

/** The path of `--output`, or null for standard output. */
const outputOf = (args: Args): string | null => {
  const path = args.one('output');
  return path === null || path === '-' ? null : path;
};

/** Says what would keep the output from being written, before anything is read or recorded. */
export const checkOutput = async (args: Args): Promise<void> => {
  const path = outputOf(args);
  if (path === null) return;
  if (path === '') throw new UsageError('--output needs the name of a file.');
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory()) throw new UsageError(`${path} is a folder. Name a file in it: -o ${join(path, 'OUT.unsettled.jsonl')}.`);
  if (there !== null && !args.has('force')) throw new UsageError(`${path} is there already. Choose another name, or pass --force.`);
  const folder = dirname(path);
  const kind = await stat(folder).catch(() => null);
  if (kind === null)
    throw new UsageError(`The folder ${folder} does not exist. Make it (mkdir -p ${folder}), or choose another place for -o.`);
  if (!kind.isDirectory())
    throw new UsageError(`${folder} is no folder, so ${basename(path)} cannot be written in it. Choose another place for -o.`);
  try {
    await access(there === null ? folder : path, constants.W_OK);
  } catch {
    throw new UsageError(
      `${there === null ? `The folder ${folder}` : path} may not be written to. Check its permissions, or choose another place for -o.`,
    );
  }
};

/** Runs `clean` where the process is stopped by hand. The answer takes that back. */
export const whenStopped = (clean: () => void): (() => void) => {
  const stop = (signal: NodeJS.Signals): void => {
    clean();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return () => {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  };
};

/**
 * What it comes to where standard output takes no more. A reader that has seen enough (`| head`) closes the pipe; that is no failure of
 * ours. Anything else costs the caller the report, and is said.
 */
export const outputLost = ({ code, message }: NodeJS.ErrnoException): { readonly exitCode: number; readonly message: string | null } =>
  code === 'EPIPE'
    ? { exitCode: CLEAN, message: null }
    : {
        exitCode: CANNOT_JUDGE,
        message: `unsettled: The output could not be written: ${code === 'ENOSPC' || code === 'EDQUOT' ? 'there is no room where it goes' : message}. What was printed is not whole.\n`,
      };

/** Why a file could not be written, and what to do. */
const whyNot = (path: string, error: unknown): UsageError => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new UsageError(`There is no room for ${path}. Nothing was left of it.`);
  return new UsageError(`${path} cannot be written: ${message}.`);
};

/**
 * Writes pieces of text to `--output`, or to standard output. A file appears under its name only when it is whole, so a name that
 * is also what is read from is safe, and so is what stood there where something goes wrong.
 */
export const writeOut = async (pieces: Iterable<string> | AsyncIterable<string>, args: Args, terminal: Terminal): Promise<void> => {
  const wanted = outputOf(args);
  if (wanted === null) {
    for await (const piece of pieces) await terminal.out(piece);
    return;
  }
  await checkOutput(args);
  const path = await realpath(wanted).catch(() => wanted);
  const there = await stat(path).catch(() => null);
  // Devices and pipes are written to as they are.
  const own = there === null || there.isFile() ? join(dirname(path), `.${basename(path)}.${process.pid}.part`) : path;
  const stay = own === path ? () => {} : whenStopped(() => rmSync(own, { force: true }));
  let broken: unknown = null;
  const guarded = async function* (): AsyncGenerator<string> {
    try {
      yield* pieces;
    } catch (error) {
      broken = error;
      throw error;
    }
  };
  try {
    const file: Writable = createWriteStream(own);
    const source = Readable.from(guarded());
    if (path.endsWith('.gz')) await pipeline(source, createGzip(), file);
    else await pipeline(source, file);
    if (own !== path) await rename(own, path);
  } catch (error) {
    if (own !== path) await rm(own, { force: true });
    throw broken ?? whyNot(wanted, error);
  } finally {
    stay();
  }
};
