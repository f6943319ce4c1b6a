/**
 * Judges one file: reads it, runs a session over it, and says what it comes to. Whatever goes wrong becomes part of the
 * report in words that say what to do; nothing is thrown.
 */
import { CaptureError, type CaptureReader, createReader, type ReadSummary } from '../core/capture/capture';
import { VERDICT_LIST } from '../core/capture/importers/verdict-list';
import { type FileReport, type ReportFault, reportFile, unreadFile } from '../core/report';
import { createSession, type Entry, type Session } from '../core/session';
import { UsageError } from './command';
import { readPieces, STDIN } from './files';
import { mappingsFrom } from './mappings';
import { plural } from './style';
import { nativeUtf8 } from './utf8';

export interface JudgeOptions {
  readonly muted: readonly string[];
  /** A file without any agent stream in it is fine. */
  readonly allowEmpty: boolean;
  /** Paths of mapping files. */
  readonly mappings: readonly string[];
}

const KINDS =
  'an Unsettled capture, a HAR file, a Playwright trace, a saved event stream or JSON body, the output of curl -i, or a stream recording';

/** What is wrong with a file that could not be read, and what to do about it. */
export const explain = (error: unknown): string => {
  if (error instanceof CaptureError) {
    const { reason, facts } = error;
    const at = facts.line === undefined ? '' : ` at line ${facts.line}`;
    if (reason === 'newer-version')
      return `This capture has format version ${facts.version}; this Unsettled reads up to ${facts.supported}. Update Unsettled (npm i -D unsettled@latest).`;
    if (reason === 'damaged') return `This capture is damaged${at}: ${facts.detail}. Nothing could be read from it; export it again.`;
    switch (facts.looksLike) {
      case 'nothing':
        return 'The file is empty. If it was to be a capture, record or export it again.';
      case 'zip':
        return 'This is a zip file, and not a Playwright trace. Unpack it and name the file inside.';
      case 'json':
        return `This is JSON or nearly so, and not a file with streams in it. Wanted: ${KINDS}.`;
      case 'binary':
        return `This is not text. Wanted: ${KINDS}. A body that came packed from the server must be saved unpacked: curl --compressed.`;
      case 'verbose':
        return 'This is what curl -v prints: its notes stand between the lines of the answer. Save the answer with its head instead, and without those: curl -iN URL > answer.txt';
      default:
        return `This text is not a file with streams in it. Wanted: ${KINDS}.`;
    }
  }
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'There is no such file. Check the path; it is taken from the folder you are in.';
    case 'EACCES':
    case 'EPERM':
      return 'The file may not be read. Check its permissions.';
    case 'EISDIR':
      return 'This is a folder. Name the files in it, or a pattern.';
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return `The gzip data is damaged (${message}). Copy or export the file again.`;
    case 'ENAMETOOLONG':
    case 'ENOTDIR':
      return 'There is no such file: a part of its path is no folder.';
    default:
      if (error instanceof RangeError && /string length/u.test(message))
        return 'One line or value of this file is longer than can be held (512 MB).';
      return message;
  }
};

/** How the reading of a file went, with what its packing has to say. */
export interface FileSummary extends ReadSummary {
  /** Why the bytes ended before the file did (packed data is damaged, a disk fails): what came before was read. */
  readonly broken: string | null;
  /** Bytes after the end of what was packed. */
  readonly ignored: number;
}

/** Not all of the file was read. */
export const isDamaged = ({ damage, broken }: FileSummary): boolean => damage !== null || broken !== null;

