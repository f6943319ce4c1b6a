/** One row of the event table. Everything is text: nothing from the page becomes markup. */
// biome-ignore-all lint/a11y/useSemanticElements: a windowed grid cannot be a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current row.

import type { Attempt } from '../../core/model';
import { useStore } from '../context';
import { amount, clock, duration, shortId } from '../format';
import { isSettled } from '../outcome';
import { Icon } from '../parts/icons';
import { marked } from '../parts/marked';
import { memo } from '../parts/memo';
import { standingMark, voiceBadge } from '../parts/voice';
import type { Row } from '../row';
import type { Store } from '../store';
import type { Strings } from '../strings';
import { useStrings } from '../strings';
import { idOf } from '../summary';
import { laneOf } from '../voices';
import { type Column, fitName } from './columns';
import { labelOf } from './labels';
import { rowMenu } from './row-menu-state';

/** Enough for the widest screen; longer text is cut before it reaches the DOM. */
const TEXT_LIMIT = 400;

interface Props {
  readonly row: Row;
  readonly count: number;
  readonly position: number;
  readonly columns: readonly Column[];
  readonly selected: boolean;
  readonly scopeId: string;
}

const cellOf = (column: Column, row: Row, store: Store, t: Strings): preact.ComponentChild => {
  const { event, unit } = row;
  const rows = store.rows();
  const { feed } = store;
  const scope = store.scope.peek();
  const base = store.base.peek();
  if (event === null) {
    const mark = unit.mark!;
    switch (column.id) {
      case 'seq':
        return String(mark.seq);
      case 'time':
        return clock(feed.peek().timeOfFlow(mark.flow.id, mark.at) - base);
      case 'voice':
        return <Icon name={mark.kind === 'end' ? 'severed' : 'alarm'} size={13} />;
      case 'type':
        return mark.kind === 'end' ? t.flowEnd[mark.flow.end!.how] : t.gap;
      case 'text':
        if (mark.kind === 'gap') return t.gapText(t.gapReason[mark.gap.reason], mark.gap.lost);
        return endText(store, mark.flow.id, t);
      default:
        return null;
    }
  }
  switch (column.id) {
    case 'seq':
      return String(event.seq);
    case 'time':
      return clock(feed.peek().timeOfFlow(event.flow, event.at) - base);
    case 'gap': {
      if (row.index === 0) return '–';
      const gap = rows.gapBefore(row.index);
      return gap < 0.05 ? '·' : `+${duration(gap)}`;
    }
    case 'run': {
      const key = store.session().runOf(event);
      const at = key === null ? undefined : store.places.peek().get(key);
      return at === undefined ? '' : `#${at + 1}`;
    }
    case 'voice':
      return voiceBadge(t, { lane: laneOf(event), standing: event.standing });
    case 'standing':
      return standingMark(t, { standing: event.standing });
    case 'type':
      return (
        <>
          {row.fold ? (
            <Icon name={row.open ? 'down' : 'right'} size={11} class="twist-icon" />
          ) : row.child ? (
            <span class="child-line" />
          ) : null}
          <span class="type-name" title={event.raw}>
            {marked(
              store,
              fitName(
                event.raw,
                Number.parseInt(column.width, 10) - 14 - (row.fold ? 18 + 8 * String(unit.count).length : row.child ? 14 : 0),
              ),
            )}
          </span>
          {row.fold ? <span class="times">×{unit.count}</span> : null}
        </>
      );
    case 'id':
      return shortId(idOf(event.identity, scope.kind === 'run'), 15);
    case 'text': {
      const text =
        row.child || unit.count === 1 ? rows.text({ ...unit, from: row.index, count: 1, mark: null }) : rows.text(unit, TEXT_LIMIT);
      if (text === '') return <span class="label">{labelOf(event, t)}</span>;
      return marked(store, text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text);
    }
    case 'size': {
      const size = row.child || unit.count === 1 ? store.session().frameChars(event.flow, event.frame) : unit.chars;
      return size === null ? '' : amount(size);
    }
  }
};

