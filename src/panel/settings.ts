/**
 * What the panel remembers between sessions. Read once, written a moment after the last change. A stored value that does
 * not have its shape is left out, never trusted: storage may be older or newer than this code.
 */
import { effect, type Signal, signal } from '@preact/signals';
import { type FilterSet, readFilterSets } from './filter-sets';
import { SORTS, type Sort } from './order';

/** Where settings are kept: extension storage in the panel, local storage in an ordinary page. */
export interface SettingsStore {
  read(): Promise<unknown>;
  write(value: unknown): void;
}

/** Voice colours: those that the common kinds of colour blindness tell apart, and more vivid ones. */
export type Colours = 'safe' | 'vivid';

/** What may leave the browser in a saved file, unless something else is chosen there. */
export type Privacy = 'standard' | 'scramble' | 'none';

export interface Settings {
  readonly theme: Signal<'auto' | 'light' | 'dark'>;
  readonly language: Signal<'auto' | 'en' | 'zh'>;
  readonly colours: Signal<Colours>;
  readonly preserve: Signal<boolean>;
  readonly fold: Signal<boolean>;
  readonly hiddenLanes: Signal<readonly string[]>;
  readonly hiddenStandings: Signal<readonly string[]>;
  readonly findingsOnly: Signal<boolean>;
  readonly query: Signal<string>;
  /** Filters under a name. */
  readonly filterSets: Signal<readonly FilterSet[]>;
  readonly sort: Signal<Sort>;
  readonly runsWidth: Signal<number>;
  readonly runsHeight: Signal<number>;
  readonly timelineHeight: Signal<number>;
  readonly detailsWidth: Signal<number>;
  readonly detailsHeight: Signal<number>;
  readonly runsOpen: Signal<boolean>;
  readonly detailsOpen: Signal<boolean>;
  readonly timelineOpen: Signal<boolean>;
  /** `origin rule`: findings of the rule on pages of the origin are not counted. */
  readonly muted: Signal<readonly string[]>;
  /** Origins on whose pages the regions are outlined. */
  readonly outlined: Signal<readonly string[]>;
  /** Mapping files (docs/mapping.md), as text. */
  readonly mappings: Signal<readonly string[]>;
  readonly wrapRaw: Signal<boolean>;
  /** Sessions are kept in this browser. */
  readonly history: Signal<boolean>;
  /** Megabytes they may take together. */
  readonly historyLimit: Signal<number>;
  /** Megabytes of text that the panel holds of the inspected tab; 0: no limit. */
  readonly holdLimit: Signal<number>;
  /** How much of a saved file may be read. `none` is a choice for one file and never for all. */
  readonly privacy: Signal<Exclude<Privacy, 'none'>>;
  /** Words that are taken out of every saved file, besides what is found to be secret. */
  readonly redactWords: Signal<readonly string[]>;
}

const DEFAULTS = {
  theme: 'auto',
  language: 'auto',
  colours: 'safe',
  preserve: false,
  fold: true,
  hiddenLanes: [],
  hiddenStandings: [],
  findingsOnly: false,
  query: '',
  filterSets: [],
  sort: 'sequence',
  runsWidth: 248,
  runsHeight: 136,
  timelineHeight: 0,
  detailsWidth: 380,
  detailsHeight: 280,
  runsOpen: true,
  detailsOpen: true,
  timelineOpen: true,
  muted: [],
  outlined: [],
  mappings: [],
  wrapRaw: true,
  history: false,
  historyLimit: 50,
  holdLimit: 400,
  privacy: 'standard',
  redactWords: [],
} as const;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  theme: ['auto', 'light', 'dark'],
  language: ['auto', 'en', 'zh'],
  colours: ['safe', 'vivid'],
  sort: SORTS,
  privacy: ['standard', 'scramble'],
};

/** Settings that are no plain values: what of a stored one is used. */
const READERS: Readonly<Record<string, (stored: unknown) => unknown>> = { filterSets: readFilterSets };

const fits = (key: string, value: unknown): boolean => {
  const standard = DEFAULTS[key as keyof typeof DEFAULTS] as unknown;
  if (Array.isArray(standard)) return Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (typeof value !== typeof standard) return false;
  if (key in CHOICES) return CHOICES[key]!.includes(value as string);
  return typeof value !== 'number' || (Number.isFinite(value) && value >= 0 && value < 5000);
};

/** Settings with their standard values; `load` brings in what was stored and keeps what changes from then on. */
export const createSettings = (): Settings & { load(store: SettingsStore): Promise<void> } => {
  const signals: Record<string, Signal<unknown>> = {};
  for (const [key, value] of Object.entries(DEFAULTS)) signals[key] = signal<unknown>(value);
  return {
    ...(signals as unknown as Settings),
    async load(store) {
      const stored = await store.read();
      if (typeof stored === 'object' && stored !== null)
        for (const [key, value] of Object.entries(stored)) {
          if (!Object.hasOwn(signals, key)) continue;
          const reader = READERS[key];
          if (reader !== undefined) signals[key]!.value = reader(value);
          else if (fits(key, value)) signals[key]!.value = value;
        }
      let first = true;
      let pending: ReturnType<typeof setTimeout> | undefined;
      effect(() => {
        const now: Record<string, unknown> = {};
        for (const [key, each] of Object.entries(signals)) now[key] = each.value;
        if (first) {
          first = false;
          return;
        }
        clearTimeout(pending);
        pending = setTimeout(() => store.write(now), 200);
      });
    },
  };
};