/** What the summary has to say about the file, as faults: damage first. */
export const faultsOfFile = (summary: FileSummary): ReportFault[] => {
  const faults: ReportFault[] = [];
  const { damage, skipped, unopened, invalidUtf8, broken } = summary;
  const upToThere = 'What came before was read; the rest was not.';
  if (broken !== null) faults.push({ kind: 'file', message: `${broken} ${upToThere}`, line: null, where: null });
  if (damage)
    faults.push({
      kind: 'file',
      message: `Damaged${damage.line === null ? '' : ` at line ${damage.line}`}: ${damage.detail}. ${upToThere}`,
      line: damage.line,
      where: null,
    });
  if (skipped)
    faults.push({
      kind: 'file',
      message: `${skipped.count} ${skipped.count === 1 ? 'entry was' : 'entries were'} left out${skipped.line === null ? '' : `, the first at line ${skipped.line}`}: ${skipped.detail}.`,
      line: skipped.line,
      where: null,
    });
  if (unopened)
    faults.push({
      kind: 'file',
      message: `${plural(unopened.count, 'entry belongs', 'entries belong')} to a flow that is not opened before (the first at line ${unopened.line}, of ${JSON.stringify(unopened.flow)}), so nothing could be read from ${unopened.count === 1 ? 'it' : 'them'}. A line may have been lost: export the capture again where you can.`,
      line: unopened.line,
      where: null,
    });
  if (invalidUtf8)
    faults.push({
      kind: 'file',
      message: `${plural(invalidUtf8.count, 'place is', 'places are')} not UTF-8 (the first at byte ${invalidUtf8.offset}), read as U+FFFD.`,
      line: null,
      where: null,
    });
  if (summary.ignored > 0)
    faults.push({
      kind: 'file',
      message: `${plural(summary.ignored, 'byte', 'bytes')} after the end of the packed data ${summary.ignored === 1 ? 'was' : 'were'} ignored. All that was packed was read.`,
      line: null,
      where: null,
    });
  if (summary.headless)
    faults.push({
      kind: 'file',
      message: `The first line of this capture, its header, ${summary.headerFault === null ? 'is missing or broken' : `is broken: ${summary.headerFault}`}. The entries after it were read all the same; the addresses of the pages are not known. Export it again where you can.`,
      line: 1,
      where: null,
    });
  return faults;
};

/** The end of a file whose bytes ended with an error: what came before stands. Throws the error where nothing could be read. */
export const brokenOff = (reader: CaptureReader, error: unknown): ReadSummary & { readonly broken: string } => {
  if (!(error instanceof CaptureError || error instanceof UsageError)) {
    try {
      const summary = reader.cut();
      if (summary.entries > 0) return { ...summary, broken: explain(error) };
    } catch {
      // Too little to tell what it is. Why there is no more of it says more.
    }
  }
  throw error;
};

/** Feeds a file to a session, up to where it is damaged. Throws CaptureError or what the file system says where nothing could be read. */
export const readInto = async (
  session: Session,
  path: string,
  stdin: () => AsyncIterable<Uint8Array>,
  onEntries: (entries: readonly Entry[]) => void = () => {},
): Promise<FileSummary> => {
  let ignored = 0;
  const reader = createReader(
    {
      document: (document) => session.document(document),
      entries: (entries) => {
        session.ingest(entries);
        onEntries(entries);
      },
    },
    { decoder: nativeUtf8 },
  );
  const pieces = readPieces(path, stdin, (bytes) => {
    ignored = bytes;
  });
  try {
    for await (const piece of pieces) reader.push(piece);
  } catch (error) {
    return { ...brokenOff(reader, error), ignored };
  }
  return { ...reader.end(), broken: null, ignored };
};

