/** Says that something is missing from the record, why, and what to do about it: once, until more is missing. */
import { signal } from '@preact/signals';
import { usePanel } from '../context';
import { count } from '../format';
import { explanationOf, gapsOf, TELLING } from '../gap-facts';
import { Button } from '../parts/button';
import { Icon } from '../parts/icons';
import { set } from '../parts/set';
import { useStrings } from '../strings';

/** Gaps that were there when the notice was put away. */
const dismissed = signal('');

export const GapNotice = () => {
  const { store, shell } = usePanel();
  const t = useStrings();
  store.revision.value;
  const facts = gapsOf(store.session());
  const telling = TELLING.filter((reason) => facts.has(reason));
  const worst = telling[0];
  const now = telling.map((reason) => `${reason} ${facts.get(reason)!.gaps}`).join();
  if (worst === undefined || dismissed.value === now) return null;
  const { lost } = facts.get(worst)!;
  const words = t.missing[explanationOf(worst, store.feed.value.kind) as keyof typeof t.missing];
  const live = store.feed.value.kind === 'live' && shell.hasTab;
  return (
    <div class="notice warn">
      <Icon name="alarm" size={14} />
      <span>
        <strong>{words.what}</strong>
        {lost > 0 ? ` (${count(lost)})` : ''}. {words.fix}
        {telling.length > 1
          ? ` ${t.missingToo(
              telling
                .slice(1)
                .map((reason) => t.gapReason[reason])
                .join(', '),
            )}`
          : ''}
      </span>
      {live && (worst === 'fault' || worst === 'attached-late') ? <Button onClick={() => shell.reload()}>{t.empty.late.fix}</Button> : null}
      <Button onClick={() => set(dismissed, now)}>{t.dismiss}</Button>
    </div>
  );
};
