/** What the reader may choose once and for all. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { usePanel, useStore } from '../context';
import { heldBytes } from '../format';
import { historyOpen } from '../history/history';
import { Button } from '../parts/button';
import { set } from '../parts/set';
import { Sheet } from '../parts/sheet';
import { VoiceBadge } from '../parts/voice';
import { useStrings } from '../strings';
import { LANES } from '../voices';
import { mappingSheet } from './mapping-state';
import { settingsOpen } from './sheets';
import './settings-sheet.css';

/** Megabytes that may be chosen; 0: no limit. */
const HOLD_LIMITS = [100, 200, 400, 1_000, 0] as const;
/** What a page's ring holds, until a page says otherwise. */
const RING_CHARS = 8_000_000;
const WORDS = 200;
const WORD_LENGTH = 200;

/** One a line; what is left of a file too long is cut, never refused. */
const wordsOf = (text: string): readonly string[] =>
  [...new Set(text.split('\n').map((line) => line.trim().slice(0, WORD_LENGTH)))].filter((line) => line !== '').slice(0, WORDS);

/** The sites that were switched on, each with the way to switch it off. */
const Sites = () => {
  const { sites } = usePanel().shell;
  const t = useStrings();
  const list = useSignal<readonly string[] | null>(null);
  useEffect(() => {
    void sites?.list().then((now) => set(list, now));
  }, [sites, list]);
  if (sites === null) return null;
  const off = async (site: string): Promise<void> => {
    await sites.off(site);
    list.value = await sites.list();
  };
  return (
    <section>
      <h3>{t.sites.title}</h3>
      {list.value === null || list.value.length === 0 ? null : (
        <ul class="plain">
          {list.value.map((site) => (
            <li key={site} class="muted-rule">
              <span class="mono wrap">{site}</span>
              <Button title={t.sites.offHint(site)} onClick={() => void off(site)}>
                {t.sites.off}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p class="hint">{t.sites.hint}</p>
    </section>
  );
};

export const SettingsSheet = () => {
  const store = useStore();
  const t = useStrings();
  const { settings } = store;
  const muted = settings.muted.value;
  return (
    <Sheet title={t.settings} onClose={() => set(settingsOpen, false)}>
      <div class="stack settings">
        <label>
          <span>{t.theme}</span>
          <select value={settings.theme.value} onChange={(event) => set(settings.theme, event.currentTarget.value as 'auto')}>
            <option value="auto">{t.themeAuto}</option>
            <option value="light">{t.themeLight}</option>
            <option value="dark">{t.themeDark}</option>
          </select>
        </label>
        <label>
          <span>{t.language}</span>
          <select value={settings.language.value} onChange={(event) => set(settings.language, event.currentTarget.value as 'auto')}>
            <option value="auto">{t.languageAuto}</option>
            <option value="en">English</option>
            <option value="zh">中文</option>
          </select>
        </label>
        <label>
          <span>{t.colours}</span>
          <select value={settings.colours.value} onChange={(event) => set(settings.colours, event.currentTarget.value as 'safe')}>
            <option value="safe">{t.coloursSafe}</option>
            <option value="vivid">{t.coloursVivid}</option>
          </select>
        </label>
        <p class="colour-row">
          {LANES.map((lane) => (
            <VoiceBadge key={lane} lane={lane} standing="committed" />
          ))}
          <span class="hint">{t.coloursHint}</span>
        </p>
        <label class="check">
          <input
            type="checkbox"
            checked={settings.preserve.value}
            onChange={(event) => set(settings.preserve, event.currentTarget.checked)}
          />
          <span>{t.preserve}</span>
        </label>
        <label class="check">
          <input type="checkbox" checked={settings.fold.value} onChange={(event) => set(settings.fold, event.currentTarget.checked)} />
          <span>{t.foldDeltas}</span>
        </label>
        <Sites />
        <section>
          <h3>{t.memory}</h3>
          <label>
            <span>{t.holdLimit}</span>
            <select value={settings.holdLimit.value} onChange={(event) => set(settings.holdLimit, Number(event.currentTarget.value))}>
              {HOLD_LIMITS.map((limit) => (
                <option key={limit} value={limit}>
                  {limit === 0 ? t.holdNoLimit : `${limit} MB`}
                </option>
              ))}
            </select>
          </label>
          <p class="hint">{t.holdLimitHint(heldBytes(store.link.value.bound || RING_CHARS))}</p>
        </section>
        <section>
          <h3>{t.saving}</h3>
          <label>
            <span>{t.save.privacy}</span>
            <select value={settings.privacy.value} onChange={(event) => set(settings.privacy, event.currentTarget.value as 'standard')}>
              <option value="standard">{t.save.standard}</option>
              <option value="scramble">{t.save.scramble}</option>
            </select>
          </label>
          <label>
            <span>{t.redactWords}</span>
            <textarea
              rows={3}
              spellcheck={false}
              onChange={(event) => {
                settings.redactWords.value = wordsOf(event.currentTarget.value);
              }}
            >
              {settings.redactWords.value.join('\n')}
            </textarea>
          </label>
          <p class="hint">{t.redactWordsHint}</p>
        </section>
        <section>
          <h3>{t.history.title}</h3>
          <Button
            onClick={() => {
              settingsOpen.value = false;
              historyOpen.value = true;
            }}
          >
            {t.history.menu}
          </Button>
        </section>
        <section>
          <h3>{t.mapping.title}</h3>
          <Button
            onClick={() => {
              settingsOpen.value = false;
              mappingSheet.value = { frame: null, url: '' };
            }}
          >
            {t.mapping.title}…
          </Button>
        </section>
        <section>
          <h3>{t.mutedRules}</h3>
          {muted.length === 0 ? (
            <p class="hint">{t.mutedNone}</p>
          ) : (
            <ul class="plain">
              {muted.map((each) => (
                <li key={each} class="muted-rule">
                  <span class="mono">{each}</span>
                  <Button
                    onClick={() =>
                      set(
                        settings.muted,
                        muted.filter((other) => other !== each),
                      )
                    }
                  >
                    {t.unmute}
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </section>
        <p class="hint">{t.privacy}</p>
      </div>
    </Sheet>
  );
};
