/**
 * Reads a file of any size as it comes, with progress that can be shown and a way to stop. What was read before a stop
 * stands. The source says where its pieces come from (a file, a response, a Blob); nothing here waits for anything else.
 */
import { CaptureError, type CaptureReader, createReader, type ReaderOptions, type ReaderSink, type ReadSummary } from './capture';

/** The part of an AbortSignal that is looked at, so that the core needs no platform for it. */
export interface StopSign {
  readonly aborted: boolean;
}

export interface ReadStreamOptions extends ReaderOptions {
  readonly signal?: StopSign;
  /** Called after each piece with the bytes read so far. May be async: reading waits, which is how a page keeps drawing. */
  readonly onProgress?: (bytes: number) => void | Promise<void>;
}

/** Reading was stopped. `bytes`: how far it had come; the sink has all entries up to there. */
export class ReadStopped extends Error {
  constructor(readonly bytes: number) {
    super(`reading was stopped after ${bytes} bytes`);
    this.name = 'ReadStopped';
  }
}

/** Larger pieces are handed on in parts, so that a stop is heard in time. */
const PIECE = 262_144;

/** What came before a stop or a fault stands, however little it is. */
const handOver = (reader: CaptureReader): void => {
  try {
    reader.cut();
  } catch {
    // Nothing that could be read, which is not why the reading ended.
  }
};

/** Resolves to how it went. Rejects with ReadStopped, with CaptureError, or with what the source threw. */
export const readStream = async (
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sink: ReaderSink,
  options: ReadStreamOptions = {},
): Promise<ReadSummary> => {
  const { signal, onProgress } = options;
  const reader: CaptureReader = createReader(sink, options);
  let bytes = 0;
  const heed = (): void => {
    if (signal?.aborted) throw new ReadStopped(bytes);
  };
  heed();
  try {
    for await (const piece of pieces)
      for (let at = 0; at < piece.length; at += PIECE) {
        heed();
        const part = piece.subarray(at, at + PIECE);
        reader.push(part);
        bytes += part.length;
        await onProgress?.(bytes);
      }
    heed();
  } catch (error) {
    if (!(error instanceof CaptureError)) handOver(reader);
    throw error;
  }
  return reader.end();
};
