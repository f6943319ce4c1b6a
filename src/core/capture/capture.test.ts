import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import { type CaptureEntry, CaptureError, createReader, entryLine, headerLine, readCapture, serialiseCapture } from './capture';

const FOREIGN = { createdAt: '2026-01-01T00:00:00.000Z', producer: { name: 'test', version: '0', browser: null } };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const fixture = readFileSync(join(import.meta.dirname, 'upgrades/upgrades.fixtures/v1.unsettled.jsonl'), 'utf8');

const HEADER = { ...FOREIGN, format: 'unsettled-capture', version: 1, documents: [], redaction: null } as const;
const tick = (seq: number): CaptureEntry => ({ seq, at: seq, type: 'tick' });

const read = (text: string, pieceSize = Number.POSITIVE_INFINITY) => {
  const entries: CaptureEntry[] = [];
  const reader = createReader({ document: () => {}, entries: (more) => entries.push(...more) });
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += pieceSize) reader.push(bytes.slice(at, Math.min(bytes.length, at + pieceSize)));
  return { entries, summary: reader.end() };
};

const errorOf = (act: () => unknown): CaptureError => {
  try {
    act();
  } catch (error) {
    if (error instanceof CaptureError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('reading our own format', () => {
  it('reads version 1, kept as it was written, and writes it again unchanged', () => {
    const { capture, summary } = readCapture(bytesOf(fixture), FOREIGN);
    expect(summary).toMatchObject({ format: 'unsettled-capture', entries: 14, damage: null, skipped: null, invalidUtf8: null });
    expect(capture.producer.browser).toBe('chrome 156');
    expect(capture.documents).toHaveLength(1);
    expect([...serialiseCapture(capture)].join('')).toBe(fixture);
  });
  it('gives the same entries however the bytes come', () => {
    const whole = read(fixture);
    for (const size of [1, 7, 64, 1000]) expect(read(fixture, size).entries).toEqual(whole.entries);
  });
  it('keeps any text through writing and reading', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const entries = texts.map(
          (text, seq): CaptureEntry => ({
            seq,
            at: seq,
            type: 'flow.chunk',
            flow: 'f',
            direction: 'received',
            text,
            encoding: 'text',
            event: null,
            id: null,
          }),
        );
        const capture: Capture = { ...HEADER, entries };
        expect(readCapture(bytesOf([...serialiseCapture(capture)].join('')), FOREIGN).capture.entries).toEqual(entries);
      }),
    );
  });
  it('hands entries on in bounded batches while the file is still coming', () => {
    const sizes: number[] = [];
    const reader = createReader({ document: () => {}, entries: (more) => sizes.push(more.length) });
    reader.push(bytesOf(headerLine(HEADER)));
    for (let i = 0; i < 50; i++) reader.push(bytesOf(Array.from({ length: 1000 }, (_, j) => entryLine(tick(i * 1000 + j))).join('')));
    expect(sizes.length).toBeGreaterThan(40);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8192);
    expect(reader.end().entries).toBe(50_000);
  });
  it.each([
    ['too large to count on from', [1e308, 1, 2], [0, 1, 2]],
    ['just too large', [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2], [0, 1, 2]],
    ['too large in between', [0, 1e300, 2, 3], [0, 1, 2, 3]],
    ['negative', [-5, -4, 3], [0, 1, 3]],
    ['no integers', [0.5, 0.75, 1, 1.5, 7], [0, 1, 2, 3, 7]],
    ['the same again', [4, 4, 4], [4, 5, 6]],
    ['going backwards', [9, 3, 1, 10], [9, 10, 11, 12]],
  ])('numbers that are %s are put right', (_, given, right) => {
    const lines = given.map((seq) => entryLine(tick(seq))).join('');
    const { entries, summary } = read(headerLine(HEADER) + lines);
    expect(entries.map((entry) => entry.seq)).toEqual(right);
    expect(entries.map((entry) => entry.at)).toEqual(given);
    expect(summary.damage).toBeNull();
    expect(summary.skipped).toBeNull();
  });

  it('does not take a number that is none for a count of what is missing', () => {
    const { entries } = read([1e308, 1].map((seq) => entryLine(tick(seq))).join('') + entryLine(tick(3)));
    expect(entries.map((entry) => [entry.seq, entry.type])).toEqual([
      [0, 'tick'],
      [1, 'tick'],
      [3, 'tick'],
    ]);
  });

  it('takes a flow that is opened again under its id for another one', () => {
    const opened = {
      type: 'flow.opened',
      document: 'd1',
      transport: 'fetch',
      method: 'GET',
      url: '/',
      requestHeaders: {},
      requestBody: null,
    };
    const ended = { type: 'flow.ended', how: 'eof', code: null, detail: null };
    const given = ['f', 'f', 'f~2', 'f', 'g'].flatMap((flow) => [
      { ...opened, flow },
      { ...ended, flow },
    ]);
    const lines = given.map((entry, seq) => entryLine({ seq, at: 0, ...entry } as CaptureEntry)).join('');
    const { entries, summary } = read(headerLine(HEADER) + lines);
    expect(summary.damage).toBeNull();
    expect(summary.skipped).toBeNull();
    const flows = entries.map((entry) => ('flow' in entry ? entry.flow : null));
    expect(new Set(flows).size).toBe(5);
    expect(flows.filter((_, i) => i % 2 === 0)).toEqual(flows.filter((_, i) => i % 2 === 1));
  });

  it('makes every order of seq a rising one', () => {
    const { entries } = read(headerLine(HEADER) + [5, 5, 3, 9].map((seq) => entryLine(tick(seq))).join(''));
    expect(entries.map((entry) => entry.seq)).toEqual([5, 6, 7, 9]);
  });
});

