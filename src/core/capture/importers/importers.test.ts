import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflate } from '../../bytes/inflate';
import { BINARY_TYPES } from '../../framing/framing';
import { createSession } from '../../session';
import { type CaptureEntry, createReader, type ReadSummary } from '../capture';
import { isBinary } from './importer';
import { IMPORTERS } from './index';
import { VERDICT_LIST } from './verdict-list';

const FIXTURES = join(import.meta.dirname, 'importers.fixtures');
const SHARED = join(import.meta.dirname, '../../../../../shared');

const read = (bytes: Uint8Array, size = bytes.length): { entries: CaptureEntry[]; summary: ReadSummary } => {
  const entries: CaptureEntry[] = [];
  const reader = createReader({ document: () => {}, entries: (more) => entries.push(...more) });
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.slice(at, at + size));
  return { entries, summary: reader.end() };
};
const readText = (text: string) => read(new TextEncoder().encode(text));
const typesOf = (entries: readonly CaptureEntry[]): string[] =>
  entries.map((entry) => `${'flow' in entry ? `${entry.flow} ` : ''}${entry.type}`);
const textOf = (entries: readonly CaptureEntry[], flow: string): string =>
  entries.map((entry) => (entry.type === 'flow.chunk' && entry.flow === flow ? entry.text : '')).join('');
const endOf = (entries: readonly CaptureEntry[], flow = 'c1'): string | null => {
  for (const entry of entries) if (entry.type === 'flow.ended' && entry.flow === flow) return entry.how;
  return null;
};

