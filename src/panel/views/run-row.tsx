/** The rows of the list of runs: how each ended in a word and an icon, its voices as a bar, its findings. */
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the tree handles the keys of its items.
import type { Flow, Run, Settlement } from '../../core/model';
import { isAfter, openingOf } from '../../core/order';
import { useStore } from '../context';
import { count, duration, shortId, shortUrl } from '../format';
import { endingOf, iconOf, reasonOf, TONE } from '../outcome';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icons';
import { scopeKey } from '../scope';
import type { Store } from '../store';
import { useStrings } from '../strings';
import { LANES, type Lane } from '../voices';
import { compareRun } from './compare/state';
import type { Item } from './run-items';

/** `version` says when the counts, which are the same object, have changed. */
export const Mix = ({ voices }: { voices: Readonly<Record<Lane, number>>; version: number }) => {
  const total = LANES.reduce((sum, lane) => sum + voices[lane], 0);
  return (
    <span class="mix" aria-hidden="true">
      {total === 0
        ? null
        : LANES.map((lane) =>
            voices[lane] === 0 ? null : <i key={lane} class={`v-${lane}`} style={`flex-grow:${Math.max(voices[lane], total * 0.02)}`} />,
          )}
    </span>
  );
};

/** Given the settlement itself: runs and attempts stay the same objects when they change, settlements do not. */
export const EndingWord = ({ settlement }: { settlement: Settlement | null }) => {
  const t = useStrings();
  const ending = endingOf(settlement);
  const wait = settlement?.waitingFor;
  return (
    <span class={`ending tone-${TONE[ending]}`}>
      <Icon name={iconOf(ending)} size={14} />
      <span>
        {t.outcome[ending]}
        {ending === 'waiting' && wait ? ` · ${t.waitKind[wait]}` : ''}
      </span>
    </span>
  );
};

/** From opening to settlement, or to the last thing heard. */
const spanOf = (store: Store, run: Run): number => {
  const { session, timeOf } = store.feed.value;
  const start = timeOf(run.openedSeq, run.openedAt);
  const { settlement } = run;
  if (settlement !== null) return timeOf(settlement.seq, settlement.at) - start;
  const last = session.eventsOf(run.key).at(-1);
  return last === undefined ? 0 : timeOf(last.seq, last.at) - start;
};

const flowOf = (store: Store, run: Run): Flow | undefined => store.session().flows.get(run.attempts[0]?.flows[0] ?? '');

/** What says where a row stands in the tree. */
const placeOf = (item: Item, at: number, siblings: number) => ({
  'aria-level': item.depth + 1,
  'aria-posinset': item.place,
  'aria-setsize': siblings,
  'data-at': at,
});

/** Drawn again only when `version`, the run's own revision, or another prop changes. */
const RunRow = ({
  item,
  at,
  siblings,
  rivals,
  toggle,
}: {
  item: Item & { kind: 'run' };
  at: number;
  siblings: number;
  version: number;
  /** Whether there is another run to compare it with. */
  rivals: boolean;
  toggle: (run: string) => void;
}) => {
  const { run, depth, ordinal, open, inside } = item;
  const store = useStore();
  const t = useStrings();
  const selected = store.scopeId.value === `run:${run.key}`;
  const findings = store.findingsOf(run.key);
  const failing = findings.filter((finding) => finding.verdict === 'fail').length;
  const flow = flowOf(store, run);
  const hits = store.matches.value?.get(run.key);
  const reason = reasonOf(run);
  const id = run.identity.run ?? run.identity.conversation ?? run.identity.message ?? null;
  return (
    <div
      class={`run${selected ? ' selected' : ''}${hits === 0 ? ' no-hits' : ''}`}
      role="treeitem"
      tabIndex={-1}
      {...placeOf(item, at, siblings)}
      id={`run-${run.key}`}
      aria-selected={selected}
      {...(inside ? { 'aria-expanded': open } : {})}
      data-run={run.key}
      style={`--depth:${depth}`}
      onClick={() => store.selectScope({ kind: 'run', run: run.key })}
    >
      <span class="run-url mono" title={flow === undefined ? '' : `${flow.method} ${flow.url}`}>
        {!inside ? null : (
          <button
            type="button"
            class="twist"
            tabIndex={-1}
            aria-label={open ? t.close : t.open}
            onClick={(event) => {
              event.stopPropagation();
              toggle(run.key);
            }}
          >
            <Icon name={open ? 'down' : 'right'} size={12} />
          </button>
        )}
        <span class="run-number">#{ordinal}</span>
        {flow === undefined
          ? run.dialect
          : `${flow.transport === 'websocket' ? 'WS' : flow.method} ${shortUrl(flow.url) || store.feed.value.name}`}
      </span>
      <span class="run-facts">
        {hits === undefined ? null : <span class={`hits tabular${hits === 0 ? ' none' : ''}`}>{t.hits(count(hits))}</span>}
        {failing > 0 ? (
          <span class="pill" title={t.findingCount(failing)}>
            <span aria-hidden="true">{failing}</span>
            <span class="sr">{t.findingCount(failing)}</span>
          </span>
        ) : findings.length > 0 ? (
          <span class="pill soft" title={t.unsureCount(findings.length)}>
            <span aria-hidden="true">?{findings.length}</span>
            <span class="sr">{t.unsureCount(findings.length)}</span>
          </span>
        ) : null}
        {rivals ? (
          <IconButton
            icon="compare"
            class="small run-compare"
            label={t.compare.open}
            keys="C"
            focusable={false}
            onClick={(event) => {
              event.stopPropagation();
              compareRun(store, run.key);
            }}
          />
        ) : null}
      </span>
      <span class="run-end">
        <EndingWord settlement={run.settlement} />
        {reason === null ? null : <span class="run-reason mono">{reason}</span>}
      </span>
      <span class="run-span mono tabular">{duration(spanOf(store, run))}</span>
      <Mix voices={run.voices} version={run.revision} />
      <span class="run-more">
        <span>{run.dialect}</span>
        {id === null ? null : <span class="mono">{shortId(id)}</span>}
        {run.reattached ? <span>{t.reattached}</span> : null}
      </span>
    </div>
  );
};