describe('what is wrong with a file', () => {
  it('reads up to the damage and says the line', () => {
    const lines = fixture.split('\n');
    lines[5] = lines[5]!.slice(0, 40);
    const { entries, summary } = read(lines.join('\n'));
    expect(entries).toHaveLength(4);
    expect(summary.damage).toEqual({ line: 6, detail: 'not JSON' });
  });
  it('tells a file that stops inside a line from a line that is wrong', () => {
    const { entries, summary } = read(fixture.slice(0, -30));
    expect(entries).toHaveLength(13);
    expect(summary.damage).toEqual({ line: 15, detail: 'the file ends inside this line' });
  });
  it('cut or spoiled anywhere, everything before the damage stands as it was', () => {
    const bytes = bytesOf(fixture);
    const whole = read(fixture).entries;
    const lineEnds = [...fixture].flatMap((c, at) => (c === '\n' ? [bytesOf(fixture.slice(0, at + 1)).length] : []));
    const readBytes = (damaged: Uint8Array) => {
      const entries: CaptureEntry[] = [];
      const reader = createReader({ document: () => {}, entries: (more) => entries.push(...more) });
      try {
        reader.push(damaged);
        return { entries, summary: reader.end() };
      } catch (error) {
        if (!(error instanceof CaptureError)) throw error;
        return { entries, summary: null };
      }
    };
    // From where on the file says what it is.
    for (let at = fixture.indexOf(','); at < bytes.length; at += 3) {
      // Lines before this place that are whole, without the header.
      const before = Math.max(0, lineEnds.filter((end) => end <= at).length - 1);
      const cut = readBytes(bytes.subarray(0, at));
      // A line that only lacks its end is whole.
      expect(cut.entries).toEqual(whole.slice(0, before + (before > 0 && lineEnds.includes(at + 1) ? 1 : 0)));
      if (at > lineEnds[0]! && !lineEnds.includes(at) && !lineEnds.includes(at + 1))
        expect(cut.summary?.damage).toEqual({ line: before + 2, detail: 'the file ends inside this line' });
      for (const put of [0x00, 0x22, 0x7b, 0xff]) {
        const spoiled = bytes.slice();
        spoiled[at] = put;
        expect(readBytes(spoiled).entries.slice(0, before)).toEqual(whole.slice(0, before));
      }
    }
  });
  it('leaves a gap where an entry is wrong, and goes on', () => {
    const { entries, summary } = read(
      `${headerLine(HEADER)}${entryLine(tick(0))}{"seq":1,"at":"x","type":"tick"}\n{"seq":2,"at":2,"type":"later"}\n${entryLine(tick(3))}`,
    );
    expect(entries.map((entry) => entry.type)).toEqual(['tick', 'gap', 'gap', 'tick']);
    expect(summary.skipped).toEqual({ count: 2, line: 3, detail: 'at is not a number' });
  });
  it('says it where a flow was never seen to open, and keeps what there is', () => {
    const opened = fixture.split('\n').findIndex((line) => line.includes('"type":"flow.opened"'));
    const { flow } = JSON.parse(fixture.split('\n')[opened]!) as { flow: string };
    const without = fixture.split('\n').toSpliced(opened, 1).join('\n');
    const { entries, summary } = read(without);
    const hole = entries.findIndex((entry) => entry.type === 'gap' && entry.flow === null);
    const its = entries.slice(0, hole).filter((entry) => 'flow' in entry && entry.flow === flow && entry.type !== 'gap');
    expect(its.length).toBeGreaterThan(1);
    expect(summary).toMatchObject({ skipped: null, unopened: { count: its.length, line: opened + 1, flow } });
    expect(entries).toEqual(read(fixture).entries.toSpliced(opened - 1, 1));
    expect(read(fixture).summary.unopened).toBeNull();
    // A gap before it, which any recording leaves that began late, says so already.
    const gap = entryLine({ seq: 0, at: 0, type: 'gap', flow: null, reason: 'relay-lost', lost: 4 });
    const [first, ...rest] = without.split('\n');
    expect(read([first, gap.trimEnd(), ...rest].join('\n')).summary.unopened).toBeNull();
  });
  it('says which member of the header is wrong', () => {
    const [, ...rest] = fixture.split('\n');
    const header = headerLine(HEADER).trimEnd().replace(',"redaction":null', '');
    const { summary } = read([header, ...rest].join('\n'));
    expect(summary).toMatchObject({ headless: true, headerFault: expect.stringContaining('redaction is missing') });
    expect(read(rest.join('\n')).summary).toMatchObject({ headless: true, headerFault: null });
    expect(read(fixture).summary).toMatchObject({ headless: false, headerFault: null });
  });
  it('reads the first of captures put one behind the other, and says where the second begins', () => {
    const first = read(fixture);
    const line = fixture.trimEnd().split('\n').length + 1;
    const cases: [name: string, text: string, line: number][] = [
      ['as they are', fixture + fixture, line],
      ['with a mark', `${fixture}\ufeff${fixture}`, line],
      ['with an empty line', `${fixture}\r\n${fixture}`, line + 1],
      ['without the last line end', fixture.trimEnd() + fixture, line - 1],
      ['the second of another version', fixture + fixture.replace('"version":1', '"version":9'), line],
      ['three', fixture + fixture + fixture, line],
    ];
    for (const [name, text, at] of cases)
      for (const size of [Number.POSITIVE_INFINITY, 100]) {
        const { entries, summary } = read(text, size);
        expect(entries, name).toEqual(first.entries);
        expect(summary, name).toMatchObject({
          skipped: null,
          damage: { line: at, detail: expect.stringContaining('a second capture begins') },
        });
      }
    // A first one without its header is no reason to take the second for more of it.
    const headless = read(fixture.slice(fixture.indexOf('\n') + 1) + fixture);
    expect(headless.summary).toMatchObject({ headless: true, damage: { line: line - 1 } });
    expect(headless.entries).toEqual(first.entries);
  });
  it('takes the words of a header inside a text for text', () => {
    const text = headerLine(HEADER);
    const chunk = {
      seq: 0,
      at: 0,
      type: 'flow.chunk',
      flow: 'f',
      direction: 'received',
      text,
      encoding: 'text',
      event: null,
      id: null,
    } as const;
    expect(read(headerLine(HEADER) + entryLine(chunk))).toMatchObject({ entries: [chunk], summary: { damage: null } });
  });
  it('refuses a newer version with both numbers', () => {
    const error = errorOf(() => read(fixture.replace('"version":1', '"version":2')));
    expect([error.reason, error.facts]).toEqual(['newer-version', { version: 2, supported: 1 }]);
  });
  it('says what is wrong in a sentence', () => {
    const messageOf = (bytes: Uint8Array): string => errorOf(() => readCapture(bytes)).message;
    expect(messageOf(Uint8Array.of(0x1f, 0x8b, 8, 0))).toBe('This is packed (gzip): unpack it before it is read.');
    expect(messageOf(bytesOf(fixture.replace('"version":1', '"version":2')))).toBe(
      'This capture has format version 2; versions up to 1 can be read.',
    );
    expect(messageOf(bytesOf('{"format":"unsettled-capture","version":1}\n'))).toBe(
      'This capture is damaged at line 1: createdAt is not a string.',
    );
  });
  it('refuses a header that is wrong, and says why', () => {
    expect(errorOf(() => read('{"format":"unsettled-capture","version":1}\n')).facts).toEqual({
      line: 1,
      detail: 'createdAt is not a string',
    });
    expect(errorOf(() => read('{"format":"unsettled-capture","ver')).reason).toBe('damaged');
  });
  it('reads what follows a first line that is missing, broken or cut at its beginning', () => {
    const [first, ...entries] = fixture.trimEnd().split('\n') as [string, ...string[]];
    const whole = read(fixture).entries;
    for (const start of ['', `${first.slice(0, 90)}\n`, `${first.replace('"producer"', 'producer"')}\n`]) {
      const found = read(`${start}${entries.join('\n')}\n`, 97);
      expect(found.entries).toEqual(whole);
      expect(found.summary).toMatchObject({ format: 'unsettled-capture', header: null, damage: null, skipped: null });
    }
    const cut = read(`${entries.slice(2).join('\n').slice(40)}\n`);
    expect(cut.summary).toMatchObject({ header: null, damage: null });
    expect(cut.entries[0]).toMatchObject({ type: 'gap', lost: 3 });
    expect(cut.entries.slice(1)).toEqual(whole.slice(3));
    const elsewhere = entries.map((line) => {
      const { seq, ...rest } = JSON.parse(line) as { seq: number };
      return JSON.stringify({ ...rest, seq });
    });
    expect(read(elsewhere.join('\n')).entries).toEqual(whole);
    const documents: string[] = [];
    const reader = createReader({ document: (document) => documents.push(document.key), entries: () => {} });
    reader.push(bytesOf(entries.join('\n')));
    reader.end();
    expect(documents).toEqual(['d1']);
  });
  it('refuses a newer version also where the first line is broken', () => {
    const broken = fixture.replace('"version":1', '"version":7').replace('"producer"', 'producer"');
    expect(errorOf(() => read(broken)).reason).toBe('newer-version');
  });
  it('reads UTF-16, with and without its mark, in any pieces', () => {
    const whole = read(fixture).entries;
    const text = fixture.replaceAll('migration', 'migración \u{1f600}');
    const right = read(text).entries;
    expect(right).toHaveLength(whole.length);
    for (const mark of ['', '\ufeff'])
      for (const big of [false, true]) {
        const bytes = Buffer.from(mark + text, 'utf16le');
        if (big) bytes.swap16();
        for (const size of [1, 3, 1000, bytes.length]) {
          const entries: CaptureEntry[] = [];
          const reader = createReader({ document: () => {}, entries: (more) => entries.push(...more) });
          for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
          expect(reader.end()).toMatchObject({ format: 'unsettled-capture', damage: null, invalidUtf8: null });
          expect(entries).toEqual(right);
        }
      }
  });
  it.each([
    ['', 'nothing'],
    ['\u001f\u008b\u0008', 'binary'],
    ['Dear diary,\nnothing streamed today.\n', 'text'],
    ['{"a": nope}', 'json'],
    ['PK\u0005\u0006rest', 'zip'],
    ['\u0000\u0001\u0002', 'binary'],
    ['*   Trying [::1]:80...\n> GET / HTTP/1.1\n>\n< HTTP/1.1 200 OK\n<\ndata: 1\n\n', 'verbose'],
  ])('refuses %j as %s', (text, looksLike) => {
    const reader = createReader({ document: () => {}, entries: () => {} });
    const bytes = looksLike === 'binary' && text.startsWith('\u001f') ? Uint8Array.of(0x1f, 0x8b, 8, 0) : bytesOf(text);
    reader.push(bytes);
    const { reason, facts, message } = errorOf(() => reader.end());
    expect(reason).toBe('not-a-capture');
    expect(message).toMatch(/^(?:This|The) .*\.$/u);
    expect(facts.looksLike).toBe(bytes[0] === 0x1f ? 'gzip' : looksLike);
  });
  it('counts bytes that are not UTF-8 and keeps reading', () => {
    const bytes = new Uint8Array([...bytesOf('data: a'), 0xff, ...bytesOf('b\n\n')]);
    const entries: CaptureEntry[] = [];
    const reader = createReader({ document: () => {}, entries: (more) => entries.push(...more) });
    reader.push(bytes);
    expect(reader.end().invalidUtf8).toEqual({ count: 1, offset: 7 });
    expect(entries.map((entry) => (entry.type === 'flow.chunk' ? entry.text : '')).join('')).toBe('data: a\ufffdb\n\n');
  });
  it('takes one event of 50 MB in small pieces', () => {
    const reader = createReader({ document: () => {}, entries: () => {} });
    reader.push(bytesOf('{"meta":{"url":"/x","status":200,"headers":{}}}\n{"t":1,"chunk":"'));
    const piece = bytesOf('x'.repeat(65_536));
    for (let i = 0; i < 800; i++) reader.push(piece);
    reader.push(bytesOf('"}\n'));
    expect(reader.end()).toMatchObject({ entries: 4, damage: null });
  });
});
