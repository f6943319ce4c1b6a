/**
 * The event table: a window on the index of rows. Rows are 20 px each, so what is in view is arithmetic; DOM rows are
 * reused as the window moves, which keeps scrolling free of mounting. The grid keeps the focus itself and
 * names the current row (`aria-activedescendant`), so live rows can never steal it.
 */
// biome-ignore-all lint/a11y/useSemanticElements: a windowed grid cannot be a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current row.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useStore } from '../context';
import { count } from '../format';
import { isDescending, nextSort, sortedBy } from '../order';
import { Button } from '../parts/button';
import { Icon } from '../parts/icons';
import { set } from '../parts/set';
import { useStrings } from '../strings';
import { type Column, columnsFor } from './columns';
import { EmptyTable } from './empty';
import { EventRow } from './event-row';
import { tableKey } from './table-keys';

export const ROW_HEIGHT = 20;
/** Browsers stop laying out elements near 33 million pixels; above this many rows the table says so. */
const MAX_ROWS = 1_500_000;
/** Rows drawn above and below those in view. */
const BEYOND = 6;
/** Where none came for as long, rows do not pour in. */
const STILL_MS = 300;

/**
 * A column's head. The two orders that rows can stand in are chosen by a press on theirs. `alone`: there is no room for the
 * other one of them.
 */
