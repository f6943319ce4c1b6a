/** Always in view: how much was seen, how much was not, what was found, what is held. */
import { usePanel } from '../context';
import { count, heldBytes } from '../format';
import { useStrings } from '../strings';

export const StatusBar = () => {
  const { store, pictures } = usePanel();
  const t = useStrings();
  store.revision.value;
  const session = store.session();
  const { counts } = session;
  const link = store.link.value;
  const feed = store.feed.value;
  const faults = counts.faults + link.rejected;
  return (
    <footer class="status mono">
      <span>{t.count.events(counts.events)}</span>
      <span>{t.count.runs(store.runs.value.length)}</span>
      <span class={counts.gaps > 0 ? 'warn' : ''} title={counts.lost > 0 ? t.lostNotice(count(counts.lost)) : t.gapMeans}>
        {t.count.gaps(counts.gaps)}
      </span>
      <span
        class={faults > 0 ? 'warn' : ''}
        title={session.faults
          .map((fault) => `${'rule' in fault ? fault.rule : fault.dialect}: ${fault.message}`)
          .slice(0, 10)
          .join('\n')}
      >
        {t.count.faults(faults)}
      </span>
      <span class={store.failures.value > 0 ? 'bad' : ''}>{t.count.findings(store.failures.value)}</span>
      {feed.waiting.value > 0 && !feed.paused.value ? <span>{t.count.waiting(count(feed.waiting.value))}</span> : null}
      {link.reconnects > 0 ? <span>{t.count.reconnects(link.reconnects)}</span> : null}
      <span class="spring" />
      <span title={t.heldMeans}>
        {heldBytes(counts.chars + (feed.kind === 'live' ? pictures.held.value / 2 : 0))}
        {link.bound > 0 && feed.kind === 'live' ? ` · ${t.pageHolds(heldBytes(link.held), heldBytes(link.bound))}` : ''}
      </span>
    </footer>
  );
};
