/** Several files at once. Loaded when some are dropped. */
import { computed, effect } from '@preact/signals';
import type { Panel } from '../context';
import type { Feed } from '../feed';
import { note, openBeside, openBlob, readBlob } from './capture-actions';

/** Resolves once nothing of the feed waits to be taken in, or nothing more of it will be. */
const takenIn = (feed: Feed): Promise<void> => {
  // How many entries wait is told with the next frame; whether any do must be known before.
  const ready = computed(() => {
    feed.revision.value;
    return feed.paused.value || feed.failure.value !== null || feed.pending().length === 0;
  });
  return new Promise((resolve) => {
    const stop = effect(() => {
      // Only once `stop` is there.
      if (ready.value)
        queueMicrotask(() => {
          stop();
          resolve();
        });
    });
  });
};

/** Opens what was dropped: the first file is shown, and compared with the second. What is not opened is said. */
export const openFiles = async (panel: Panel, [first, second, ...more]: readonly File[]): Promise<void> => {
  if (first === undefined) return;
  const feed = await openBlob(panel, first, first.name);
  if (second !== undefined) {
    if (feed !== null) await takenIn(feed);
    // As shown, and as is not drawn yet: the newest.
    const run = feed?.session.runs.findLast((each) => each.parent === null)?.key;
    if (run !== undefined && panel.store.feed.peek() === feed) await openBeside(panel, second, () => ({ run, feed: null }));
    // There is nothing to compare with.
    else await readBlob(panel, second, second.name, (other) => panel.store.open(other));
  }
  if (more.length > 0) note({ kind: 'unread', name: more.map((file) => file.name).join(', ') });
};
