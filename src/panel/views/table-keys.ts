/** Keys of the event table: a grid's own, and those of lists people know (j, k). */
import { codeOf } from '../code';
import { isDescending, SORTS } from '../order';
import { copyText } from '../parts/button';
import type { Store } from '../store';
import { rowMenu } from './row-menu-state';

/** `at`: the selected row, -1 for none. `page`: rows in view. */
export const tableKey = (event: KeyboardEvent, store: Store, at: number, page: number): void => {
  const rows = store.rows();
  const { length } = rows;
  if (length === 0) return;
  const { sort } = store.settings;
  const newestFirst = isDescending(sort.peek());
  const go = (to: number): void => {
    const position = Math.max(0, Math.min(length - 1, to));
    const row = rows.row(position);
    if (row === null) return;
    store.following.value = newestFirst ? position === 0 && event.key === 'Home' : position === length - 1 && event.key === 'End';
    store.selectRow(row);
    if (store.tab.peek() === 'run') store.tab.value = 'event';
  };
  const from = at < 0 ? (store.following.peek() && !newestFirst ? length : -1) : at;
  const row = at < 0 ? null : rows.row(at);
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c') {
    if (getSelection()?.toString() || row === null) return;
    const form = event.shiftKey ? 'json' : event.altKey ? 'raw' : 'text';
    void codeOf(import('./copy')).then(async (code) => copyText((await code?.copyOf(store, row, form)) ?? null));
    event.preventDefault();
    return;
  }
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    const box = document.getElementById(`row-${at}`)?.getBoundingClientRect();
    if (row === null || box === undefined) return;
    rowMenu.value = { row, x: box.left + 120, y: box.bottom };
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  switch (event.key) {
    case 'ArrowDown':
    case 'j':
      go(from + 1);
      break;
    case 'ArrowUp':
    case 'k':
      go(from - 1);
      break;
    case 'PageDown':
      go(from + page);
      break;
    case 'PageUp':
      go(from - page);
      break;
    case 'Home':
      go(0);
      break;
    case 'End':
      go(length - 1);
      break;
    case 'ArrowRight':
      if (row?.fold && !row.open) {
        rows.toggle(row.unit.key, true);
        store.rowsVersion.value++;
      } else if (row?.fold) go(at + 1);
      break;
    case 'ArrowLeft':
      if (row === null) break;
      if (row.fold && row.open) {
        rows.toggle(row.unit.key, false);
        store.rowsVersion.value++;
      } else if (row.child) go(at - 1 - (row.index - row.unit.from));
      break;
    case 's':
      sort.value = SORTS[(SORTS.indexOf(sort.peek()) + 1) % SORTS.length]!;
      break;
    case 'Enter':
      if (row?.fold) {
        rows.toggle(row.unit.key);
        store.rowsVersion.value++;
      }
      store.settings.detailsOpen.value = true;
      if (store.tab.peek() === 'run') store.tab.value = 'event';
      break;
    default:
      return;
  }
  event.preventDefault();
  event.stopPropagation();
};
