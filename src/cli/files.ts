/**
 * From what was named on the command line to bytes: globs, folders, standard input, gzip. Files are read in pieces; nothing
 * here knows what is in them.
 */
import { createReadStream, type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { UsageError } from './command';
import { gunzip } from './gunzip';

/** Standard input among the files. */
export const STDIN = '-';

const GLOB = /[*?[\]{}]/u;

/** A glob as a regular expression over paths with `/`: `*`, `?`, `**`, `[a-z]`, `{a,b}`. */
export const globToRegExp = (glob: string): RegExp => {
  let source = '';
  let braces = 0;
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i]!;
    if (c === '*' && glob[i + 1] === '*') {
      const slash = glob[i + 2] === '/';
      source += slash ? '(?:[^/]+/)*' : '.*';
      i += slash ? 2 : 1;
    } else if (c === '*') source += '[^/]*';
    else if (c === '?') source += '[^/]';
    else if (c === '[' && glob.indexOf(']', i + 1) > 0) {
      const close = glob.indexOf(']', i + 1);
      source += `[${glob
        .slice(i + 1, close)
        .replace(/^!/u, '^')
        .replace(/\\/gu, '\\\\')}]`;
      i = close;
    } else if (c === '{') {
      braces++;
      source += '(?:';
    } else if (c === '}' && braces > 0) {
      braces--;
      source += ')';
    } else if (c === ',' && braces > 0) source += '|';
    else source += c.replace(/[\\^$.|+()[\]{}]/u, '\\$&');
  }
  if (braces > 0) throw new UsageError(`The pattern ${glob} has an open brace.`);
  return new RegExp(`^${source}$`, 'u');
};

/** Files that could hold a stream, by their names, for advice. What they are is told by their content. */
const READABLE = /\.(?:har|sse|ndjson|jsonl|json|txt|log|zip|stream)$/iu;

/** Told of a folder that is there and cannot be read. */
type OnUnread = (folder: string, error: unknown) => void;

const walk = async function* (dir: string, unread: OnUnread): AsyncGenerator<string> {
  let entries: Dirent[];
  try {
    entries = await readdir(dir === '' ? '.' : dir, { withFileTypes: true });
  } catch (error) {
    // A pattern may begin with a folder that does not exist, and a folder may go meanwhile: there is nothing in it.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') unread(dir === '' ? '.' : dir, error);
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    const path = dir === '' ? entry.name : join(dir, entry.name);
    if (entry.isDirectory()) yield* walk(path, unread);
    else if (entry.isFile()) yield path;
  }
};

/** Whether a file in this folder could match: a folder that the pattern does not reach is nobody's loss. */
const reaches = (pattern: string, folder: string): boolean => {
  // A brace may hold slashes.
  if (folder === '.' || /\{[^}]*\//u.test(pattern)) return true;
  const wanted = pattern.split('/');
  const steps = folder.split(sep).join('/').split('/');
  for (let i = 0; i < steps.length; i++) {
    const step = wanted[i];
    if (step?.includes('**')) return true;
    if (step === undefined || i === wanted.length - 1 || !globToRegExp(step).test(steps[i]!)) return false;
  }
  return true;
};

const exists = async (path: string): Promise<'file' | 'folder' | null> => {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
};

/**
 * The files that the arguments name, in order, each once. A name that exists is itself, whatever characters it has; a
 * pattern must match something; a folder stands for the captures (`*.unsettled.jsonl`, also `.gz`) in it. What may be in a
 * folder that cannot be read must not be passed over: `unread` is told of it, once; without one, it is refused.
 */
export const expandFiles = async (names: readonly string[], unread?: OnUnread): Promise<readonly string[]> => {
  const files = new Set<string>();
  const told = new Set<string>();
  for (const name of names) {
    const kind = name === STDIN ? 'file' : await exists(name);
    if (kind === 'file' || (kind === null && !GLOB.test(name))) {
      files.add(name);
      continue;
    }
    let matched = 0;
    const take = (path: string): void => {
      matched++;
      files.add(path);
    };
    const lost: OnUnread = (folder, error) => {
      matched++;
      if (told.has(folder)) return;
      told.add(folder);
      if (unread === undefined) throw new UsageError(`${folder}: ${whyFolderUnread(error)}`);
      unread(folder, error);
    };
    if (kind === 'folder') {
      const others = new Map<string, number>();
      for await (const path of walk(name, lost)) {
        if (/\.unsettled\.jsonl(?:\.gz)?$/u.test(path)) take(path);
        else if (READABLE.test(path)) others.set(extname(path), (others.get(extname(path)) ?? 0) + 1);
      }
      if (matched === 0) {
        const [most] = [...others].sort(([, a], [, b]) => b - a);
        const pattern = `'${join(name, `**/*${most?.[0] ?? '.har'}`)}'`;
        throw new UsageError(
          most === undefined
            ? `The folder ${name} holds no *.unsettled.jsonl files. Name other files themselves, or by a pattern: ${pattern}.`
            : `The folder ${name} holds no *.unsettled.jsonl files, for which a folder stands, but ${most[1]} *${most[0]}. Name them by a pattern: ${pattern}.`,
        );
      }
      continue;
    }
    const pattern = name.split(sep).join('/').replace(/^\.\//u, '');
    const segments = pattern.split('/');
    const fixed = segments
      .slice(
        0,
        segments.findIndex((segment) => GLOB.test(segment)),
      )
      .join('/');
    const root = pattern.startsWith('/') && fixed === '' ? '/' : fixed;
    const test = globToRegExp(pattern);
    const missed: OnUnread = (folder, error) => {
      if (reaches(pattern, folder)) lost(folder, error);
    };
    for await (const path of walk(root, missed)) if (test.test(path.split(sep).join('/'))) take(path);
    if (matched === 0) throw new UsageError(`No file matches ${name}.`);
  }
  return [...files];
};

/** What a folder that cannot be read comes to, and what to do. */
export const whyFolderUnread = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM'
    ? 'This folder may not be read, so nobody knows what is in it. Check its permissions.'
    : `This folder could not be read (${message}), so nobody knows what is in it.`;
};

/** Why a file that was named beside the ones to judge cannot be read. */
export const whyUnread = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? 'there is no such file. The path is taken from the folder you are in'
    : code === 'EISDIR'
      ? 'it is a folder'
      : code === 'EACCES' || code === 'EPERM'
        ? 'it may not be read. Check its permissions'
        : message;
};

/** How a path is shown: relative where that is shorter. */
export const shown = (path: string): string => {
  if (path === STDIN) return '(standard input)';
  const short = relative(process.cwd(), path);
  return short !== '' && short.length < path.length ? short : path;
};

/**
 * The pieces of a file, unpacked if it is gzip. Throws what the file system says. `ignored` is told of bytes after the end of what
 * was packed.
 */
export const readPieces = async function* (
  path: string,
  stdin: () => AsyncIterable<Uint8Array>,
  ignored: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const source: AsyncIterable<Uint8Array> = path === STDIN ? stdin() : createReadStream(path, { highWaterMark: 1 << 18 });
  const pieces = source[Symbol.asyncIterator]();
  // The mark may come in two pieces, too.
  const begun: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const next = await pieces.next();
    if (next.done) break;
    begun.push(next.value);
    length += next.value.length;
  }
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield* begun;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  };
  const [one, two] = Buffer.concat(begun);
  yield* one === 0x1f && two === 0x8b ? gunzip(all(), ignored) : all();
};
