import { describe, expect, test } from 'vitest';
import { read, tapBatchSchema, tapRecordSchema } from '../link/messages';
import { unpack } from '../witness/intake';
import { createOutbox, DOCUMENT_CHARS, FLOW_CHARS, MESSAGE_CHARS, type Opening, type Outbox } from './outbox';

type Batch = Parameters<Parameters<Outbox['connect']>[0]>[0];
type Sent = Exclude<Batch['records'][number], { type: 'flow.chunks' }>;

const OPENING: Opening = { transport: 'fetch', method: 'POST', url: 'http://localhost/x', requestHeaders: {}, requestBody: null };

const create = () => {
  let time = 0;
  const timers: (() => void)[] = [];
  const batches: Batch[] = [];
  const rings: number[] = [];
  const hurry: (() => void)[] = [];
  const out = createOutbox({ document: 'doc', now: () => ++time, later: (run) => timers.push(run), soon: (run) => hurry.push(run) });
  return {
    out,
    batches,
    rings,
    connect: () =>
      out.connect(
        // As the port does it.
        (batch) => batches.push(structuredClone(batch)),
        () => rings.push(time),
      ),
    hurry: () => hurry.splice(0).forEach((run) => void run()),
    tick: () => timers.splice(0).forEach((run) => void run()),
    waiting: () => timers.length,
    records: (): Sent[] =>
      batches.flatMap(({ records }) =>
        records.flatMap((record) => (record.type === 'flow.chunks' ? (unpack(record) as Sent[]) : [record as Sent])),
      ),
  };
};
const lostIn = (records: readonly Sent[]): number =>
  records.reduce((sum, record) => sum + (record.type === 'gap' && record.reason === 'over-budget' ? record.lost : 0), 0);
const textIn = (records: readonly Sent[]): number =>
  records.reduce((sum, record) => sum + (record.type === 'flow.chunk' ? record.text.length : 0), 0);
const types = (records: readonly Sent[]): string[] => records.map((record) => record.type);

