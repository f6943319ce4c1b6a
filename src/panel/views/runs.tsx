/**
 * The list of runs: how each ended in a word and an icon, its voices as a bar, its findings. Attempts and child runs are
 * nested. A tree for the keyboard: up, down, left to close, right to open.
 */
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the tree handles the keys of its items.
import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { Attempt, Flow, Run, Settlement } from '../../core/model';
import { useStore } from '../context';
import { count, duration, shortId, shortUrl } from '../format';
import { endingOf, iconOf, reasonOf, TONE } from '../outcome';
import { IconButton } from '../parts/button';
import { Icon } from '../parts/icons';
import type { Store } from '../store';
import { useStrings } from '../strings';
import { LANES, type Lane } from '../voices';
import { compareRun } from './compare/state';
import { EmptyRuns } from './empty';

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

/** Drawn again only when `version`, the run's own revision, or another prop changes: a list may hold hundreds of runs. */
const RunRow = ({
  run,
  depth,
  ordinal,
  open,
  inside,
  rivals,
  toggle,
}: {
  run: Run;
  version: number;
  depth: number;
  ordinal: number;
  open: boolean;
  /** Whether something is nested in it. */
  inside: boolean;
  /** Whether there is another run to compare it with. */
  rivals: boolean;
  toggle: (run: string) => void;
}) => {
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
      id={`run-${run.key}`}
      aria-level={depth + 1}
      aria-selected={selected}
      {...(inside ? { 'aria-expanded': open } : {})}
      tabIndex={-1}
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

const AttemptRow = ({ run, attempt, depth }: { run: Run; version: number; attempt: Attempt; depth: number }) => {
  const store = useStore();
  const t = useStrings();
  return (
    <div
      class="run attempt"
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={false}
      tabIndex={-1}
      data-run={run.key}
      data-attempt={attempt.key}
      style={`--depth:${depth}`}
      onClick={() => {
        store.selectScope({ kind: 'run', run: run.key });
        const index = store
          .session()
          .eventsOf(run.key)
          .find((event) => event.seq >= attempt.openedSeq);
        if (index !== undefined) store.revealEvent(index.flow, index.ordinal);
      }}
    >
      <span class="run-url">{t.attempt(attempt.ordinal)}</span>
      <span class="run-facts mono tabular">{attempt.model ?? ''}</span>
      <EndingWord settlement={attempt.settlement} />
    </div>
  );
};

export const Runs = () => {
  const store = useStore();
  const t = useStrings();
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const tree = useRef<HTMLDivElement>(null);
  const runs = store.runs.value;
  const strangers = store.strangers.value;

  const children = new Map<string, Run[]>();
  for (const run of runs) {
    if (run.parent === null) continue;
    const list = children.get(run.parent);
    if (list) list.push(run);
    else children.set(run.parent, [run]);
  }
  const ordinals = new Map(runs.map((run, index) => [run.key, index + 1]));
  const toggle = useCallback(
    (key: string): void => {
      const next = new Set(closed.peek());
      if (!next.delete(key)) next.add(key);
      closed.value = next;
    },
    [closed],
  );
  const draw = (run: Run, depth: number): preact.ComponentChild => {
    const nested = children.get(run.key) ?? [];
    const many = run.attempts.length > 1;
    const inside = nested.length > 0 || many;
    const open = !closed.value.has(run.key);
    return [
      <RunRow
        key={run.key}
        run={run}
        version={run.revision}
        depth={depth}
        ordinal={ordinals.get(run.key)!}
        open={open}
        inside={inside}
        rivals={runs.length > 1}
        toggle={toggle}
      />,
      ...(open && many
        ? run.attempts.map((attempt) => (
            <AttemptRow key={attempt.key} version={run.revision} run={run} attempt={attempt} depth={depth + 1} />
          ))
        : []),
      ...(open ? nested.map((child) => draw(child, depth + 1)) : []),
    ];
  };

  const key = (event: KeyboardEvent): void => {
    // Ctrl+C copies what is marked.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const selectedAt = items.findIndex((item) => item.getAttribute('aria-selected') === 'true');
    const from = at >= 0 ? at : selectedAt;
    const go = (to: number): void => {
      const item = items[Math.max(0, Math.min(items.length - 1, to))];
      item?.focus();
      item?.click();
    };
    const item = items[from];
    const owner = item?.dataset.run;
    switch (event.key) {
      case 'ArrowDown':
      case 'j':
        go(from + 1);
        break;
      case 'ArrowUp':
      case 'k':
        go(from - 1);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(items.length - 1);
        break;
      case 'ArrowRight':
        if (owner !== undefined && closed.value.has(owner)) toggle(owner);
        break;
      case 'ArrowLeft':
        if (owner !== undefined && item?.getAttribute('aria-expanded') === 'true') toggle(owner);
        break;
      case 'c':
        if (owner === undefined || !compareRun(store, owner)) return;
        break;
      case 'Enter':
        document.querySelector<HTMLElement>('.grid')?.focus();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const all = store.scope.value.kind === 'all';
  const scope = store.scope.value;
  const scopeId = store.scopeId.value;
  // What is shown is in view: the newest run as long as it is followed, and a finding's run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the choice that moves the list.
  useEffect(() => {
    tree.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [scopeId]);
  return (
    <nav class="runs" aria-label={t.runs}>
      {runs.length === 0 && strangers.length === 0 ? (
        <EmptyRuns />
      ) : (
        <div class="run-list" role="tree" aria-label={t.runs} ref={tree} tabIndex={0} onKeyDown={key}>
          {/* From the first run on, so that the second moves nothing. */}
          <div
            class={`run all${all ? ' selected' : ''}`}
            role="treeitem"
            aria-level={1}
            aria-selected={all}
            tabIndex={-1}
            onClick={() => store.selectScope({ kind: 'all' })}
          >
            <span class="run-url">{t.allRuns}</span>
            <span class="run-facts tabular">{count(runs.length)}</span>
          </div>
          {runs.filter((run) => run.parent === null || !ordinals.has(run.parent)).map((run) => draw(run, 0))}
          {strangers.map((flow) => {
            const selected = scope.kind === 'flow' && scope.flow === flow.id;
            return (
              <div
                key={flow.id}
                class={`run stranger${selected ? ' selected' : ''}`}
                role="treeitem"
                aria-level={1}
                aria-selected={selected}
                tabIndex={-1}
                onClick={() => store.selectScope({ kind: 'flow', flow: flow.id })}
              >
                <span class="run-url mono" title={flow.url}>
                  {flow.transport === 'websocket' ? 'WS' : flow.method} {shortUrl(flow.url) || store.feed.value.name}
                </span>
                <span class="run-facts mono tabular">{count(flow.frames)}</span>
                <span class="ending tone-mute">
                  <Icon name="unattested" size={14} />
                  <span>{t.stranger}</span>
                </span>
              </div>
            );
          })}
        </div>
      )}
    </nav>
  );
};
