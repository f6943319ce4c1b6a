/** What the reader filters by: chips, search text and findings in every run, and a stretch of time in the one that is shown. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Finding } from '../../core/model';
import { parseQuery } from '../query';
import { type Between, eventKey, type RowFilter } from '../row';
import type { Settings } from '../settings';
import { LANES, STANDINGS } from '../voices';

interface Sources {
  readonly settings: Settings;
  readonly findings: ReadonlySignal<readonly Finding[]>;
  readonly scopeId: ReadonlySignal<string>;
}

export const createFilter = ({ settings, findings, scopeId }: Sources) => {
  /** The stretch of time that the reader has marked, and of what. */
  const marked = signal<({ readonly scope: string } & Between) | null>(null);
  /** Of what is shown: a stretch of one run says nothing of another. */
  const stretch = computed<Between | null>(() => (marked.value?.scope === scopeId.value ? marked.value : null));
  const query = computed(() => parseQuery(settings.query.value));
  const evidenceEvents = computed<ReadonlySet<string>>(() => {
    const keys = new Set<string>();
    for (const finding of findings.value)
      for (const ref of finding.evidence) if (ref.kind === 'event') keys.add(eventKey({ flow: ref.flow, ordinal: ref.event }));
    return keys;
  });
  /** In every run; null: nothing is filtered. */
  const everywhere = computed<RowFilter | null>(() => {
    const lanes = LANES.filter((lane) => !settings.hiddenLanes.value.includes(lane));
    const standings = STANDINGS.filter((standing) => !settings.hiddenStandings.value.includes(standing));
    const only = settings.findingsOnly.value ? evidenceEvents.value : null;
    if (lanes.length === LANES.length && standings.length === STANDINGS.length && query.value.empty && only === null) return null;
    return { lanes: new Set(lanes), standings: new Set(standings), query: query.value, only, between: null };
  });
  /** In what is shown. */
  const shown = computed<RowFilter | null>(() => {
    const between = stretch.value;
    if (between === null) return everywhere.value;
    const rest = everywhere.value ?? { lanes: new Set(LANES), standings: new Set(STANDINGS), query: query.value, only: null };
    return { ...rest, between };
  });
  return {
    query,
    stretch,
    everywhere,
    shown,
    /** Leaves only what lies in a stretch of time on the feed's clock; null: everything again. */
    setStretch(between: Between | null): void {
      if (between === null) marked.value = null;
      else marked.value = { scope: scopeId.peek(), from: Math.min(between.from, between.to), to: Math.max(between.from, between.to) };
    },
  };
};
