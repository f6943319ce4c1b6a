import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Flow } from '../core/model';
import { createSession, type Entry } from '../core/session';
import { curlOf, testOf } from './copy-request';
import { SAMPLES } from './sample';

const capture = SAMPLES['kestrel-cut']();
const session = createSession();
for (const document of capture.documents) session.document(document);
session.ingest(capture.entries);
const flow = session.flows.get('flow-3')!;

const asked = (more: Partial<Extract<Entry, { type: 'flow.opened' }>>): { entries: Entry[]; flow: Flow } => {
  const entries: Entry[] = [
    {
      seq: 0,
      at: 0,
      type: 'flow.opened',
      flow: 'f',
      document: 'd',
      transport: 'fetch',
      method: 'POST',
      url: 'https://x.example/a',
      requestHeaders: {},
      requestBody: null,
      ...more,
    },
  ];
  const one = createSession();
  one.ingest(entries);
  return { entries, flow: one.flows.get('f')! };
};

describe('curl', () => {
  test('the request, with its headers and body', () => {
    expect(curlOf(capture.entries, flow)).toContain("--header 'accept: text/event-stream' --data-raw '{");
    expect(curlOf(capture.entries, flow).trimEnd().split('\n').at(-1)).toMatch(/^curl .*https:\/\/ops\.example\/api\/copilot\/stream$/u);
  });
  test('whatever a page puts into a request stays one word of the shell', () => {
    const hostile = `it's $(touch x) \`id\` "quoted" \\ !\n'; rm -rf ~ #`;
    const request = asked({
      requestBody: hostile,
      url: `https://x.example/?q='$(id)'`,
      requestHeaders: { 'x-note': hostile.replace('\n', ' ') },
    });
    const command = curlOf(request.entries, request.flow).replace(/^curl /mu, 'printf "%s\\0" ');
    const words = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(words).toEqual([
      '--no-buffer',
      '--header',
      `x-note: ${hostile.replace('\n', ' ')}`,
      '--data-raw',
      hostile,
      `https://x.example/?q='$(id)'`,
    ]);
  });
  test('what curl could not know is said', () => {
    const request = asked({ requestBody: 'x'.repeat(65_536) });
    expect(curlOf(request.entries, request.flow)).toContain('# The recorded body is cut');
    const put = asked({ method: 'put' });
    expect(curlOf(put.entries, put.flow)).toContain('--request PUT');
  });
});

describe('test', () => {
  /** The strings of the answer, read as JavaScript reads them. */
  const answerOf = (source: string): string => {
    const list = /const answer = (\[[\s\S]*?\n\])\.join/u.exec(source)![1]!;
    return (new Function(`return ${list}`)() as string[]).join('');
  };
  const bodyUpTo = (until: number): string =>
    capture.entries
      .flatMap((entry) => (entry.type === 'flow.chunk' && entry.flow === 'flow-3' && entry.seq <= until ? [entry.text] : []))
      .join('');

  test('serves the very bytes, whole or cut', () => {
    const last = session.lastSeq;
    const whole = testOf(capture.entries, flow, capture.documents[0], last, null);
    expect(answerOf(whole)).toBe(bodyUpTo(last));
    expect(whole).toContain("page.route('**/api/copilot/stream*'");
    expect(whole).toContain('the page must not show it as final');
    const middle = session.eventsOf(session.runs[2]!.key)[8]!.seq;
    const cut = testOf(capture.entries, flow, capture.documents[0], middle, null);
    expect(answerOf(cut)).toBe(bodyUpTo(middle));
    expect(cut).toContain('cut where the row was copied');
  });
  test('text of a page cannot leave its string or its comment', () => {
    const hostile = `'];\u2028process.exit(1);//\n\\'\${x}*/`;
    const { entries, flow: opened } = asked({ url: `https://x.example/a\nprocess.exit(1)` });
    entries.push({
      seq: 1,
      at: 1,
      type: 'flow.chunk',
      flow: 'f',
      direction: 'received',
      text: hostile,
      encoding: 'text',
      event: null,
      id: null,
    });
    const source = testOf(entries, opened, { key: 'd', url: hostile, topLevel: true, timeOrigin: 0 }, 5, hostile);
    expect(answerOf(source)).toBe(hostile);
    for (const line of source.split('\n')) expect(line.trim()).not.toMatch(/^process\.exit/u);
    expect(() => new Function(source.replace(/^import .*$/mu, '').replaceAll('async ', ''))).toThrow(/await/u);
  });
  test('a socket is left to a capture', () => {
    const socket = asked({ transport: 'websocket', url: 'wss://x.example/' });
    expect(testOf(socket.entries, socket.flow, undefined, 9, null)).toContain('unsettled check');
  });
});
