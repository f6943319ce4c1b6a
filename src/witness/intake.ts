/**
 * Reads what comes over the tap's port. Everything on it is checked record by record: the page shares the tap's world, so
 * a batch is as hostile as the page. What does not have the shape is dropped and counted, and the count is a gap.
 */
import type { GapReason, TapRecordBody } from '../core/model';
import { read, type TapChunks, tapBatchSchema, tapRecordSchema } from '../link/messages';

/** A record as it leaves the tap: timed, not yet numbered. */
export type TapEntry = { readonly at: number } & TapRecordBody;

export interface IntakeOptions {
  readonly port: MessagePort;
  /** Stamps the gaps that stand for what could not be read. */
  readonly now: () => number;
  readonly batch: (records: readonly TapEntry[], upTo: number) => void;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** The chunks that were sent in one piece, or null where they are not what they should be. */
export const unpack = (candidate: unknown): TapEntry[] | null => {
  const { flow, direction, encoding, text, at, ends } = candidate as { [K in keyof TapChunks]?: unknown };
  if (typeof flow !== 'string' || flow === '' || flow.length > 200 || typeof text !== 'string') return null;
  if ((direction !== 'sent' && direction !== 'received') || (encoding !== 'text' && encoding !== 'base64')) return null;
  if (!Array.isArray(at) || !Array.isArray(ends) || at.length !== ends.length) return null;
  const entries: TapEntry[] = [];
  let start = 0;
  for (let i = 0; i < at.length; i++) {
    const [time, end] = [at[i] as unknown, ends[i] as unknown];
    if (!isNumber(time) || !isNumber(end) || end < start || end > text.length) return null;
    entries.push({ at: time, type: 'flow.chunk', flow, direction, text: text.slice(start, end), encoding, event: null, id: null });
    start = end;
  }
  return start === text.length ? entries : null;
};

/** Reads batches off the port for as long as it is open. */
export const openIntake = ({ port, now, batch }: IntakeOptions): void => {
  let lostBefore = 0;
  port.onmessage = (event: MessageEvent): void => {
    const sent = read(tapBatchSchema, event.data);
    const records: TapEntry[] = [];
    let bad = 0;
    for (const candidate of sent?.records ?? []) {
      if ((candidate as { readonly type?: unknown } | null)?.type === 'flow.chunks') {
        const chunks = unpack(candidate);
        if (chunks === null) bad++;
        else for (const chunk of chunks) records.push(chunk);
        continue;
      }
      const entry = read(tapRecordSchema, candidate);
      if (entry === null) bad++;
      else records.push(entry);
    }
    const at = records[0]?.at ?? now();
    const gap = (reason: GapReason, lost: number): number => records.unshift({ at, type: 'gap', flow: null, reason, lost });
    if (sent === null || bad > 0) gap('fault', bad);
    if (sent !== null && sent.lost > lostBefore) {
      gap('over-budget', sent.lost - lostBefore);
      lostBefore = sent.lost;
    }
    batch(records, sent?.upTo ?? 0);
  };
};
