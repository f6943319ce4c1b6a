/**
 * `record`: asks a URL, as a page's fetch would. A stream is kept as it comes; where the answer is a page, the page is opened in
 * a browser and what it receives and shows is recorded (record-page.ts).
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { version } from '../../package.json' with { type: 'json' };
import { CAPTURE_FORMAT, CAPTURE_VERSION } from '../core/capture/capture';
import { cleanBody, cleanHeaders, isBinary } from '../core/capture/importers/importer';
import { endWords } from '../core/findings/sentence';
import type { Capture, Flow, FlowEnd, TapRecord, TapRecordBody } from '../core/model';
import { createSession, type Session } from '../core/session';
import { type Args, CANNOT_JUDGE, CLEAN, type Command, type Terminal, UsageError } from './command';
import { captureText, keptInVain, redacted, SCRAMBLE_OPTIONS } from './convert';
import { whyUnread } from './files';
import { mappingAdvice } from './judge';
import { dialectsWith, MAPPING_OPTION, mappingsFrom } from './mappings';
import { checkOutput, OUTPUT_OPTIONS, writeOut } from './output';
import { recordPage } from './record-page';
import { plural } from './style';

interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Milliseconds after which the recording stops; null: when the stream ends. */
  readonly limit: number | null;
}

interface Recorded {
  readonly capture: Capture;
  /** Set where nothing came at all. */
  readonly failed: string | null;
}

interface Watched {
  /** Called once, where there is no answer for a while. */
  readonly waiting?: () => void;
  readonly waitingMs?: number;
  /** An answer that is a page is left at its head: it is none of a stream's, and may never end. */
  readonly leavePages?: boolean;
}

/** One second, as often as the model wants to know that time has passed. */
const TICK_MS = 1000;
/** A person who has heard nothing for so long wants to know why. */
const WAITING_MS = 5000;
/** The reason where there was no answer before the end. */
const UNANSWERED = 'unanswered';

const reasonOf = (error: unknown): string => {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
};

/** Records one answer. `stop` ends it early, as a page's abort would. */
export const recordStream = async (
  request: Request,
  stop: AbortSignal,
  { waiting, waitingMs = WAITING_MS, leavePages = false }: Watched = {},
): Promise<Recorded> => {
  const started = performance.now();
  const origin = Date.now();
  const entries: TapRecord[] = [];
  const flow = 'c1';
  const put = (body: TapRecordBody): void => {
    entries.push({ ...body, seq: entries.length, at: Math.round((performance.now() - started) * 10) / 10 } as TapRecord);
  };
  const end = (how: FlowEnd, detail: string | null): void => put({ type: 'flow.ended', flow, how, code: null, detail });

  const limit = new AbortController();
  const timer = request.limit === null ? null : setTimeout(() => limit.abort(), request.limit);
  const patience = waiting === undefined ? undefined : setTimeout(waiting, waitingMs);
  const ticks = setInterval(() => put({ type: 'tick' }), TICK_MS);
  const signal = AbortSignal.any([stop, limit.signal]);
  let failed: string | null = null;
  put({
    type: 'flow.opened',
    flow,
    document: 'd1',
    transport: 'fetch',
    method: request.method,
    url: request.url,
    requestHeaders: cleanHeaders(request.headers),
    requestBody: cleanBody(request.body),
  });
  try {
    const answer = await fetch(request.url, { method: request.method, headers: request.headers, body: request.body, signal });
    clearTimeout(patience);
    const headers = cleanHeaders(Object.fromEntries(answer.headers));
    put({ type: 'flow.head', flow, status: answer.status, headers });
    const left = leavePages && isHtml(headers);
    if (left) await answer.body?.cancel();
    const binary = isBinary(headers['content-type']);
    const decoder = new TextDecoder();
    const chunk = (text: string): void => {
      if (text !== '')
        put({ type: 'flow.chunk', flow, direction: 'received', text, encoding: binary ? 'base64' : 'text', event: null, id: null });
    };
    if (answer.body && !left)
      for await (const bytes of answer.body)
        chunk(binary ? Buffer.from(bytes).toString('base64') : decoder.decode(bytes, { stream: true }));
    if (!binary) chunk(decoder.decode());
    end('eof', null);
  } catch (error) {
    if (signal.aborted) end('aborted-by-page', stop.aborted ? 'stopped by hand' : 'the time was up');
    else end('network-error', reasonOf(error));
    if (entries.every((entry) => entry.type !== 'flow.head')) failed = signal.aborted ? UNANSWERED : reasonOf(error);
  } finally {
    clearTimeout(patience);
    clearInterval(ticks);
    if (timer !== null) clearTimeout(timer);
  }
  return {
    failed,
    capture: {
      format: CAPTURE_FORMAT,
      version: CAPTURE_VERSION,
      createdAt: new Date(origin).toISOString(),
      producer: { name: 'unsettled record', version, browser: null },
      documents: [{ key: 'd1', url: '', topLevel: true, timeOrigin: origin }],
      entries,
      redaction: null,
    },
  };
};

