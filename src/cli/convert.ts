/**
 * What `redact`, `import` and `record` share: a file as a capture, redacted or not. Redaction reads a file three times instead of
 * holding it; scrambling and HAR need all of it at once and say where that ends.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { version } from '../../package.json' with { type: 'json' };
import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureHeader,
  createReader,
  entryLine,
  headerLine,
  type ReadSummary,
  serialiseCapture,
} from '../core/capture/capture';
import { exportHar } from '../core/capture/export-har';
import { type RedactionReport, redactCapture, redactionPasses, ScrambleError, textMembersOf } from '../core/capture/redact';
import type { Capture, SourceDocument } from '../core/model';
import { nearest } from '../core/nearest';
import { verdictsOf } from '../core/report';
import { createSession, type Entry } from '../core/session';
import { type Args, CANNOT_JUDGE, CLEAN, type Option, type Terminal, UsageError } from './command';
import { readPieces, STDIN, shown } from './files';
import { brokenOff, explain, type FileSummary, faultsOfFile, isDamaged } from './judge';
import { checkOutput, whenStopped, writeOut } from './output';
import { plural } from './style';
import { nativeUtf8 } from './utf8';

export const SCRAMBLE_OPTIONS: Readonly<Record<string, Option>> = {
  scramble: { value: null, about: 'make all texts unreadable, and keep the verdicts' },
  keep: { value: 'MEMBER', about: 'with --scramble: a JSON member whose texts stay as they are', many: true },
};

const MB = 1_048_576;
/** Bytes of a file, unpacked, that are taken where all of it must be in memory. docs/cli.md names them. */
const SCRAMBLED = 64 * MB;
const AS_HAR = 256 * MB;

/** A file that can be read more than once. */
interface Reread {
  /** Batches of entries in order; then how it went. Throws CaptureError, or what the file system says. */
  entries(document?: (document: SourceDocument) => void): AsyncGenerator<readonly Entry[], FileSummary>;
}

const reread = (path: string, stdin: Terminal['stdin'], progress: (bytes: number) => void, bound: number, beyond: string): Reread => ({
  async *entries(document) {
    let batches: (readonly Entry[])[] = [];
    const reader = createReader({ document: (one) => document?.(one), entries: (more) => batches.push(more) }, { decoder: nativeUtf8 });
    let bytes = 0;
    let ignored = 0;
    let summary: FileSummary;
    const ready = function* (): Generator<readonly Entry[]> {
      const full = batches;
      batches = [];
      yield* full;
    };
    try {
      const pieces = readPieces(path, stdin, (count) => {
        ignored = count;
      });
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes > bound) throw new UsageError(beyond);
        reader.push(piece);
        progress(piece.length);
        yield* ready();
      }
      summary = { ...reader.end(), broken: null, ignored };
    } catch (error) {
      summary = { ...brokenOff(reader, error), ignored };
    }
    yield* ready();
    return summary;
  },
});

