/** Any chunking gives the same frames; nothing is tidied away; offsets point at the text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FlowEnd } from '../model';
import { bodyFramer } from './body';
import { type Framer, pickFramer, type RawFrame } from './framing';
import { ndjsonFramer } from './ndjson';
import { sseFramer } from './sse';

const NO_META = { event: null, id: null };
const feed = (framer: Framer, pieces: readonly string[], how: FlowEnd = 'eof'): RawFrame[] => [
  ...pieces.flatMap((piece) => framer.push(piece, NO_META)),
  ...framer.end(how),
];
const pieces = (text: string, cuts: readonly number[]): string[] => {
  const at = [...new Set(cuts.map((cut) => (text.length === 0 ? 0 : cut % (text.length + 1))))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
};
const plain = (frames: readonly RawFrame[]) => frames.map(({ kind, event, id, data, complete }) => ({ kind, event, id, data, complete }));

describe('sse', () => {
  const data = (text: string, more = {}) => ({ kind: 'data', event: null, id: null, data: text, complete: true, ...more });
  const rows: readonly [string, string, readonly object[]][] = [
    ['one event', 'data: a\n\n', [data('a')]],
    ['CRLF', 'event: x\r\ndata: a\r\n\r\n', [data('a', { event: 'x' })]],
    ['CR alone', 'data: a\r\rdata: b\r\r', [data('a'), data('b')]],
    ['mixed ends', 'data: a\r\n\ndata: b\n\r\n', [data('a'), data('b')]],
    ['several data lines', 'data: a\ndata: b\n\n', [data('a\nb')]],
    ['id after data', 'event: m\ndata: a\nid: 7\n\n', [data('a', { event: 'm', id: '7' })]],
    ['comment', ': keep-alive\n\ndata: a\n\n', [{ kind: 'comment', event: null, id: null, data: 'keep-alive', complete: true }, data('a')]],
    ['event without data is no event', 'event: ping\n\ndata: a\n\n', [data('a')]],
    ['byte order mark', '\uFEFFdata: a\n\n', [data('a')]],
    ['blank lines at the start', '\n\n\ndata: a\n\n', [data('a')]],
    ['unfinished tail', 'data: a\n\ndata: b\n', [data('a'), data('b', { complete: false })]],
    ['unfinished tail inside a line', 'data: a\n\neve', [data('a'), data('', { complete: false })]],
    ['no space after the colon', 'data:a\n\n', [data('a')]],
  ];
  test.each(rows)('%s', (_name, text, frames) => {
    expect(plain(feed(sseFramer(), [text]))).toEqual(frames);
    expect(plain(feed(sseFramer(), [...text]))).toEqual(frames);
  });

  const line = fc.oneof(
    fc.constantFrom('data: {"a":1}', 'data:', 'data: x', 'event: e', 'id: 1', ': note', 'retry: 10', 'junk', ''),
    fc.string({ maxLength: 8 }).map((text) => `data: ${text.replace(/[\r\n]/gu, '')}`),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\r\n', '\r', '\r\r')))
    .map((list) => list.flat().join(''));
  test('any chunking gives the same frames and offsets', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const whole = feed(sseFramer(), [text]);
        expect(feed(sseFramer(), pieces(text, cuts))).toEqual(whole);
        expect(feed(sseFramer(), [...text])).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });
  test('the same events as an independent reader of the standard', () => {
    fc.assert(
      fc.property(stream, (text) => {
        const ours = feed(sseFramer(), [text]).filter((frame) => frame.kind === 'data' && frame.complete);
        expect(ours.map(({ event, data }) => ({ event, data }))).toEqual(reference(text));
      }),
      { numRuns: 400 },
    );
  });
  test('offsets give back the frame', () => {
    const text = ': hello\n\ndata: one\n\nevent: x\ndata: two\n\ndata: thr';
    for (const frame of feed(sseFramer(), pieces(text, [3, 11, 12, 30]))) {
      const { start, end } = frame;
      expect(text.slice(start, end)).toContain(frame.data);
      expect(end).toBeGreaterThan(start);
    }
  });
  test('one event of 20 MB in small chunks takes linear time', () => {
    const framer = sseFramer();
    const chunk = 'x'.repeat(4096);
    framer.push('data: ', NO_META);
    for (let i = 0; i < 5000; i++) expect(framer.push(chunk, NO_META)).toEqual([]);
    const [frame] = framer.push('\n\n', NO_META);
    expect(frame?.data.length).toBe(4096 * 5000);
  });
});

/** Written from the standard's algorithm, line by line, without looking at our framer. */
const reference = (text: string): { event: string | null; data: string }[] => {
  const events: { event: string | null; data: string }[] = [];
  let event = '';
  let data: string[] = [];
  const lines = text.replace(/^\uFEFF/u, '').split(/\r\n|\n|\r/u);
  lines.pop();
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push({ event: event === '' ? null : event, data: data.join('\n') });
      event = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return events;
};

