/** What a transport is: it wraps its part of the platform once, at document start, and reports what it sees as flows. */
import type { Guard } from '../guard';
import type { Outbox } from '../outbox';

export interface TransportTap {
  /** Wraps. There is no way back: switched off, the wrappers pass everything through. */
  install(scope: Window & typeof globalThis, out: Outbox, guard: Guard): void;
}
