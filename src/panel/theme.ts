/** Which theme is on: the reader's choice, else the developer tools' own, else the system's. */
import { effect, type ReadonlySignal, signal } from '@preact/signals';

/** Bumped when colours may have changed, for what is painted and not styled. */
export const themeVersion = signal(0);

export const followTheme = (choice: ReadonlySignal<'auto' | 'light' | 'dark'>, devtools: ReadonlySignal<'light' | 'dark' | null>): void => {
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
    themeVersion.value = themeVersion.peek() + 1;
  });
};
