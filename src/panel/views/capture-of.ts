/** What the panel shows, or a part of it, as a capture to be saved. */
import { type Entry, isSighting } from '../../core/engine';
import type { Capture } from '../../core/model';
import type { Panel } from '../context';

declare const __VERSION__: string;

/** The entries of one run: its flows, and everything seen on its page. */
const entriesOf = (panel: Panel, run: string | null): readonly Entry[] => {
  const { session } = panel.store.feed.peek();
  const found = run === null ? undefined : session.run(run);
  if (found === undefined) return session.entries;
  const flows = new Set(found.attempts.flatMap((attempt) => attempt.flows));
  const documents = new Set([...flows].map((id) => session.flows.get(id)?.document));
  return session.entries.filter((entry) =>
    isSighting(entry) ? documents.has(entry.document) : !('flow' in entry) || entry.flow === null || flows.has(entry.flow),
  );
};

/** What is shown, or one run of it, or what was known of that by a record (`until`), as a capture. */
export const captureOf = (panel: Panel, run: string | null, until: number | null = null): Capture => ({
  format: 'unsettled-capture',
  version: 1,
  createdAt: new Date().toISOString(),
  producer: { name: 'unsettled', version: __VERSION__, browser: navigator.userAgent },
  documents: [...panel.store.feed.peek().session.documents.values()],
  entries: entriesOf(panel, run).filter((entry) => until === null || entry.seq <= until),
  redaction: null,
});
