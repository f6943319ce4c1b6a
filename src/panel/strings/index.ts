/** The reader's language: one file each, all of one shape, checked by the compiler. Only the one in use is fetched. */
import { signal } from '@preact/signals';
import type { Finding } from '../../core/model';
import type { en } from './en';
import type { sheet } from './en-sheet';

/** The shape every language has: English sets it, with its literal texts widened. */
export type Wide<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Wide<T[K]> };
/** What a sheet says, a tab that is seldom opened, or what became of a file. An ordinary session needs none of it. */
export type SheetStrings = Wide<typeof sheet>;
export type PanelStrings = Wide<typeof en> & {
  readonly rules: Readonly<Record<string, RuleText>>;
  /** Sentences of findings; absent where they are the core's own. */
  readonly messages?: Messages;
  /** Fixed phrases that the core fills into sentences. */
  readonly phrase?: (value: string) => string;
};

/** Sheets are drawn only once their texts are there (`loadSheetTexts`). */
export type Strings = PanelStrings & SheetStrings;

/** By rule and verdict; `{name}` is filled from the finding's data. */
export type Messages = Readonly<Record<string, { readonly fail: string; readonly inconclusive: string }>>;

/** A finding's rule in the reader's words. */
export interface RuleText {
  readonly title: string;
  readonly fix: string;
}

/** For what is no view. Empty until a language was chosen, before which nothing is drawn. */
export const strings = signal<Strings>({} as Strings);

let choices = 0;
let chinese = false;
let withSheets = false;

/** Fetches the texts that are wanted now, and shows them. */
const show = async (): Promise<void> => {
  const mine = ++choices;
  const language = chinese;
  const texts = language ? (await import('./zh')).zh : (await import('./en')).en;
  const more = !withSheets ? {} : language ? (await import('./zh-sheet')).sheet : (await import('./en-sheet')).sheet;
  // Of two choices in quick succession the later one stands, whichever comes first.
  if (mine !== choices) return;
  strings.value = { ...texts, ...more } as Strings;
  document.documentElement.lang = language ? 'zh-Hans' : 'en';
};

export const chooseLanguage = (choice: 'auto' | 'en' | 'zh'): Promise<void> => {
  chinese = choice === 'zh' || (choice === 'auto' && navigator.language.toLowerCase().startsWith('zh'));
  return show();
};

/** Brings the texts of the sheets, from now on in whatever language is chosen. */
export const loadSheetTexts = (): Promise<void> => {
  withSheets = true;
  // For all who ask at once: two that each begin anew would each take the other's texts for those of an older choice, for ever.
  coming ??= (async () => {
    while (!('keySheet' in strings.value)) await show();
  })().finally(() => {
    coming = null;
  });
  return coming;
};
let coming: Promise<void> | null = null;

/** The texts to show. Views that call it are drawn again when the language changes. */
export const useStrings = (): Strings => strings.value;

/** Members of a finding's data that hold words of the page or the wire, which stay as they are whatever they say. */
const OWN_WORDS: ReadonlySet<string> = new Set(['excerpt', 'error', 'before', 'committed', 'streamed', 'control', 'raw', 'tool', 'last']);

/** What the core gives as a fixed phrase, in the reader's language; anything else (words of the wire) as it is. */
export const phraseOf = (t: PanelStrings, value: string | number): string => t.phrase?.(String(value)) ?? String(value);

/** Members of a finding's data that are moments on the page's clock; the other `…Ms` are lengths of time. */
const MOMENTS: ReadonlySet<string> = new Set(['settledMs', 'shownMs', 'endedMs', 'committedMs', 'atMs', 'askedMs', 'lastMs']);

/**
 * The finding in one sentence. The core writes English; its rule, verdict and data say the same in any language. Moments are
 * said as `at` says them: on the clock of the table and the timeline, which begins with the run.
 */
export const messageOf = (t: PanelStrings, finding: Finding, at?: (pageTime: number) => string): string => {
  const { data } = finding;
  const moment = (name: string): string | null => {
    const value = data[name];
    return at !== undefined && MOMENTS.has(name) && typeof value === 'number' ? at(value) : null;
  };
  const sentence = t.messages?.[finding.rule]?.[finding.verdict];
  if (sentence !== undefined)
    return sentence
      .replace(/(，晚了 |在 )?\{(\w+)\} 毫秒(的?)/gu, (_, before = '', name: string, after: string) =>
        name in data ? `${before}${moment(name) ?? `{${name}} 毫秒`}${after}` : '',
      )
      .replace(/\{(\w+)\}/gu, (_, name: string) => (OWN_WORDS.has(name) ? String(data[name] ?? '…') : phraseOf(t, data[name] ?? '…')));
  const said = new Map<string, string>(
    Object.keys(data).flatMap((name) => (moment(name) === null ? [] : [[`${data[name]} ms`, moment(name)!] as const])),
  );
  return finding.message
    .replace(`ended (${data.how})`, `ended (${t.flowEnd[data.how as 'eof'] ?? data.how})`)
    .replace(/\b(at|since) (\d+ ms)\b/gu, (whole, word: string, time: string) => (said.has(time) ? `${word} ${said.get(time)}` : whole));
};
