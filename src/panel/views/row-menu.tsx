/** What can be done with one row: copy it in any form, look for more like it, compare its run. Right click, or Shift+F10. */
import { useStore } from '../context';
import { copyText } from '../parts/button';
import { type MenuItem, MenuList } from '../parts/menu';
import type { Store } from '../store';
import { useStrings } from '../strings';
import { compareRun } from './compare/state';
import { type CopyForm, copyOf } from './copy';
import { rowMenu } from './row-menu-state';

/** Adds a term to the filter, in place of its opposite. */
const filterBy = (store: Store, term: string, not: boolean): void => {
  const { query } = store.settings;
  const words = query.peek().replace(`-${term}`, '').replace(term, '').trim();
  query.value = `${words}${words === '' ? '' : ' '}${not ? '-' : ''}${term}`;
};

export const RowMenu = () => {
  const store = useStore();
  const t = useStrings();
  const open = rowMenu.value;
  if (open === null) return null;
  const { row } = open;
  const { event } = row;
  const copy = (form: CopyForm, label: string, keys?: string): MenuItem => ({
    label,
    icon: 'copy',
    ...(keys === undefined ? {} : { keys }),
    onSelect: () => void copyOf(store, row, form).then(copyText),
  });
  const term = event === null ? '' : `type:"${event.raw.replaceAll('"', '')}"`;
  const items: MenuItem[] = [
    copy('text', t.copyText, 'Ctrl+C'),
    ...(event === null
      ? []
      : [
          copy('json', t.copyJson, 'Ctrl+Shift+C'),
          copy('raw', t.copyRaw, 'Ctrl+Alt+C'),
          copy('curl', t.copyCurl),
          copy('test', t.copyTest),
          { label: t.showLike(event.raw), icon: 'search' as const, onSelect: () => filterBy(store, term, false) },
          { label: t.hideLike(event.raw), icon: 'close' as const, onSelect: () => filterBy(store, term, true) },
        ]),
    {
      label: t.compare.open,
      icon: 'compare',
      disabled: store.run.value === null,
      onSelect: () => void compareRun(store, store.run.peek()?.key ?? ''),
    },
  ];
  return (
    <MenuList
      label={t.rowMenu}
      items={items}
      at={open}
      onClose={() => {
        rowMenu.value = null;
        document.querySelector<HTMLElement>('.grid')?.focus();
      }}
    />
  );
};
