/** Serves small pages from memory with the witness in them, and folds what it said. */
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { build } from 'vite';
import type { Unstamped } from '../../src/link/messages';
import type { Driver } from './page-entry';

let bundle: Promise<string> | null = null;

/** The witness and its test driver as one classic script. */
export const witnessBundle = (): Promise<string> => {
  bundle ??= (async () => {
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: false,
        target: 'es2022',
        lib: { entry: join(import.meta.dirname, 'page-entry.ts'), formats: ['iife'], name: 'unsettledTest' },
      },
    });
    const [first] = Array.isArray(result) ? result : [result];
    if (first === undefined || !('output' in first)) throw new Error('no bundle');
    return first.output[0].code;
  })();
  return bundle;
};

/** Opens a page with this body, the witness in it from the start, and waits for its picture of the page at rest. */
export const openPage = async (page: Page, body: string, script = ''): Promise<void> => {
  await page.addInitScript({ content: await witnessBundle() });
  await page.route('http://localhost:9/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><meta charset="utf-8"><title>t</title><body>${body}<script>${script}</script>`,
    }),
  );
  await page.goto('http://localhost:9/');
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 30))));
};

declare global {
  interface Window {
    tapDriver: Driver;
  }
}

export type Sight = Extract<Unstamped, { type: `sight.${string}` }>;
export type SightText = Extract<Sight, { type: 'sight.text' }>;
export type SightCue = Extract<Sight, { type: 'sight.cue' }>;

export const entriesOf = (page: Page): Promise<Unstamped[]> => page.evaluate(() => window.tapDriver.entries.slice());

export interface Shown {
  readonly key: string;
  text: string;
  removed: boolean;
  rested: boolean;
  readonly rest: boolean;
  presentedAs: string;
  label: string | null;
  visible: boolean;
  readonly appearances: number;
}

/** The regions as the sightings leave them. An edit that does not fit what went before fails here. */
export const fold = (entries: readonly Unstamped[]): Shown[] => {
  const shown = new Map<string, Shown>();
  for (const entry of entries) {
    if (entry.type !== 'sight.text') continue;
    const { region, change, edit } = entry;
    let state = shown.get(region.key);
    if (change === 'appeared') {
      state = {
        key: region.key,
        text: '',
        removed: false,
        rested: false,
        rest: entry.rest,
        presentedAs: region.presentedAs,
        label: region.label,
        visible: entry.visible,
        appearances: (state?.appearances ?? 0) + 1,
      };
      shown.set(region.key, state);
    }
    if (state === undefined) throw new Error(`${region.key} ${change} before it appeared`);
    state.presentedAs = region.presentedAs;
    state.label = region.label;
    state.visible = entry.visible;
    state.rested = change === 'rested';
    if (change === 'removed') state.removed = true;
    if (edit !== null) {
      if (edit.at + edit.removed > state.text.length) throw new Error(`edit beyond the text of ${region.key}`);
      state.text = state.text.slice(0, edit.at) + edit.inserted + state.text.slice(edit.at + edit.removed);
    }
    if (state.text.length !== entry.length) throw new Error(`length of ${region.key}: ${state.text.length}, said ${entry.length}`);
  }
  return [...shown.values()];
};

/** Waits until a condition on the entries holds, and gives them. */
export const until = async (page: Page, what: (entries: Unstamped[]) => boolean): Promise<Unstamped[]> => {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const entries = await entriesOf(page);
    let ok = false;
    try {
      ok = what(entries);
    } catch {
      // Not yet complete enough to be folded.
    }
    if (ok) return entries;
    if (Date.now() > deadline) {
      console.error(JSON.stringify(entries.slice(-60), null, 1).slice(0, 12_000));
      throw new Error('the witness never said so');
    }
    await page.evaluate(() => new Promise((done) => setTimeout(done, 40)));
  }
};

/** Waits until a region rests with exactly this text. */
export const untilText = (page: Page, text: string): Promise<Unstamped[]> =>
  until(page, (entries) => fold(entries).some((region) => region.text === text && region.rested && !region.removed));

export const cuesOf = (entries: readonly Unstamped[]): SightCue[] => entries.filter((entry) => entry.type === 'sight.cue');

/** The values a cue took, by the words on it. */
export const valuesOf = (entries: readonly Unstamped[], kind: string, label: string): (string | null)[] =>
  cuesOf(entries)
    .filter((cue) => cue.kind === kind && cue.label === label)
    .map((cue) => cue.value);

/** Waits until a cue took these values, in this order and no other: it may be told after the text around it. */
export const expectValues = (page: Page, kind: string, label: string, values: readonly (string | null)[]): Promise<void> =>
  expect.poll(async () => valuesOf(await entriesOf(page), kind, label), { message: `${kind} ${label}` }).toEqual(values);