/** Why nothing came, in words that say what to do. */
const whyNoAnswer = (url: string, reason: string): string => {
  const { hostname, port, protocol, host } = new URL(url);
  switch (reason) {
    case 'bad port':
      return `Port ${port} belongs to another service, and neither fetch nor a browser asks it. Serve on another port, or save the stream with curl and import that.`;
    case 'ECONNREFUSED':
      return `Nothing listens on ${host}. Start the server, or check the port (${port === '' ? (protocol === 'https:' ? 443 : 80) : port}).`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host ${hostname}, as far as can be seen from here. Check the address, and the network.`;
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'other side closed':
      return `${host} closed the connection before it answered. Is the address right${protocol === 'https:' ? ', and does it speak https' : ''}?`;
    case UNANSWERED:
      return `${host} had not answered when the recording was stopped, so there is nothing to keep. Is the server busy, or the address one that is never answered?`;
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `${host} does not answer. Is the server running, and may it be reached from here?`;
    default:
      return /CERT|certificate|SELF_SIGNED|ERR_TLS/iu.test(reason)
        ? `The certificate of ${host} is not trusted (${reason}). NODE_EXTRA_CA_CERTS=FILE names an authority to trust.`
        : /SSL|EPROTO/iu.test(reason)
          ? `${host} does not speak https (${reason}). Try http://.`
          : `${url} gave no answer (${reason}). Is the server running, and is the address right?`;
  }
};

/** The URL, or why it cannot be asked. */
const checkUrl = (url: string): void => {
  if (/^wss?:/u.test(url))
    throw new UsageError('Sockets are recorded by the extension or the Playwright fixture; record takes http and https.');
  const [, port] = /^https?:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:]*):([^/?#]*)/u.exec(url) ?? [];
  if (port !== undefined && port !== '' && !(/^\d+$/u.test(port) && Number(port) <= 65_535))
    throw new UsageError(`${port} is no port: ports are numbers from 1 to 65535.`);
  if (port === '0' || (port !== undefined && /^0+$/u.test(port)))
    throw new UsageError('Port 0 is none that can be asked: ports are numbers from 1 to 65535.');
  if (!URL.canParse(url) || !/^https?:/u.test(url)) {
    const withScheme = `http://${url}`;
    const hint = /^[\w.-]+(?::\d+)?(?:\/|$)/u.test(url) && URL.canParse(withScheme) ? ` Did you mean ${withScheme}?` : '';
    throw new UsageError(`${url} is no URL that can be asked. It begins with http:// or https://.${hint}`);
  }
};

/** What a request cannot be made of is said before anything is asked. */
const checkRequest = (request: Request, page: boolean): void => {
  const { method, headers, body, url } = request;
  if (!/^[A-Za-z]+$/u.test(method)) throw new UsageError(`--method takes a word like POST; not "${method}".`);
  if (/^(?:connect|trace|track)$/iu.test(method)) throw new UsageError(`A page cannot ask by ${method}, so neither does record.`);
  if (body !== null && /^(?:get|head)$/iu.test(method))
    throw new UsageError(`${method} carries no --data. Use -X POST, or leave --data out.`);
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value });
    } catch {
      throw new UsageError(
        `--header "${name}: ${value}" is none that can be sent. A name is letters, digits and hyphens; a value is one line of Latin text.`,
      );
    }
  }
  const { username, password } = new URL(url);
  if (!page && (username !== '' || password !== ''))
    throw new UsageError("A name and password in the URL are not sent by fetch. Give them as a header: -H 'authorization: Basic …'.");
};

/** A recording is not made twice: what cannot be scrambled is kept with its secrets taken out. */
const leaving = (capture: Capture, args: Args, terminal: Terminal): { readonly capture: Capture; readonly code: number } => {
  if (args.has('raw')) return { capture, code: CLEAN };
  const vain = args.has('scramble') ? keptInVain(capture, args) : null;
  if (vain !== null) terminal.err(`unsettled: ${vain}\n`);
  try {
    return { capture: redacted(capture, args, terminal), code: vain === null ? CLEAN : CANNOT_JUDGE };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`unsettled: ${error.message}\nIt is kept with its secrets taken out, and not scrambled.\n`);
    const plain: Args = { ...args, has: (option) => option !== 'scramble' && option !== 'keep' && args.has(option) };
    return { capture: redacted(capture, plain, terminal), code: CANNOT_JUDGE };
  }
};

