/** The entries of a zip file, by its central directory. Stored and deflated entries; no encryption, no zip64. */

import { inflate } from '../../bytes/inflate';
import { createUtf8Decoder } from '../../bytes/utf8';

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  /** The content, or null if it is damaged or packed in a way not known here. */
  read(): Uint8Array | null;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** No entry of a trace is near this; a size beyond it is damage or malice. */
const LARGEST = 512 * 1024 * 1024;

export const zipEntries = (bytes: Uint8Array): readonly ZipEntry[] | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const has = (at: number, length: number): boolean => at >= 0 && at + length <= bytes.length;
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 22 - 65_536 && view.getUint32(end, true) !== END) end--;
  if (!has(end, 22) || view.getUint32(end, true) !== END) return null;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries: ZipEntry[] = [];
  for (let i = 0; i < count; i++) {
    if (!has(at, 46) || view.getUint32(at, true) !== CENTRAL) return null;
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const decoder = createUtf8Decoder();
    const name = decoder.push(bytes.subarray(at + 46, at + 46 + nameLength)) + decoder.end();
    entries.push({
      name,
      size,
      read() {
        if (!has(local, 30) || view.getUint32(local, true) !== LOCAL || size > LARGEST) return null;
        const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
        if (!has(from, packed)) return null;
        const data = bytes.subarray(from, from + packed);
        return method === 0 ? data : method === 8 ? inflate(data, size) : null;
      },
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
};
