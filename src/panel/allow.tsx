/**
 * Asks for one site, in a tab of its own, for browsers whose developer tools may not ask (see site-access.ts). Closes itself
 * when the site is granted; the panel hears of it from the background and reloads the page it looks at.
 */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { PATTERN } from '../link/sites';
import { Button } from './parts/button';
import { createSettings } from './settings';
import { chooseLanguage, loadSheetTexts, useStrings } from './strings';
import { followTheme } from './theme';
import './parts/tokens.css';
import './parts/parts.css';
import './allow.css';

const refused = signal(false);
const refuse = (): void => {
  refused.value = true;
};

const Ask = ({ site, request, close }: { site: string; request: () => Promise<boolean>; close: () => Promise<void> }) => {
  const t = useStrings();
  return (
    <>
      <h1>{t.allow.title(new URL(site.replace(/\*$/u, '')).hostname)}</h1>
      <p>{t.allow.text}</p>
      {refused.value ? <p role="alert">{t.allow.refused}</p> : null}
      <div class="buttons">
        <Button
          primary
          onClick={() => {
            // First thing in the click, or the browser grants nothing.
            void request().then((yes) => (yes ? void close() : refuse()), refuse);
          }}
        >
          {t.allow.yes}
        </Button>
        <Button onClick={() => void close()}>{t.allow.no}</Button>
      </div>
    </>
  );
};

const start = async (): Promise<void> => {
  const { default: browser } = await import('webextension-polyfill');
  const site = new URLSearchParams(location.search).get('site') ?? '';
  if (!PATTERN.test(site)) throw new Error('not the pattern of a site');
  const settings = createSettings();
  await settings.load({ read: async () => (await browser.storage.local.get('panel')).panel, write: () => undefined });
  followTheme(settings.theme, signal(null));
  await chooseLanguage(settings.language.value);
  await loadSheetTexts();
  const close = async (): Promise<void> => {
    const own = await browser.tabs.getCurrent();
    if (own.id !== undefined) await browser.tabs.remove(own.id);
  };
  const request = (): Promise<boolean> => browser.permissions.request({ origins: [site] });
  render(<Ask site={site} request={request} close={close} />, document.getElementById('ask')!);
};

void start();