/** Standard input comes once: where it is read again, it is kept in a file of its own meanwhile. */
const settled = async (path: string, terminal: Terminal): Promise<{ readonly path: string; done(): void }> => {
  if (path !== STDIN) return { path, done() {} };
  const folder = mkdtempSync(join(tmpdir(), 'unsettled-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const stay = whenStopped(remove);
  const kept = join(folder, 'input');
  try {
    // As it came: packed, it is unpacked at each reading, and up to where it is damaged.
    await pipeline(Readable.from(terminal.stdin()), createWriteStream(kept, { mode: 0o600 }));
  } catch (error) {
    stay();
    remove();
    throw error;
  }
  return {
    path: kept,
    done() {
      stay();
      remove();
    },
  };
};

const headerFor = (
  summary: Pick<ReadSummary, 'header' | 'format'>,
  documents: readonly SourceDocument[],
  redaction: Capture['redaction'] | undefined,
): CaptureHeader => {
  const {
    createdAt,
    producer,
    redaction: before,
  } = summary.header ?? {
    createdAt: new Date().toISOString(),
    producer: { name: `unsettled import (${summary.format})`, version, browser: null },
    redaction: null,
  };
  return {
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    createdAt,
    producer,
    documents,
    redaction:
      redaction === undefined || redaction === null ? before : { ...redaction, replaced: redaction.replaced + (before?.replaced ?? 0) },
  };
};

const drain = (steps: Iterator<void>): void => {
  while (!steps.next().done);
};

/** One reading of all entries, for what it does to each. */
const each = async (source: Reread, visit: (entry: Entry) => void, document?: (document: SourceDocument) => void): Promise<FileSummary> => {
  const batches = source.entries(document);
  for (;;) {
    const next = await batches.next();
    if (next.done) return next.value;
    for (const entry of next.value) visit(entry);
  }
};

/** The lines of the capture, as pieces; `write` makes the entries. */
async function* lines(header: CaptureHeader, source: Reread, write: (entry: Entry) => Entry): AsyncGenerator<string> {
  let piece = headerLine(header);
  for await (const batch of source.entries()) {
    for (const entry of batch) {
      piece += entryLine(write(entry));
      if (piece.length < 65_536) continue;
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

const say = (path: string, summary: FileSummary, terminal: Terminal): void => {
  for (const fault of faultsOfFile(summary)) terminal.err(`unsettled: ${shown(path)}: ${fault.message}\n`);
};

interface Conversion {
  readonly raw: boolean;
  readonly har: boolean;
}

/** Reads the file, writes what is wanted of it. What cannot be read is said; what can be is written. */
export const convert = async (path: string, { raw, har }: Conversion, args: Args, terminal: Terminal): Promise<number> => {
  if (args.has('keep') && !args.has('scramble')) throw new UsageError('--keep goes with --scramble.');
  await checkOutput(args);
  const whole = har || args.has('scramble');
  const input = whole
    ? { path, done() {} }
    : await settled(path, terminal).catch((error: unknown) => ({ path: explain(error), done: null }));
  if (input.done === null) {
    terminal.err(`unsettled: ${shown(path)}: ${input.path}\n`);
    return CANNOT_JUDGE;
  }
  const bar = await progress(input.path, whole ? 1 : raw ? 2 : 3, terminal);
  const [bound, beyond] = args.has('scramble')
    ? [
        SCRAMBLED,
        `Scrambling holds all of a file in memory, and takes up to ${SCRAMBLED / MB} MB. Save one run of it in the panel, or redact without --scramble.`,
      ]
    : har
      ? [
          AS_HAR,
          `HAR is one JSON document, written from memory, for captures of up to ${AS_HAR / MB} MB. Save one run of it in the panel, or stay with captures.`,
        ]
      : [Number.POSITIVE_INFINITY, ''];
  const source = reread(input.path, terminal.stdin, bar.more, bound, beyond);
  try {
    if (whole) return await convertWhole(path, source, { raw, har }, args, terminal);
    const documents: SourceDocument[] = [];
    const passes = raw ? null : redactionPasses();
    const summary = await each(
      source,
      (entry) => {
        if (passes) drain(passes.learn(entry));
      },
      (document) => documents.push(document),
    );
    say(path, summary, terminal);
    let header = headerFor(summary, documents, undefined);
    if (passes) {
      drain(passes.learnt());
      await each(source, (entry) => drain(passes.mark(entry)));
      drain(passes.marked());
      const report = passes.report();
      terminal.err(replaced(report));
      const recorded = headerFor(summary, documents, { policy: 'standard', replaced: report.replaced });
      header = { ...recorded, ...passes.head(recorded) };
    }
    await writeOut(
      lines(header, source, (entry) => (passes ? passes.write(entry) : entry)),
      args,
      terminal,
    );
    return isDamaged(summary) ? CANNOT_JUDGE : CLEAN;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    terminal.err(`unsettled: ${shown(path)}: ${explain(error)}\n`);
    return CANNOT_JUDGE;
  } finally {
    bar.clear();
    input.done();
  }
};

const convertWhole = async (path: string, source: Reread, { raw, har }: Conversion, args: Args, terminal: Terminal): Promise<number> => {
  const documents: SourceDocument[] = [];
  const entries: Entry[] = [];
  const summary = await each(
    source,
    (entry) => entries.push(entry),
    (document) => documents.push(document),
  );
  say(path, summary, terminal);
  const loaded: Capture = { ...headerFor(summary, documents, undefined), entries };
  const vain = keptInVain(loaded, args);
  if (vain !== null) throw new UsageError(vain);
  const capture = raw ? loaded : redacted(loaded, args, terminal);
  if (har) {
    const made = exportHar(capture);
    if (made.leftOut > 0)
      terminal.err(
        `${plural(made.leftOut, 'entry', 'entries')} of what the page showed and of gaps have no place in HAR and were left out.\n`,
      );
    await writeOut(made.text(), args, terminal);
  } else await writeOut(captureText(capture), args, terminal);
  return isDamaged(summary) ? CANNOT_JUDGE : CLEAN;
};

/** Files of this size take a moment, and how far it is is shown. */
const SLOW = 16 * MB;

const progress = async (path: string, readings: number, terminal: Terminal): Promise<{ more(bytes: number): void; clear(): void }> => {
  const size =
    terminal.interactive && path !== STDIN
      ? await stat(path).then(
          (found) => found.size,
          () => 0,
        )
      : 0;
  let read = 0;
  let shownAt = 0;
  if (size < SLOW) return { more() {}, clear() {} };
  return {
    more(bytes) {
      read += bytes;
      const now = performance.now();
      if (now - shownAt < 100) return;
      shownAt = now;
      // Packed files hold more than their size says.
      terminal.err(`\r${Math.min(99, Math.floor((read / (size * readings)) * 100))} %`);
    },
    clear: () => terminal.err('\r\u001b[K'),
  };
};

const verdict = (capture: Capture): string => {
  const session = createSession();
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  return verdictsOf(session);
};

/** Members that `--keep` names and the capture does not have: why that is a mistake; null where it is none. */
export const keptInVain = (capture: Capture, args: Args): string | null => {
  if (args.all('keep').length === 0) return null;
  const members = textMembersOf(capture.entries);
  const wrong = args.all('keep').find((name) => !members.includes(name));
  if (wrong === undefined) return null;
  const known = members.slice(0, 30).join(', ');
  return `--keep ${wrong}: no text in this file stands under a member of that name.${nearest(wrong, members)} ${members.length === 0 ? 'There are no members with text in it.' : `The members with text: ${known}${members.length > 30 ? ', …' : ''}.`}`;
};

/** The capture without its secrets, scrambled if asked for. Says on standard error what was replaced. */
export const redacted = (capture: Capture, args: Args, terminal: Terminal): Capture => {
  if (!args.has('scramble')) {
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

const replaced = ({ replacements, replaced: places, dropped }: RedactionReport): string => {
  const left = dropped === 0 ? '' : `Left out, because this format does not know them: ${plural(dropped, 'member')} of entries.\n`;
  if (places === 0) return `No secrets were found.\n${left}`;
  const kinds = new Map<string, number>();
  for (const { kind } of replacements) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const list = [...kinds].map(([kind, count]) =>
    plural(count, kind, kind.endsWith('y') && kind !== 'key' && kind !== 'private key' ? `${kind.slice(0, -1)}ies` : `${kind}s`),
  );
  return `Replaced in ${plural(places, 'place')}: ${list.join(', ')}.\n${left}`;
};

export const captureText = (capture: Capture): Iterable<string> => serialiseCapture(capture);
