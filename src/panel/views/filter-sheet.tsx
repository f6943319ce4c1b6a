/** The filters that have a name: saving the one that is set, applying and deleting those that are kept. */
import { useSignal } from '@preact/signals';
import { useStore } from '../context';
import { applyFilter, currentFilter, type FilterSet, isApplied, NAME_LENGTH, withFilter } from '../filter-sets';
import { Button } from '../parts/button';
import { set } from '../parts/set';
import { Sheet } from '../parts/sheet';
import { type Strings, useStrings } from '../strings';
import { LANES, STANDINGS } from '../voices';
import { filterSetsOpen } from './sheets';
import './filter-sheet.css';

/** What a filter leaves, in words. */
const said = (filter: FilterSet, t: Strings): string =>
  [
    filter.query,
    ...LANES.filter((lane) => filter.hiddenLanes.includes(lane)).map((lane) => t.filterSheet.without(t.voice[lane])),
    ...STANDINGS.filter((standing) => filter.hiddenStandings.includes(standing)).map((standing) =>
      t.filterSheet.without(t.standing[standing]),
    ),
    filter.findingsOnly ? t.findingsOnly : '',
  ]
    .filter((each) => each !== '')
    .join(' · ');

export const FilterSheet = () => {
  const { settings } = useStore();
  const t = useStrings();
  const name = useSignal('');
  const full = useSignal(false);
  const sets = settings.filterSets.value;
  const now = said(currentFilter(settings, ''), t);
  const close = (): void => set(filterSetsOpen, false);
  const save = (event: Event): void => {
    event.preventDefault();
    const chosen = name.value.trim();
    if (chosen === '' || now === '') return;
    const next = withFilter(sets, currentFilter(settings, chosen));
    full.value = next === null;
    if (next === null) return;
    settings.filterSets.value = next;
    name.value = '';
  };
  return (
    <Sheet title={t.filterSets.title} onClose={close}>
      <div class="stack settings">
        <form class="filter-save" onSubmit={save}>
          <p class={now === '' ? 'hint' : 'mono wrap'}>{now === '' ? t.filterSheet.nothing : now}</p>
          <label>
            <span>{t.filterSheet.name}</span>
            <input
              type="text"
              maxLength={NAME_LENGTH}
              value={name.value}
              autocomplete="off"
              disabled={now === ''}
              onInput={(event) => {
                name.value = event.currentTarget.value;
              }}
            />
          </label>
          {full.value ? (
            <p class="warn" role="alert">
              {t.filterSheet.full}
            </p>
          ) : null}
          <div class="buttons">
            <button type="submit" class="button primary" disabled={name.value.trim() === '' || now === ''}>
              {sets.some((each) => each.name === name.value.trim()) ? t.filterSheet.replace : t.filterSheet.save}
            </button>
          </div>
        </form>
        <section>
          <h3>{t.filterSheet.kept}</h3>
          {sets.length === 0 ? <p class="hint">{t.filterSheet.none}</p> : null}
          <ul class="plain filter-list">
            {sets.map((each) => (
              <li key={each.name}>
                <span>
                  <strong>{each.name}</strong> {isApplied(each, settings) ? <span class="soft">{t.filterSheet.applied}</span> : null}
                  <span class="soft mono wrap">{said(each, t)}</span>
                </span>
                <span class="buttons">
                  <Button
                    onClick={() => {
                      applyFilter(each, settings);
                      close();
                    }}
                  >
                    {t.filterSheet.apply}
                  </Button>
                  <Button
                    onClick={() =>
                      set(
                        settings.filterSets,
                        sets.filter((other) => other !== each),
                      )
                    }
                  >
                    {t.filterSheet.remove}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Sheet>
  );
};
