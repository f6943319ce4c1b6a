/** The reader's language: one file each, all of one shape, checked by the compiler. */
import { computed, signal } from '@preact/signals';
import { en } from './en';
import { zh } from './zh';

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

const LANGUAGES: Readonly<Record<'en' | 'zh', Strings>> = { en, zh };

const language = signal<'en' | 'zh'>('en');
const strings = computed<Strings>(() => LANGUAGES[language.value]);

export const chooseLanguage = (choice: 'auto' | 'en' | 'zh'): void => {
  language.value = choice !== 'auto' ? choice : navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  document.documentElement.lang = language.value === 'zh' ? 'zh-Hans' : 'en';
};

/** The texts to show. Views that call it are drawn again when the language changes. */
export const useStrings = (): Strings => strings.value;
