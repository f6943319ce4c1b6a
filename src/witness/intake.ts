/**
 * Takes the tap's port and reads what comes over it. The port is handed over before any page script runs, in an event that
 * nobody but us is there to hear. Everything on it is checked record by record: the page shares the tap's world, so
 * a batch is as hostile as the page. What does not have the shape is dropped and counted, and the count is a gap.
 */
import type { GapReason, TapRecordBody } from '../core/model';
import {
  LINK_VERSION,
  read,
  type TapCall,
  type TapChunks,
  type TapControl,
  type TapGreeting,
  type TapOffer,
  tapBatchSchema,
  tapRecordSchema,
} from '../link/messages';

/** A record as it leaves the tap: timed, not yet numbered. */
export type TapEntry = { readonly at: number } & TapRecordBody;

const greetingOf = (event: MessageEvent): { key: string; port: MessagePort } | null => {
  const port = event.ports?.[0];
  const data: unknown = event.data;
  if (port === undefined || typeof data !== 'object' || data === null) return null;
  const { link, document: key } = data as { [K in keyof TapGreeting]?: unknown };
  if (link !== LINK_VERSION) return null;
  return typeof key === 'string' && key !== '' && key.length <= 200 ? { key, port } : null;
};

const tell = (port: MessagePort, what: TapControl['do'], bell: string | null = null): void => {
  const message: TapControl = { link: LINK_VERSION, do: what, bell };
  port.postMessage(message);
};

const CALL: TapCall = 'unsettled:greet';
const OFFER: TapOffer = 'unsettled:offer';

/**
 * Takes the tap's port, whichever of the two begins first: where the tap did, it is asked to offer its port again, which it
 * does before we go on. The first offer counts, and no other is heard: what a page says under this name later goes nowhere.
 */
export const takePort = (taken: (port: MessagePort, documentKey: string) => void): void => {
  const offered = (event: Event): void => {
    const found = greetingOf(event as MessageEvent);
    if (found === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    window.removeEventListener(OFFER, offered, true);
    taken(found.port, found.key);
  };
  window.addEventListener(OFFER, offered, true);
  window.dispatchEvent(new Event(CALL));
};

export interface Intake {
  /** Tells the tap to stop or go on recording. */
  control(what: TapControl['do']): void;
  close(): void;
}

export interface IntakeOptions {
  readonly port: MessagePort;
  /** Stamps the gaps that stand for what could not be read. */
  readonly now: () => number;
  readonly batch: (records: readonly TapEntry[], upTo: number) => void;
  /** The tap records something. Called at once, in the middle of what the page does: the batch comes later. */
  readonly rung: () => void;
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
export const openIntake = ({ port, now, batch, rung }: IntakeOptions): Intake => {
  // Nobody but the tap is told the name.
  const bell = `unsettled-${[...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('')}`;
  window.addEventListener(bell, rung);
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
  // The tap's records wait in its ring until somebody reads.
  tell(port, 'go', bell);
  return {
    control: (what) => tell(port, what, what === 'go' ? bell : null),
    close() {
      window.removeEventListener(bell, rung);
      port.onmessage = null;
      port.close();
    },
  };
};