describe('every importer', () => {
  it('has an id of its own and a fixture named after it, and there are no other fixtures', () => {
    const ids = IMPORTERS.map((importer) => importer.id);
    expect(new Set(ids).size).toBe(ids.length);
    const files = readdirSync(FIXTURES).map((name) => name.replace(/(?:~.*)?\..*$/u, ''));
    expect([...new Set(files)].sort()).toEqual([...ids].sort());
  });
  it.each(readdirSync(FIXTURES))('recognises %s alone, and reads it the same in any pieces', (name) => {
    const bytes = readFileSync(join(FIXTURES, name));
    const head = {
      bytes: bytes.subarray(0, 65_536),
      text: new TextDecoder().decode(bytes.subarray(0, 65_536)),
      whole: bytes.length <= 65_536,
    };
    const id = name.replace(/(?:~.*)?\..*$/u, '');
    const known = IMPORTERS.filter((importer) => importer.recognise(head));
    const specific = known.filter((importer) => !importer.general);
    expect((specific.length > 0 ? specific : known).map((importer) => importer.id)).toEqual([id]);
    const whole = read(bytes);
    expect(whole.summary).toMatchObject({ format: id, damage: null, skipped: null });
    // A list of verdicts is recognised so as not to be taken for a stream: there is nothing in it.
    if (id === VERDICT_LIST) expect(whole.entries).toEqual([]);
    else expect(whole.entries.length).toBeGreaterThan(2);
    expect(whole.entries.map((entry) => entry.seq)).toEqual(whole.entries.map((_, seq) => seq));
    const times = whole.entries.map((entry) => entry.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const pieces = read(bytes, 997);
    const flows = new Set(whole.entries.flatMap((entry) => ('flow' in entry && entry.flow !== null ? [entry.flow] : [])));
    for (const flow of flows) expect(textOf(pieces.entries, flow)).toBe(textOf(whole.entries, flow));
  });
});

describe('recordings', () => {
  const meta = (more: object = {}): string => JSON.stringify({ meta: { url: '/x', method: 'POST', status: 200, headers: {}, ...more } });
  const lines = (...list: object[]): string => list.map((line) => JSON.stringify(line)).join('\n');

  it('opens, heads, chunks and ends each connection', () => {
    const { entries } = read(readFileSync(join(FIXTURES, 'recording.jsonl')));
    expect(typesOf(entries).filter((type) => !type.endsWith('chunk'))).toEqual([
      'c1 flow.opened',
      'c1 flow.head',
      'c1 flow.ended',
      'c2 flow.opened',
      'c2 flow.head',
      'c2 flow.ended',
    ]);
  });
  it.each([
    ['eof', 'eof'],
    ['aborted', 'network-error'],
    ['reset', 'network-error'],
    ['cut', null],
    ['open', null],
    ['closed-while-waiting', null],
  ])('reads the end %s as %s, in meta and as a line', (said, how) => {
    expect(endOf(readText(`${meta({ end: said })}\n{"t":1,"chunk":"x"}\n`).entries)).toBe(how);
    expect(endOf(readText(`${meta()}\n{"t":1,"chunk":"x"}\n{"t":2,"end":"${said}"}\n`).entries)).toBe(how);
  });
  it('takes a response whose end nobody noted to be complete, a socket to be open', () => {
    expect(endOf(readText(`${meta()}\n{"t":1,"chunk":"x"}\n`).entries)).toBe('eof');
    expect(endOf(readText(`${meta({ status: 101, transport: 'websocket' })}\n{"t":1,"dir":"in","chunk":"x"}\n`).entries)).toBeNull();
    expect(
      endOf(readText(`${meta({ conn: 1 })}\n{"t":1,"meta":{"url":"/y","conn":2}}\n{"t":2,"c":1,"end":"eof"}\n`).entries, 'c2'),
    ).toBeNull();
  });
  it('invents no end for a file that is damaged', () => {
    const { entries, summary } = readText(`${meta({ end: 'eof' })}\n{"t":1,"chunk":"x"}\n{"t":2,"chu`);
    expect(endOf(entries)).toBeNull();
    expect(summary.damage).toEqual({ line: 3, detail: 'the file ends inside this line' });
  });
  it('joins bytes that were cut inside a character, whichever way they are spelled', () => {
    const bytes = Buffer.from('né €\u{1f600}!');
    for (let cut = 1; cut < bytes.length; cut++) {
      const [a, b] = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const asBase64 = readText(`${meta()}\n${lines({ t: 1, b64: a.toString('base64') }, { t: 2, b64: b.toString('base64') })}`);
      const asLatin1 = readText(
        `${meta()}\n${lines({ t: 1, chunk: a.toString('latin1'), enc: 'latin1' }, { t: 2, chunk: b.toString('latin1'), enc: 'latin1' })}`,
      );
      expect(textOf(asBase64.entries, 'c1')).toBe('né €\u{1f600}!');
      expect(textOf(asLatin1.entries, 'c1')).toBe('né €\u{1f600}!');
    }
    const half = readText(`${meta()}\n${lines({ t: 1, b64: bytes.subarray(0, 2).toString('base64') })}`);
    expect(textOf(half.entries, 'c1')).toBe('n\ufffd');
  });
  it('keeps binary bodies and binary messages as base64', () => {
    const proto = readText(
      `${meta({ headers: { 'Content-Type': 'application/vnd.ag-ui.event+proto' } })}\n${lines({ t: 1, chunk: '\u0000\u0001é' })}`,
    );
    expect(proto.entries.find((entry) => entry.type === 'flow.chunk')).toMatchObject({
      encoding: 'base64',
      text: Buffer.from('\u0000\u0001é').toString('base64'),
    });
    for (const type of BINARY_TYPES) expect(isBinary(type)).toBe(true);
  });
  it('knows sockets by their lines', () => {
    const { entries } = readText(`${meta({ status: 101 })}\n${lines({ t: 1, ws: 'out', data: 'a' }, { t: 2, dir: 'in', chunk: 'b' })}`);
    expect(entries[0]).toMatchObject({ transport: 'websocket' });
    expect(entries.flatMap((entry) => (entry.type === 'flow.chunk' ? [[entry.direction, entry.text]] : []))).toEqual([
      ['sent', 'a'],
      ['received', 'b'],
    ]);
  });
  it('says where a line is not understood, and leaves a gap', () => {
    const { entries, summary } = readText(`${meta()}\n{"t":1,"note":"hm"}\n{"t":2,"chunk":"x"}\n`);
    expect(summary.skipped).toMatchObject({ count: 1, line: 2 });
    expect(entries.filter((entry) => entry.type === 'gap')).toHaveLength(1);
  });
  it('drops credentials and lower-cases names', () => {
    const { entries } = readText(
      `${meta({ requestHeaders: { Authorization: 'Bearer x', Accept: 'a/b', Cookie: 'c=d' }, requestBody: { a: 1 } })}\n`,
    );
    expect(entries[0]).toMatchObject({ requestHeaders: { accept: 'a/b' }, requestBody: '{"a":1}' });
  });
});

describe('page recordings', () => {
  it('reads requests with their answers, and sockets with their closing', () => {
    const { entries } = read(readFileSync(join(FIXTURES, 'page-recording.jsonl')));
    expect(typesOf(entries).slice(0, 4)).toEqual(['c1 flow.opened', 'c1 flow.head', 'c1 flow.chunk', 'c1 flow.ended']);
    expect(entries[0]).toMatchObject({ method: 'POST', transport: 'fetch' });
    expect(endOf(entries, 'c1')).toBe('eof');
    expect(entries.find((entry) => entry.type === 'flow.opened' && entry.flow === 'c7')).toMatchObject({ transport: 'websocket' });
    expect(endOf(entries, 'c7')).toBe('closed-by-server');
  });
});

describe('saved bodies', () => {
  it.each([
    ['data: {"a":1}\n\n', 'sse-body'],
    [': ping\n\nevent: x\ndata: y\n\n', 'sse-body'],
    ['\n\nid: 1\ndata: y\n\n', 'sse-body'],
    ['\ufeffdata: y\n\n', 'sse-body'],
    ['{"a":1}\n{"a":2}\n', 'ndjson-body'],
    ['{"a":1}\n{"a":', 'ndjson-body'],
    ['0:"Hello"\n0:" there"\nd:{"finishReason":"stop"}\n', 'ndjson-body'],
    ['\u001e{"a":1}\n\u001e{"a":2}\n', 'ndjson-body'],
    ['{"a":1}', 'json-body'],
    ['{\n  "a": 1\n}\n', 'json-body'],
    ['[{"candidates":[]},\n{"candidates":[', 'json-body'],
    ['{"a":"cut off he', 'json-body'],
  ])('takes %j for %s', (text, id) => {
    const { entries, summary } = readText(text);
    expect(summary.format).toBe(id);
    expect(endOf(entries)).toBe('eof');
    expect(textOf(entries, 'c1')).toBe(text.replace('\ufeff', ''));
  });
  it.each([
    ['sse-body', ''],
    ['curl', 'HTTP/1.1 200 OK\ncontent-type: text/event-stream\n\n'],
  ])('does not pass for a replay where it was cut: %s', (id, head) => {
    const chunks = [
      { type: 'start' },
      { type: 'start-step' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'It is' },
    ];
    const { entries, summary } = readText(head + chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''));
    expect(summary.format).toContain(id);
    const session = createSession();
    session.ingest(entries);
    expect(session.findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)).toEqual(['severed-stream']);
  });
  it('never looks like a capture where it is prose', () => {
    for (const text of ['Note: this is fine.\n', 'time: 3\ndata and more\n', '{ this is no JSON }', '[info] started\n{"a":1}\n'])
      expect(() => readText(text)).toThrow('no file with streams in it');
  });
});

