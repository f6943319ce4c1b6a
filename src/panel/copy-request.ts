/**
 * What a stream was asked for, as a curl command, and what it answered up to some moment, as a Playwright test that serves
 * the same bytes to the page again. Both are text for a person to paste; loaded when first asked for. Pure.
 */

import type { Entry } from '../core/engine';
import type { Flow, Seq, SourceDocument, TapRecord } from '../core/model';

type Opened = Extract<TapRecord, { type: 'flow.opened' }>;

/** The bodies of requests are recorded up to this many characters. */
const BODY_KEPT = 65_536;
/** Longer answers do not belong into a test's source. */
const ANSWER_LIMIT = 200_000;

/** A word of a POSIX shell that means exactly this text. */
const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
/** A comment stays one, whatever is in it. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

const openedOf = (entries: readonly Entry[], flow: string): Opened | undefined =>
  entries.find((entry): entry is Opened => entry.type === 'flow.opened' && entry.flow === flow);

/** Headers that curl makes by itself, or that belong to one connection only. */
const OWN: ReadonlySet<string> = new Set(['host', 'content-length', 'connection', 'accept-encoding']);

export const curlOf = (entries: readonly Entry[], flow: Flow): string => {
  const opened = openedOf(entries, flow.id);
  const notes: string[] = [];
  const words = ['curl', '--no-buffer'];
  const method = (flow.method || 'GET').toUpperCase();
  const body = opened?.requestBody ?? flow.requestBody;
  if (flow.transport !== 'websocket' && method !== (body === null ? 'GET' : 'POST')) words.push('--request', quoted(method));
  for (const [name, value] of Object.entries(opened?.requestHeaders ?? {}))
    if (!OWN.has(name)) words.push('--header', quoted(`${name}: ${value}`));
  if (flow.transport === 'eventsource' && opened?.requestHeaders.accept === undefined)
    words.push('--header', quoted('accept: text/event-stream'));
  if (body !== null && flow.transport !== 'websocket') words.push('--data-raw', quoted(body));
  words.push(quoted(flow.url));
  notes.push('Cookies and credentials are never recorded: add them.');
  if (flow.transport === 'websocket') notes.push('A socket: curl 8.11 or newer; what was sent is not repeated.');
  if (body !== null && body.length >= BODY_KEPT) notes.push('The recorded body is cut.');
  if (body === null && method !== 'GET' && method !== 'HEAD' && flow.transport !== 'websocket') notes.push('No body, or none of text.');
  return `${notes.map((note) => `# ${note}\n`).join('')}${words.join(' ')}\n`;
};

/** A string literal of JavaScript that may stand in any file. */
const literal = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;

/** The path of the URL as a glob for `page.route`. */
const globOf = (url: string): string => {
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/iu.exec(url)?.[1] ?? url;
  return `**${path.replace(/[*?[\]{}\\]/gu, '?')}*`;
};

/**
 * A test that answers the page's request with what had come up to `until`. `outcome`: how a run with this answer ends by
 * the record; null: nothing had settled it then. A socket or a very long answer is left to a capture and `unsettled check`.
 */
export const testOf = (
  entries: readonly Entry[],
  flow: Flow,
  document: SourceDocument | undefined,
  until: Seq,
  outcome: string | null,
): string => {
  const chunks = entries.filter(
    (entry): entry is Extract<TapRecord, { type: 'flow.chunk' }> =>
      entry.type === 'flow.chunk' && entry.flow === flow.id && entry.direction === 'received' && entry.seq <= until,
  );
  const chars = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0);
  if (
    flow.transport === 'websocket' ||
    flow.transport === 'datachannel' ||
    chars > ANSWER_LIMIT ||
    chunks.some((chunk) => chunk.encoding !== 'text')
  )
    return [
      '# A socket, no text, or too long for a test.',
      '# Save the run (Ctrl+S), then:',
      'npx unsettled check run.unsettled.jsonl',
      '',
    ].join('\n');
  // Events of an EventSource are recorded taken apart: they are put together again as they must have been.
  const lines = chunks.map((chunk) => {
    if (flow.transport !== 'eventsource') return chunk.text;
    const head = `${chunk.id === null || chunk.id === '' ? '' : `id: ${chunk.id}\n`}${chunk.event === null || chunk.event === 'message' ? '' : `event: ${chunk.event}\n`}`;
    return `${head}${chunk.text
      .split('\n')
      .map((line) => `data: ${line}\n`)
      .join('')}\n`;
  });
  const whole = flow.end !== null && flow.end.seq <= until + 1;
  const type = flow.headers['content-type'] ?? 'text/event-stream';
  const extra = Object.entries(flow.headers).filter(([name]) => /^x-|^openai-|^anthropic-/u.test(name));
  return [
    "import { expect, test } from 'unsettled/playwright';",
    '',
    `// What ${oneLine(flow.url)} answered${whole ? '' : ', cut where the row was copied'}: ${chunks.length} chunks.`,
    'const answer = [',
    ...lines.map((line) => `  ${literal(line)},`),
    "].join('');",
    '',
    `test(${literal(`${whole ? 'the whole answer' : 'an answer that is cut'} is not shown as more than it is`)}, async ({ page }) => {`,
    `  await page.route(${literal(globOf(flow.url))}, (route) =>`,
    `    route.fulfill({ status: ${flow.status ?? 200}, headers: { ${[['content-type', type] as const, ...extra].map(([name, value]) => `${literal(name)}: ${literal(value)}`).join(', ')} }, body: answer }),`,
    '  );',
    `  await page.goto(${literal(document?.url ?? 'http://localhost/')});`,
    '  // Do here what sends the request, for example:',
    "  // await page.getByRole('textbox').fill('…');",
    "  // await page.getByRole('button', { name: 'Send' }).click();",
    outcome === null
      ? '  // Nothing in it settles the run: the page must not show it as final.'
      : `  await expect(page).toHaveSettled({ outcome: ${literal(outcome)} });`,
    '  await expect(page).toHaveNoFindings();',
    '});',
    '',
  ].join('\n');
};
