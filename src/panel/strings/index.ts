/** The reader's language: one file each, all of one shape, checked by the compiler. English is there; others are fetched. */
import { signal } from '@preact/signals';
import type { Finding } from '../../core/model';
import { en } from './en';

/** The shape every language has: English sets it, with its literal texts widened. */
type Wide<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Wide<T[K]> };
export type Strings = Wide<typeof en> & {
  readonly rules: Readonly<Record<string, RuleText>>;
  /** Sentences of findings; absent where they are the core's own. */
  readonly messages?: Messages;
  /** Fixed phrases that the core fills into sentences. */
  readonly phrases?: Readonly<Record<string, string>>;
};

/** By rule and verdict; `{name}` is filled from the finding's data. */
export type Messages = Readonly<Record<string, { readonly fail: string; readonly inconclusive: string }>>;

/** A finding's rule in the reader's words. */
export interface RuleText {
  readonly title: string;
  readonly fix: string;
}

/** For what is no view. */
export const strings = signal<Strings>(en);

export const chooseLanguage = async (choice: 'auto' | 'en' | 'zh'): Promise<void> => {
  const chinese = choice === 'zh' || (choice === 'auto' && navigator.language.toLowerCase().startsWith('zh'));
  strings.value = chinese ? (await import('./zh')).zh : en;
  document.documentElement.lang = chinese ? 'zh-Hans' : 'en';
};

/** The texts to show. Views that call it are drawn again when the language changes. */
export const useStrings = (): Strings => strings.value;

/** What the core gives as a fixed phrase, in the reader's language; anything else (words of the wire) as it is. */
export const phraseOf = (t: Strings, value: string | number): string => t.phrases?.[String(value)] ?? String(value);

/** The finding in one sentence. The core writes English; its rule, verdict and data say the same in any language. */
export const messageOf = (t: Strings, finding: Finding): string => {
  const sentence = t.messages?.[finding.rule]?.[finding.verdict];
  if (sentence === undefined) return finding.message;
  return sentence.replace(/\{(\w+)\}/gu, (_, name: string) => phraseOf(t, finding.data[name] ?? '…'));
};
