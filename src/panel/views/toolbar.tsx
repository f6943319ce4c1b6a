/** First bar: capture and view, the one search field, findings, and what is open. */

import { usePanel, useStore } from '../context';
import { historyOpen } from '../history/history';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icons';
import { Menu } from '../parts/menu';
import { flip, set } from '../parts/set';
import { useStrings } from '../strings';
import { openFile, openSample, saving } from './capture-actions';
import { compareRun } from './compare/state';
import { goToFinding } from './keys';
import { SearchField } from './search-field';
import { settingsOpen, sheetOpen } from './sheets';

export const Toolbar = () => {
  const panel = usePanel();
  const store = useStore();
  const t = useStrings();
  const { settings } = store;
  const feed = store.feed.value;
  const live = feed.kind === 'live';
  const capturing = store.capturing.value;
  const paused = feed.paused.value;
  const failures = store.failures.value;
  return (
    <div class="toolbar" role="toolbar" aria-label={t.toolbar}>
      <IconButton
        icon={capturing ? 'record' : 'stopped'}
        class={capturing ? 'recording' : ''}
        label={capturing ? t.stopCapture : t.startCapture}
        keys="E"
        pressed={capturing}
        disabled={!live || !panel.shell.hasTab}
        onClick={() => panel.shell.record(!capturing)}
      />
      <IconButton
        icon={paused ? 'play' : 'pause'}
        label={paused ? t.resumeView : t.pauseView}
        keys="P"
        pressed={paused}
        onClick={() => feed.pause(!paused)}
      />
      <IconButton icon="clear" label={live ? t.clear : t.closeFile} keys="Ctrl+L" onClick={() => store.clear()} />
      <span class="bar-line" />
      <SearchField />
      <button
        type="button"
        class={`findings-pill${failures > 0 ? ' bad' : ''}`}
        title={`${t.findingCount(failures)} (N)`}
        aria-label={t.findingCount(failures)}
        disabled={store.findings.value.length === 0}
        onClick={() => goToFinding(store, 1)}
      >
        <Icon name="alarm" size={14} />
        <span class="tabular">{failures}</span>
      </button>
      <span class="bar-line" />
      <IconButton icon="runs" label={t.toggleRuns} keys="1" pressed={settings.runsOpen.value} onClick={() => flip(settings.runsOpen)} />
      <IconButton
        icon="timeline"
        label={t.toggleTimeline}
        keys="2"
        pressed={settings.timelineOpen.value}
        onClick={() => flip(settings.timelineOpen)}
      />
      <IconButton
        icon="details"
        label={t.toggleDetails}
        keys="3"
        pressed={settings.detailsOpen.value}
        onClick={() => flip(settings.detailsOpen)}
      />
      <Menu
        icon="more"
        label={t.more}
        items={[
          { label: t.openFile, icon: 'open', onSelect: () => openFile(panel) },
          { label: t.saveCapture, icon: 'save', disabled: feed.session.entries.length === 0, onSelect: () => set(saving, { run: null }) },
          { label: t.history.menu, icon: 'history', onSelect: () => set(historyOpen, true) },
          { label: t.openSample, icon: 'sample', onSelect: () => void openSample(panel) },
          {
            label: t.compare.menu,
            icon: 'compare',
            keys: 'C',
            disabled: store.runs.value.length === 0,
            onSelect: () => void compareRun(store, store.run.peek()?.key ?? store.runs.peek().at(-1)?.key ?? ''),
          },
          {
            label: t.preserve,
            checked: settings.preserve.value,
            onSelect: () => flip(settings.preserve),
          },
          ...(panel.shell.hasTab
            ? [{ label: t.outline, keys: 'O', checked: store.outlining.value, onSelect: () => store.outline(!store.outlining.peek()) }]
            : []),
          { label: t.foldDeltas, checked: settings.fold.value, onSelect: () => flip(settings.fold) },
          { label: t.settings, icon: 'settings', onSelect: () => set(settingsOpen, true) },
          { label: t.shortcuts, icon: 'keyboard', keys: '?', onSelect: () => set(sheetOpen, true) },
        ]}
      />
    </div>
  );
};
