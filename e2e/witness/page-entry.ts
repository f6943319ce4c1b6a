/**
 * Runs in the page: the real witness with a tap of the test's own making, which opens flows, sends chunks and ends them
 * when the test says so, and answers like the real one.
 */
import type { TapControl, Unstamped } from '../../src/link/messages';
import { bundled } from '../../src/witness/decoders';
import type { TapEntry } from '../../src/witness/intake';
import { createWitness } from '../../src/witness/witness';

const { port1: tap, port2: port } = new MessageChannel();
let queue: TapEntry[] = [];
const entries: Unstamped[] = [];
let flows = 0;

const send = (): void => tap.postMessage({ link: 1, records: queue.splice(0), lost: 0, upTo: performance.now() });
let bell: string | null = null;
tap.onmessage = (event) => {
  const control = event.data as TapControl;
  if (control.do === 'flush') send();
  bell ??= control.bell;
};
const record = (entry: TapEntry): void => {
  queue.push(entry);
  if (bell !== null) window.dispatchEvent(new Event(bell));
  if (queue.length === 1) requestAnimationFrame(send);
};

const witness = createWitness({ port, documentKey: 'd', emit: (entry) => entries.push(entry), decoders: bundled });

const driver = {
  entries,
  witness,
  /** Opens an SSE flow and says its head. */
  open(): string {
    const flow = `f${++flows}`;
    const at = performance.now();
    record({
      at,
      type: 'flow.opened',
      flow,
      document: 'd',
      transport: 'fetch',
      method: 'POST',
      url: '/chat',
      requestHeaders: {},
      requestBody: null,
    });
    record({ at, type: 'flow.head', flow, status: 200, headers: { 'content-type': 'text/event-stream' } });
    return flow;
  },
  chunk(flow: string, text: string): void {
    record({
      at: performance.now(),
      type: 'flow.chunk',
      flow,
      direction: 'received',
      text: `data: ${text}\n\n`,
      encoding: 'text',
      event: null,
      id: null,
    });
  },
  end(flow: string): void {
    record({ at: performance.now(), type: 'flow.ended', flow, how: 'eof', code: null, detail: null });
  },
  reset(): void {
    entries.length = 0;
    queue = [];
  },
};

export type Driver = typeof driver;
(window as unknown as { tapDriver: Driver }).tapDriver = driver;