const Head = ({ column, alone }: { column: Column; alone: boolean }) => {
  const { settings } = useStore();
  const t = useStrings();
  const by = column.id === 'seq' ? 'sequence' : column.id === 'time' ? 'time' : null;
  const name = column.id === 'voice' || column.id === 'standing' ? <span class="sr">{t.field[column.id]}</span> : t.column[column.id];
  if (by === null)
    return (
      <span role="columnheader" class={`cell c-${column.id}`} title={t.columnHint[column.id]}>
        {name}
      </span>
    );
  const sort = settings.sort.value;
  const sorted = sortedBy(sort) === by;
  const descending = isDescending(sort);
  return (
    <span role="columnheader" class={`cell c-${column.id}`} aria-sort={sorted ? (isDescending(sort) ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        class="sort"
        title={`${t.columnHint[column.id]}. ${t.sortHint}`}
        onClick={() => {
          settings.sort.value = nextSort(sort, by);
        }}
      >
        {name}
        {sorted || (alone && descending) ? <Icon name={descending ? 'down' : 'up'} size={9} /> : null}
      </button>
    </span>
  );
};

export const EventTable = () => {
  const store = useStore();
  const t = useStrings();
  const scroller = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const size = useSignal({ width: 0, height: 0 });
  const version = store.rowsVersion.value;
  const rows = store.rows();
  const length = Math.min(rows.length, MAX_ROWS);
  const scope = store.scope.value;
  const selected = store.selected.value;
  const scopeId = store.scopeId.value;
  const last = useRef({ top: 0 });
  /** More rows come from one drawing to the next than are drawn beyond those in view. */
  const pouring = useSignal(false);
  const drawnLength = useRef(0);
  const sort = store.settings.sort.value;
  const newestFirst = isDescending(sort);
  /** The first row in view, by its event and its distance from the edge: it stays where it is while rows come above it. */
  const anchor = useRef<{ readonly of: string; readonly index: number; readonly offset: number } | null>(null);
  const listed = `${scopeId}|${sort}`;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
      if (store.following.peek()) element.scrollTop = isDescending(store.settings.sort.peek()) ? 0 : element.scrollHeight;
    });
    observer.observe(element);
    size.value = { width: element.clientWidth, height: element.clientHeight };
    return () => observer.disconnect();
  }, [size, store]);

  const room = Math.max(0, (length + 1) * ROW_HEIGHT - size.value.height);
  /** Where the newest row is in view. */
  const tailTop = newestFirst ? 0 : room;

  /** Remembers what is in view, where what is new comes in above it. */
  const hold = (scrollTop: number): void => {
    anchor.current = null;
    if (!newestFirst || store.following.peek()) return;
    const first = Math.floor(scrollTop / ROW_HEIGHT);
    for (let position = first; position < Math.min(rows.length, first + 20); position++) {
      const row = rows.row(position);
      const index = row?.index ?? -1;
      // Where an open fold stands is where its first event does, one row further down.
      if (index < 0 || (row!.fold && row!.open)) continue;
      anchor.current = { of: listed, index, offset: position * ROW_HEIGHT - scrollTop };
      return;
    }
  };

  // Sticks to the tail until the reader scrolls away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the rows that move the tail.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (store.following.peek()) {
      // The rows of the tail are drawn already; nothing is measured while a stream runs.
      element.scrollTop = newestFirst ? 0 : (length + 1) * ROW_HEIGHT;
      last.current.top = tailTop;
      top.value = tailTop;
    } else {
      const held = anchor.current;
      const at = held?.of === listed ? rows.whereIs(held.index) : -1;
      if (held !== null && at >= 0) element.scrollTop = at * ROW_HEIGHT - held.offset;
      last.current.top = element.scrollTop;
      top.value = element.scrollTop;
      hold(element.scrollTop);
    }
  }, [version, length, listed, store, top]);

  useEffect(() => {
    if (length - drawnLength.current > BEYOND) pouring.value = true;
    drawnLength.current = length;
    if (!pouring.peek()) return;
    const timer = setTimeout(set, STILL_MS, pouring, false);
    return () => clearTimeout(timer);
  }, [length, pouring]);

  // What is selected elsewhere (a finding's evidence, the timeline) comes into view.
  const index = selected?.kind === 'event' ? selected.index : -1;
  const at =
    selected === null
      ? -1
      : selected.kind === 'mark'
        ? rows.whereIsKey(selected.key)
        : rows.whereIs(selected.fold ? (rows.unitOf(index)?.from ?? index) : index);
  const selectedAt =
    selected?.kind === 'event' && selected.fold && rows.isOpen(selected.unit) && at >= 0
      ? at - 1 - (index - (rows.unitOf(index)?.from ?? index))
      : at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same row may be selected anew after scrolling away.
  useEffect(() => {
    const element = scroller.current;
    if (element === null || selectedAt < 0) return;
    const y = selectedAt * ROW_HEIGHT;
    const view = element.clientHeight - ROW_HEIGHT;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + ROW_HEIGHT > element.scrollTop + view) element.scrollTop = y + ROW_HEIGHT - view;
  }, [selected, selectedAt]);

  const scrolled = (): void => {
    const element = scroller.current;
    // The browser may still report a scroll of a table that is no longer shown.
    if (element === null) return;
    const atNewest = newestFirst ? element.scrollTop <= 4 : element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
    const away = newestFirst ? element.scrollTop > last.current.top + 1 : element.scrollTop < last.current.top - 1;
    if (atNewest) store.following.value = true;
    else if (away) store.following.value = false;
    last.current.top = element.scrollTop;
    top.value = element.scrollTop;
    hold(element.scrollTop);
  };

  const { width, height } = size.value;
  const all = scope.kind === 'all';
  const columns = useMemo(() => columnsFor(width, all), [width, all]);
  const following = store.following.value;
  // What is out of view is drawn for who scrolls there. While rows pour in at the tail all of them are rewritten at every drawing.
  const beyond = following && pouring.value ? 0 : BEYOND;
  const visible = Math.ceil(Math.max(height - ROW_HEIGHT, 0) / ROW_HEIGHT) + 2;
  // As many as are drawn, so none is made or taken away as the window moves; even, so a slot's stripe stays as it is.
  const pool = (visible + beyond * 2 + 1) & ~1;
  const first = Math.max(0, Math.min(Math.floor((following ? tailTop : top.value) / ROW_HEIGHT) - beyond, length - pool));
  const end = Math.min(length, first + pool);
  // Each slot keeps its place in the document and is placed by transform: rows are never moved, only rewritten. (Chromium 156
  // loses style changes of descendants when a keyed row is moved with `moveBefore` and gets another class at once.)
  const drawn: preact.ComponentChild[] = new Array(pool).fill(null);
  for (let position = first; position < end; position++) {
    const row = rows.row(position);
    if (row === null) continue;
    drawn[position % pool] = (
      <EventRow
        key={position % pool}
        row={row}
        // Rows are compared by these; a fold that grew has another count.
        count={row.unit.count}
        position={position}
        columns={columns}
        selected={position === selectedAt}
        scopeId={scopeId}
      />
    );
  }
  return (
    <div class="table" style={`--columns:${columns.map((column) => column.width).join(' ')}`}>
      <div
        class="grid"
        role="treegrid"
        tabIndex={0}
        ref={scroller}
        aria-label={t.events}
        aria-rowcount={length + 1}
        aria-colcount={columns.length}
        aria-multiselectable={false}
        {...(selectedAt >= first && selectedAt < end ? { 'aria-activedescendant': `row-${selectedAt}` } : {})}
        onScroll={scrolled}
        onKeyDown={(event) => tableKey(event, store, selectedAt, Math.max(1, visible - 3))}
      >
        <div class="head" role="rowgroup">
          <div class="row" role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.id} column={column} alone={columns[0]?.id !== 'seq'} />
            ))}
          </div>
        </div>
        <div class="rows" role="rowgroup" style={`height:${length * ROW_HEIGHT}px`}>
          {drawn}
        </div>
      </div>
      {length === 0 ? <EmptyTable /> : null}
      {following || length === 0 || room === 0 ? null : (
        <div class="to-tail">
          <Button
            icon="tail"
            onClick={() => {
              store.following.value = true;
              const element = scroller.current!;
              element.scrollTop = newestFirst ? 0 : element.scrollHeight;
            }}
          >
            {t.toTail}
          </Button>
        </div>
      )}
      {store.filtering.value ? (
        <div class="filtering" role="presentation">
          <Icon name="search" size={12} /> {t.filteringNow(count(rows.total))}
        </div>
      ) : null}
    </div>
  );
};