describe('ndjson', () => {
  test.each([
    ['lines', '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}'], true],
    ['CRLF', '{"a":1}\r\n{"b":2}\r\n', ['{"a":1}', '{"b":2}'], true],
    ['a whole tail is a record', '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}'], true],
    ['a cut tail is not', '{"a":1}\n{"b":', ['{"a":1}', '{"b":'], false],
    ['code lines', '0:"hi"\nd:{"finishReason":"stop"}\n', ['0:"hi"', 'd:{"finishReason":"stop"}'], true],
    ['record separators', '\u001e{"a":1}\n\u001e{"b":2}\n', ['{"a":1}', '{"b":2}'], true],
    ['empty lines', '\n\n{"a":1}\n\n', ['{"a":1}'], true],
  ] as const)('%s', (_name, text, lines, lastWhole) => {
    for (const chunks of [[text], [...text]]) {
      const frames = feed(ndjsonFramer(), chunks);
      expect(frames.map((frame) => frame.data)).toEqual(lines);
      expect(frames.at(-1)?.complete).toBe(lastWhole);
    }
  });
});

describe('body', () => {
  test('an object is one frame at its end', () => {
    expect(plain(feed(bodyFramer(), [...'{"a":[1,2]}']))).toEqual([
      { kind: 'data', event: null, id: null, data: '{"a":[1,2]}', complete: true },
    ]);
    expect(feed(bodyFramer(), ['{"a":'], 'network-error')[0]?.complete).toBe(false);
  });
  test('an array is read element by element', () => {
    const value = [{ a: '],[', b: [1, { c: '"' }] }, 2, 'x,y\\"', null, [[]]];
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 10 }), fc.constantFrom(undefined, 1), (cuts, space) => {
        const text = JSON.stringify(value, null, space);
        const frames = feed(bodyFramer(), pieces(text, cuts));
        expect(frames.map((frame) => JSON.parse(frame.data))).toEqual(value);
        expect(frames.every((frame) => frame.complete)).toBe(true);
      }),
    );
  });
  test('an element is there before the array ends, and a cut one is not complete', () => {
    const framer = bodyFramer();
    expect(framer.push('[{"a":1},{"b"', NO_META).map((frame) => frame.data)).toEqual(['{"a":1}']);
    expect(framer.end('network-error').map((frame) => frame.complete)).toEqual([false]);
  });
  test('lines that are called JSON are lines, and there before the body ends', () => {
    const rows = [{ type: 'begin' }, { type: 'item', content: 'a\n"}{' }, { type: 'end' }];
    const text = `${rows.map((row) => JSON.stringify(row)).join('\r\n')}\n`;
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 10 }), (cuts) => {
        const frames = feed(bodyFramer(), pieces(text, cuts));
        expect(frames.map((frame) => [frame.framing, JSON.parse(frame.data)])).toEqual(rows.map((row) => ['ndjson', row]));
        expect(frames).toEqual(feed(bodyFramer(), [text]));
        for (const frame of frames) expect(text.slice(frame.start, frame.end).trim()).toBe(frame.data.trim());
      }),
    );
    const framer = bodyFramer();
    expect(framer.push('{"a":1}\n', NO_META)).toEqual([]);
    expect(framer.push('{"b":2}\n{"c"', NO_META).map((frame) => frame.data)).toEqual(['{"a":1}', '{"b":2}']);
    expect(framer.end('network-error').map((frame) => frame.complete)).toEqual([false]);
  });
  test.each(['{"a":1}\n', '{\n  "a": {}\n}\n', '{"a":\n{"b":2}}', '\n{"a":1}\n\n'])('%j is one body', (text) => {
    expect(plain(feed(bodyFramer(), [...text]))).toEqual([{ kind: 'data', event: null, id: null, data: text, complete: true }]);
    expect(feed(bodyFramer(), [text])).toEqual(feed(bodyFramer(), [...text]));
  });
});

test.each([
  ['text/event-stream', '', 'data: a\n\n', 'sse'],
  ['application/x-ndjson', '', '{}\n', 'ndjson'],
  ['application/json', '', '{}', 'body'],
  ['text/plain', ': hello\n\ndata: x\n\n', 'data: a\n\n', 'sse'],
  ['', 'event: x\ndata: a', 'data: a\n\n', 'sse'],
  ['text/plain', '0:"hello"\n', '0:"a"\n', 'ndjson'],
  ['text/plain', '{"a":1}\n{"b":2}\n', '{}\n', 'ndjson'],
  ['text/plain', 'It is seven degrees.', 'x', 'text'],
])('%s starting %j is framed as %s', (type, head, sample, framing) => {
  const framer = pickFramer('fetch', type, head === '' ? sample : head, 'text');
  const frames = feed(framer!, [sample]);
  expect(frames[0]?.framing).toBe(framing);
});

test('nothing is decided from a few characters', () => {
  expect(pickFramer('fetch', 'text/plain', '', 'text')).toBeNull();
  expect(pickFramer('fetch', 'text/plain', 'da', 'text')).toBeNull();
  expect(pickFramer('websocket', '', '', 'text')).not.toBeNull();
});
