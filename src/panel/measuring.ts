/** What the viewer's benches and tests measure the panel with: loaded where there is no tab, and by nobody else. */
import type { Panel } from './context';
import { largeStream, SAMPLES, type SampleName, type Stream, streamOf } from './sample';
import { openCapture } from './views/capture-actions';

let prepared: Stream | null = null;

/**
 * Streams what was prepared (or the sample) into the live feed as a page would: batches, several a frame. Resolves to the
 * milliseconds from each batch to the frame that had its last event as a row, where every event has a row.
 */
const streamLive = async (panel: Panel, perSecond: number): Promise<readonly number[]> => {
  const stream = prepared ?? streamOf(SAMPLES['kestrel-cut']());
  prepared = null;
  const { store } = panel;
  for (const document of stream.documents) store.liveDocument(document);
  const start = performance.now();
  let sent = 0;
  const latencies: number[] = [];
  const pending: { at: number; entries: number }[] = [];
  const rowsShown = (): number => Number(document.querySelector('.grid')?.getAttribute('aria-rowcount') ?? 0);
  const look = (): void => {
    // What this frame's script drew is on the screen when the next frame begins.
    // One event an entry but for the opening of the stream and its head; one row is the table's own head.
    const shown = rowsShown() - 1 + 2;
    const due = pending.filter((batch) => batch.entries <= shown);
    for (const batch of due) pending.splice(pending.indexOf(batch), 1);
    requestAnimationFrame(() => {
      for (const batch of due) latencies.push(performance.now() - batch.at);
      if (!stream.over || pending.length > 0) look();
    });
  };
  requestAnimationFrame(look);
  while (!stream.over) {
    const some = stream.take(Math.floor(((performance.now() - start) / 1000) * perSecond));
    if (some.length > 0) {
      store.liveEntries(some);
      sent += some.length;
      pending.push({ at: performance.now(), entries: sent });
    }
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
  while (pending.length > 0 && latencies.length > 0 && performance.now() - start < (sent / perSecond) * 1000 + 5000)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return latencies;
};

/** Milliseconds until the first rows are painted, and until everything is taken in. */
const timeOpening = async (panel: Panel, name: SampleName): Promise<{ painted: number; done: number }> => {
  const capture = SAMPLES[name]();
  const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
  const start = performance.now();
  openCapture(panel, capture, name);
  while (document.querySelector('.rows .row') === null) await frame();
  await frame();
  const painted = performance.now() - start;
  while (panel.store.feed.peek().session.entries.length < capture.entries.length) await frame();
  await frame();
  return { painted, done: performance.now() - start };
};

export const measuring = (panel: Panel) => ({
  unsettledOpenSample: (name: SampleName) => timeOpening(panel, name),
  unsettledPrepare: (events: number) => {
    prepared = largeStream(events);
  },
  unsettledStream: (perSecond: number) => streamLive(panel, perSecond),
});
