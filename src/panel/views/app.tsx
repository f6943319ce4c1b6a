/** The whole panel: bars, regions and the bars between them. Placement is in layout.css; here is only what exists. */
import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel, useStore } from '../context';
import { historyOpen } from '../history/history';
import { lazy } from '../parts/lazy';
import { Splitter } from '../parts/splitter';
import { loadSheetTexts, useStrings } from '../strings';
import { Announcer } from './announcer';
import { saving } from './capture-actions';
import { comparing } from './compare/state';
import { Details } from './details/details';
import { DropTarget } from './drop-target';
import { EventTable } from './event-table';
import { Filters } from './filters';
import { installKeys } from './keys';
import { mappingSheet } from './mapping-state';
import { Notices } from './notices';
import { rowMenu } from './row-menu-state';
import { Runs } from './runs';
import { filterSetsOpen, settingsOpen, sheetOpen } from './sheets';
import { StatusBar } from './status-bar';
import { Timeline } from './timeline/timeline';
import { Toolbar } from './toolbar';

/** A sheet comes with its texts. */
const sheet = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazy(async () => (await Promise.all([load(), loadSheetTexts()]))[0]);
const Compare = sheet(async () => (await import('./compare/compare')).Compare);
const RowMenu = sheet(async () => (await import('./row-menu')).RowMenu);
const OpenRowMenu = () => (rowMenu.value === null ? null : <RowMenu />);
const MappingSheet = sheet(async () => (await import('./mapping-sheet')).MappingSheet);
const SaveSheet = sheet(async () => (await import('./save-sheet')).SaveSheet);
const SettingsSheet = sheet(async () => (await import('./settings-sheet')).SettingsSheet);
const ShortcutSheet = sheet(async () => (await import('./shortcut-sheet')).ShortcutSheet);
const FilterSheet = sheet(async () => (await import('./filter-sheet')).FilterSheet);
const HistorySheet = sheet(async () => (await import('./history/history-sheet')).HistorySheet);

export const App = () => {
  const panel = usePanel();
  const store = useStore();
  const t = useStrings();
  const root = useRef<HTMLDivElement>(null);
  const { settings } = store;
  // With the first drawing, not after it: a key that is pressed as soon as there is something to see counts.
  useLayoutEffect(() => installKeys(panel), [panel]);
  // Before there is anything to show, the reason why is all that is shown.
  const something = store.runs.value.length > 0 || store.strangers.value.length > 0;
  const runsOpen = something && settings.runsOpen.value;
  const timelineOpen = something && settings.timelineOpen.value;
  const detailsOpen = something && settings.detailsOpen.value;
  const timeline = settings.timelineHeight.value;
  const vars = [
    `--runs-w:${settings.runsWidth.value}px`,
    `--runs-h:${settings.runsHeight.value}px`,
    `--details-w:${settings.detailsWidth.value}px`,
    `--details-h:${settings.detailsHeight.value}px`,
    ...(timeline === 0 ? [] : [`--timeline-h:${timeline}px`]),
  ].join(';');
  const open = [runsOpen ? ' with-runs' : '', detailsOpen ? ' with-details' : '', timelineOpen ? ' with-timeline' : ''].join('');
  return (
    <div class={`app${open}`} style={vars} ref={root}>
      <header class="bars">
        <h1 class="sr">Unsettled</h1>
        <Toolbar />
        {comparing.value === null ? <Filters /> : null}
        <Notices />
      </header>
      {comparing.value === null ? (
        <main class="work">
          {runsOpen ? <Runs /> : null}
          {runsOpen ? (
            <>
              <Splitter
                class="wide of-runs"
                size={settings.runsWidth}
                axis="x"
                grows={1}
                min={160}
                max={520}
                standard={248}
                label={t.resizeRuns}
              />
              <Splitter
                class="narrow of-runs"
                size={settings.runsHeight}
                axis="y"
                grows={1}
                min={44}
                max={420}
                standard={136}
                label={t.resizeRuns}
              />
            </>
          ) : null}
          <section class="centre" aria-label={t.events}>
            {timelineOpen ? (
              <>
                <Timeline />
                <Splitter size={settings.timelineHeight} axis="y" grows={1} min={90} max={600} standard={190} label={t.resizeTimeline} />
              </>
            ) : null}
            <EventTable />
            <OpenRowMenu />
          </section>
          {detailsOpen ? (
            <>
              <Splitter
                class="wide of-details"
                size={settings.detailsWidth}
                axis="x"
                grows={-1}
                min={240}
                max={900}
                standard={380}
                label={t.resizeDetails}
              />
              <Splitter
                class="narrow of-details"
                size={settings.detailsHeight}
                axis="y"
                grows={-1}
                min={90}
                max={700}
                standard={280}
                label={t.resizeDetails}
              />
              <Details />
            </>
          ) : null}
        </main>
      ) : (
        <main class="work whole">
          <Compare />
        </main>
      )}
      <StatusBar />
      <Announcer />
      <DropTarget />
      {sheetOpen.value ? <ShortcutSheet /> : null}
      {historyOpen.value ? <HistorySheet /> : null}
      {filterSetsOpen.value ? <FilterSheet /> : null}
      {settingsOpen.value ? <SettingsSheet /> : null}
      {mappingSheet.value === null ? null : <MappingSheet frame={mappingSheet.value.frame} url={mappingSheet.value.url} />}
      {saving.value === null ? null : <SaveSheet run={saving.value.run} />}
    </div>
  );
};
