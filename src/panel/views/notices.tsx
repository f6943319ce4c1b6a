/** What the reader must know about the record itself: a file is shown, something was lost, the view is paused. */

import type { FileSummary, ReadFailure } from '../capture-file';
import { usePanel } from '../context';
import { count } from '../format';
import { lastKept, openHistory } from '../history/history';
import { letGoOver } from '../hold';
import { Button } from '../parts/button';
import { Icon } from '../parts/icons';
import { set } from '../parts/set';
import { type Strings, useStrings } from '../strings';
import { fileNotice, fileReading, openBlob } from './capture-actions';
import { GapNotice } from './gap-notice';
import { settingsOpen } from './sheets';
import { SiteNotice } from './site-notice';

const whyFailed = ({ reason, detail }: ReadFailure, t: Strings): string =>
  reason === 'packed' ? t.packedDamaged(detail) : reason === 'other' ? detail : t.captureError[reason];

/** What of a file was not read; bytes behind a packed one cost nothing of it. */
const sayPartly = (name: string, { damage, skipped, headless, packing }: FileSummary, t: Strings): string =>
  [
    damage === null && skipped === null && !headless && packing.fault === null ? `${name}:` : t.filePartly(name),
    damage === null ? '' : `${damage.detail}.`,
    packing.fault === null ? '' : t.packedDamaged(packing.fault),
    headless ? t.headerless : '',
    skipped === null ? '' : t.skipped(count(skipped.count)),
    packing.ignored === 0 ? '' : t.packedIgnored(packing.ignored),
  ]
    .filter((each) => each !== '')
    .join(' ');

export const Notices = () => {
  const panel = usePanel();
  const { store } = panel;
  const t = useStrings();
  const feed = store.feed.value;
  const notice = fileNotice.value;
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
  if (notice?.kind === 'cancelled')
    lines.push(
      <div class="notice warn" key="cancelled">
        <Icon name="alarm" size={14} />
        <span>{t.fileCancelled(notice.name, `${Math.floor(notice.share * 100)} %`)}</span>
        <Button onClick={() => set(fileNotice, null)}>{t.dismiss}</Button>
      </div>,
    );
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
  if (notice?.kind === 'failed')
    lines.push(
      <div class="notice bad" role="alert" key="failed">
        <Icon name="alarm" size={14} />
        <span>
          {t.fileFailed(notice.name)} {whyFailed(notice.failure, t)} {notice.failure.line === null ? '' : t.atLine(notice.failure.line)}
        </span>
        <Button onClick={() => set(fileNotice, null)}>{t.dismiss}</Button>
      </div>,
    );
  if (notice?.kind === 'partly')
    lines.push(
      <div class="notice warn" key="partly">
        <Icon name="alarm" size={14} />
        <span>{sayPartly(notice.name, notice.summary, t)}</span>
        <Button onClick={() => set(fileNotice, null)}>{t.dismiss}</Button>
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
  if (feed.kind === 'live' && link.state === 'gone')
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
