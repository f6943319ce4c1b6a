/** A row as text for the clipboard: its words, its events as JSON, or its frames exactly as they came. */
import type { AgentEvent, WireFrame } from '../../core/model';
import { codeOf } from '../code';
import { isSettled } from '../outcome';
import type { Row } from '../row';
import type { Store } from '../store';

export const eventsIn = (
  store: Store,
  row: { readonly index: number; readonly fold: boolean; readonly unit: Row['unit'] },
): readonly AgentEvent[] => {
  const scope = store.scope.peek();
  const session = store.session();
  if (row.index < 0 || scope.kind === 'flow') return [];
  const list = scope.kind === 'all' ? session.events : session.eventsOf(scope.run);
  return row.fold ? list.slice(row.unit.from, row.unit.from + row.unit.count) : list.slice(row.index, row.index + 1);
};

/** The frames the events were read from, each once. */
export const framesFor = (store: Store, events: readonly AgentEvent[]): readonly WireFrame[] => {
  const wanted = new Map<string, Set<number>>();
  for (const event of events) {
    const set = wanted.get(event.flow);
    if (set) set.add(event.frame);
    else wanted.set(event.flow, new Set([event.frame]));
  }
  return [...wanted].flatMap(([flow, indices]) =>
    store
      .session()
      .frames(flow)
      .filter((frame) => indices.has(frame.index)),
  );
};

export type CopyForm = 'text' | 'json' | 'raw' | 'curl' | 'test';

/** The stream an event came on, as a request to repeat, or as a test that serves it up to and with this event. Null: the code for it did not come. */
export const requestOf = async (store: Store, event: AgentEvent, as: 'curl' | 'test'): Promise<string | null> => {
  const session = store.session();
  const flow = session.flows.get(event.flow);
  if (flow === undefined) return '';
  const code = await codeOf(import('../copy-request'));
  if (code === null) return null;
  if (as === 'curl') return code.curlOf(session.entries, flow);
  const settlement = session.run(session.runOf(event) ?? '')?.settlement ?? null;
  const settled = settlement !== null && isSettled(settlement) && settlement.seq <= event.seq;
  return code.testOf(session.entries, flow, session.documents.get(flow.document), event.seq, settled ? settlement.outcome : null);
};

export const copyOf = async (store: Store, row: Row, as: CopyForm): Promise<string | null> => {
  const rows = store.rows();
  if (row.event === null) return rows.text(row.unit);
  const text = row.fold ? rows.text(row.unit) : rows.text({ ...row.unit, from: row.index, count: 1 });
  if (as === 'text') return text === '' ? row.event.raw : text;
  const events = eventsIn(store, row);
  if (as === 'curl' || as === 'test') return requestOf(store, events.at(-1) ?? row.event, as);
  if (as === 'raw')
    return framesFor(store, events)
      .map((frame) => frame.data)
      .join('\n');
  return JSON.stringify(events.length === 1 ? events[0] : events, null, 2);
};