const headersFrom = (lines: readonly string[]): Record<string, string> => {
  const headers: Record<string, string> = { accept: 'text/event-stream, application/x-ndjson, application/json;q=0.9, */*;q=0.5' };
  for (const line of lines) {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/u.exec(line) ?? [];
    if (name === undefined) throw new UsageError(`--header takes "Name: value"; not "${line}".`);
    headers[name.toLowerCase()] = value!;
  }
  return headers;
};

const bodyFrom = async (data: string | null): Promise<string | null> => {
  if (data === null || !data.startsWith('@')) return data;
  try {
    return await readFile(data.slice(1), 'utf8');
  } catch (error) {
    throw new UsageError(`--data ${data} cannot be read: ${whyUnread(error)}.`);
  }
};

const WANTED = 'Check the address, and what the server wants of a request (--method, --header, --data).';

const mediaTypeOf = (headers: Readonly<Record<string, string>>): string => (headers['content-type'] ?? '').split(';')[0]!.trim();

/**
 * Why an answer is no stream, and what to do; null where it may be one. What no protocol knows is kept where it has the form of one: it may be a
 * protocol of their own, and nobody can record it twice. An error, and one piece of prose or of nothing, has not.
 */
const whyNoStream = (flow: Flow, url: string): string | null => {
  if (flow.dialect !== null) return null;
  if ((flow.status ?? 0) >= 400)
    return `${url} answers with status ${flow.status} and no agent stream, so there is nothing to keep. ${WANTED}`;
  if (isHtml(flow.headers))
    return `${url} answers with a page and no stream, so there is nothing to keep. Without --method, --header and --data it is opened as one.`;
  const type = mediaTypeOf(flow.headers);
  if (flow.chars > 0 && (flow.frames > 1 || /event-stream|json|octet|proto/u.test(type))) return null;
  const what = flow.chars === 0 ? 'nothing' : `one text (${type === '' ? 'of no type' : type})`;
  return `${url} answers with ${what} and no stream, so there is nothing to keep. ${WANTED}`;
};

/** One line about what came, and what to do if that was no agent stream. */
const sayWhatCame = (session: Session, flow: Flow | undefined, unfit: readonly string[], terminal: Terminal): void => {
  const runs = session.runs.map((run) => run.settlement?.outcome ?? 'open').join(', ');
  terminal.err(
    `Status ${flow?.status ?? 'none'}, ${plural(flow?.frames ?? 0, 'frame')}, ${flow?.dialect ?? 'no known protocol'}${runs === '' ? '' : `: ${runs}`}. Ended: ${flow?.end ? endWords(flow.end.how) : 'open'}.\n`,
  );
  if (flow?.dialect === null) terminal.err(`${mappingAdvice(unfit)}\n`);
};

const isHtml = (headers: Readonly<Record<string, string>>): boolean => (headers['content-type'] ?? '').startsWith('text/html');

/** The answer is a page, and none that a protocol knows. */
const isPage = (capture: Capture): boolean => {
  const head = capture.entries.find((entry) => entry.type === 'flow.head');
  return head?.type === 'flow.head' && isHtml(head.headers);
};

/** `out.unsettled.jsonl` as the second page's: `out-2.unsettled.jsonl`. */
const numbered = (path: string, index: number): string =>
  index === 0 ? path : path.replace(/((?:\.unsettled)?(?:\.jsonl)?(?:\.gz)?)$/u, `-${index + 1}$1`);

const keepPages = async (captures: readonly Capture[], args: Args, terminal: Terminal): Promise<number> => {
  if (captures.length === 0) {
    terminal.err('No stream was seen on the page, so nothing was written.\n');
    return CANNOT_JUDGE;
  }
  const path = args.one('output');
  if (path === null && captures.length > 1)
    terminal.err(`${captures.length - 1} more pages had streams; name a file with -o to keep theirs too.\n`);
  let code = CLEAN;
  for (const [index, capture] of captures.entries()) {
    if (path === null && index > 0) break;
    const left = leaving(capture, args, terminal);
    code = Math.max(code, left.code);
    const own: Args = { ...args, one: (option) => (option === 'output' && path !== null ? numbered(path, index) : args.one(option)) };
    await writeOut(captureText(left.capture), own, terminal);
    if (path !== null) terminal.err(`Kept in ${numbered(path, index)}\n`);
  }
  return code;
};