export const judgeFile = async (path: string, options: JudgeOptions, stdin: () => AsyncIterable<Uint8Array>): Promise<FileReport> => {
  const file = path === STDIN ? '(standard input)' : path;
  let mapped = mappingsFrom(options.mappings);
  let session = createSession({ dialects: mapped.dialects, verdictsOnly: true });
  let summary: FileSummary | null = null;
  /** Answers whose body the file should hold and does not. */
  let bodiless = 0;
  /** A body that begins as a server's refusal does. */
  let refusal = false;
  // Standard input comes only once.
  for (const verdictsOnly of path === STDIN ? [false] : [true, false]) {
    mapped = mappingsFrom(options.mappings);
    session = createSession({ dialects: mapped.dialects, verdictsOnly });
    bodiless = 0;
    try {
      summary = await readInto(session, path, stdin, (entries) => {
        for (const entry of entries) {
          if (entry.type === 'gap' && entry.reason === 'read-natively') bodiless++;
          if (entry.type === 'flow.chunk') refusal ||= REFUSAL.test(entry.text);
        }
      });
    } catch (error) {
      const message = explain(error);
      return unreadFile(file, message, { kind: 'file', message, line: lineOf(error), where: null });
    }
    if (session.intact) break;
  }
  const faults = summary ? faultsOfFile(summary) : [];
  const damage = summary && isDamaged(summary) ? faults[0]!.message : null;
  const silent =
    damage === null &&
    !options.allowEmpty &&
    summary?.format !== VERDICT_LIST &&
    ![...session.flows.values()].some((flow) => flow.dialect !== null)
      ? nothingHeard(session, bodiless, refusal && summary?.format === 'json-body', mapped.unfit())
      : null;
  return reportFile(session, { file, source: summary?.format ?? null, muted: new Set(options.muted), unjudged: damage ?? silent, faults });
};

const lineOf = (error: unknown): number | null => (error instanceof CaptureError ? (error.facts.line ?? null) : null);

/** Why there is no run to show or to judge. */
export const noRun = (session: Session): string => {
  const { size } = session.flows;
  if ([...session.flows.values()].some((flow) => flow.dialect !== null)) return 'A stream was recognised in it, and no run begins on it.';
  const seen = size === 0 ? 'no connection' : size === 1 ? 'one connection' : `${size} connections`;
  return `No agent stream was recognised in it (${seen}).`;
};

/** What to do about a protocol that nothing knows: write a mapping, or see why those that are named do not fit. */
export const mappingAdvice = (unfit: readonly string[]): string =>
  unfit.length > 0 ? unfit.join(' ') : 'For a protocol of your own, write a mapping (docs/mapping.md) and name it by --mapping.';

/** A JSON body whose first member says what went wrong. */
const REFUSAL = /^\s*\{\s*"(?:error|errors|detail)"\s*:/u;

/** The first answer that refused what was asked. */
const refused = (session: Session): number | null =>
  [...session.flows.values()].find(({ status }) => status !== null && status >= 400)?.status ?? null;

/** What to do about it, by its status. */
const askAgain = (status: number): string => {
  const why =
    status === 401 || status === 403
      ? 'The request lacked its credentials, or they are not good for this: send them (curl -H "authorization: Bearer …")'
      : status === 404 || status === 405
        ? 'Check address and method'
        : status === 429
          ? 'There were too many requests: wait a while'
          : status >= 500
            ? 'The server failed: see its own log'
            : 'The server did not take the request as it is: see what the answer says of it';
  return `${why}, and save the answer anew.`;
};

const nothingHeard = (session: Session, bodiless: number, refusal: boolean, unfit: readonly string[]): string => {
  const status = refused(session);
  if (status !== null && session.flows.size === 1)
    return `${noRun(session)} It was answered with status ${status}. ${askAgain(status)} If that is as it should be, pass --allow-empty.`;
  if (refusal)
    return `${noRun(session)} It reads like the refusal of a server: see what it says, and save the answer to a request that is taken. With curl -iN its status would be in the file. If that is as it should be, pass --allow-empty.`;
  return bodiless > 0
    ? `${noRun(session)} The file does not hold what ${plural(bodiless, 'answer')} said: save it with bodies (the browsers' "Save all as HAR with content"; a Playwright trace or HAR that is stopped after the streams have ended).`
    : `${noRun(session)} If that is as it should be, pass --allow-empty. ${mappingAdvice(unfit)}`;
};
