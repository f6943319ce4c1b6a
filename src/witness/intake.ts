/**
 * Takes the tap's port and reads what comes over it. The port is handed over before any page script runs, in a message
 * that page listeners never get to see. Everything on it is checked record by record: the page shares the tap's world, so
 * a batch is as hostile as the page. What does not have the shape is dropped and counted, and the count is a gap.
 */
import type { TapRecordBody } from '../core/model';
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
export const openIntake = (port: MessagePort, now: () => number, record: (entry: TapEntry) => void): Intake => {
  let lostBefore = 0;
  port.onmessage = (event: MessageEvent): void => {
    const batch = read(tapBatchSchema, event.data);
    if (batch === null) {
      record({ at: now(), type: 'gap', flow: null, reason: 'fault', lost: 0 });
      return;
    }
    if (batch.lost > lostBefore) {
      record({ at: now(), type: 'gap', flow: null, reason: 'over-budget', lost: batch.lost - lostBefore });
      lostBefore = batch.lost;
    }
    let bad = 0;
    for (const candidate of batch.records) {
      const entry = read(tapRecordSchema, candidate);
      if (entry === null) bad++;
      else record(entry);
    }
    if (bad > 0) record({ at: now(), type: 'gap', flow: null, reason: 'fault', lost: bad });
  };
  const control = (what: TapControl['do']): void => {
    const message: TapControl = { link: LINK_VERSION, do: what };
    port.postMessage(message);
  };
  // The tap keeps its records in its ring until it is told that somebody reads them.
  control('go');
  return {
    control,
    close() {
      port.onmessage = null;
      port.close();
    },
  };
};
