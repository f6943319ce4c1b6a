/** Says over a record that is there already that the site of the inspected page is, or from its next load on will be, unwatched. */
import { usePanel } from '../context';
import { Button } from '../parts/button';
import { Icon } from '../parts/icons';
import { useStrings } from '../strings';

export const SiteNotice = () => {
  const { store, shell } = usePanel();
  const t = useStrings();
  const { state } = store.link.value;
  store.rowsVersion.value;
  // An empty table says it itself.
  if (store.feed.value.kind !== 'live' || (state !== 'blocked' && state !== 'revoked') || store.rows().total === 0) return null;
  return (
    <div class="notice warn" role="alert">
      <Icon name="alarm" size={14} />
      <span>{t.empty[state].title}</span>
      <Button onClick={() => shell.enableSite()}>{t.empty[state].fix}</Button>
    </div>
  );
};
