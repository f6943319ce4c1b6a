/** CRC-32 (the polynomial of zlib and Ethernet), by which binary event streams guard their frames. */

const TABLE: Uint32Array = (() => {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; n++) {
    let value = n;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    table[n] = value;
  }
  return table;
})();

/** A checksum that grows byte by byte. */
export const runningCrc32 = (): { add(byte: number): void; value(): number } => {
  let value = 0xffffffff;
  return {
    add(byte) {
      value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
    },
    value: () => (value ^ 0xffffffff) >>> 0,
  };
};

/** The checksum of the bytes from `from` to before `to`. */
export const crc32 = (bytes: Uint8Array, from = 0, to = bytes.length): number => {
  let value = 0xffffffff;
  for (let i = from; i < to; i++) value = TABLE[(value ^ bytes[i]!) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};
