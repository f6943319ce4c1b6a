/**
 * Takes the tap's port, and keeps the line to the tap. The port is handed over before any page script runs, in an event that
 * nobody but us is there to hear.
 */
import type { SourceDocument } from '../core/model';
import type { LINK_VERSION, TapCall, TapControl, TapGreeting, TapOffer } from '../link/messages';

const LINK: typeof LINK_VERSION = 1;
const CALL: TapCall = 'unsettled:greet';
const OFFER: TapOffer = 'unsettled:offer';

const greetingOf = (event: MessageEvent): { key: string; port: MessagePort } | null => {
  const port = event.ports?.[0];
  const data: unknown = event.data;
  if (port === undefined || typeof data !== 'object' || data === null) return null;
  const { link, document: key } = data as { [K in keyof TapGreeting]?: unknown };
  if (link !== LINK) return null;
  return typeof key === 'string' && key !== '' && key.length <= 200 ? { key, port } : null;
};

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

/** This document, as sessions know it. */
export const documentOf = (key: string): SourceDocument => ({
  key,
  url: location.href,
  topLevel: window === window.top,
  timeOrigin: performance.timeOrigin,
});

export interface Line {
  /** Tells the tap to stop or go on recording, or asks for a batch. */
  control(what: TapControl['do']): void;
  close(): void;
}

/**
 * Tells the tap to send, and to ring: `rung` is called at once when it records something, in the middle of what the page does; the
 * batch comes later. Batches wait in the port until somebody reads it.
 */
export const openLine = (port: MessagePort, rung: () => void): Line => {
  // Nobody but the tap is told the name.
  const bell = `unsettled-${[...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('')}`;
  const control = (what: TapControl['do']): void => {
    const message: TapControl = { link: LINK, do: what, bell: what === 'go' ? bell : null };
    port.postMessage(message);
  };
  window.addEventListener(bell, rung);
  // The tap's records wait in its ring until somebody reads.
  control('go');
  return {
    control,
    close() {
      window.removeEventListener(bell, rung);
      port.onmessage = null;
      port.close();
    },
  };
};
