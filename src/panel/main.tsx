/**
 * Entry of the panel. In the developer tools it follows the inspected tab; opened as an ordinary page it is a viewer for
 * captures and the sample (`?sample=kestrel-cut`), with the same code but the shell.
 */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { codeOf } from './code';
import { PanelContext } from './context';
import { createStock } from './dialects';
import { browserScheduler } from './feed';
import { followHistory } from './history/history';
import { followHold } from './hold';
import { followPictures } from './pictures';
import type { SampleName } from './sample';
import { createSettings } from './settings';
import { createShell } from './shell';
import { createStore } from './store';
import { chooseLanguage } from './strings';
import { followTheme } from './theme';
import { App } from './views/app';
import { openSample } from './views/capture-actions';
import './parts/tokens.css';
import './parts/parts.css';
import './views/layout.css';
import './views/table.css';
import './views/details.css';

const start = async (): Promise<void> => {
  const shell = await createShell();
  const settings = createSettings();
  await settings.load(shell.settingsStore);
  const wished = new URLSearchParams(location.search);
  const theme = wished.get('theme');
  if (theme === 'light' || theme === 'dark') settings.theme.value = theme;
  const language = wished.get('lang');
  if (language === 'en' || language === 'zh') settings.language.value = language;
  followTheme(settings.theme, shell.devtoolsTheme, settings.colours);
  await chooseLanguage(settings.language.value);
  effect(() => void codeOf(chooseLanguage(settings.language.value)));
  // Most panels have no mappings: the code that reads them is not loaded then.
  const { mappings } = settings;
  const mapped = mappings.value.length === 0 ? [] : (await import('./mappings')).dialectsOf(mappings.value);
  const store = createStore(browserScheduler(), settings, createStock(), mapped);
  const panel = { store, shell, pictures: followPictures(store, shell) };
  // For tests that look at the panel from outside: everything it knows hangs on the store.
  Object.assign(globalThis, { unsettled: store, unsettledPictures: panel.pictures, unsettledShell: shell });
  const root = document.getElementById('panel');
  if (root === null) throw new Error('panel.html has no #panel');
  render(
    <PanelContext.Provider value={panel}>
      <App />
    </PanelContext.Provider>,
    root,
  );
  const sample = wished.get('sample');
  if (sample !== null) void openSample(panel, sample as SampleName);
  shell.connect(store);
  followHistory(store, shell);
  followHold(store);
  // Few pages are ever outlined: the code for it comes with the first that is. Where it cannot be loaded, the next wish tries again.
  let outlines = false;
  effect(() => {
    if (!store.outlining.value || outlines) return;
    outlines = true;
    import('./outlines').then(
      ({ followOutlines }) => followOutlines(store, shell),
      () => {
        outlines = false;
      },
    );
  });
  // For the end-to-end tests, and for a look from the console of the panel's own developer tools.
  Object.assign(globalThis, { unsettled: store });
  // Only where there is no tab: what the viewer's benches and tests measure with.
  if (!shell.hasTab) Object.assign(globalThis, (await import('./measuring')).measuring(panel));
};

void start();
