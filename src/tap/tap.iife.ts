/**
 * Entry of the page world, at document start, in every frame: wraps the transports and hands the witness one end of a
 * private port. A guest of the page: it reads nothing ahead of the page, throws nothing into it, holds nothing of it but
 * text within bounds, and decides nothing about what it sees. What the page can still notice is in docs/page-contract.md.
 */
import type { TapBatch, TapCall, TapControl, TapGreeting, TapOffer } from '../link/messages';
import { createGuard } from './guard';
import { apply, dispatch, eventData, getterOf, listen, NativeMessage, now, ring } from './intrinsics';
import { createOutbox } from './outbox';
import { TRANSPORTS } from './transports';

/** Longest wait of a record when no frame is drawn: hidden tabs, frames that are not rendered. */
const HIDDEN_MS = 250;

const { requestAnimationFrame, cancelAnimationFrame, setTimeout, clearTimeout } = window;

/** Once, with the next animation frame or after HIDDEN_MS, whichever comes first. */
const later = (run: () => void): void => {
  const once = (): void => {
    apply(cancelAnimationFrame, window, [frame]);
    apply(clearTimeout, window, [timer]);
    run();
  };
  const frame = apply(requestAnimationFrame, window, [once]) as number;
  const timer = apply(setTimeout, window, [once, HIDDEN_MS]) as number;
};

/** Names this document among all that a session sees. Not a secret. */
const documentKey = (): string =>
  `${Math.floor(performance.timeOrigin).toString(36)}-${crypto.getRandomValues(new BigUint64Array(1))[0]!.toString(36)}`;

const start = (): void => {
  const key = documentKey();
  const out = createOutbox({ document: key, now, later, soon: (run) => apply(setTimeout, window, [run, 0]) });

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
    const guard = createGuard(() => out.fault());
    guard(() => transport.install(window, out, guard));
  }

  listen(window, 'pagehide', () => out.leave());
  listen(document, 'visibilitychange', () => out.flush(false));

  // Once a script of the page can have run there is nobody left to trust: who has not come by then never will.
  listen(window, CALL, () => quietly(() => taken || !pristine() || offer()));
  offer();
};

const CALL: TapCall = 'unsettled:greet';
const OFFER: TapOffer = 'unsettled:offer';
const Channel = MessageChannel;
const quietly = createGuard(() => {});
const rootOf = getterOf<Node | null>(Document.prototype, 'documentElement');
const firstIn = getterOf<Node | null>(Node.prototype, 'firstChild');
/** No script of this document can have run yet: there is nothing in it. */
const pristine = (): boolean => {
  const root = rootOf(document);
  return root === null || firstIn(root) === null;
};

quietly(start);
