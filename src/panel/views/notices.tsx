/** What the reader must know about the record itself: a file is shown, something was lost, the view is paused. */

import type { FileSummary } from '../capture-file';
import { codeGone } from '../code';
import { usePanel } from '../context';
import { count } from '../format';
import { lastKept, openHistory } from '../history/history';
import { letGoOver } from '../hold';
import { Button } from '../parts/button';
import { Icon } from '../parts/icons';
import { set } from '../parts/set';
import { type Strings, useStrings } from '../strings';
import { type FileNotice, fileNotices, fileReading, openBlob } from './capture-actions';
import { GapNotice } from './gap-notice';
import { settingsOpen } from './sheets';
import { SiteNotice } from './site-notice';

/** What of a file was not read; bytes behind a packed one cost nothing of it. */
const sayPartly = (name: string, { damage, skipped, unopened, headless, packing }: FileSummary, t: Strings): string =>
  [
    damage === null && skipped === null && unopened === null && !headless && packing.fault === null ? `${name}:` : t.filePartly(name),
    damage === null ? '' : `${damage.detail}.`,
    packing.fault === null ? '' : t.packedDamaged(packing.fault),
    headless ? t.headerless : '',
    skipped === null ? '' : t.skipped(count(skipped.count)),
    unopened === null ? '' : t.unopened(count(unopened.count)),
    packing.ignored === 0 ? '' : t.packedIgnored(packing.ignored),
  ]
    .filter((each) => each !== '')
    .join(' ');

const sayFile = (notice: FileNotice, t: Strings): string => {
  if (notice.kind === 'partly') return sayPartly(notice.name, notice.summary, t);
  if (notice.kind === 'cancelled') return t.fileCancelled(notice.name, `${Math.floor(notice.share * 100)} %`);
  if (notice.kind === 'unread') return t.fileUnread(notice.name);
  const { reason, detail, line } = notice.failure;
  const why = reason === 'packed' ? t.packedDamaged(detail) : reason === 'other' ? detail : t.captureError[reason];
  return `${t.fileFailed(notice.name)} ${why} ${line === null ? '' : t.atLine(line)}`;
};

export const Notices = () => {
  const panel = usePanel();
  const { store } = panel;
  const t = useStrings();
  const feed = store.feed.value;
  const link = store.link.value;
  const lines: preact.ComponentChild[] = [];
  if (link.state === 'blocked' || link.state === 'revoked') lines.push(<SiteNotice key="site" />);
  if (feed.kind !== 'live')
    lines.push(
      <div class="notice" key="file">
        <Icon name={feed.kind === 'sample' ? 'sample' : 'open'} size={14} />
        <span>{feed.kind === 'sample' ? t.sampleShown : t.fileShown(feed.name)}</span>
        <Button onClick={() => store.backToLive()}>{feed.kind === 'sample' ? t.closeSample : t.closeFile}</Button>
      </div>,
    );
  const reading = fileReading.value;
  if (reading !== null)
    lines.push(
      <div class="notice" key="reading">
        <Icon name="open" size={14} />
        <span>
          {t.readingFile(reading.name)} <progress aria-label={t.readingFile(reading.name)} max={reading.size} value={reading.read} />{' '}
          <span class="tabular">{Math.floor((reading.read / Math.max(1, reading.size)) * 100)} %</span>
        </span>
        <Button onClick={() => reading.cancel()}>{t.cancel}</Button>
      </div>,
    );
  for (const notice of fileNotices.value) {
    const bad = notice.kind === 'failed';
    lines.push(
      <div class={`notice ${bad ? 'bad' : 'warn'}`} role={bad ? 'alert' : undefined} key={`${notice.kind} ${notice.name}`}>
        <Icon name="alarm" size={14} />
        <span>{sayFile(notice, t)}</span>
        <Button
          onClick={() =>
            set(
              fileNotices,
              fileNotices.peek().filter((each) => each !== notice),
            )
          }
        >
          {t.dismiss}
        </Button>
      </div>,
    );
  }
  const kept = lastKept.value;
  if (kept !== null && feed.kind === 'live')
    lines.push(
      <div class="notice" key="kept">
        <Icon name="history" size={14} />
        <span>{t.history.last(new Date(kept.updatedAt).toLocaleString(document.documentElement.lang), kept.url)}</span>
        <Button
          onClick={async () => {
            lastKept.value = null;
            const blob = await (await openHistory()).read(kept.id);
            if (blob !== null) await openBlob(panel, blob, new Date(kept.startedAt).toLocaleString(document.documentElement.lang));
          }}
        >
          {t.history.open}
        </Button>
        <Button onClick={() => set(lastKept, null)}>{t.dismiss}</Button>
      </div>,
    );
  const over = letGoOver.value;
  if (over !== null && feed.kind === 'live')
    lines.push(
      <div class="notice warn" key="let-go">
        <Icon name="alarm" size={14} />
        <span>{t.holdNotice(`${over} MB`)}</span>
        <Button onClick={() => set(settingsOpen, true)}>{t.settings}</Button>
        <Button onClick={() => set(letGoOver, null)}>{t.dismiss}</Button>
      </div>,
    );
  if (feed.paused.value)
    lines.push(
      <div class="notice" key="paused">
        <Icon name="pause" size={14} />
        <span>{t.pausedNotice(count(feed.waiting.value))}</span>
        <Button onClick={() => feed.pause(false)}>{t.resumeView}</Button>
      </div>,
    );
  if (feed.failure.value !== null)
    lines.push(
      <div class="notice bad" role="alert" key="dialect">
        <Icon name="alarm" size={14} />
        <span>{t.dialectFailed(feed.failure.value)}</span>
        <Button onClick={() => feed.retry()}>{t.tryAgain}</Button>
      </div>,
    );
  if (codeGone.value || (feed.kind === 'live' && link.state === 'gone'))
    lines.push(
      <div class="notice bad" role="alert" key="gone">
        <Icon name="severed" size={14} />
        <span>{t.linkGone}</span>
      </div>,
    );
  if (feed.kind === 'live' && link.lost > 0)
    lines.push(
      <div class="notice warn" key="lost">
        <Icon name="alarm" size={14} />
        <span>{t.lostNotice(count(link.lost))}</span>
      </div>,
    );
  return (
    <>
      {lines}
      <GapNotice />
    </>
  );
};
