/** Going to what is shown: a row, an event wherever it is, a finding, a moment. */
import { batch, type ReadonlySignal } from '@preact/signals';
import type { AgentEvent, Finding, FlowId, Seq } from '../../core/model';
import type { Feed } from '../feed';
import { eventKey, type Row } from '../row';
import type { Settings } from '../settings';
import { lastUpTo, nextFrom, seqAt } from './moments';
import type { Selection } from './selection';
import { frameEvents } from './stream-events';
import type { Table } from './table';

export const createNavigation = (feed: ReadonlySignal<Feed>, settings: Settings, selection: Selection, table: Table) => {
  const { chosen, selected, selectedFinding, asOf, tab, following, scope } = selection;
  const scopeEvents = (): readonly AgentEvent[] => {
    const now = scope.peek();
    const { session } = feed.peek();
    return now.kind === 'all' ? session.events : now.kind === 'run' ? session.eventsOf(now.run) : frameEvents(session, now.flow);
  };

  /** Goes to an event wherever it is: its run, its row, its details. */
  const revealEvent = (flow: FlowId, ordinal: number): boolean => {
    const { session } = feed.peek();
    const event = session.events.find((each) => each.flow === flow && each.ordinal === ordinal);
    if (event === undefined) return false;
    const owner = session.runOf(event);
    batch(() => {
      const now = scope.peek();
      if (owner !== null && (now.kind !== 'run' || now.run !== owner) && now.kind !== 'all') chosen.value = { kind: 'run', run: owner };
      following.value = false;
      const list = scope.peek().kind === 'all' ? session.events : session.eventsOf(owner ?? '');
      const index = list.indexOf(event);
      const rows = table.rows();
      rows.grow();
      selected.value = { kind: 'event', event, index, unit: rows.unitOf(index)?.key ?? eventKey(event), fold: false };
    });
    return true;
  };

  return {
    selectRow(row: Row): void {
      selected.value =
        row.unit.mark === null
          ? { kind: 'event', event: row.event!, index: row.index, unit: row.unit.key, fold: row.fold }
          : { kind: 'mark', mark: row.unit.mark, key: row.unit.key };
    },
    /** Selects one event of what is shown, by its place among all events there. */
    selectIndex(index: number): void {
      const event = scopeEvents()[index];
      if (event === undefined) return;
      following.value = false;
      selected.value = { kind: 'event', event, index, unit: table.rows().unitOf(index)?.key ?? eventKey(event), fold: false };
    },
    revealEvent,
    /** The row of what came with this record: the event read from it, or the last one before it. */
    revealSeq(seq: Seq): boolean {
      const event = lastUpTo(scopeEvents(), seq);
      return event !== undefined && revealEvent(event.flow, event.ordinal);
    },
    /** The last record at or before a time on the feed's clock. */
    seqAt: (time: number): Seq => seqAt(feed.peek(), time),
    /** Moves "as of" to the next or the previous event of what is shown. */
    stepAsOf(by: 1 | -1): void {
      const events = scopeEvents();
      if (events.length === 0) return;
      const now = asOf.peek();
      if (now === null && by > 0) return;
      const event = nextFrom(events, now === null ? null : now.seq, by);
      if (event === undefined) asOf.value = null;
      else asOf.value = { time: feed.peek().timeOfFlow(event.flow, event.at), seq: event.seq };
    },
    openFinding(finding: Finding): void {
      batch(() => {
        const now = scope.peek();
        if (now.kind !== 'run' || now.run !== finding.run) {
          chosen.value = { kind: 'run', run: finding.run };
          selected.value = null;
          asOf.value = null;
        }
        selectedFinding.value = finding.key;
        settings.detailsOpen.value = true;
        tab.value = 'why';
      });
    },
  };
};
