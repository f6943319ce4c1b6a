/** Opening and saving captures. The code that reads and writes them is loaded when it is first needed. */
import { signal } from '@preact/signals';
import type { Capture } from '../../core/model';
import type { FileSummary, ReadFailure } from '../capture-file';
import { codeOf } from '../code';
import type { Panel } from '../context';
import type { Feed } from '../feed';
import type { SampleName } from '../sample';
import { loadSheetTexts } from '../strings';
import { comparing, otherFeed, otherReading, type Side } from './compare/state';

export type FileNotice =
  | { readonly kind: 'failed'; readonly name: string; readonly failure: ReadFailure }
  | { readonly kind: 'partly'; readonly name: string; readonly summary: FileSummary }
  | { readonly kind: 'cancelled'; readonly name: string; readonly share: number }
  /** Dropped with others, of which only so many are opened. */
  | { readonly kind: 'unread'; readonly name: string };

/** What became of the last file, or of the last two, for the notice bar; empty when there is nothing to say. */
export const fileNotices = signal<readonly FileNotice[]>([]);
export const note = (notice: FileNotice): void => {
  fileNotices.value = [...fileNotices.peek(), notice];
};

/** The save sheet: closed, or open for one run or for all (null). */
export const saving = signal<{ readonly run: string | null } | null>(null);

/** The file that is being read; null: none is. */
export const fileReading = signal<{
  readonly name: string;
  readonly read: number;
  readonly size: number;
  cancel(): void;
} | null>(null);

/** A file is read in no time to speak of; only after this is there a bar. */
const TELL_AFTER_MS = 300;

/** Reads a file into a feed of its own and shows it. */
export const openBlob = (panel: Panel, blob: Blob, name: string): Promise<Feed | null> => {
  fileNotices.value = [];
  return readBlob(panel, blob, name, (feed) => panel.store.open(feed));
};

/** Reads a file of which nothing is shown but what a run is compared with; `first` says which run, null: none any more. */
export const openBeside = async (panel: Panel, file: File, first: () => Side | null): Promise<void> => {
  otherReading.value = true;
  await readBlob(panel, file, file.name, (feed) => {
    const a = first();
    if (a === null) return;
    otherFeed.value = feed;
    comparing.value = { a, b: { run: '', feed } };
  });
  otherReading.value = false;
};

/**
 * Reads a file into a feed of its own, which is given to `begun` with its first entries. Another that is still being read is given up.
 * Resolves to the feed; null: nothing came of it, and why is said.
 */
export const readBlob = async (panel: Panel, blob: Blob, name: string, begun: (feed: Feed) => void): Promise<Feed | null> => {
  // And what can be said of the file.
  const code = (await codeOf(Promise.all([import('../capture-file'), loadSheetTexts()])))?.[0];
  if (code === undefined) return null;
  fileReading.peek()?.cancel();
  const feed = panel.store.newFeed('file', name);
  const stop = new AbortController();
  let shown = false;
  let read = 0;
  const cancel = (): void => stop.abort();
  const tell = (): void => {
    fileReading.value = { name, read, size: blob.size, cancel };
  };
  const start = performance.now();
  let told = 0;
  const result = await code.readInto(feed, blob, {
    begun() {
      if (shown || stop.signal.aborted) return;
      shown = true;
      begun(feed);
    },
    progress(bytes) {
      read = bytes;
      const now = performance.now();
      if (now - start < TELL_AFTER_MS || now - told < 100) return;
      told = now;
      tell();
    },
    signal: stop.signal,
  });
  if (fileReading.peek()?.cancel === cancel) fileReading.value = null;
  if (result === null) note({ kind: 'cancelled', name, share: blob.size === 0 ? 0 : read / blob.size });
  else if ('reason' in result) note({ kind: 'failed', name, failure: result });
  else if (
    result.damage !== null ||
    result.skipped !== null ||
    result.unopened !== null ||
    result.headless ||
    result.packing.fault !== null ||
    result.packing.ignored > 0
  )
    note({ kind: 'partly', name, summary: result });
  return shown ? feed : null;
};

export const openFile = (panel: Panel): void => chooseFile((file) => void openBlob(panel, file, file.name));

/** Lets the reader choose a file. */
export const chooseFile = (chosen: (file: File) => unknown): void => {
  const input = document.createElement('input');
  input.type = 'file';
  input.hidden = true;
  input.accept = '.jsonl,.gz,.har,.json,.sse,.ndjson,.txt,.log,.zip';
  input.onchange = () => {
    const file = input.files?.[0];
    input.remove();
    if (file !== undefined) chosen(file);
  };
  input.oncancel = () => input.remove();
  document.body.append(input);
  input.click();
};

export const openSample = async (panel: Panel, name: SampleName = 'kestrel-cut'): Promise<void> => {
  const code = await codeOf(import('../sample'));
  if (code !== null && name in code.SAMPLES) openCapture(panel, code.SAMPLES[name](), name);
};

export const openCapture = (panel: Panel, capture: Capture, name: string): void => {
  const feed = panel.store.newFeed('sample', name);
  for (const document of capture.documents) feed.document(document);
  feed.replay(capture.entries);
  panel.store.open(feed);
};

export const download = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};
