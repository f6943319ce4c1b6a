import { describe, expect, test } from 'vitest';
import type { AgentEvent, Flow, Standing, Voice } from '../core/model';
import { parseQuery } from './query';
import { type Between, eventKey, type RowFilter } from './row';
import { createRows } from './rows';
import { LANES, STANDINGS } from './voices';

interface Draft {
  readonly text?: string;
  readonly voice?: Voice | null;
  readonly standing?: Standing;
  readonly part?: string;
  readonly raw?: string;
  readonly flow?: string;
  readonly type?: 'part.delta' | 'note';
}

/** A source that grows like a session's list of events. */
const source = () => {
  const events: AgentEvent[] = [];
  const flows: Flow[] = [];
  return {
    events,
    flows,
    add(...drafts: Draft[]): void {
      for (const draft of drafts) {
        const seq = events.length;
        events.push({
          type: draft.type ?? 'part.delta',
          text: draft.text ?? '',
          seq,
          at: seq * 10,
          flow: draft.flow ?? 'f',
          ordinal: seq,
          frame: seq,
          dialect: 'd',
          raw: draft.raw ?? 'delta',
          voice: draft.voice === undefined ? 'reasoning' : draft.voice,
          voiceBySaying: true,
          standing: draft.standing ?? 'provisional',
          identity: {},
          lane: null,
          part: draft.part ?? 'p',
          wireId: null,
          order: null,
        });
      }
    },
    end(flow: string, seq: number): void {
      flows.push({
        id: flow,
        document: '',
        transport: 'fetch',
        method: 'POST',
        url: '',
        requestBody: null,
        status: 200,
        headers: {},
        openedAt: 0,
        openedSeq: 0,
        dialect: 'd',
        frames: 0,
        events: 0,
        unrecognised: 0,
        chars: 0,
        unterminated: false,
        end: { how: 'eof', at: seq * 10, seq, detail: null },
        gaps: [],
      } as unknown as Flow);
    },
    rows(fold = true, cut: Between | null = null, offsets: Readonly<Record<string, number>> = {}) {
      return createRows(
        {
          events,
          flows: () => flows,
          runOf: (event) => event.flow,
          sizeOf: () => 100,
          timeOf: (flow, at) => at + (offsets[flow] ?? 0),
        },
        fold,
        cut,
      );
    },
  };
};

const filterOf = (query: string, more: Partial<RowFilter> = {}): RowFilter => ({
  lanes: new Set(LANES),
  standings: new Set(STANDINGS),
  query: parseQuery(query),
  only: null,
  between: null,
  ...more,
});
const never = (): boolean => false;
const shown = (rows: ReturnType<ReturnType<typeof source>['rows']>): string[] => {
  const list: string[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows.row(i)!;
    list.push(
      row.unit.mark !== null
        ? row.unit.mark.kind
        : `${row.child ? '  ' : ''}${rows.text(row.child ? { ...row.unit, from: row.index, count: 1 } : row.unit)}${row.fold ? ` ×${row.unit.count}` : ''}`,
    );
  }
  return list;
};

describe('folding', () => {
  test('deltas of one part become one row with their joined text', () => {
    const s = source();
    s.add({ text: 'I ' }, { text: 'should ' }, { text: 'verify.' }, { type: 'note', text: 'x' }, { text: 'Again' });
    const rows = s.rows();
    rows.grow();
    expect(shown(rows)).toEqual(['I should verify. ×3', 'x', 'Again']);
    expect(rows.row(0)!.unit.chars).toBe('I should verify.'.length);
    expect(rows.total).toBe(5);
  });
  test('another part, voice, standing, type or flow begins a row', () => {
    const s = source();
    s.add(
      { text: 'a' },
      { text: 'b', part: 'q' },
      { text: 'c', part: 'q', voice: 'assistant' },
      { text: 'd', part: 'q', voice: 'assistant', standing: 'committed' },
      { text: 'e', raw: 'other' },
      { text: 'f', raw: 'other', flow: 'g' },
    );
    const rows = s.rows();
    rows.grow();
    expect(rows.length).toBe(6);
  });
  test('goes on where it stopped when events arrive later', () => {
    const s = source();
    const rows = s.rows();
    s.add({ text: 'a' });
    rows.grow();
    s.add({ text: 'b' });
    rows.grow();
    expect(shown(rows)).toEqual(['ab ×2']);
  });
  test('off: every event is a row', () => {
    const s = source();
    s.add({ text: 'a' }, { text: 'b' });
    const rows = s.rows(false);
    rows.grow();
    expect(shown(rows)).toEqual(['a', 'b']);
  });
});

