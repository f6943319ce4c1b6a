/**
 * One message of a socket or a data channel as a chunk. Text as it is; bytes as base64 up to a bound, because whether they
 * are text at all is not ours to guess; a Blob is read later and keeps its place.
 */
import type { Direction } from '../../core/model';
import type { Guard } from '../guard';
import { base64, blobBuffer, blobSize, bytesOf, chain, isBlob } from '../intrinsics';
import type { Flow } from '../outbox';

/** Larger binary messages are media or files, not events. */
const BINARY_BYTES = 64_000;

export const recordMessage = (flow: Flow, direction: Direction, data: unknown, guard: Guard): void => {
  if (typeof data === 'string') {
    flow.chunk(direction, data, 'text', null, null);
    return;
  }
  const bytes = bytesOf(data);
  if (bytes !== null) {
    if (bytes.length > BINARY_BYTES) flow.gap('binary', bytes.length);
    else flow.chunk(direction, base64(bytes), 'base64', null, null);
    return;
  }
  if (isBlob(data)) {
    const size = blobSize(data);
    if (size > BINARY_BYTES) {
      flow.gap('binary', size);
      return;
    }
    const settle = flow.later(direction);
    chain(
      blobBuffer(data),
      (buffer) => {
        guard(() => settle(base64(bytesOf(buffer)!), 0));
      },
      () => {
        guard(() => settle(null, size));
      },
    );
    return;
  }
  // The platform turns anything else into a string. For an object that runs the page's code, which must run once only.
  if ((typeof data === 'object' && data !== null) || typeof data === 'function') flow.gap('read-natively', 1);
  else flow.chunk(direction, String(data), 'text', null, null);
};
