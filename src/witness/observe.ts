/** DOM to sightings. */
import type { Unstamped } from '../link/messages';

export interface ObserverOptions {
  readonly document: string;
  readonly emit: (sighting: Unstamped) => void;
}

export interface PageObserver {
  /** An agent flow is open: watch. */
  start(): void;
  /** Nothing is open any more. */
  stop(): void;
  /** Something ended: read what is shown in the next frame. */
  lookSoon(): void;
  point(region: string | null): void;
  close(): void;
}

export const createObserver = (_options: ObserverOptions): PageObserver => ({
  start: () => undefined,
  stop: () => undefined,
  lookSoon: () => undefined,
  point: () => undefined,
  close: () => undefined,
});