describe('opening a fold', () => {
  test('puts its events under it and finds every row by position', () => {
    const s = source();
    s.add(
      { text: 'a' },
      { text: 'b' },
      { type: 'note', text: 'x' },
      { text: 'c' },
      { text: 'd' },
      { text: 'e' },
      { type: 'note', text: 'y' },
    );
    const rows = s.rows();
    rows.grow();
    rows.toggle(rows.row(2)!.unit.key);
    expect(shown(rows)).toEqual(['ab ×2', 'x', 'cde ×3', '  c', '  d', '  e', 'y']);
    rows.toggle(rows.row(0)!.unit.key);
    expect(shown(rows)).toEqual(['ab ×2', '  a', '  b', 'x', 'cde ×3', '  c', '  d', '  e', 'y']);
    rows.toggle(rows.row(4)!.unit.key);
    expect(shown(rows)).toEqual(['ab ×2', '  a', '  b', 'x', 'cde ×3', 'y']);
  });
  test('an open fold at the tail grows', () => {
    const s = source();
    s.add({ text: 'a' }, { text: 'b' });
    const rows = s.rows();
    rows.grow();
    rows.toggle(rows.row(0)!.unit.key);
    s.add({ text: 'c' });
    rows.grow();
    expect(shown(rows)).toEqual(['abc ×3', '  a', '  b', '  c']);
  });
  test('an event is found in its fold, or as its own row once that is open', () => {
    const s = source();
    s.add({ type: 'note', text: 'x' }, { text: 'a' }, { text: 'b' }, { type: 'note', text: 'y' });
    const rows = s.rows();
    rows.grow();
    expect([0, 1, 2, 3].map((index) => rows.whereIs(index))).toEqual([0, 1, 1, 2]);
    rows.toggle(rows.row(1)!.unit.key);
    expect([0, 1, 2, 3].map((index) => rows.whereIs(index))).toEqual([0, 2, 3, 4]);
    expect(rows.whereIs(9)).toBe(-1);
  });
});

describe('filtering', () => {
  test('finds words that are split over deltas', () => {
    const s = source();
    s.add({ text: 'I should ver' }, { text: 'ify the mig' }, { text: 'ration' }, { type: 'note', text: 'other' });
    const rows = s.rows();
    rows.grow();
    rows.setFilter(filterOf('"verify the migration"'));
    expect(rows.settleFilter(never)).toBe(true);
    expect(rows.length).toBe(1);
    expect([rows.matched, rows.total]).toEqual([3, 4]);
  });
  test('looks again at a fold that grew', () => {
    const s = source();
    s.add({ text: 'I should ver' });
    const rows = s.rows();
    rows.grow();
    rows.setFilter(filterOf('verify'));
    rows.settleFilter(never);
    expect([rows.length, rows.matched]).toEqual([0, 0]);
    s.add({ text: 'ify' });
    rows.grow();
    rows.settleFilter(never);
    expect([rows.length, rows.matched]).toEqual([1, 2]);
    s.add({ text: ' it' });
    rows.grow();
    rows.settleFilter(never);
    expect([rows.length, rows.matched]).toEqual([1, 3]);
    // And it may pass no longer.
    rows.setFilter(filterOf('-more'));
    rows.settleFilter(never);
    expect(rows.length).toBe(1);
    s.add({ text: ' more' });
    rows.grow();
    rows.settleFilter(never);
    expect([rows.length, rows.matched]).toEqual([0, 0]);
  });
  test('stops when out of time and goes on', () => {
    const s = source();
    for (let i = 0; i < 1000; i++) s.add({ type: 'note', text: `n${i}` });
    const rows = s.rows();
    rows.grow();
    rows.setFilter(filterOf('n99'));
    let calls = 0;
    expect(rows.settleFilter(() => ++calls > 2)).toBe(false);
    while (!rows.settleFilter(() => ++calls % 2 === 0));
    expect(rows.length).toBe(11);
  });
  test('by voice, standing and evidence', () => {
    const s = source();
    s.add({ text: 'a' }, { type: 'note', text: 'b', voice: 'log', standing: 'committed' }, { type: 'note', text: 'c', voice: null });
    const rows = s.rows();
    rows.grow();
    const count = (more: Partial<RowFilter>): string[] => {
      rows.setFilter(filterOf('', more));
      rows.settleFilter(never);
      return shown(rows);
    };
    expect(count({ lanes: new Set(['log']) })).toEqual(['b']);
    expect(count({ lanes: new Set(['unrecognised']) })).toEqual(['c']);
    expect(count({ standings: new Set(['committed'] as const) })).toEqual(['b']);
    expect(count({ only: new Set([eventKey(s.events[2]!)]) })).toEqual(['c']);
  });
  test('counting for another filter disturbs nothing', () => {
    const s = source();
    s.add({ text: 'a' }, { text: 'b' }, { type: 'note', text: 'c' });
    const rows = s.rows();
    rows.grow();
    rows.setFilter(filterOf('c'));
    rows.settleFilter(never);
    expect(rows.countPassing(filterOf('ab'), never)).toBe(2);
    expect(rows.length).toBe(1);
  });
});

