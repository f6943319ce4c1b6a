/** What the reader must know about the record itself: a file is shown, something was lost, the view is paused. */

import { useStore } from '../context';
import { count } from '../format';
import { Button } from '../parts/button';
import { Icon } from '../parts/icons';
import { set } from '../parts/set';
import { useStrings } from '../strings';
import { fileNotice } from './capture-actions';

export const Notices = () => {
  const store = useStore();
  const t = useStrings();
  const feed = store.feed.value;
  const notice = fileNotice.value;
  const link = store.link.value;
  const lines: preact.ComponentChild[] = [];
  if (feed.kind !== 'live')
    lines.push(
      <div class="notice" key="file">
        <Icon name={feed.kind === 'sample' ? 'sample' : 'open'} size={14} />
        <span>{feed.kind === 'sample' ? t.sampleShown : t.fileShown(feed.name)}</span>
        <Button onClick={() => store.backToLive()}>{feed.kind === 'sample' ? t.closeSample : t.closeFile}</Button>
      </div>,
    );
  if (notice?.kind === 'failed')
    lines.push(
      <div class="notice bad" role="alert" key="failed">
        <Icon name="alarm" size={14} />
        <span>
          {t.fileFailed(notice.name)} {notice.failure.reason === 'other' ? notice.failure.detail : t.captureError[notice.failure.reason]}{' '}
          {notice.failure.line === null ? '' : t.atLine(notice.failure.line)}
        </span>
        <Button onClick={() => set(fileNotice, null)}>{t.dismiss}</Button>
      </div>,
    );
  if (notice?.kind === 'partly')
    lines.push(
      <div class="notice warn" key="partly">
        <Icon name="alarm" size={14} />
        <span>
          {t.filePartly(notice.name)} {notice.summary.damage === null ? '' : `${notice.summary.damage.detail}. `}
          {notice.summary.skipped === null ? '' : t.skipped(count(notice.summary.skipped.count))}
        </span>
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
  return lines.length === 0 ? null : lines;
};