describe('HAR files', () => {
  const load = (name: string) => read(readFileSync(join(FIXTURES, name))).entries;
  it('keep sockets with their messages and times, and no end that nobody saw', () => {
    const entries = load('har~chrome.har');
    const socket = entries.find((entry) => entry.type === 'flow.opened' && entry.transport === 'websocket') as CaptureEntry & {
      flow: string;
    };
    expect(
      entries.flatMap((entry) =>
        entry.type === 'flow.chunk' && entry.flow === socket.flow
          ? [[Math.round(entry.at), entry.direction, entry.encoding, entry.text]]
          : [],
      ),
    ).toEqual([
      [300, 'sent', 'text', '{"op":"start"}'],
      [400, 'received', 'text', '{"op":"ok"}'],
      [500, 'received', 'base64', 'AAEC'],
    ]);
    expect(endOf(entries, socket.flow)).toBeNull();
  });
  it('cut an event stream where its events came, and lose nothing of it', () => {
    const entries = load('har~chrome.har');
    const whole = readFileSync(join(FIXTURES, 'sse-body.sse'), 'utf8');
    expect(textOf(entries, 'h1')).toBe(whole);
    const times = new Set(entries.flatMap((entry) => (entry.type === 'flow.chunk' && entry.flow === 'h1' ? [entry.at] : [])));
    expect(times.size).toBeGreaterThan(5);
  });
  it('read events where there is no body', () => {
    const entries = load('har~chrome.har');
    expect(entries.find((entry) => entry.type === 'flow.opened' && entry.flow === 'h2')).toMatchObject({ transport: 'eventsource' });
    expect(entries.find((entry) => entry.type === 'flow.chunk' && entry.flow === 'h2')).toMatchObject({
      event: 'message',
      id: '7',
      text: '{"hello":1}',
    });
  });
  it('unpack base64, tell an abort from an end, and leave a gap where a body is missing', () => {
    const entries = load('har~chrome.har');
    expect(textOf(entries, 'h4')).toBe('{"a":1}\n');
    expect(endOf(entries, 'h4')).toBe('aborted-by-page');
    expect(entries.filter((entry) => entry.type === 'gap')).toMatchObject([{ flow: 'h5', lost: 812 }]);
  });
  it('leave out pages and pictures, and credentials', () => {
    expect(JSON.stringify(load('har~chrome.har'))).not.toContain('doctype');
    expect(JSON.stringify(load('har~firefox.har'))).not.toContain('sid=abc');
  });
  it.each(['har~firefox.har', 'har~playwright.har', 'playwright-trace.zip', 'curl.txt'])(
    'hold in %s the stream that was recorded',
    (name) => {
      const entries = load(name);
      const flow = entries.find((entry) => entry.type === 'flow.opened') as CaptureEntry & { flow: string };
      expect(textOf(entries, flow.flow)).toBe(readFileSync(join(FIXTURES, 'sse-body.sse'), 'utf8'));
      expect(endOf(entries, flow.flow)).toBe('eof');
    },
  );
  it('say what is wrong with them', () => {
    const whole = readFileSync(join(FIXTURES, 'har~chrome.har'), 'utf8');
    expect(readText(whole.slice(0, 5000)).summary.damage?.detail).toContain('cut off');
    expect(readText('{"log":{"version":"1.2","entries":[]}}').summary).toMatchObject({ damage: null, entries: 0 });
    expect(readText('{"log":{"version":"1.2"}}').summary.damage?.detail).toContain('no entries');
    expect(readText('{"log":{"version":"1.2","entries":[7]}}').summary.skipped?.detail).toContain('no object');
    const zip = readFileSync(join(FIXTURES, 'playwright-trace.zip'));
    expect(read(zip.subarray(0, zip.length - 100)).summary.damage?.detail).toContain('zip');
  });
});