describe('marks', () => {
  test('the end of a flow stands in its place, and after events that arrived late', () => {
    const s = source();
    s.add({ text: 'a' }, { text: 'b' });
    s.end('f', 1.5);
    const rows = s.rows();
    rows.grow();
    expect(shown(rows)).toEqual(['ab ×2', 'end']);
    s.add({ text: 'c' });
    rows.grow();
    expect(shown(rows)).toEqual(['ab ×2', 'end', 'c']);
    expect([0, 1, 2].map((index) => rows.whereIs(index))).toEqual([0, 0, 2]);
  });
  test('parts a fold where it falls between deltas', () => {
    const s = source();
    s.add({ text: 'a' }, { text: 'b' });
    s.end('g', 0.5);
    const rows = s.rows();
    rows.grow();
    expect(shown(rows)).toEqual(['a', 'end', 'b']);
  });
  test('stays in view when voices are hidden', () => {
    const s = source();
    s.add({ text: 'a' });
    s.end('f', 1);
    const rows = s.rows();
    rows.grow();
    rows.setFilter(filterOf('', { lanes: new Set(['log']) }));
    rows.settleFilter(never);
    expect(shown(rows)).toEqual(['end']);
  });
});

test('taken in by slices, the rows are the same, and marks keep their places', () => {
  const from = source();
  for (let i = 0; i < 2_000; i++) from.add({ text: `${i} `, part: `p${Math.floor(i / 7)}`, flow: i % 3 === 0 ? 'g' : 'f' });
  from.end('f', 700);
  from.end('g', 1_500);
  const whole = from.rows();
  whole.grow();
  const sliced = from.rows();
  let slices = 0;
  while (!sliced.grow(() => true)) slices++;
  expect(slices).toBeGreaterThan(3);
  expect(shown(sliced)).toEqual(shown(whole));
});

test('the same rows however the events arrived', () => {
  const drafts: Draft[] = [];
  let state = 7;
  const next = (limit: number): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state % limit;
  };
  for (let i = 0; i < 400; i++) drafts.push(next(4) === 0 ? { type: 'note', text: `n${i}` } : { text: `t${i}`, part: `p${next(2)}` });
  const whole = source();
  whole.add(...drafts);
  const expected = whole.rows();
  expected.grow();
  expected.setFilter(filterOf('1'));
  expected.settleFilter(never);

  const pieces = source();
  const rows = pieces.rows();
  rows.setFilter(filterOf('1'));
  for (let at = 0; at < drafts.length; ) {
    const size = 1 + next(9);
    pieces.add(...drafts.slice(at, at + size));
    at += size;
    rows.grow();
    rows.settleFilter(() => next(3) === 0);
  }
  while (!rows.settleFilter(never));
  expect(shown(rows)).toEqual(shown(expected));
  expect(rows.matched).toBe(expected.matched);
});

describe('a stretch of time', () => {
  test('leaves its own rows and counts, and cuts folds at its ends', () => {
    const s = source();
    s.add({ text: 'I ' }, { text: 'should ' }, { text: 'verify ' }, { text: 'it.' }, { type: 'note', text: 'x' });
    s.end('f', 5);
    const cut = { from: 10, to: 25 };
    const rows = s.rows(true, cut);
    rows.grow();
    rows.setFilter(filterOf('', { between: cut }));
    expect(rows.settleFilter(never)).toBe(true);
    expect(shown(rows)).toEqual(['should verify  ×2']);
    expect([rows.matched, rows.total]).toEqual([2, 5]);
  });
  test('marks outside it are left out, those inside it stay', () => {
    const s = source();
    s.add({ type: 'note', text: 'a' }, { type: 'note', text: 'b' });
    s.end('f', 2);
    const rows = s.rows();
    rows.grow();
    rows.setFilter(filterOf('', { between: { from: 5, to: 20 } }));
    rows.settleFilter(never);
    expect(shown(rows)).toEqual(['b', 'end']);
    rows.setFilter(filterOf('', { between: { from: 0, to: 5 } }));
    rows.settleFilter(never);
    expect(shown(rows)).toEqual(['a']);
  });
  test('is measured on the clock of all pages together', () => {
    const s = source();
    s.add({ type: 'note', text: 'a' }, { type: 'note', text: 'b', flow: 'g' });
    const rows = s.rows(true, null, { g: 1_000 });
    rows.grow();
    rows.setFilter(filterOf('', { between: { from: 1_000, to: 1_100 } }));
    rows.settleFilter(never);
    expect(shown(rows)).toEqual(['b']);
    expect(rows.gapBefore(1)).toBe(1_010);
  });
});

