/** Nothing is ever empty without its reason and the one thing to do about it. */
import { usePanel, useStore } from '../context';
import { count } from '../format';
import { gapsOf } from '../gap-facts';
import { Button } from '../parts/button';
import { useStrings } from '../strings';
import { openFile, openSample } from './capture-actions';
import { filterProblem } from './search-field';

export const EmptyRuns = () => {
  const store = useStore();
  const t = useStrings();
  return <p class="hint runs-empty">{store.session().flows.size > 0 ? t.noAgentStream : t.noRunsYet}</p>;
};

/** The reason, and its fix, as the table's own content. */
export const EmptyTable = () => {
  const panel = usePanel();
  const { store, shell } = panel;
  const t = useStrings();
  const rows = store.rows();
  store.rowsVersion.value;
  const link = store.link.value;
  const feed = store.feed.value;
  const box = (title: string, text: string, action: preact.ComponentChild) => (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="buttons">{action}</div>
    </div>
  );
  const sample = (
    <Button icon="sample" onClick={() => void openSample(panel)}>
      {t.openSample}
    </Button>
  );
  if (rows.total > 0)
    return box(
      t.empty.filtered.title,
      filterProblem(store, t) || t.empty.filtered.text(count(rows.total)),
      <Button primary onClick={() => store.resetFilter()}>
        {t.showAll}
      </Button>,
    );
  if (feed.kind !== 'live')
    return box(
      t.empty.file.title,
      t.empty.file.text,
      <Button primary onClick={() => store.backToLive()}>
        {t.closeFile}
      </Button>,
    );
  switch (link.state) {
    case 'none':
      return box(
        t.empty.none.title,
        t.empty.none.text,
        <>
          <Button primary icon="sample" onClick={() => void openSample(panel)}>
            {t.openSample}
          </Button>
          <Button icon="open" onClick={() => openFile(panel)}>
            {t.openFile}
          </Button>
        </>,
      );
    case 'blocked':
    case 'revoked':
      return box(
        t.empty[link.state].title,
        t.empty[link.state].text(link.url),
        <>
          <Button primary onClick={() => shell.enableSite()}>
            {t.empty[link.state].fix}
          </Button>
          {sample}
        </>,
      );
    case 'late':
      return box(
        t.empty.late.title,
        t.empty.late.text,
        <>
          <Button primary onClick={() => shell.reload()}>
            {t.empty.late.fix}
          </Button>
          {sample}
        </>,
      );
    case 'restricted':
      return box(t.empty.restricted.title, t.empty.restricted.text, sample);
    case 'gone':
      return box(t.empty.gone.title, t.linkGone, sample);
    case 'waiting':
    case 'connecting':
      return box(t.empty.connecting.title, t.empty.connecting.text, sample);
    default:
      break;
  }
  if (!store.capturing.value)
    return box(
      t.empty.stopped.title,
      t.empty.stopped.text,
      <Button primary icon="record" onClick={() => shell.record(true)}>
        {t.startCapture}
      </Button>,
    );
  if (gapsOf(store.session()).has('fault'))
    return box(
      t.empty.unreadable.title,
      t.empty.unreadable.text,
      <>
        <Button primary onClick={() => shell.reload()}>
          {t.empty.late.fix}
        </Button>
        {sample}
      </>,
    );
  if (store.session().flows.size > 0) return box(t.empty.noAgent.title, t.empty.noAgent.text(store.session().flows.size), sample);
  return box(t.empty.quiet.title, t.empty.quiet.text, sample);
};
