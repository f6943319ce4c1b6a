/** Which theme is on: the reader's choice, else the developer tools' own, else the system's. And which colours voices have. */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { codeOf } from './code';
import type { Colours } from './settings';

/** Bumped when colours may have changed, for what is painted and not styled. */
export const themeVersion = signal(0);

export const followTheme = (
  choice: ReadonlySignal<'auto' | 'light' | 'dark'>,
  devtools: ReadonlySignal<'light' | 'dark' | null>,
  colours: ReadonlySignal<Colours> = signal('safe'),
): void => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const systemDark = signal(system.matches);
  system.addEventListener('change', () => {
    systemDark.value = system.matches;
  });
  matchMedia('(forced-colors: active)').addEventListener('change', () => {
    themeVersion.value++;
  });
  effect(() => {
    const dark = choice.value === 'auto' ? (devtools.value ?? (systemDark.value ? 'dark' : 'light')) : choice.value;
    document.documentElement.dataset.theme = dark;
    document.documentElement.dataset.colours = colours.value;
    // What is painted is painted again once they are there.
    if (colours.value === 'vivid') void codeOf(import('./parts/vivid.css')).then(() => void themeVersion.value++);
    themeVersion.value = themeVersion.peek() + 1;
  });
};