describe('outbox', () => {
  test('a flow that nothing is known of leaves no record', () => {
    const { out, connect, records } = create();
    connect();
    out.open(OPENING).end('eof', null, null);
    out.flush(false);
    expect(records()).toEqual([]);
  });

  test('records come in order, with the time of the call that made them, and have the shape of the link', () => {
    const { out, connect, tick, batches, records } = create();
    connect();
    const flow = out.open({ ...OPENING, requestBody: 'x'.repeat(100_000) });
    flow.head(200, { 'content-type': 'text/event-stream' });
    flow.chunk('received', 'data: 1\n\n', 'text', null, null);
    flow.end('eof', null, null);
    tick();
    expect(types(records())).toEqual(['flow.opened', 'flow.head', 'flow.chunk', 'flow.ended']);
    const [opened] = records();
    expect(opened).toMatchObject({ at: 1, flow: 'doc.1', document: 'doc' });
    expect((opened as { requestBody: string }).requestBody.length).toBe(64_000);
    for (const batch of batches) expect(read(tapBatchSchema, batch)).not.toBeNull();
    for (const record of records()) expect(read(tapRecordSchema, record)).toEqual(record);
  });

  test('one message per moment, and one in a task of its own when 64 kB wait; nothing is scheduled while nothing waits', () => {
    const { out, connect, tick, hurry, batches, waiting } = create();
    connect();
    const flow = out.open(OPENING);
    flow.announce();
    for (let i = 0; i < 50; i++) flow.chunk('received', 'x', 'text', null, null);
    expect(batches).toHaveLength(0);
    expect(waiting()).toBe(1);
    tick();
    expect(batches).toHaveLength(1);
    expect(waiting()).toBe(0);
    for (let i = 0; i < 40; i++) {
      flow.chunk('received', 'x'.repeat(MESSAGE_CHARS / 4), 'text', null, null);
      // The page does not wait for it.
      expect(batches).toHaveLength(1 + Math.floor(i / 8));
      if (i % 8 === 7) hurry();
    }
    expect(batches).toHaveLength(6);
    expect(waiting()).toBe(1);
    tick();
    expect(waiting()).toBe(0);
  });

  test('a beginning and an end do not wait for the rest', () => {
    const { out, connect, hurry, records } = create();
    connect();
    const flow = out.open(OPENING);
    flow.announce();
    flow.head(200, {});
    hurry();
    expect(types(records())).toEqual(['flow.opened', 'flow.head']);
    flow.chunk('received', 'waits');
    hurry();
    expect(types(records())).toHaveLength(2);
    flow.end('eof');
    hurry();
    expect(types(records())).toEqual(['flow.opened', 'flow.head', 'flow.chunk', 'flow.ended']);
  });

  test('what is left out on and on is one gap for all of it that waits, and hurries nobody', () => {
    const { out, connect, tick, hurry, records } = create();
    connect();
    const [a, b] = [out.open(OPENING), out.open(OPENING)];
    a.announce();
    b.announce();
    hurry();
    for (let i = 1; i <= 10; i++) a.gap('binary', i);
    b.gap('binary', 7);
    a.gap('binary', 1);
    a.gap('over-budget', 2);
    hurry();
    expect(records()).toHaveLength(2);
    tick();
    a.gap('binary', 3);
    out.flush(false);
    expect(records().map((record) => (record.type === 'gap' ? `${record.reason} ${record.lost}` : record.type))).toEqual([
      'flow.opened',
      'flow.opened',
      'binary 55',
      'binary 7',
      'binary 1',
      'over-budget 2',
      'binary 3',
    ]);
  });

  test('chunks of one flow that follow one another are sent in one piece, each with its time', () => {
    const { out, connect, tick, batches, records } = create();
    connect();
    const [a, b] = [out.open(OPENING), out.open(OPENING)];
    a.chunk('received', 'one', 'text', null, null);
    a.chunk('received', '', 'text', null, null);
    a.chunk('received', 'two', 'text', null, null);
    b.chunk('sent', 'three', 'text', null, null);
    a.chunk('received', 'four', 'text', 'named', '7');
    a.chunk('received', 'ZmY=', 'base64', null, null);
    a.chunk('received', 'five', 'text', null, null);
    tick();
    expect(types(batches[0]!.records as Sent[])).toEqual([
      'flow.opened',
      'flow.chunks',
      'flow.opened',
      'flow.chunks',
      'flow.chunk',
      'flow.chunks',
      'flow.chunks',
    ]);
    const chunks = records().filter((record) => record.type === 'flow.chunk');
    expect(chunks.map(({ text, encoding, event }) => [text, encoding, event])).toEqual([
      ['one', 'text', null],
      ['', 'text', null],
      ['two', 'text', null],
      ['three', 'text', null],
      ['four', 'text', 'named'],
      ['ZmY=', 'base64', null],
      ['five', 'text', null],
    ]);
    const times = chunks.map(({ at }) => at);
    expect(new Set(times).size).toBe(7);
    expect(times).toEqual([...times].sort((x, y) => x - y));
  });

  test('a ring that is full stays cheap, however many small chunks come', () => {
    const { out, connect, records } = create();
    const flow = out.open(OPENING);
    for (let i = 0; i < 200_000; i++) flow.chunk('received', `${i} `, 'text', null, null);
    connect();
    expect((records().at(-1) as { text: string }).text).toBe('199999 ');
    expect(lostIn(records())).toBeGreaterThan(0);
  });

  test('before somebody reads, a flow keeps its newest two million characters and says exactly what is missing', () => {
    const { out, connect, records } = create();
    const flow = out.open(OPENING);
    let said = 0;
    for (let i = 0; i < 300; i++) {
      const text = `${i}:`.padEnd(10_000 + i, 'x');
      said += text.length;
      flow.chunk('received', text, 'text', null, null);
    }
    connect();
    const all = records();
    expect(types(all).slice(0, 2)).toEqual(['flow.opened', 'gap']);
    expect(
      types(all)
        .slice(2)
        .every((type) => type === 'flow.chunk'),
    ).toBe(true);
    expect(textIn(all)).toBeLessThanOrEqual(FLOW_CHARS);
    expect(textIn(all)).toBeGreaterThan(FLOW_CHARS * 0.9);
    expect(lostIn(all) + textIn(all)).toBe(said);
    expect((all.at(-1) as { text: string }).text.startsWith('299:')).toBe(true);
  });

  test('a document keeps eight million characters, oldest out, whichever flow they are of', () => {
    const { out, connect, records, batches } = create();
    const flows = Array.from({ length: 8 }, () => out.open(OPENING));
    let said = 0;
    for (let round = 0; round < 150; round++)
      for (const flow of flows) {
        flow.chunk('received', 'y'.repeat(10_000), 'text', null, null);
        said += 10_000;
      }
    connect();
    const all = records();
    expect(textIn(all)).toBeLessThanOrEqual(DOCUMENT_CHARS);
    expect(textIn(all)).toBeGreaterThan(DOCUMENT_CHARS * 0.9);
    expect(lostIn(all) + textIn(all)).toBe(said);
    expect(all.filter((record) => record.type === 'flow.opened')).toHaveLength(8);
    expect(batches.at(-1)?.lost).toBe(0);
  });

  test('flows that are opened without end and never read stay within bounds and are counted', () => {
    const { out, connect, records, batches } = create();
    const many = 400;
    const requestBody = 'x'.repeat(64_000);
    for (let i = 0; i < many; i++) out.open({ ...OPENING, requestBody }).announce();
    connect();
    expect(records().length).toBeLessThanOrEqual(DOCUMENT_CHARS / requestBody.length);
    expect(records().length).toBeGreaterThan(100);
    expect(records().length + (batches.at(-1)?.lost ?? 0)).toBe(many);
  });

  test('one chunk over the bound is a gap of its size', () => {
    const { out, connect, records } = create();
    connect();
    const flow = out.open(OPENING);
    flow.chunk('received', 'z'.repeat(FLOW_CHARS + 1), 'text', null, null);
    out.flush(false);
    expect(types(records())).toEqual(['flow.opened', 'gap']);
    expect(lostIn(records())).toBe(FLOW_CHARS + 1);
  });

  test('switched off, nothing is recorded but ends; switched on, the hole is a gap', () => {
    const { out, connect, records } = create();
    connect();
    const [a, b] = [out.open(OPENING), out.open({ ...OPENING, url: 'http://localhost/b' })];
    a.announce();
    out.record(false);
    a.chunk('received', '1', 'text', null, null);
    a.chunk('received', '2', 'text', null, null);
    b.head(200, { 'content-type': 'text/event-stream' });
    b.chunk('received', 'unseen', 'text', null, null);
    out.record(true);
    a.chunk('received', '3', 'text', null, null);
    b.chunk('received', 'seen', 'text', null, null);
    out.record(false);
    a.end('eof', null, null);
    expect(records().filter((record) => record.type === 'flow.ended')).toEqual([]);
    out.record(true);
    out.flush(false);
    expect(records().map((record) => (record.type === 'gap' ? `${record.reason} ${record.lost}` : record.type))).toEqual([
      'flow.opened',
      'paused 2',
      'flow.chunk',
      'flow.opened',
      'flow.head',
      'paused 1',
      'flow.chunk',
      'flow.ended',
    ]);
  });

  test('a chunk that is read later keeps its place and its time', () => {
    const { out, connect, records } = create();
    connect();
    const flow = out.open(OPENING);
    flow.chunk('received', 'first', 'text', null, null);
    const one = flow.later('received');
    flow.chunk('received', 'between', 'text', null, null);
    const two = flow.later('sent');
    flow.end('eof', null, null);
    two('dHdv', 0);
    one(null, 70_000);
    out.flush(false);
    const all = records();
    expect(
      all.map((record) => (record.type === 'flow.chunk' ? record.text : record.type === 'gap' ? `gap ${record.lost}` : record.type)),
    ).toEqual(['flow.opened', 'first', 'gap 70000', 'between', 'dHdv', 'flow.ended']);
    const times = all.slice(1).map((record) => record.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test('the document goes: open flows end, ended ones do not end again; what goes on after a return is a new flow', () => {
    const { out, connect, records } = create();
    connect();
    const [open, done] = [out.open(OPENING), out.open(OPENING)];
    open.head(200, {});
    done.announce();
    done.end('eof', null, null);
    out.leave();
    out.leave();
    expect(
      records()
        .filter((record) => record.type === 'flow.ended')
        .map((record) => record.how),
    ).toEqual(['eof', 'document-gone']);
    open.chunk('received', 'still here', 'text', null, null);
    out.flush(false);
    expect(records().slice(-4)).toMatchObject([
      { type: 'flow.opened', flow: 'doc.3' },
      { type: 'gap', reason: 'attached-late' },
      { type: 'flow.head', flow: 'doc.3' },
      { type: 'flow.chunk', flow: 'doc.3', text: 'still here' },
    ]);
  });

  test('asked for a batch, one is sent, be it empty; not asked, none', () => {
    const { out, connect, batches } = create();
    out.flush(true);
    connect();
    out.flush(false);
    expect(batches).toEqual([]);
    out.flush(true);
    expect(batches).toMatchObject([{ records: [] }]);
    expect(batches[0]?.upTo).toBeGreaterThan(0);
  });

  test('rings the witness at the first record after a silence, and not at every record', () => {
    const { out, connect, rings } = create();
    connect();
    const flow = out.open(OPENING);
    for (let i = 0; i < 2_500; i++) flow.chunk('received', 'x');
    expect(rings).toHaveLength(3);
  });

  test('nothing that the page puts on Array.prototype or Object.prototype is asked', () => {
    let time = 0;
    let calls = '';
    const note = (call: string): void => {
      calls += `${call},`;
    };
    // Kept without a list: the test's own would be asked for.
    type Kept = { readonly batch: Batch; readonly before: Kept } | null;
    let kept: Kept = null;
    const out = createOutbox({ document: 'doc', now: () => ++time, later: () => {}, soon: () => {} });
    out.connect(
      (batch) => {
        kept = { batch, before: kept };
      },
      () => {},
    );
    const holders = [Array.prototype, Object.prototype] as unknown as Record<string, unknown>[];
    const names = [
      ...Array.from({ length: 300 }, (_, i) => `${i}`),
      'flow',
      'type',
      'text',
      'event',
      'run',
      'hole',
      'slots',
      'requestBody',
    ];
    for (const holder of holders)
      for (const name of names) {
        const accessor = {
          __proto__: null,
          configurable: true,
          get: () => note(`get ${name}`),
          set: () => note(`set ${name}`),
        };
        Reflect.defineProperty(holder, name, accessor);
      }
    try {
      const [a, b] = [out.open(OPENING), out.open(OPENING)];
      for (let i = 0; i < 200; i++) {
        a.chunk('received', 'one', 'text', null, null);
        if (i % 3 === 0) b.chunk('received', 'two', 'text', 'named', '1');
      }
      const settle = b.later('received');
      b.chunk('received', 'behind', 'text', null, null);
      settle('YQ==', 0);
      out.record(false);
      a.end('eof', null, null);
      out.record(true);
      out.leave();
    } finally {
      for (const holder of holders) for (const name of names) delete holder[name];
    }
    expect(calls).toBe('');
    const records: Sent[] = [];
    for (let one = kept as Kept; one !== null; one = one.before)
      records.unshift(
        ...structuredClone(one.batch).records.flatMap((record) =>
          record.type === 'flow.chunks' ? (unpack(record) as Sent[]) : [record as Sent],
        ),
      );
    expect(textIn(records)).toBe(200 * 3 + 67 * 3 + 6 + 4);
    expect(types(records).filter((type) => type === 'flow.ended')).toHaveLength(2);
  });
});
