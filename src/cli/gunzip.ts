/**
 * Unpacks gzip (RFC 1952), member by member, as it comes. Node's own unpacker loses what it has just unpacked where anything but a
 * member follows the last one; bytes that a download or a copy left behind must not cost a file its end.
 */
import { constants, crc32, createInflateRaw } from 'node:zlib';

const HEADER = 10;
const TRAILER = 8;
const [HEADER_CRC, EXTRA, NAME, COMMENT] = [2, 4, 8, 16] as const;

/** Failures as zlib names them. */
const failure = (code: 'Z_DATA_ERROR' | 'Z_BUF_ERROR', message: string): Error => Object.assign(new Error(message), { code });
const cut = (): Error => failure('Z_BUF_ERROR', 'unexpected end of file');

/** Bytes that come in pieces, taken in other pieces. */
const createInput = (source: AsyncIterator<Uint8Array>) => {
  let held: Uint8Array = new Uint8Array(0);
  /** False: the source has ended before there were as many. */
  const fill = async (count: number): Promise<boolean> => {
    while (held.length < count) {
      const next = await source.next();
      if (next.done) return false;
      held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
    }
    return true;
  };
  const take = async (count: number): Promise<Uint8Array> => {
    if (!(await fill(count))) throw cut();
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    return taken;
  };
  return {
    take,
    /** What comes next, without taking it: `count` bytes, or as many as are left. */
    async peek(count: number): Promise<Uint8Array> {
      await fill(count);
      return held.subarray(0, count);
    },
    /** All that is at hand; null at the end. */
    async piece(): Promise<Uint8Array | null> {
      if (!(await fill(1))) return null;
      const all = held;
      held = held.subarray(held.length);
      return all;
    },
    /** Gives back what was not used of the last piece. */
    giveBack(rest: Uint8Array): void {
      held = rest;
    },
    /** Up to and with a zero byte. */
    async skipText(): Promise<void> {
      while ((await take(1))[0] !== 0);
    },
  };
};
type Input = ReturnType<typeof createInput>;

const skipHeader = async (input: Input): Promise<void> => {
  const header = await input.take(HEADER);
  if (header[2] !== 8) throw failure('Z_DATA_ERROR', 'unknown compression method');
  const flags = header[3]!;
  if (flags & EXTRA) {
    const [low, high] = await input.take(2);
    await input.take(low! + high! * 256);
  }
  if (flags & NAME) await input.skipText();
  if (flags & COMMENT) await input.skipText();
  if (flags & HEADER_CRC) await input.take(2);
};

/** What came of a piece. What was unpacked before a fault stands. */
interface Step {
  readonly out: readonly Uint8Array[];
  /** Bytes of the piece that belong to the member. */
  readonly used: number;
  /** The member ends in it. */
  readonly over: boolean;
  readonly failed: Error | null;
}

/** Takes pieces one after another. Nothing is asked for after the last one, so data that is cut is no fault here. */
const createInflater = () => {
  const raw = createInflateRaw({ chunkSize: 65_536, flush: constants.Z_SYNC_FLUSH });
  let out: Uint8Array[] = [];
  let failed: Error | null = null;
  // Taken at once: what waits in a stream that fails is lost.
  raw.on('data', (piece: Uint8Array) => out.push(piece));
  const over = new Promise<void>((resolve) => {
    raw.once('end', resolve);
    raw.once('error', (error) => {
      failed = error;
      resolve();
    });
  });
  return {
    async push(piece: Uint8Array): Promise<Step> {
      const before = raw.bytesWritten;
      // Where the member ends inside the piece, the stream ends and the piece is never called done.
      await Promise.race([over, new Promise<void>((resolve) => raw.write(piece, () => resolve()))]);
      const step = { out, used: raw.bytesWritten - before, over: raw.readableEnded, failed };
      out = [];
      return step;
    },
    close: () => raw.destroy(),
  };
};

/** Bytes given to zlib at a time: so little that what they unpack to may be held. */
const SLICE = 16_384;
/** Slices that are kept, to go through the last of them once more. */
const KEPT = 512;

/** The content of a member, up to the damage if there is any; what follows it stays in the input. */
async function* inflated(input: Input): AsyncGenerator<Uint8Array> {
  const ahead = createInflater();
  // zlib does not say what it had unpacked of a slice in which it fails. Another one, that comes up to that slice, takes it byte by byte.
  const behind = createInflater();
  const kept: Uint8Array[] = [];
  try {
    for (let piece = await input.piece(); piece !== null; piece = await input.piece()) {
      const slice = piece.subarray(0, SLICE);
      const step = await ahead.push(slice);
      if (step.failed === null) {
        input.giveBack(piece.subarray(step.used));
        yield* step.out;
        if (step.over) return;
        kept.push(slice);
        if (kept.length > KEPT) await behind.push(kept.shift()!);
        continue;
      }
      for (const before of kept) await behind.push(before);
      for (let at = 0; at < slice.length; at++) {
        const { out, failed } = await behind.push(slice.subarray(at, at + 1));
        yield* out;
        if (failed !== null) break;
      }
      throw step.failed;
    }
  } finally {
    ahead.close();
    behind.close();
  }
}

/** The bytes of all members. `ignored` is told how many bytes after them are none, padding with zeros aside. */
export async function* gunzip(source: AsyncIterator<Uint8Array>, ignored: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const input = createInput(source);
  for (let first = true; ; first = false) {
    const [one, two, method] = await input.peek(3);
    // A second member that is cut in its very first bytes cannot be told from other bytes.
    if (!first && !(one === 0x1f && two === 0x8b && method === 8)) break;
    await skipHeader(input);
    let sum = 0;
    let size = 0;
    for await (const piece of inflated(input)) {
      sum = crc32(piece, sum);
      size += piece.length;
      yield piece;
    }
    const trailer = await input.take(TRAILER);
    const view = new DataView(trailer.buffer, trailer.byteOffset, TRAILER);
    if (view.getUint32(0, true) !== sum) throw failure('Z_DATA_ERROR', 'incorrect data check');
    if (view.getUint32(4, true) !== size % 2 ** 32) throw failure('Z_DATA_ERROR', 'incorrect length check');
  }
  let rest = 0;
  let blank = true;
  for (let piece = await input.piece(); piece !== null; piece = await input.piece()) {
    rest += piece.length;
    blank &&= piece.every((byte) => byte === 0);
  }
  if (!blank) ignored(rest);
}
