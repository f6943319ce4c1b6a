/**
 * Entry of the page world, at document start, in every frame: wraps the transports and hands the witness one end of a
 * private port. A guest of the page: it reads nothing ahead of the page, throws nothing into it, holds nothing of it but
 * text within bounds, and decides nothing about what it sees. What the page can still notice is in docs/page-contract.md.
 */
import type { TapBatch, TapCall, TapControl, TapGreeting, TapOffer } from '../link/messages';
import { createGuard } from './guard';
import { dispatch, eventData, listen, NativeMessage, now, ring } from './intrinsics';
import { apply, getterOf } from './language';
import { createOutbox } from './outbox';
import { TRANSPORTS } from './transports';

/** Longest wait of a record in a page that can be seen; who needs it sooner asks for it. Hidden pages wait as their timers do. */
const BATCH_MS = 50;

const { setTimeout } = window;
const wait =
  (ms: number) =>
  (run: () => void): void =>
    void apply(setTimeout, window, [run, ms]);

const start = (): void => {
  /** Names this document among all that a session sees. Not a secret. */
  const key = `${crypto.getRandomValues(new BigUint64Array(1))}`;
  const out = createOutbox({ document: key, now, later: wait(BATCH_MS), soon: wait(0) });

  let taken = false;
  /** Hands one end of a port to whoever listens at this very moment, and knows by their answer whether somebody did. */
  const offer = (): void => {
    const { port1: ours, port2: theirs } = new Channel();
    const { postMessage: post } = ours;
    const data: TapGreeting = { link: 1, document: key };
    taken = !dispatch(new NativeMessage(OFFER, { data, ports: [theirs], cancelable: true }));
    if (!taken) return;
    ours.onmessage = (event) => {
      const { do: what, bell } = eventData(event) as TapControl;
      if (what === 'flush') {
        out.flush(true);
        return;
      }
      if (bell !== null)
        out.connect(
          (batch: TapBatch) => apply(post, ours, [batch]),
          () => ring(bell),
        );
      out.record(what === 'go');
    };
  };

  for (const transport of TRANSPORTS) {
    const guard = createGuard(out.fault);
    guard(() => transport.install(window, out, guard));
  }

  listen(window, 'pagehide', out.leave);
  listen(document, 'visibilitychange', () => out.flush(false));

  // Once a script of the page can have run there is nobody left to trust: who has not come by then never will.
  listen(window, CALL, () => quietly(() => taken || !pristine() || offer()));
  offer();
};

const CALL: TapCall = 'unsettled:greet';
const OFFER: TapOffer = 'unsettled:offer';
const Channel = MessageChannel;
const quietly = createGuard(() => {});
const rootOf = getterOf<Node | null>(Document, 'documentElement');
const firstIn = getterOf<Node | null>(Node, 'firstChild');
/** No script of this document can have run yet: there is nothing in it. */
const pristine = (): boolean => {
  const root = rootOf(document);
  return root === null || firstIn(root) === null;
};

quietly(start);
