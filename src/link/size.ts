/** How many characters an entry counts for in rings, batches and windows. An estimate: what varies is counted, the rest is a constant. */
import type { Unstamped } from './messages';

/** How much may be under way to the panel without being acknowledged. */
export const WINDOW_CHARS = 1_000_000;
/** Acknowledging in quarters of the window keeps it moving without an answer to every message. */
export const ACKNOWLEDGE_CHARS = WINDOW_CHARS / 4;

/** What an entry costs beside its long texts: names, times, identifiers. */
const ENTRY_CHARS = 160;

const lengthOf = (record: Readonly<Record<string, string>>): number => {
  let sum = 0;
  for (const [name, value] of Object.entries(record)) sum += name.length + value.length;
  return sum;
};

export const charsOf = (entry: Unstamped): number => {
  switch (entry.type) {
    case 'flow.opened':
      return ENTRY_CHARS + entry.url.length + (entry.requestBody?.length ?? 0) + lengthOf(entry.requestHeaders);
    case 'flow.head':
      return ENTRY_CHARS + lengthOf(entry.headers);
    case 'flow.chunk':
      return ENTRY_CHARS + entry.text.length;
    case 'flow.ended':
      return ENTRY_CHARS + (entry.detail?.length ?? 0);
    case 'sight.text':
      return ENTRY_CHARS + (entry.edit?.inserted.length ?? 0) + entry.region.path.length + (entry.region.label?.length ?? 0);
    case 'sight.cue':
      return ENTRY_CHARS + entry.key.length + (entry.label?.length ?? 0) + (entry.value?.length ?? 0);
    default:
      return ENTRY_CHARS;
  }
};
