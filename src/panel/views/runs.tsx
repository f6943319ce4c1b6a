/**
 * The list of runs. Attempts and child runs are nested. A tree for the keyboard: up, down, left to close, right to open. Of a long
 * list only what is in view is in the document, with the row that is chosen and the one that has the focus, wherever they
 * are; rows of one kind are of one height, which is measured.
 */
import { useSignal } from '@preact/signals';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useStore } from '../context';
import { useStrings } from '../strings';
import { compareRun } from './compare/state';
import { EmptyRuns } from './empty';
import { createItems, drawnOf, type Kind, offsetsOf } from './run-items';
import { ItemRow } from './run-row';

type Heights = Readonly<Record<Kind, number>>;
/** Until they are measured. */
const HEIGHTS: Heights = { all: 31, run: 62, attempt: 31, flow: 31 };

export const Runs = () => {
  const store = useStore();
  const t = useStrings();
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLElement>(null);
  const tree = useRef<HTMLDivElement>(null);
  const view = useSignal({ top: 0, height: 0, width: 0 });
  const heights = useSignal<Heights>(HEIGHTS);
  /** For which width. */
  const measured = useRef(-1);
  /** The row that has the focus. */
  const focused = useSignal<string | null>(null);
  /** A row that is to be given the focus once it is drawn. */
  const wanted = useRef<string | null>(null);
  const runs = store.runs.value;
  const strangers = store.strangers.value;
  const scope = store.scope.value;
  const scopeId = store.scopeId.value;

  const makeItems = useMemo(createItems, []);
  const items = makeItems(runs, strangers, closed.value);
  const sizes = heights.value;
  const offsets = useMemo(() => offsetsOf(items, sizes), [items, sizes]);
  const { top, height, width } = view.value;
  const chosen = scope.kind === 'all' ? 'all' : scope.kind === 'run' ? `run ${scope.run}` : `flow ${scope.flow}`;
  const focus = focused.value;
  const selectedAt = useMemo(() => items.findIndex(({ key }) => key === chosen), [items, chosen]);
  const focusedAt = useMemo(() => items.findIndex(({ key }) => key === focus), [items, focus]);
  const drawn = drawnOf(offsets, top, height, [selectedAt, focusedAt]);

  const toggle = useCallback(
    (key: string): void => {
      const next = new Set(closed.peek());
      if (!next.delete(key)) next.add(key);
      closed.value = next;
    },
    [closed],
  );
  const elementAt = (at: number): HTMLElement | null => tree.current?.querySelector<HTMLElement>(`[data-at="${at}"]`) ?? null;

  const look = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const now = view.peek();
    const next = { top: element.scrollTop, height: element.clientHeight, width: element.clientWidth };
    if (next.top !== now.top || next.height !== now.height || next.width !== now.width) view.value = next;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads and writes what stays the same.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(scroller.current!);
    look();
    return () => observer.disconnect();
  }, []);

  // All rows of a kind are as high as one of them.
  useLayoutEffect(() => {
    if (drawn.length === items.length || measured.current === width) return;
    measured.current = width;
    const next = { ...sizes };
    for (const at of [...drawn].reverse()) next[items[at]!.kind] = elementAt(at)?.getBoundingClientRect().height ?? sizes[items[at]!.kind];
    heights.value = next;
  });

  // What is shown is in view: the newest run as long as it is followed, and a finding's run.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the choice that moves the list.
  useLayoutEffect(() => {
    elementAt(selectedAt)?.scrollIntoView({ block: 'nearest' });
    look();
  }, [scopeId, sizes]);
  useLayoutEffect(() => {
    if (wanted.current === null || wanted.current !== focused.value) return;
    wanted.current = null;
    const element = elementAt(focusedAt);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
    element?.click();
    look();
  });

  const key = (event: KeyboardEvent): void => {
    // Ctrl+C copies what is marked.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = focusedAt >= 0 ? focusedAt : selectedAt;
    const go = (to: number): void => {
      const item = items[Math.max(0, Math.min(items.length - 1, to))];
      if (item === undefined) return;
      wanted.current = item.key;
      if (focused.peek() === item.key) focused.value = null;
      focused.value = item.key;
    };
    const item = items[from];
    const owner = item === undefined || !('run' in item) ? undefined : item.run.key;
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
        if (item?.kind === 'run' && item.inside && item.open) toggle(item.run.key);
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

  const rows: preact.ComponentChild[] = [];
  /** Where the last row that was drawn ends. */
  let end = 0;
  const space = (to: number): void => {
    if (to > end) rows.push(<div key={`to ${rows.length}`} role="presentation" style={`height:${to - end}px`} />);
  };
  for (const at of drawn) {
    const item = items[at]!;
    space(offsets[at]!);
    rows.push(<ItemRow key={item.key} item={item} at={at} runs={runs.length} toggle={toggle} />);
    end = offsets[at + 1]!;
  }
  space(offsets.at(-1)!);
  return (
    <nav class="runs" aria-label={t.runs} ref={scroller} onScroll={look}>
      {runs.length === 0 && strangers.length === 0 ? (
        <EmptyRuns />
      ) : (
        <div
          class="run-list"
          role="tree"
          aria-label={t.runs}
          ref={tree}
          tabIndex={0}
          onKeyDown={key}
          onFocusIn={(event) => {
            // A row holds buttons of its own.
            const at = (event.target as HTMLElement).closest<HTMLElement>('[data-at]')?.dataset.at;
            focused.value = at === undefined ? null : (items[Number(at)]?.key ?? null);
          }}
          onFocusOut={(event) => {
            if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) focused.value = null;
          }}
        >
          {rows}
        </div>
      )}
    </nav>
  );
};
