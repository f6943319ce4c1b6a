/**
 * Whether sessions are kept, and the last one that was: the small part of the history that is always loaded. The database
 * and its views come only when somebody wants them.
 */
import { effect, signal } from '@preact/signals';
import type { Shell } from '../shell';
import type { Store } from '../store';
import type { Archive, Kept } from './archive';

let archive: Promise<Archive> | null = null;

/** The one database of this panel, opened when first needed. */
export const openHistory = (): Promise<Archive> => {
  archive ??= import('./archive').then((module) => module.openArchive());
  return archive;
};

/** The newest session of an earlier panel, offered until it is opened or dismissed. */
export const lastKept = signal<Kept | null>(null);
/** Why nothing can be kept here, in the browser's words; null: nothing is wrong. */
export const historyFailure = signal<string | null>(null);
/**
 * Whether the inspected tab is of a private window, of which nothing is kept. Null: not known, and as long as that is so,
 * nothing is kept either.
 */
export const privateTab = signal<boolean | null>(null);
/** The sheet. */
export const historyOpen = signal(false);

/** Follows the setting. Resolves nothing and waits for nothing: the panel is there before its past. */
export const followHistory = (store: Store, shell: Pick<Shell, 'isPrivate'>): void => {
  let end: (() => void) | null = null;
  let first = true;
  effect(() => {
    const on = store.settings.history.value;
    end?.();
    end = null;
    historyFailure.value = null;
    if (!on) return;
    const offer = first;
    first = false;
    const start = async (): Promise<void> => {
      try {
        const [opened, { keepSessions }] = await Promise.all([openHistory(), import('./keep')]);
        privateTab.value ??= await shell.isPrivate();
        // What was seen in other windows is not told in a private one, either.
        if (offer && privateTab.value === false) lastKept.value = (await opened.list())[0] ?? null;
        if (privateTab.value !== false) return;
        if (!store.settings.history.peek() || end !== null) return;
        end = keepSessions(store, opened, (reason) => {
          historyFailure.value = reason;
        });
      } catch (error) {
        archive = null;
        historyFailure.value = error instanceof Error ? error.message : String(error);
      }
    };
    void start();
  });
};
