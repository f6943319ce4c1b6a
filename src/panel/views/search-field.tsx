/** The one search field: filters the table, and says how many events pass and where else there are hits. */

import { useStore } from '../context';
import { count } from '../format';
import { Icon } from '../parts/icons';
import { set } from '../parts/set';
import type { Store } from '../store';
import { type Strings, useStrings } from '../strings';

/** What is wrong with the filter's text and what is possible; '' where nothing is, or where what is in doubt was found all the same. */
export const filterProblem = (store: Store, t: Strings): string => {
  const { error, doubt } = store.query.value;
  const { matched, total } = store.rows();
  const wrong = error ?? (matched === 0 && total > 0 && !store.filtering.value ? doubt : null);
  return wrong === null ? '' : t.queryError(wrong.reason, wrong.term, wrong.possible.join(', '));
};

export const SearchField = () => {
  const store = useStore();
  const t = useStrings();
  const { query, settings } = store;
  store.rowsVersion.value;
  const rows = store.rows();
  const wrong = query.value.error !== null;
  const said = [
    store.filter.value === null || wrong ? '' : t.matchedOf(count(rows.matched), count(rows.total)),
    filterProblem(store, t),
  ].filter((each) => each !== '');
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      if (settings.query.value === '') (event.currentTarget as HTMLElement).blur();
      settings.query.value = '';
      event.stopPropagation();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      document.querySelector<HTMLElement>('.grid')?.focus();
      event.preventDefault();
    }
  };
  return (
    <div class={`search${wrong ? ' wrong' : ''}`}>
      <Icon name="search" size={14} />
      <input
        id="search"
        type="search"
        placeholder={t.searchHint}
        aria-label={t.search}
        aria-invalid={wrong}
        aria-describedby="search-state"
        spellcheck={false}
        autocomplete="off"
        value={settings.query.value}
        onInput={(event) => {
          settings.query.value = event.currentTarget.value;
        }}
        onKeyDown={key}
      />
      <span id="search-state" class="search-state tabular" title={said.join(' · ')}>
        {said.join(' · ')}
      </span>
      {settings.query.value === '' ? null : (
        <button
          type="button"
          class="icon-button small"
          aria-label={t.clearSearch}
          title={t.clearSearch}
          onClick={() => set(settings.query, '')}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </div>
  );
};