const AttemptRow = ({ item, at, siblings }: { item: Item & { kind: 'attempt' }; at: number; siblings: number; version: number }) => {
  const { run, attempt, depth } = item;
  const store = useStore();
  const t = useStrings();
  return (
    <div
      class="run attempt"
      role="treeitem"
      tabIndex={-1}
      {...placeOf(item, at, siblings)}
      aria-selected={false}
      data-run={run.key}
      data-attempt={attempt.key}
      style={`--depth:${depth}`}
      onClick={() => {
        store.selectScope({ kind: 'run', run: run.key });
        const index = store
          .session()
          .eventsOf(run.key)
          .find((event) => !isAfter(openingOf(attempt), event));
        if (index !== undefined) store.revealEvent(index.flow, index.ordinal);
      }}
    >
      <span class="run-url">{t.attempt(attempt.ordinal)}</span>
      <span class="run-facts mono tabular">{attempt.model ?? ''}</span>
      <EndingWord settlement={attempt.settlement} />
    </div>
  );
};

const AllRow = ({ item, at, siblings, runs }: { item: Item; at: number; siblings: number; runs: number }) => {
  const store = useStore();
  const t = useStrings();
  const all = store.scope.value.kind === 'all';
  return (
    <div
      class={`run all${all ? ' selected' : ''}`}
      role="treeitem"
      tabIndex={-1}
      {...placeOf(item, at, siblings)}
      aria-selected={all}
      onClick={() => store.selectScope({ kind: 'all' })}
    >
      <span class="run-url">{t.allRuns}</span>
      <span class="run-facts tabular">{count(runs)}</span>
    </div>
  );
};

/** A stream that is known to no dialect. */
const StrangerRow = ({ item, at, siblings, frames }: { item: Item & { kind: 'flow' }; at: number; siblings: number; frames: number }) => {
  const { flow } = item;
  const store = useStore();
  const t = useStrings();
  const selected = store.scopeId.value === scopeKey({ kind: 'flow', flow: flow.id });
  return (
    <div
      class={`run stranger${selected ? ' selected' : ''}`}
      role="treeitem"
      tabIndex={-1}
      {...placeOf(item, at, siblings)}
      aria-selected={selected}
      onClick={() => store.selectScope({ kind: 'flow', flow: flow.id })}
    >
      <span class="run-url mono" title={flow.url}>
        {flow.transport === 'websocket' ? 'WS' : flow.method} {shortUrl(flow.url) || store.feed.value.name}
      </span>
      <span class="run-facts mono tabular">{count(frames)}</span>
      <span class="ending tone-mute">
        <Icon name="unattested" size={14} />
        <span>{t.stranger}</span>
      </span>
    </div>
  );
};

/** `version` says when what an item names, which is the same object, has changed. */
export const ItemRow = ({ item, at, runs, toggle }: { item: Item; at: number; runs: number; toggle: (run: string) => void }) => {
  const { siblings } = item;
  switch (item.kind) {
    case 'all':
      return <AllRow item={item} at={at} siblings={siblings} runs={runs} />;
    case 'run':
      return <RunRow item={item} at={at} siblings={siblings} version={item.run.revision} rivals={runs > 1} toggle={toggle} />;
    case 'attempt':
      return <AttemptRow item={item} at={at} siblings={siblings} version={item.run.revision} />;
    case 'flow':
      return <StrangerRow item={item} at={at} siblings={siblings} frames={item.flow.frames} />;
  }
};
