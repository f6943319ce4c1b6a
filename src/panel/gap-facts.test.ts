/** What a notice says is missing, and why: of a file never what only a page does. */
import { expect, test } from 'vitest';
import { readCapture } from '../core/capture/capture';
import { createSession } from '../core/session';
import { explanationOf, gapsOf, TELLING } from './gap-facts';
import { en } from './strings/en';
import { zh } from './strings/zh';

const bodiless = {
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 9,
  request: { method: 'POST', url: 'http://localhost/chat', headers: [] },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'text/event-stream' }],
    content: { size: -1, mimeType: 'text/event-stream' },
  },
};
const HEADER = JSON.stringify({
  format: 'unsettled-capture',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  producer: { name: 'test', version: '0', browser: null },
  documents: [],
  redaction: null,
});

const reasonsOf = (text: string) => {
  const session = createSession();
  session.ingest(readCapture(new TextEncoder().encode(text)).capture.entries);
  const gaps = gapsOf(session);
  return TELLING.filter((reason) => gaps.has(reason));
};

const FILES: readonly [name: string, text: string, reasons: readonly string[]][] = [
  [
    'a HAR file with entries that are none',
    JSON.stringify({ log: { version: '1.2', entries: [7, null, bodiless] } }),
    ['fault', 'read-natively'],
  ],
  ['a capture with an entry that is none', `${HEADER}\n{"seq":0,"at":0,"type":"later"}\n`, ['fault']],
  [
    'a capture without its beginning',
    '{"seq":4,"at":0,"type":"sight.watch","document":"d","state":"rest"}\n{"seq":5,"at":1,"type":"tick"}\n',
    ['fault'],
  ],
];

test.each(FILES)('%s: the notice does not accuse a page', (_, text, reasons) => {
  const found = reasonsOf(text);
  expect(found).toEqual(reasons);
  for (const reason of found)
    for (const feed of ['file', 'sample'] as const) {
      const words = en.missing[explanationOf(reason, feed) as keyof typeof en.missing];
      expect(`${words.what} ${words.fix}`).toMatch(/file/u);
      expect(`${words.what} ${words.fix}`).not.toMatch(/this page|scripts|extension/iu);
    }
});

test('of a page the words stay, and every explanation has some, in each language', () => {
  for (const reason of TELLING) {
    expect(explanationOf(reason, 'live')).toBe(reason);
    for (const feed of ['live', 'file', 'sample'] as const)
      for (const strings of [en, zh])
        expect(strings.missing[explanationOf(reason, feed) as keyof typeof strings.missing], `${reason} ${feed}`).toMatchObject({
          what: expect.any(String),
          fix: expect.any(String),
        });
  }
});