describe('HAR files that are cut off or broken', () => {
  const whole = readFileSync(join(FIXTURES, 'har~chrome.har'), 'utf8');
  const all = readText(whole).entries;
  it('keep every connection before the damage as it was, and say where that is', () => {
    const log = (JSON.parse(whole) as { log: { entries: object[] } }).log;
    const first = whole.indexOf('"entries"');
    let last = -1;
    for (let cut = first + 20; cut < whole.length - 5; cut += 131) {
      const { entries, summary } = readText(whole.slice(0, cut));
      expect(summary.damage?.detail).toMatch(/cut off or broken/u);
      const flows = new Set(entries.flatMap((entry) => ('flow' in entry && entry.flow !== null ? [entry.flow] : [])));
      expect(flows.size).toBeGreaterThanOrEqual(last);
      last = flows.size;
      const of = (list: readonly CaptureEntry[]) =>
        list
          .filter((entry) => 'flow' in entry && entry.flow !== null && flows.has(entry.flow))
          .map((entry) => ({ ...entry, seq: 0, at: 0 }));
      expect(of(entries)).toEqual(of(all));
    }
    expect(last).toBeGreaterThan(3);
    expect(log.entries.length).toBeGreaterThan(last);
  });
  it('name the entry that is no JSON, and go no further', () => {
    const { summary, entries } = readText(
      '{"log":{"version":"1.2","entries":[\n{"request":{"url":"/a"},"response":{"status":200}},\n{"request": nope}\n,{}]}}',
    );
    expect(summary.damage).toEqual({ line: 3, detail: 'entry 2 of this HAR file is not JSON' });
    expect(typesOf(entries)[0]).toBe('h1 flow.opened');
  });
});

