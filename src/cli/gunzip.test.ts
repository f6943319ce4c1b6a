import { constants, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip as coreGunzip } from '../core/capture/gunzip';
import { gunzip } from './gunzip';

const TEXT = Array.from({ length: 30_000 }, (_, i) => `${i} ${Math.sin(i)}\n`).join('');
const PACKED = gzipSync(TEXT);

const inPieces = async function* (bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};
const unpack = async (bytes: Uint8Array, size = 1 << 18): Promise<{ text: string; ignored: number; failed: string | null }> => {
  const out: Uint8Array[] = [];
  let ignored = 0;
  let failed: string | null = null;
  try {
    for await (const piece of gunzip(inPieces(bytes, size), (count) => {
      ignored += count;
    }))
      out.push(piece);
  } catch (error) {
    failed = (error as { code: string }).code;
  }
  return { text: Buffer.concat(out).toString(), ignored, failed };
};

describe('what was packed', () => {
  it.each([1 << 18, 1000, 7])('comes out whole in pieces of %d', async (size) => {
    expect(await unpack(PACKED, size)).toEqual({ text: TEXT, ignored: 0, failed: null });
  });
  it.each([1 << 18, 50, 1])('members follow each other, empty and stored ones too (pieces of %d)', async (size) => {
    const members = [gzipSync('one '), gzipSync(''), gzipSync('two ', { level: 0 }), gzipSync('three', { strategy: constants.Z_FIXED })];
    expect(await unpack(Buffer.concat(members), size)).toEqual({ text: 'one two three', ignored: 0, failed: null });
  });
  it('members may carry a name, a comment, fields and a check of their header', async () => {
    const plain = gzipSync('named');
    const flags = Buffer.from(plain.subarray(0, 10));
    flags[3] = 2 | 4 | 8 | 16;
    const named = Buffer.concat([
      flags,
      Buffer.from([3, 0, 1, 2, 3]),
      Buffer.from('a.txt\0why\0'),
      Buffer.from([0, 0]),
      plain.subarray(10),
    ]);
    for (const size of [1 << 18, 1]) expect((await unpack(named, size)).text).toBe('named');
  });
});

describe('what follows the last member', () => {
  it.each(['garbage', '\n', '<html>', '\u0000\u0000x', '\u001f\u008b', '\u001f'])('%j is counted and costs nothing', async (rest) => {
    const tail = Buffer.from(rest, 'latin1');
    for (const size of [1 << 18, 1000, 1])
      expect(await unpack(Buffer.concat([gzipSync(TEXT.slice(0, 5000)), tail]), size)).toEqual({
        text: TEXT.slice(0, 5000),
        ignored: tail.length,
        failed: null,
      });
  });
  it('padding with zeros is no news', async () => {
    expect(await unpack(Buffer.concat([PACKED, Buffer.alloc(512)]))).toEqual({ text: TEXT, ignored: 0, failed: null });
  });
});

describe('damage', () => {
  it('is told where the data is cut anywhere, after what came before', async () => {
    const small = gzipSync(TEXT.slice(0, 3000));
    for (let at = 2; at < small.length; at += 13) {
      const { text, failed } = await unpack(small.subarray(0, at));
      expect(failed, String(at)).toBe('Z_BUF_ERROR');
      expect(TEXT.startsWith(text)).toBe(true);
    }
    expect((await unpack(PACKED.subarray(0, PACKED.length / 2))).text.length).toBeGreaterThan(100_000);
  });
  it.each([1 << 18, 1000])('costs nothing of what could be unpacked before it (pieces of %d)', async (size) => {
    const small = gzipSync(TEXT.slice(0, 30_000));
    const tail = Buffer.concat([PACKED.subarray(0, 40_000), Buffer.alloc(40, 0xff), PACKED.subarray(40_040)]);
    const flipped = Buffer.from(small);
    flipped[small.length >> 1]! ^= 0x55;
    const bytes = [10, 300, 3500, small.length - 9, small.length - 3].map((at) => small.subarray(0, at));
    for (const one of [...bytes, PACKED.subarray(0, 100_000), tail, flipped]) {
      const all: Uint8Array[] = [...coreGunzip(one)];
      const { text, failed } = await unpack(one, size);
      expect(failed).not.toBeNull();
      expect(text).toBe(Buffer.concat(all).toString());
    }
  });
  it('is told where the data, its check or its length is wrong', async () => {
    for (const at of [PACKED.length >> 1, PACKED.length - 8, PACKED.length - 1]) {
      const spoiled = Buffer.from(PACKED);
      spoiled[at]! ^= 0x55;
      expect(() => gunzipSync(spoiled)).toThrow();
      expect((await unpack(spoiled)).failed, String(at)).toBe('Z_DATA_ERROR');
    }
    expect((await unpack(Buffer.concat([Buffer.from([0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0]), deflateRawSync('x')]))).failed).toBe(
      'Z_DATA_ERROR',
    );
  });
  it('a source that fails fails the reading', async () => {
    const source = async function* (): AsyncGenerator<Uint8Array> {
      yield PACKED.subarray(0, 1000);
      throw new Error('the disk is gone');
    };
    await expect(async () => {
      for await (const _ of gunzip(source(), () => {}));
    }).rejects.toThrow('the disk is gone');
  });
  it('a reader that has seen enough may leave', async () => {
    for await (const piece of gunzip(inPieces(PACKED, 100), () => {})) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  });
});
