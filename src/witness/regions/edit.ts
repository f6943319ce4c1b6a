/** The one stretch in which two texts differ, as sightings tell it. */

export interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const HIGH = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** The one stretch in which two texts differ; null if they do not. Never cuts a character of two units in half. */
export const editOf = (before: string, after: string): Edit | null => {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from++;
  if (from > 0 && HIGH(before.charCodeAt(from - 1))) from--;
  let same = 0;
  while (same < most - from && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++;
  if (same > 0 && HIGH(after.charCodeAt(after.length - same - 1))) same--;
  return { at: from, removed: before.length - from - same, inserted: after.slice(from, after.length - same) };
};