describe('the order of rows', () => {
  /** Two pages whose clocks differ: what arrives alternately was not said alternately. */
  const twoPages = () => {
    const s = source();
    s.add(
      { type: 'note', text: 'a', flow: 'late' },
      { type: 'note', text: 'b' },
      { type: 'note', text: 'c', flow: 'late' },
      { type: 'note', text: 'd' },
    );
    const rows = s.rows(true, null, { late: 100 });
    rows.grow();
    return { s, rows };
  };
  const settle = (rows: ReturnType<ReturnType<typeof source>['rows']>): void => {
    rows.grow();
    expect(rows.settleFilter(never)).toBe(true);
  };
  test('by arrival, by time, and both the other way round', () => {
    const { rows } = twoPages();
    for (const [sort, order] of [
      ['sequence', 'abcd'],
      ['-sequence', 'dcba'],
      ['time', 'bdac'],
      ['-time', 'cadb'],
    ] as const) {
      rows.setSort(sort);
      settle(rows);
      expect(shown(rows).join('')).toBe(order);
      // Every event is found where it is drawn.
      for (let at = 0; at < rows.length; at++) expect(rows.whereIs(rows.row(at)!.index)).toBe(at);
    }
  });
  test('with a filter, and as rows come and folds grow', () => {
    const { s, rows } = twoPages();
    rows.setSort('-time');
    rows.setFilter(filterOf('-b'));
    settle(rows);
    expect(shown(rows)).toEqual(['c', 'a', 'd']);
    s.add({ text: 'e1' });
    settle(rows);
    expect(shown(rows)).toEqual(['c', 'a', 'e1', 'd']);
    s.add({ text: ' e2' });
    settle(rows);
    expect(shown(rows)).toEqual(['c', 'a', 'e1 e2 ×2', 'd']);
    // A fold that no longer passes leaves its place.
    rows.setFilter(filterOf('-e3'));
    settle(rows);
    s.add({ text: ' e3' });
    settle(rows);
    expect(shown(rows)).toEqual(['c', 'a', 'd', 'b']);
  });
  test('an open fold keeps its events under it, in reading order, as newer rows come above', () => {
    const s = source();
    s.add({ text: 'x' }, { text: 'y' }, { type: 'note', text: 'n' });
    const rows = s.rows();
    rows.setSort('-sequence');
    settle(rows);
    rows.toggle(rows.row(1)!.unit.key);
    expect(shown(rows)).toEqual(['n', 'xy ×2', '  x', '  y']);
    expect(rows.whereIs(1)).toBe(3);
    s.add({ type: 'note', text: 'o' });
    settle(rows);
    expect(shown(rows)).toEqual(['o', 'n', 'xy ×2', '  x', '  y']);
    expect(rows.whereIs(1)).toBe(4);
  });
  test('goes on in slices, and what is in order so far is there', () => {
    const s = source();
    for (let i = 0; i < 5_000; i++) s.add({ type: 'note', text: String(i) });
    const rows = s.rows();
    rows.grow();
    rows.setSort('time');
    let slices = 0;
    let lengths = 0;
    while (!rows.settleFilter(() => true)) {
      slices++;
      if (rows.length > 0 && rows.length < 5_000) lengths++;
    }
    expect(slices).toBeGreaterThan(2);
    expect(lengths).toBe(slices);
    expect(rows.length).toBe(5_000);
  });
});

test('ends stand where their records came, however finely what is there is taken in, and whatever comes meanwhile', () => {
  const from = source();
  const rows = from.rows(true);
  /** Overdue after so few steps that a look at all flows takes several goes. */
  const soon = (steps: number) => () => steps-- <= 0;
  const wanted: string[] = [];
  let flows = 0;
  for (let round = 0; round < 40; round++) {
    for (let each = 0; each < 97; each++) {
      const flow = `f${flows}`;
      from.add({ flow, text: 'a' }, { flow, text: 'b' });
      from.end(flow, from.events.length - 0.5);
      wanted.push(`${flow} 2`, `${flow} end`);
      flows++;
      // As a record that opens a stream comes before its events, one that ends it after them.
      if (each % 31 === 0) rows.grow(soon(each % 3));
    }
    rows.grow(soon(round % 2));
  }
  while (!rows.grow(soon(1)));
  expect(
    rows.units.map(({ mark, from: at, count }) => (mark === null ? `${from.events[at]!.flow} ${count}` : `${mark.flow.id} end`)),
  ).toEqual(wanted);
});
