/** What `import` and `redact` share: a whole capture from a file, and writing one, packed if its name or the caller says so. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { version } from '../../package.json' with { type: 'json' };
import { CAPTURE_FORMAT, CAPTURE_VERSION, createReader, type ReadSummary, serialiseCapture } from '../core/capture/capture';
import { type RedactionReport, redactCapture, ScrambleError } from '../core/capture/redact';
import type { Capture, SourceDocument } from '../core/model';
import { verdictsOf } from '../core/report';
import { createSession, type Entry } from '../core/session';
import { type Args, type Option, type Terminal, UsageError } from './command';
import { readPieces } from './files';
import { plural } from './style';
import { nativeUtf8 } from './utf8';

/** Throws CaptureError or what the file system says. */
export const loadCapture = async (
  path: string,
  terminal: Terminal,
): Promise<{ readonly capture: Capture; readonly summary: ReadSummary }> => {
  const entries: Entry[] = [];
  const documents: SourceDocument[] = [];
  const reader = createReader(
    {
      document: (document) => documents.push(document),
      entries: (more) => {
        for (const entry of more) entries.push(entry);
      },
    },
    { decoder: nativeUtf8 },
  );
  for await (const piece of readPieces(path, terminal.stdin)) reader.push(piece);
  const summary = reader.end();
  const { createdAt, producer, redaction } = summary.header ?? {
    createdAt: new Date().toISOString(),
    producer: { name: `unsettled import (${summary.format})`, version, browser: null },
    redaction: null,
  };
  return { capture: { format: CAPTURE_FORMAT, version: CAPTURE_VERSION, createdAt, producer, documents, entries, redaction }, summary };
};

export const OUTPUT_OPTIONS: Readonly<Record<string, Option>> = {
  output: { value: 'FILE', about: 'where to write it (default: standard output); packed if it ends in .gz', short: 'o' },
  force: { value: null, about: 'write over a file that is there' },
};

export const SCRAMBLE_OPTIONS: Readonly<Record<string, Option>> = {
  scramble: { value: null, about: 'make all texts unreadable, and keep the verdicts' },
  keep: { value: 'MEMBER', about: 'with --scramble: a JSON member whose texts stay as they are', many: true },
};

/** Writes pieces of text to `--output`, or to standard output. */
export const writeOut = async (pieces: Iterable<string>, args: Args, terminal: Terminal): Promise<void> => {
  const path = args.one('output');
  if (path === null || path === '-') {
    for (const piece of pieces) await terminal.out(piece);
    return;
  }
  if (!args.has('force') && (await stat(path).catch(() => null)) !== null)
    throw new UsageError(`${path} is there already. Choose another name, or pass --force.`);
  const file: Writable = createWriteStream(path);
  const source = Readable.from(pieces);
  if (path.endsWith('.gz')) await pipeline(source, createGzip(), file);
  else await pipeline(source, file);
};

const verdict = (capture: Capture): string => {
  const session = createSession();
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  return verdictsOf(session);
};

/** The capture without its secrets, scrambled if asked for. Says on standard error what was replaced. */
export const redacted = (capture: Capture, args: Args, terminal: Terminal): Capture => {
  if (!args.has('scramble')) {
    if (args.all('keep').length > 0) throw new UsageError('--keep goes with --scramble.');
    const { capture: clean, report } = redactCapture(capture, { policy: 'standard' });
    terminal.err(replaced(report));
    return clean;
  }
  try {
    const {
      capture: clean,
      report,
      style,
    } = redactCapture(capture, { policy: 'scramble', key: crypto.randomUUID(), verdict, keep: args.all('keep') });
    terminal.err(
      `${replaced(report)}Texts were scrambled by ${style === 'words' ? 'words' : 'single letters (words could not be followed: easier to guess)'}; the verdicts are the same.\n`,
    );
    return clean;
  } catch (error) {
    if (!(error instanceof ScrambleError)) throw error;
    throw new UsageError(
      error.members.length > 0
        ? `Scrambling would change a verdict. It would not if the texts of one of these members stayed readable: ${error.members.join(', ')}. If they may: --keep ${error.members[0]}.`
        : 'Scrambling would change a verdict, and no single member explains it. Use redaction without --scramble.',
    );
  }
};

const replaced = ({ replacements, replaced: places }: RedactionReport): string => {
  if (places === 0) return 'No secrets were found.\n';
  const kinds = new Map<string, number>();
  for (const { kind } of replacements) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const list = [...kinds].map(([kind, count]) =>
    plural(count, kind, kind.endsWith('y') && kind !== 'key' && kind !== 'private key' ? `${kind.slice(0, -1)}ies` : `${kind}s`),
  );
  return `Replaced in ${plural(places, 'place')}: ${list.join(', ')}.\n`;
};

export const captureText = (capture: Capture): Iterable<string> => serialiseCapture(capture);
