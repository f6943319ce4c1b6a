/**
 * Takes the tap's port and reads what comes over it. The port is handed over before any page script runs, in a message
 * that page listeners never get to see. Everything on it is checked record by record: the page shares the tap's world, so
 * a batch is as hostile as the page. What does not have the shape is dropped and counted, and the count is a gap.
 */
import type { GapReason, TapRecordBody } from '../core/model';
import { LINK_VERSION, read, type TapControl, type TapGreeting, tapBatchSchema, tapRecordSchema } from '../link/messages';

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

const tell = (port: MessagePort, what: TapControl['do']): void => {
  const message: TapControl = { link: LINK_VERSION, do: what };
  port.postMessage(message);
};

/**
 * Waits for the tap's port. The first one counts; any later one is told to stop. The message is kept from every listener
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
};

export interface Intake {
  /** Tells the tap to stop or go on recording. */
  control(what: TapControl['do']): void;
  close(): void;
}

/** Reads batches off the port for as long as it is open. `now` stamps the gaps that stand for what could not be read. */
export const openIntake = (port: MessagePort, now: () => number, batch: (records: readonly TapEntry[], upTo: number) => void): Intake => {
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
  tell(port, 'go');
  return {
    control: (what) => tell(port, what),
    close() {
      port.onmessage = null;
      port.close();
    },
  };
};
