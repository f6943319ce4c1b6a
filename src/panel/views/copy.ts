/** A row as text for the clipboard: its words, its events as JSON, or its frames exactly as they came. */
import type { AgentEvent, WireFrame } from '../../core/model';
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

export const copyOf = (store: Store, row: Row, as: 'text' | 'json' | 'raw'): string => {
  const rows = store.rows();
  if (row.event === null) return rows.text(row.unit);
  const text = row.fold ? rows.text(row.unit) : rows.text({ ...row.unit, from: row.index, count: 1 });
  if (as === 'text') return text === '' ? row.event.raw : text;
  const events = eventsIn(store, row);
  if (as === 'raw')
    return framesFor(store, events)
      .map((frame) => frame.data)
      .join('\n');
  return JSON.stringify(events.length === 1 ? events[0] : events, null, 2);
};
