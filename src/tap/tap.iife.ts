/**
 * Entry of the page world, at document start, in every frame: wraps the transports and hands the witness one end of a
 * private port. A guest of the page: it reads nothing ahead of the page, throws nothing into it, holds nothing of it but
 * text within bounds, and decides nothing about what it sees. What the page can still notice is in docs/page-contract.md.
 */
import type { TapBatch, TapCall, TapControl, TapGreeting } from '../link/messages';
import { createGuard } from './guard';
import { apply, eventData, listen, now, ring } from './intrinsics';
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
const documentKey = (): string => {
  const chance = crypto.getRandomValues(new Uint32Array(2));
  return `${Math.floor(performance.timeOrigin).toString(36)}-${chance[0]!.toString(36)}${chance[1]!.toString(36)}`;
};

const start = (): void => {
  const key = documentKey();
  const out = createOutbox({ document: key, now, later });

  /** The end of ours whose other end somebody said `go` on. */
  let connected: MessagePort | null = null;
  const greet = (): void => {
    if (connected !== null) return;
    const { port1: ours, port2: theirs } = new Channel();
    const { postMessage: post } = ours;
    ours.onmessage = (event) => {
      const control = eventData(event) as TapControl;
      if (connected === null && control.do === 'go') {
        connected = ours;
        const { bell } = control;
        out.connect(
          (batch: TapBatch) => apply(post, ours, [batch]),
          () => {
            if (bell !== null) ring(bell);
          },
        );
      }
      if (connected !== ours) return;
      if (control.do === 'flush') out.flush(true);
      else out.record(control.do === 'go');
    };
    const greeting: TapGreeting = { unsettled: 'port', link: 1, document: key };
    // A frame without an origin of its own (sandboxed) can only be addressed as "any"; it is its own window either way.
    apply(postToWindow, window, [greeting, origin === 'null' ? '*' : origin, [theirs]]);
  };

  for (const transport of TRANSPORTS) {
    const guard = createGuard(() => out.fault());
    guard(() => transport.install(window, out, guard));
  }

  listen(window, 'pagehide', () => out.leave());
  listen(document, 'visibilitychange', () => out.flush(false));

  listen(window, CALL, () => guardGreeting(greet));
  greet();
};

/** A witness that came too late for the greeting asks for it. */
const CALL: TapCall = 'unsettled:greet';
const Channel = MessageChannel;
const guardGreeting = createGuard(() => {});
const { postMessage: postToWindow } = window;

createGuard(() => {})(start);