export const record: Command = {
  name: 'record',
  about: 'keep what a stream says, or what a page receives and shows, as a capture',
  usage: [
    'unsettled record http://localhost:3000/chat -o OUT.unsettled.jsonl',
    'unsettled record URL -o OUT.unsettled.jsonl',
    `unsettled record URL -X POST -H 'content-type: application/json' -d @body.json -o OUT.unsettled.jsonl`,
  ],
  options: {
    ...OUTPUT_OPTIONS,
    method: { value: 'METHOD', about: 'GET, or POST if there is data', short: 'X' },
    header: { value: 'LINE', about: 'a request header, "Name: value"', many: true, short: 'H' },
    data: { value: 'TEXT', about: 'the request body, or @FILE', short: 'd' },
    'max-time': { value: 'SECONDS', about: 'stop after so long, as a page that leaves' },
    page: { value: null, about: 'open it as a page, whatever it answers' },
    headless: { value: null, about: 'of a page: without a window' },
    raw: { value: null, about: 'keep secrets as they are' },
    ...SCRAMBLE_OPTIONS,
    ...MAPPING_OPTION,
  },
  help: `A page is opened in an installed browser (Chromium; UNSETTLED_CHROMIUM names another) by Playwright, which has to be
installed. Use the page; runs and findings are told here as they come. Anything else is asked for once and kept.
Ctrl-C stops the recording and keeps what came. Authorization and cookies are sent and not kept; other secrets
are replaced unless --raw is given.`,
  async run(args, terminal) {
    const [url, ...more] = args.rest;
    if (url === undefined || more.length > 0) throw new UsageError('Name one URL.');
    checkUrl(url);
    if (args.has('raw') && args.has('scramble')) throw new UsageError('--raw and --scramble cannot go together.');
    if (args.has('keep') && !args.has('scramble')) throw new UsageError('--keep goes with --scramble.');
    dialectsWith(args.all('mapping'));
    await checkOutput(args);
    const body = await bodyFrom(args.one('data'));
    const seconds = args.one('max-time');
    if (seconds !== null && !(Number(seconds) > 0)) throw new UsageError(`--max-time takes seconds, like 30; not "${seconds}".`);
    const request: Request = {
      url,
      method: args.one('method') ?? (body === null ? 'GET' : 'POST'),
      headers: headersFrom(args.all('header')),
      body,
      limit: seconds === null ? null : Number(seconds) * 1000,
    };
    checkRequest(request, args.has('page'));
    const stop = new AbortController();
    const onSignal = (): void => stop.abort();
    process.once('SIGINT', onSignal);
    const plain = body === null && args.one('method') === null && args.all('header').length === 0;
    const asPage = async (): Promise<number> => {
      const mapped = args.all('mapping');
      const captures = await recordPage(
        {
          url,
          limit: seconds === null ? null : Number(seconds) * 1000,
          headless: args.has('headless') ? true : null,
          whatever: args.has('page'),
          dialects: dialectsWith(mapped),
          mappings: mapped.map((path) => readFileSync(path, 'utf8')),
        },
        stop.signal,
        terminal,
      );
      return keepPages(captures, args, terminal);
    };
    try {
      if (args.has('page')) {
        if (!plain) throw new UsageError('A page is opened as a browser opens it: --page goes without --method, --header and --data.');
        return await asPage();
      }
      const { capture, failed } = await recordStream(request, stop.signal, {
        leavePages: plain,
        waiting: () => terminal.err(`${new URL(url).host} has not answered yet. Ctrl-C stops the recording.\n`),
      });
      if (failed !== null) {
        terminal.err(`unsettled: ${whyNoAnswer(url, failed)}\n`);
        return CANNOT_JUDGE;
      }
      if (plain && !stop.signal.aborted && isPage(capture)) return await asPage();
      const mapped = mappingsFrom(args.all('mapping'));
      const session = createSession({ dialects: mapped.dialects });
      session.ingest(capture.entries);
      const [flow] = session.flows.values();
      const why = flow === undefined ? null : whyNoStream(flow, url);
      if (why !== null) {
        terminal.err(`unsettled: ${why}\n`);
        return CANNOT_JUDGE;
      }
      sayWhatCame(session, flow, mapped.unfit(), terminal);
      const left = leaving(capture, args, terminal);
      await writeOut(captureText(left.capture), args, terminal);
      return left.code;
    } finally {
      process.removeListener('SIGINT', onSignal);
    }
  },
};
