/** Against zlib, and against the reader of the command line, whose sentences it shares. */
import { constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from './gunzip';

const TEXT = Array.from({ length: 30_000 }, (_, i) => `${i} ${Math.sin(i)}\n`).join('');
const PACKED = gzipSync(TEXT);

const unpack = (bytes: Uint8Array): { text: string; fault: string | null; ignored: number } => {
  const out: Uint8Array[] = [];
  const steps = gunzip(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { text: Buffer.concat(out).toString(), ...value };
    out.push(value);
  }
};

describe('what was packed comes out whole', () => {
  it.each([0, 1, 6, 9])('at level %d, also where the window moves', (level) => {
    expect(unpack(gzipSync(TEXT, { level }))).toEqual({ text: TEXT, fault: null, ignored: 0 });
  });
  it('in members that follow each other, empty, stored and named ones too', () => {
    const plain = gzipSync('named');
    const head = Buffer.from(plain.subarray(0, 10));
    head[3] = 2 | 4 | 8 | 16;
    const named = [head, Buffer.from([3, 0, 1, 2, 3]), Buffer.from('a.txt\0why\0'), Buffer.from([0, 0]), plain.subarray(10)];
    const members = [gzipSync('one '), gzipSync(''), gzipSync('two ', { level: 0 }), gzipSync('three ', { strategy: constants.Z_FIXED })];
    expect(unpack(Buffer.concat([...members, ...named]))).toEqual({ text: 'one two three named', fault: null, ignored: 0 });
  });
});

describe('what is wrong is told, after what came before it', () => {
  it.each(['garbage', '\n', '\u0000\u0000x', '\u001f\u008b'])('%j after the end is counted', (rest) => {
    const tail = Buffer.from(rest, 'latin1');
    expect(unpack(Buffer.concat([PACKED, tail]))).toEqual({ text: TEXT, fault: null, ignored: tail.length });
  });
  it('padding with zeros is no news', () => {
    expect(unpack(Buffer.concat([PACKED, Buffer.alloc(512)]))).toEqual({ text: TEXT, fault: null, ignored: 0 });
  });
  it('a cut, wherever it is', () => {
    const small = gzipSync(TEXT.slice(0, 3000));
    for (let at = 2; at < small.length; at += 13) {
      const { text, fault } = unpack(small.subarray(0, at));
      expect(fault, String(at)).toBe('unexpected end of file');
      expect(TEXT.startsWith(text)).toBe(true);
    }
    const half = unpack(PACKED.subarray(0, PACKED.length / 2)).text;
    expect(half.length).toBeGreaterThan(TEXT.length * 0.45);
    expect(TEXT.startsWith(half)).toBe(true);
  });
  it.each([
    [8, 'incorrect data check'],
    [1, 'incorrect length check'],
  ] as const)('a wrong byte %d before the end: %s', (from, fault) => {
    const spoiled = Buffer.from(PACKED);
    spoiled[PACKED.length - from]! ^= 0x55;
    expect(unpack(spoiled)).toEqual({ text: TEXT, fault, ignored: 0 });
  });
  it('another method, and blocks of a kind there is not', () => {
    expect(unpack(Buffer.from([0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0])).fault).toBe('unknown compression method');
    expect(unpack(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0, 0xff])).fault).toBe('invalid data');
  });
});
