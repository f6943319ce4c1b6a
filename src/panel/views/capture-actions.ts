/** Opening and saving captures: any file the core can read, in slices, and one run or all of them out again. */

import { signal } from '@preact/signals';
import { CaptureError, createReader, type ReadSummary, serialiseCapture } from '../../core/capture/capture';
import type { Capture } from '../../core/model';
import type { Entry } from '../../core/session';
import { isSighting } from '../../core/session';
import type { Panel } from '../context';
import { browserScheduler, createFeed } from '../feed';
import { SAMPLES, type SampleName } from '../sample';

declare const __VERSION__: string;

/** What became of the last file, for the notice bar; null when there is nothing to say. */
export const fileNotice = signal<
  | { readonly kind: 'reading'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly error: CaptureError | null; readonly detail: string }
  | { readonly kind: 'partly'; readonly name: string; readonly summary: ReadSummary }
  | null
>(null);

const gunzipped = async (blob: Blob): Promise<ReadableStream<Uint8Array>> => {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (head[0] !== 0x1f || head[1] !== 0x8b) return blob.stream();
  return blob.stream().pipeThrough(new DecompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>);
};

/** Reads a file into a feed of its own and shows it. */
export const openBlob = async (panel: Panel, blob: Blob, name: string): Promise<void> => {
  const feed = createFeed('file', name, browserScheduler());
  fileNotice.value = { kind: 'reading', name };
  let shown = false;
  const show = (): void => {
    if (shown) return;
    shown = true;
    panel.store.open(feed);
  };
  const reader = createReader({
    document: (document) => feed.document(document),
    entries(entries) {
      feed.replay(entries);
      show();
    },
  });
  try {
    const stream = (await gunzipped(blob)).getReader();
    for (;;) {
      const { done, value } = await stream.read();
      if (done) break;
      // Small pieces, so that a large file is read between frames.
      for (let at = 0; at < value.length; at += 262_144) {
        reader.push(value.subarray(at, at + 262_144));
        await new Promise<void>((resolve) => setTimeout(resolve));
      }
    }
    const summary = reader.end();
    show();
    fileNotice.value = summary.damage !== null || summary.skipped !== null ? { kind: 'partly', name, summary } : null;
  } catch (error) {
    fileNotice.value = {
      kind: 'failed',
      name,
      error: error instanceof CaptureError ? error : null,
      detail: error instanceof Error ? error.message : String(error),
    };
  }
};

export const openFile = (panel: Panel): void => {
  const input = document.createElement('input');
  input.type = 'file';
  input.id = 'capture-file';
  input.hidden = true;
  input.accept = '.jsonl,.gz,.har,.json,.sse,.ndjson,.txt,.log';
  input.onchange = () => {
    const file = input.files?.[0];
    input.remove();
    if (file !== undefined) void openBlob(panel, file, file.name);
  };
  input.oncancel = () => input.remove();
  document.body.append(input);
  input.click();
};

export const openSample = (panel: Panel, name: SampleName = 'kestrel-cut'): void => {
  openCapture(panel, SAMPLES[name](), name);
};

export const openCapture = (panel: Panel, capture: Capture, name: string): void => {
  const feed = createFeed('sample', name, browserScheduler());
  for (const document of capture.documents) feed.document(document);
  feed.replay(capture.entries);
  panel.store.open(feed);
};

/** The entries of one run: its flows, and everything seen on its page while they lasted. */
const entriesOf = (panel: Panel, run: string | null): readonly Entry[] => {
  const { session } = panel.store.feed.peek();
  if (run === null) return session.entries;
  const found = session.run(run);
  if (found === undefined) return session.entries;
  const flows = new Set(found.attempts.flatMap((attempt) => attempt.flows));
  const documents = new Set([...flows].map((id) => session.flows.get(id)?.document));
  return session.entries.filter((entry) =>
    isSighting(entry) ? documents.has(entry.document) : !('flow' in entry) || entry.flow === null || flows.has(entry.flow),
  );
};

export const saveCapture = (panel: Panel, run: string | null = null): void => {
  const { session } = panel.store.feed.peek();
  const entries = entriesOf(panel, run);
  const pieces = [
    ...serialiseCapture({
      format: 'unsettled-capture',
      version: 1,
      createdAt: new Date().toISOString(),
      producer: { name: 'unsettled', version: __VERSION__, browser: navigator.userAgent },
      documents: [...session.documents.values()],
      entries,
      redaction: null,
    }),
  ];
  const url = URL.createObjectURL(new Blob(pieces, { type: 'application/jsonl' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${run === null ? 'session' : 'run'}-${new Date().toISOString().slice(0, 19).replace(/[:T]/gu, '-')}.unsettled.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
