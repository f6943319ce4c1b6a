/**
 * The bytes of a file, unpacked if it is gzip, as they come. The browser's own unpacker is fast, and gives up a file that is cut or
 * goes on after its end together with what it has just unpacked; the core's slow one then goes on from there.
 */
import { gunzip, type PackFault } from '../core/capture/gunzip';

export interface Packing {
  readonly fault: PackFault | null;
  /** Bytes after the end of what was packed. */
  readonly ignored: number;
}

const WHOLE: Packing = { fault: null, ignored: 0 };

/**
 * `passed` is told how many bytes of the file have gone by. A piece may be empty: nothing came that was not there before, and who reads
 * may go. Returns how the packing was.
 */
export async function* unpacked(blob: Blob, passed: (bytes: number) => void): AsyncGenerator<Uint8Array, Packing> {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  let sum = 0;
  const counted = blob.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, out) {
        sum += piece.length;
        passed(sum);
        out.enqueue(piece);
      },
    }),
  );
  const packed = head[0] === 0x1f && head[1] === 0x8b;
  const stream = packed
    ? counted.pipeThrough(new DecompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>)
    : counted;
  const reader = stream.getReader();
  let had = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      had += next.value.length;
      yield next.value;
    }
    return WHOLE;
  } catch (error) {
    if (!packed) throw error;
  } finally {
    // Left by who has seen enough, too.
    reader.cancel().catch(() => {});
  }
  // A file that cannot be read (any more) fails here, with its own reason.
  const steps = gunzip(new Uint8Array(await blob.arrayBuffer()));
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    const fresh = step.value.subarray(had);
    had -= step.value.length - fresh.length;
    yield fresh;
  }
}
