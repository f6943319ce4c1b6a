/**
 * Unpacks gzip (RFC 1952), member by member, as it comes. Node's own unpacker loses what it has just unpacked where anything but a
 * member follows the last one; bytes that a download or a copy left behind must not cost a file its end.
 */
import { crc32, createInflateRaw } from 'node:zlib';

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

/** The content of a member; what follows it stays in the input. */
async function* inflated(input: Input): AsyncGenerator<Uint8Array> {
  const raw = createInflateRaw({ chunkSize: 65_536 });
  const over = new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close']) raw.once(event, () => resolve());
  });
  const feed = async (): Promise<void> => {
    while (!raw.readableEnded && !raw.destroyed) {
      const before = raw.bytesWritten;
      const piece = await input.piece();
      if (piece === null) {
        raw.end();
        return;
      }
      // Where the member ends inside the piece, the stream ends and the piece is never called done.
      await Promise.race([over, new Promise<void>((resolve) => raw.write(piece, () => resolve()))]);
      input.giveBack(piece.subarray(raw.bytesWritten - before));
    }
  };
  const feeding = feed().catch((error: Error) => {
    raw.destroy(error);
  });
  yield* raw as AsyncIterable<Uint8Array>;
  await feeding;
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
