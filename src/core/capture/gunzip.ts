/**
 * Unpacks gzip (RFC 1952) that is all at hand, member by member: for files at which the platform's own unpacker gives up, and loses
 * what it has just unpacked. The command line has a reader of its own (cli/gunzip.ts), and both say the same of every file.
 */
import { runningCrc32 } from '../bytes/crc32';
import { inflating } from '../bytes/inflate';

const HEADER = 10;
const TRAILER = 8;
const [HEADER_CRC, EXTRA, NAME, COMMENT] = [2, 4, 8, 16] as const;

export type PackFault =
  | 'unexpected end of file'
  | 'unknown compression method'
  | 'invalid data'
  | 'incorrect data check'
  | 'incorrect length check';

export interface Unpacked {
  readonly fault: PackFault | null;
  /** Bytes after the last member that are none, padding with zeros aside. */
  readonly ignored: number;
}

/** Where the content of the member at `at` begins; past the end where its header is cut. */
const contentAt = (bytes: Uint8Array, at: number): number => {
  const flags = bytes[at + 3] ?? 0;
  let next = at + HEADER;
  const skipText = (): void => {
    const end = bytes.indexOf(0, next);
    next = end < 0 ? bytes.length + 1 : end + 1;
  };
  if (flags & EXTRA) next += 2 + ((bytes[next] ?? 0) | ((bytes[next + 1] ?? 0) << 8));
  if (flags & NAME) skipText();
  if (flags & COMMENT) skipText();
  return flags & HEADER_CRC ? next + 2 : next;
};

/** The bytes of all members, up to the damage if there is any. */
export function* gunzip(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, Unpacked> {
  const broken = (fault: PackFault): Unpacked => ({ fault, ignored: 0 });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  // A second member that is cut in its very first bytes cannot be told from other bytes.
  for (let first = true; first || (bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8); first = false) {
    if (bytes.length < at + HEADER) return broken('unexpected end of file');
    if (bytes[at + 2] !== 8) return broken('unknown compression method');
    const from = contentAt(bytes, at);
    if (from > bytes.length) return broken('unexpected end of file');
    const sum = runningCrc32();
    let size = 0;
    const pieces = inflating(bytes, from);
    let piece = pieces.next();
    for (; !piece.done; piece = pieces.next()) {
      for (const byte of piece.value) sum.add(byte);
      size += piece.value.length;
      yield piece.value;
    }
    const { end, failed } = piece.value;
    if (failed === 'damaged') return broken('invalid data');
    if (failed === 'cut' || bytes.length < end + TRAILER) return broken('unexpected end of file');
    if (view.getUint32(end, true) !== sum.value()) return broken('incorrect data check');
    if (view.getUint32(end + 4, true) !== size % 2 ** 32) return broken('incorrect length check');
    at = end + TRAILER;
  }
  const rest = bytes.subarray(at);
  return { fault: null, ignored: rest.every((byte) => byte === 0) ? 0 : rest.length };
}
