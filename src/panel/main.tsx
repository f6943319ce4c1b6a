/**
 * Entry of the panel. In the developer tools it follows the inspected tab; opened as an ordinary page it is a viewer for
 * captures and the sample (`?sample=kestrel-cut`), with the same code but the shell.
 */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { type Panel, PanelContext } from './context';
import { createStock } from './dialects';
import { browserScheduler } from './feed';
import { followHistory } from './history/history';
import { followHold } from './hold';
import { followOutlines } from './outlines';
import { followPictures } from './pictures';
import type { SampleName, Stream } from './sample';
import { createSettings } from './settings';
import { createShell } from './shell';
import { createStore } from './store';
import { chooseLanguage } from './strings';
import { followTheme } from './theme';
import { App } from './views/app';
import { openCapture, openSample } from './views/capture-actions';
import './parts/tokens.css';
import './parts/parts.css';
import './views/layout.css';
import './views/table.css';
import './views/details.css';

const start = async (): Promise<void> => {
  const shell = await createShell();
  const settings = createSettings();
  await settings.load(shell.settingsStore);
  const wished = new URLSearchParams(location.search);
  const theme = wished.get('theme');
  if (theme === 'light' || theme === 'dark') settings.theme.value = theme;
  const language = wished.get('lang');
  if (language === 'en' || language === 'zh') settings.language.value = language;
  followTheme(settings.theme, shell.devtoolsTheme, settings.colours);
  await chooseLanguage(settings.language.value);
  effect(() => void chooseLanguage(settings.language.value));
  // Most panels have no mappings: the code that reads them is not loaded then.
  const { mappings } = settings;
  const mapped = mappings.value.length === 0 ? [] : (await import('./mappings')).dialectsOf(mappings.value);
  const store = createStore(browserScheduler(), settings, createStock(), mapped);
  const panel = { store, shell, pictures: followPictures(store, shell) };
  // For tests that look at the panel from outside: everything it knows hangs on the store.
  Object.assign(globalThis, { unsettled: store, unsettledPictures: panel.pictures, unsettledShell: shell });
  const root = document.getElementById('panel');
  if (root === null) throw new Error('panel.html has no #panel');
  render(
    <PanelContext.Provider value={panel}>
      <App />
    </PanelContext.Provider>,
    root,
  );
  const sample = wished.get('sample');
  if (sample !== null) void openSample(panel, sample as SampleName);
  shell.connect(store);
  followHistory(store, shell);
  followHold(store);
  followOutlines(store, shell);
  // For the end-to-end tests, and for a look from the console of the panel's own developer tools.
  Object.assign(globalThis, { unsettled: store });
  // Only where there is no tab: the viewer lets its bench time the opening of a sample that is made beforehand.
  if (!shell.hasTab) {
    Object.assign(globalThis, {
      unsettledOpenSample: (name: SampleName) => timeOpening(panel, name),
      unsettledPrepare: async (events: number) => {
        const { largeStream } = await import('./sample');
        prepared = largeStream(events);
      },
      unsettledStream: (perSecond: number) => streamLive(panel, perSecond),
    });
  }
};

let prepared: Stream | null = null;

/**
 * Streams what was prepared (or the sample) into the live feed as a page would: batches, several a frame. Resolves to the
 * milliseconds from each batch to the frame that had its last event as a row, where every event has a row.
 */
const streamLive = async (panel: Panel, perSecond: number): Promise<readonly number[]> => {
  const { SAMPLES, streamOf } = await import('./sample');
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
  const { SAMPLES } = await import('./sample');
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

void start();
