/**
 * Brings the decoders into a frame that asks for them. Only for content scripts of this extension, and only into the frame
 * that the browser says the message came from.
 */
import type { DecodersAnswer } from '../link/calls';
import { DECODERS_FILE } from '../link/files';

export interface Asker {
  readonly tab?: { readonly id?: number | undefined } | undefined;
  readonly frameId?: number | undefined;
}

export interface Injection {
  readonly target: { readonly tabId: number; readonly frameIds: number[] };
  readonly files: string[];
  /** Otherwise the browser waits until the page has loaded, and a page that streams takes its time over that. */
  readonly injectImmediately: boolean;
}

/** Null: not from a content script. */
export const createInject =
  (execute: (injection: Injection) => Promise<readonly { readonly error?: unknown }[]>) =>
  async ({ tab, frameId }: Asker): Promise<DecodersAnswer | null> => {
    if (tab?.id === undefined || frameId === undefined) return null;
    try {
      const results = await execute({ target: { tabId: tab.id, frameIds: [frameId] }, files: [DECODERS_FILE], injectImmediately: true });
      // Firefox says by frame what went wrong.
      return { ok: results.length > 0 && results.every(({ error }) => error === undefined || error === null) };
    } catch {
      // No permission for the frame (any more), or none at all for such frames.
      return { ok: false };
    }
  };
