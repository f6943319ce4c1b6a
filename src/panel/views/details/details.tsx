/** The details region: tabs by arrow keys, one panel at a time. */

import { useRef } from 'preact/hooks';
import { useStore } from '../../context';
import { IconButton } from '../../parts/button';
import { lazy } from '../../parts/lazy';
import { set } from '../../parts/set';
import type { Tab } from '../../store';
import { loadSheetTexts, useStrings } from '../../strings';
import { RunTab } from './run-tab';
import { WhyTab } from './why-tab';

/** Tabs that nothing shows before the reader has chosen an event or them: their code and texts come then. */
const seldom = async () => (await Promise.all([import('./seldom-tabs'), loadSheetTexts()]))[0];
const EventTab = lazy(async () => (await seldom()).EventTab);
const RawTab = lazy(async () => (await seldom()).RawTab);
const ShownTab = lazy(async () => (await seldom()).ShownTab);
const TranscriptTab = lazy(async () => (await seldom()).TranscriptTab);

const TABS: readonly Tab[] = ['run', 'event', 'raw', 'shown', 'why', 'transcript'];

const PANELS = { run: RunTab, event: EventTab, raw: RawTab, shown: ShownTab, why: WhyTab, transcript: TranscriptTab } as const;

export const Details = () => {
  const store = useStore();
  const t = useStrings();
  const list = useRef<HTMLDivElement>(null);
  const tab = store.tab.value;
  const run = store.run.value;
  const findings = run === null ? store.findings.value : store.findingsOf(run.key);
  const Panel = PANELS[tab];
  const key = (event: KeyboardEvent): void => {
    const at = TABS.indexOf(tab);
    const to =
      event.key === 'ArrowRight'
        ? (at + 1) % TABS.length
        : event.key === 'ArrowLeft'
          ? (at + TABS.length - 1) % TABS.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? TABS.length - 1
              : -1;
    if (to < 0) return;
    store.tab.value = TABS[to]!;
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to]?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section class="details" aria-label={t.details}>
      <h2 class="sr">{t.details}</h2>
      <div class="tab-bar">
        <div class="tabs" role="tablist" aria-label={t.details} ref={list} tabIndex={-1} onKeyDown={key}>
          {TABS.map((each) => (
            <button
              type="button"
              key={each}
              role="tab"
              id={`tab-${each}`}
              aria-selected={tab === each}
              aria-controls="tab-panel"
              tabIndex={tab === each ? 0 : -1}
              class={tab === each ? 'on' : ''}
              onClick={() => set(store.tab, each)}
            >
              {t.tab[each]}
              {each === 'why' && findings.length > 0 ? <span class="tab-count">{findings.length}</span> : null}
            </button>
          ))}
        </div>
        <IconButton icon="close" label={t.closeDetails} keys="3" onClick={() => set(store.settings.detailsOpen, false)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard. */}
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <Panel />
      </div>
    </section>
  );
};
