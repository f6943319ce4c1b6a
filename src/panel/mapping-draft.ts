/**
 * A mapping by example: from one frame and what the reader says it means, a mapping file, or one more entry in the file
 * that is already there. Pure text in, text out; the file's own reader judges the result.
 */

import { suggestFrom } from '../core/mapping/mapped-dialect';
import type { WireFrame } from '../core/model';

/** What the reader may say of an event. Each stands for one entry of docs/mapping.md. */
export const MEANINGS = ['answer', 'reasoning', 'progress', 'tool', 'log', 'begin', 'completed', 'waiting', 'failed', 'mark'] as const;
export type Meaning = (typeof MEANINGS)[number];

/** Whether the meaning needs to know where the words are. */
export const needsText = (meaning: Meaning): boolean => !['begin', 'completed', 'waiting', 'mark'].includes(meaning);

export interface Example {
  readonly typePath: string;
  readonly type: string;
  readonly paths: readonly { readonly path: string; readonly sample: string }[];
  /** The most likely place of the words: the longest text. */
  readonly textPath: string;
}

export const exampleOf = (frame: WireFrame): Example => {
  const { type, typePath, paths } = suggestFrom(frame);
  const longest = paths
    .filter(({ path }) => path !== typePath)
    .reduce((best, each) => (each.sample.length > best.sample.length ? each : best), {
      path: '',
      sample: '',
    });
  return { typePath, type, paths, textPath: longest.path };
};

const entryOf = (meaning: Meaning, text: string): object => {
  switch (meaning) {
    case 'answer':
      return { does: 'delta', voice: 'assistant', text };
    case 'reasoning':
      return { does: 'delta', voice: 'reasoning', text };
    case 'progress':
    case 'tool':
    case 'log':
      return { does: 'note', voice: meaning, text };
    case 'begin':
      return { does: 'open-run' };
    case 'completed':
      return { does: 'finish', outcome: 'completed' };
    case 'waiting':
      return { does: 'finish', outcome: 'waiting', waitingFor: 'input' };
    case 'failed':
      return { does: 'fail', message: text };
    case 'mark':
      return { does: 'sentinel' };
  }
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

/** The path of a URL as an expression that only it matches; '' where there is none. */
const pathPattern = (url: string): string => {
  const path = /^[a-z]+:\/\/[^/?#]+(\/[^?#]*)/iu.exec(url)?.[1];
  return path === undefined ? '' : `${literally(path)}(?:[?#]|$)`;
};

export interface Answer {
  readonly meaning: Meaning;
  readonly typePath: string;
  readonly type: string;
  readonly textPath: string;
}

/** A file that knows this one type, recognised by its place and the stream's address. */
export const newMapping = (id: string, url: string, answer: Answer): string => {
  const pattern = pathPattern(url);
  return JSON.stringify(
    {
      unsettledMapping: 1,
      id,
      recognise: { ...(pattern === '' ? {} : { url: pattern }), where: [{ path: answer.typePath }] },
      type: answer.typePath,
      events: { [answer.type]: entryOf(answer.meaning, answer.textPath) },
    },
    null,
    2,
  );
};

/** The same file with one more type, or another meaning for it; null if the text is no JSON object. */
export const withEntry = (text: string, answer: Answer): string | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const events = (value as { events?: unknown }).events;
  const known = typeof events === 'object' && events !== null ? events : {};
  return JSON.stringify({ ...value, events: { ...known, [answer.type]: entryOf(answer.meaning, answer.textPath) } }, null, 2);
};

/** A name for a new file: the stream's host and path in words, unlike those there are. */
export const freshId = (url: string, taken: readonly string[]): string => {
  const base =
    url
      .replace(/^[a-z]+:\/\//iu, '')
      .replace(/[?#].*$/u, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/gu, '-')
      .replace(/^-+|-+$/gu, '')
      .slice(0, 40)
      .replace(/-+$/u, '') || 'my-stream';
  let id = base;
  for (let number = 2; taken.includes(id); number++) id = `${base}-${number}`;
  return id;
};