describe('curl -i', () => {
  it('skips the heads of redirects and interim answers, wherever the pieces are cut', () => {
    const text =
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nlocation: /x\r\n\r\nHTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\ndata: HTTP/1.1 200 OK\n\n';
    for (let size = 1; size < 60; size += 3) {
      const { entries } = read(new TextEncoder().encode(text), size);
      expect(textOf(entries, 'c1')).toBe('data: HTTP/1.1 200 OK\n\n');
      expect(entries.filter((entry) => entry.type === 'flow.head')).toMatchObject([
        { status: 200, headers: { 'content-type': 'text/event-stream' } },
      ]);
    }
  });
  it('says so if the head is cut off', () => {
    expect(readText('HTTP/1.1 200 OK\r\ncontent-ty').summary.damage).toMatchObject({ line: 1 });
  });
});

describe('inflate', () => {
  it('agrees with zlib on anything, at any level', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 4000 }),
          fc.string({ maxLength: 4000 }).map((text) => new TextEncoder().encode(text.repeat(20))),
        ),
        fc.integer({ min: 0, max: 9 }),
        (bytes, level) => {
          expect(inflate(deflateRawSync(bytes, { level }), bytes.length)).toEqual(new Uint8Array(bytes));
        },
      ),
    );
  });
  it('gives null for damaged data, and never more than it was told', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(2000), (bytes, size) => {
        const out = inflate(bytes, size);
        expect(out === null || out.length === size).toBe(true);
      }),
      { numRuns: 2000 },
    );
    const packed = deflateRawSync(new TextEncoder().encode('hello '.repeat(100)));
    expect(inflate(packed, 599)).toBeNull();
    expect(inflate(packed.subarray(0, packed.length - 4), 600)).toBeNull();
  });
});

/** Every recording that is at hand, against a second reader that shares no code with the first. */
// Registered only where the recordings are: a fresh clone has none, and has nothing to skip.
(existsSync(SHARED) ? describe : () => {})('all recordings at hand', () => {
  const files = ['wire/streams', 'repros'].flatMap((root) =>
    existsSync(join(SHARED, root))
      ? readdirSync(join(SHARED, root), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(?:jsonl|sse)$/u.test(name) && !name.endsWith('expected.jsonl'))
          .map((name) => join(root, name))
      : [],
  );
  it('are read whole, with the bytes that were recorded', () => {
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) {
      const bytes = readFileSync(join(SHARED, name));
      const { entries, summary } = read(bytes, 4096);
      expect(summary, name).toMatchObject({ damage: null, skipped: null, invalidUtf8: null });
      let right: string;
      if (name.endsWith('.sse')) right = bytes.toString('utf8');
      else {
        const parsed = bytes
          .toString('utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, string>);
        if (parsed[0]?.kind) right = parsed.map((line) => (line.kind === 'ws' || line.dir === 'in' ? (line.data ?? '') : '')).join('');
        else
          right = Buffer.concat(
            parsed.map((line) =>
              line.b64
                ? Buffer.from(line.b64, 'base64')
                : Buffer.from(line.chunk ?? line.data ?? '', line.enc === 'latin1' ? 'latin1' : 'utf8'),
            ),
          ).toString('utf8');
      }
      const got = Buffer.concat(
        entries.map((entry) =>
          entry.type === 'flow.chunk' ? Buffer.from(entry.text, entry.encoding === 'base64' ? 'base64' : 'utf8') : Buffer.alloc(0),
        ),
      ).toString('utf8');
      expect(got === right, name).toBe(true);
    }
  });
});