/** The attempt of the run that is shown which the flow carried; among all runs, of the first that it carried. */
const carriedBy = (store: Store, flow: string): Attempt | undefined => {
  const scope = store.scope.peek();
  // While thousands of runs are taken in, the index of all of them would be made with every drawing.
  const run = scope.kind === 'run' ? store.session().run(scope.run) : store.carried.peek().get(flow);
  return run?.attempts.find(({ flows }) => flows.includes(flow));
};

/** What the end of a flow means for the run: the sentence that names the bug this tool is about. */
const endText = (store: Store, flow: string, t: Strings): string => {
  const attempt = carriedBy(store, flow);
  if (attempt === undefined) return '';
  const { settlement } = attempt;
  if (settlement !== null && isSettled(settlement)) return t.endSettled(t.outcome[settlement.outcome]);
  return settlement === null ? t.endOpen : t.endUnsettled;
};

const unsettledEnd = (store: Store, { unit: { mark } }: Row): boolean =>
  mark?.kind === 'end' && carriedBy(store, mark.flow.id)?.settlement?.outcome === 'severed';

const Drawn = (props: Props) => {
  const { row, position, columns, selected } = props;
  const store = useStore();
  const t = useStrings();
  const event = row.event;
  const asOf = store.asOf.value;
  const seq = event?.seq ?? row.unit.mark!.seq;
  const future = asOf !== null && seq > asOf.seq;
  const classes = [
    'row',
    position % 2 === 1 ? 'odd' : '',
    selected ? 'selected' : '',
    row.child ? 'child' : '',
    event === null ? `mark mark-${row.unit.mark!.kind}` : event.standing,
    event === null && unsettledEnd(store, row) ? 'cut' : '',
    event !== null && (event.type === 'breach' || event.type === 'malformed') ? 'breach' : '',
    event !== null && event.voice === 'terminal' ? 'terminal' : '',
    future ? 'future' : '',
  ];
  return (
    <div
      class={classes.filter((each) => each !== '').join(' ')}
      id={`row-${position}`}
      role="row"
      aria-rowindex={position + 2}
      aria-selected={selected}
      aria-level={row.child ? 2 : 1}
      {...(row.fold ? { 'aria-expanded': row.open } : {})}
      style={`transform:translateY(${position * 20}px)`}
      onMouseDown={(mouse) => {
        if (mouse.button !== 0) return;
        const onTwist = (mouse.target as Element).closest('.twist-icon, .times') !== null;
        if (row.fold && onTwist) {
          store.rows().toggle(row.unit.key);
          store.rowsVersion.value++;
        }
        store.selectRow(row);
        if (store.tab.peek() === 'run') store.tab.value = 'event';
      }}
      onContextMenu={(mouse) => {
        // The browser's own menu stays where text is marked, to copy just that.
        if (getSelection()?.toString()) return;
        mouse.preventDefault();
        store.selectRow(row);
        rowMenu.value = { row, x: mouse.clientX, y: mouse.clientY };
      }}
      onDblClick={() => {
        if (!row.fold) return;
        store.rows().toggle(row.unit.key);
        store.rowsVersion.value++;
      }}
    >
      {columns.map((column) => (
        <span key={column.id} role="gridcell" class={`cell c-${column.id}`}>
          {cellOf(column, row, store, t)}
        </span>
      ))}
    </div>
  );
};

export const EventRow = memo(Drawn, (before, after) => {
  const a = before.row;
  const b = after.row;
  return (
    a.unit === b.unit &&
    a.index === b.index &&
    a.fold === b.fold &&
    a.open === b.open &&
    a.child === b.child &&
    before.count === after.count &&
    before.position === after.position &&
    before.columns === after.columns &&
    before.selected === after.selected &&
    before.scopeId === after.scopeId &&
    a.unit.mark === null
  );
});
