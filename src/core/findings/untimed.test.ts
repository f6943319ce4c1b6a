/** Where nobody noted when the pieces of a stream came, no sentence tells a time, whatever file says so. */
import { describe, expect, it } from 'vitest';
import { createReader, readCapture, serialiseCapture } from '../capture/capture';
import { exportHar } from '../capture/export-har';
import { redactCapture } from '../capture/redact';
import { type FileReport, reportFile } from '../report';
import { createSession, type Session } from '../session';
import { RULES } from '.';
import { judgeCase } from './engine';
import type { Case, Rule } from './rule';

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const SEVERED = [chunk({ role: 'assistant', content: 'One' }), chunk({ content: ' two' })];
const CONFLICT = [
  ...SEVERED,
  chunk({}, 'stop'),
  chunk({ content: ' three' }),
  'data: {"error":{"message":"boom","code":500}}\n\n',
  'data: {"id',
];

const FOREIGN = { createdAt: '2026-01-01T00:00:00.000Z', producer: { name: 'test', version: '0', browser: null } };
const sessionOf = (bytes: Uint8Array): Session => {
  const session = createSession();
  const reader = createReader({ document: (document) => session.document(document), entries: (entries) => session.ingest(entries) });
  reader.push(bytes);
  reader.end();
  return session;
};
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const reported = (session: Session): FileReport =>
  reportFile(session, { file: 'f', source: null, muted: new Set(), unjudged: null, faults: [] });

/** The same stream as a capture, each piece with its time. */
const captureOf = (pieces: readonly string[]): string =>
  [
    {
      format: 'unsettled-capture',
      version: 1,
      ...FOREIGN,
      documents: [{ key: 'd1', url: 'https://x.test/', topLevel: true, timeOrigin: 1e12 }],
      redaction: null,
    },
    {
      seq: 0,
      at: 10,
      type: 'flow.opened',
      flow: 'f1',
      document: 'd1',
      transport: 'fetch',
      method: 'POST',
      url: 'https://x.test/v1/chat/completions',
      requestHeaders: {},
      requestBody: null,
    },
    { seq: 1, at: 48, type: 'flow.head', flow: 'f1', status: 200, headers: { 'content-type': 'text/event-stream' } },
    ...pieces.map((text, i) => ({
      seq: 2 + i,
      at: 900 + i * 10,
      type: 'flow.chunk',
      flow: 'f1',
      direction: 'received',
      text,
      encoding: 'text',
      event: null,
      id: null,
    })),
    { seq: 99, at: 1500, type: 'flow.ended', flow: 'f1', how: 'eof', code: null, detail: null },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

const harOf = (pieces: readonly string[]): string =>
  [...exportHar(readCapture(bytesOf(captureOf(pieces)), FOREIGN).capture).text()].join('');
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
const FILES: readonly (readonly [string, (pieces: readonly string[]) => string])[] = [
  ['a HAR file', harOf],
  ['a saved body', (pieces) => pieces.join('')],
  ['what curl -i prints', (pieces) => HEAD + pieces.join('')],
  [
    'a recording without times',
    (pieces) =>
      [
        { meta: { url: '/v1/chat/completions', status: 200, headers: { 'content-type': 'text/event-stream' } } },
        ...pieces.map((one) => ({ chunk: one })),
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
  ],
];

const TIME = /\d m?s\b/u;
const untold = (session: Session): void => {
  for (const finding of session.findings) {
    expect(finding.message).not.toMatch(TIME);
    expect(Object.entries(finding.data).filter(([name, value]) => name.endsWith('Ms') || TIME.test(String(value)))).toEqual([]);
  }
  const { runs, findings } = reported(session);
  expect(runs.flatMap((run) => [run.openedMs, run.settledMs])).toEqual(runs.flatMap(() => [null, null]));
  expect(findings.flatMap((finding) => [finding.atMs, finding.untilMs])).toEqual(findings.flatMap(() => [null, null]));
};

describe.each(FILES)('%s', (_, write) => {
  it.each([
    ['severed', SEVERED, ['severed-stream']],
    ['contradicting', CONFLICT, ['event-after-settle', 'terminal-conflict', 'unterminated-last-event']],
  ] as const)('%s: finds what there is to find, and tells no time', (_name, pieces, rules) => {
    const session = sessionOf(bytesOf(write(pieces)));
    expect(session.findings.map((finding) => finding.rule).sort()).toEqual(rules);
    untold(session);
  });
  it('is still known to be so once it was redacted, kept as a capture and opened again', () => {
    const { capture } = readCapture(bytesOf(write(SEVERED)), FOREIGN);
    const kept = [...serialiseCapture(redactCapture(capture, { policy: 'standard' }).capture)].join('');
    const session = sessionOf(bytesOf(kept));
    expect(session.findings).toHaveLength(1);
    untold(session);
  });
});

it('says a severed stream in words that stand without times', () => {
  const sentence = (text: string): string => sessionOf(bytesOf(text)).findings[0]!.message;
  expect(sentence(harOf(SEVERED))).toBe(
    'The connection ended (eof) after the last event (delta.content), and nothing on it settled the run.',
  );
  expect(sentence(captureOf(SEVERED))).toContain('(eof) at 1500 ms, 590 ms after the last event');
});

it('an event stream that came at once in a HAR file is not told to have been held back', () => {
  const many = Array.from({ length: 20 }, (_, i) => chunk({ content: `${i} ` }));
  const har = harOf(many).replace(/"wait": \d+/u, '"wait": 1600');
  expect(sessionOf(bytesOf(har)).findings.map((finding) => finding.rule)).toEqual(['severed-stream']);
});

describe.each(RULES.map((rule) => [rule.id, rule] as const))('the sentences of %s', (_, rule) => {
  it.each(['fail', 'inconclusive'] as const)('%s', (verdict) => {
    const names = [...rule.message[verdict].matchAll(/\{(\w+)\}/gu)].map(([, name]) => name!);
    const judged: Rule = {
      ...rule,
      needs: [],
      judge: () => ({
        verdict,
        voice: null,
        text: '',
        region: null,
        at: 7,
        until: 8,
        evidence: [],
        data: Object.fromEntries(names.map((name) => [name, 7])),
      }),
    };
    const subject = { run: { key: 'r' }, attempt: { key: 'a' }, flows: [{ untimed: true }] } as unknown as Case;
    const [finding] = judgeCase([judged], subject, []);
    expect(finding!.message).not.toMatch(/\d m?s\b|[{}]|\s[,.;:]|\s{2}/u);
    expect(finding).toMatchObject({ untimed: true });
  });
});
