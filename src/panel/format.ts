/** Numbers as people read them in a dense table. Pure; no locale, so that columns stay aligned in every language. */

/** `7.420` in seconds, for the time column. */
export const clock = (ms: number): string => (ms / 1000).toFixed(3);

/** `0.42 ms`, `38 ms`, `1.33 s`, `2 m 05 s`: a duration in as few characters as it needs. */
export const duration = (ms: number): string => {
  const abs = Math.abs(ms);
  if (abs < 1) return abs === 0 ? '0 ms' : `${ms.toFixed(2)} ms`;
  if (abs < 1000) return `${Math.round(ms)} ms`;
  if (abs < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(abs / 1000);
  const rest = String(seconds % 60).padStart(2, '0');
  return `${ms < 0 ? '-' : ''}${Math.floor(seconds / 60)} m ${rest} s`;
};

/** `281`, `1.9 k`, `2.4 M`: a count of characters. */
export const amount = (count: number): string => {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9950 ? 1 : 0)} k`;
  return `${(count / 1_000_000).toFixed(1)} M`;
};

/** `1.4 MB`, from UTF-16 code units as JavaScript holds them (two bytes each). */
export const heldBytes = (chars: number): string => {
  const bytes = chars * 2;
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
};

/** `1,234`: a count in a sentence. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/gu, ',');

/** The path of a URL where there is one to show, else the URL as it is. */
export const shortUrl = (url: string): string => {
  const match = /^[a-z]+:\/\/[^/?#]*(\/[^#]*)?/iu.exec(url);
  return match?.[1] && match[1] !== '/' ? match[1] : url;
};

/** Scheme, host and port; `''` where the URL has none. */
export const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*/iu.exec(url)?.[0] ?? '';

/** An id short enough for a list, with both ends kept so that ids with a common head still differ. */
export const shortId = (id: string, room = 14): string => (id.length <= room ? id : `${id.slice(0, room - 6)}…${id.slice(-5)}`);
