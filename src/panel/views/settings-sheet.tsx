/** What the reader may choose once and for all. */
import { useStore } from '../context';
import { historyOpen } from '../history/history';
import { Button } from '../parts/button';
import { set } from '../parts/set';
import { Sheet } from '../parts/sheet';
import { useStrings } from '../strings';
import { mappingSheet } from './mapping-state';
import { settingsOpen } from './sheets';

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
