/** The reader's language: one file each, all of one shape, checked by the compiler. English is there; others are fetched. */
import { signal } from '@preact/signals';
import { en } from './en';

/** The shape every language has: English sets it, with its literal texts widened. */
type Wide<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : { readonly [K in keyof T]: Wide<T[K]> };
export type Strings = Wide<typeof en> & { readonly rules: Readonly<Record<string, RuleText>> };

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
