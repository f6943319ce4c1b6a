/**
 * Takes the tap's port and reads what comes over it. The port is handed over before any page script runs, in a message
 * that page listeners never get to see. Everything on it is checked record by record: the page shares the tap's world, so
 * a batch is as hostile as the page. What does not have the shape is dropped and counted, and the count is a gap.
 */
import type { GapReason, TapRecordBody } from '../core/model';
import { LINK_VERSION, read, type TapCall, type TapControl, type TapGreeting, tapBatchSchema, tapRecordSchema } from '../link/messages';

/** A record as it leaves the tap: timed, not yet numbered. */
export type TapEntry = { readonly at: number } & TapRecordBody;

/** A shape check without a schema: this runs for every message that any page posts to itself. */
const greetingOf = (event: MessageEvent): { key: string; port: MessagePort } | null => {
  const port = event.ports[0];
  if (event.source !== window || event.ports.length !== 1 || port === undefined) return null;
  const data: unknown = event.data;
  if (typeof data !== 'object' || data === null) return null;
  const { unsettled, link, document: key } = data as { [K in keyof TapGreeting]?: unknown };
  if (unsettled !== 'port' || link !== LINK_VERSION) return null;
  return typeof key === 'string' && key !== '' && key.length <= 200 ? { key, port } : null;
};

const tell = (port: MessagePort, what: TapControl['do'], bell: string | null = null): void => {
  const message: TapControl = { link: LINK_VERSION, do: what, bell };
  port.postMessage(message);
};

const CALL: TapCall = 'unsettled:greet';

/**
 * Waits for the tap's port, and asks for it where its greeting came before anybody listened. The first one counts; any later one is told to stop. The message is kept from every listener
 * after ours.
 */
export const takePort = (taken: (port: MessagePort, documentKey: string) => void): void => {
  let first = true;
  window.addEventListener(
    'message',
    (event: MessageEvent) => {
      const found = greetingOf(event);
      if (found === null) return;
      event.stopImmediatePropagation();
      if (first) taken(found.port, found.key);
      else tell(found.port, 'stop');
      first = false;
    },
    true,
  );
  const call = (): void => {
    if (first) window.dispatchEvent(new Event(CALL));
  };
  setTimeout(call, 0);
  document.addEventListener('DOMContentLoaded', call, { once: true });
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
