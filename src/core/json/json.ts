/**
 * Reading JSON without trusting it, for all who read what others wrote: dialects read the wire by it, importers read files.
 * Each reader answers the value if it is of the kind that is asked for, and null if it is anything else; none ever throws.
 */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The value, or undefined if the text is not JSON. (JSON has no undefined, so the two cannot be confused.) */
export const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** A longer string is parsed, which copies it: cut out, it would keep the whole text that it was cut from. */
const SHORT = 32;

/**
 * The value of the JSON that begins at `from`. A short string without escapes is what stands between its quotes: a piece of
 * text is mostly such, and the parser costs several times as much.
 */
export const parseJsonFrom = (text: string, from: number): Json | undefined => {
  const last = text.length - 1;
  if (last - from > SHORT + 1 || last <= from || text.charCodeAt(from) !== 34 || text.charCodeAt(last) !== 34)
    return parseJson(text.slice(from));
  for (let i = from + 1; i < last; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 32 || unit === 34 || unit === 92) return parseJson(text.slice(from));
  }
  return text.slice(from + 1, last);
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object, or null for anything else. */
export const asObject = (value: unknown): JsonObject | null => (isObject(value) ? (value as JsonObject) : null);
export const asArray = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
/** The objects in an array; everything else in it is left out. */
export const asObjects = (value: unknown): readonly JsonObject[] =>
  asArray(value).filter((one): one is JsonObject => asObject(one) !== null);
export const asString = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const asNumber = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** JSON for a tool's input or output, or the string itself. Null stays null. */
export const asText = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
