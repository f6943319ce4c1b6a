/** The one search field: filters the table, and says how many events pass and where else there are hits. */

import { useStore } from '../context';
import { count } from '../format';
import { Icon } from '../parts/icons';
import { set } from '../parts/set';
import { useStrings } from '../strings';

export const SearchField = () => {
  const store = useStore();
  const t = useStrings();
  const { query, settings } = store;
  store.rowsVersion.value;
  const rows = store.rows();
  const error = query.value.error;
  const filtered = store.filter.value !== null;
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
    <div class={`search${error === null ? '' : ' wrong'}`}>
      <Icon name="search" size={14} />
      <input
        id="search"
        type="search"
        placeholder={t.searchHint}
        aria-label={t.search}
        aria-invalid={error !== null}
        aria-describedby="search-state"
        spellcheck={false}
        autocomplete="off"
        value={settings.query.value}
        onInput={(event) => {
          settings.query.value = event.currentTarget.value;
        }}
        onKeyDown={key}
      />
      <span id="search-state" class="search-state tabular" title={error === null ? '' : t.queryError(error.reason, error.term)}>
        {error !== null ? t.queryError(error.reason, error.term) : filtered ? t.matchedOf(count(rows.matched), count(rows.total)) : ''}
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
