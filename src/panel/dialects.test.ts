/**
 * Dialects that come late change nothing: whatever is recorded is read and judged by the panel's feed, which waits for each,
 * as by a session that had the whole list. And one that does not come loses nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load } from '../../scripts/dialect-fixtures';
import { DIALECTS } from '../core/dialects';
import type { Dialect } from '../core/dialects/dialect';
import { ON_DEMAND, type OnDemand } from '../core/dialects/on-demand';
import type { Entry, Session } from '../core/engine';
import { createSession } from '../core/session';
import { createStock } from './dialects';
import { createFeed, type Feed, type Scheduler } from './feed';
import { SAMPLES } from './sample';
import { createSettings } from './settings';
import { createStore } from './store';

const CORE = join(import.meta.dirname, '../core');
const foldersIn = (room: string): string[] => readdirSync(join(CORE, room)).filter((name) => name.endsWith('.fixtures'));

/** Turns of the event loop are taken by hand; a dialect comes when it is let in. */
const late = () => {
  const turns: (() => void)[] = [];
  let now = 0;
  const scheduler: Scheduler = {
    now: () => now++,
    yield: (what) => turns.push(what),
    later: (what) => turns.push(what),
  };
  const asked: string[] = [];
  const doors: (() => void)[] = [];
  let broken: Error | null = null;
  const listed: readonly OnDemand[] = ON_DEMAND.map((one, i) => ({
    ...one,
    load: () =>
      new Promise<Dialect>((resolve, reject) => {
        asked.push(one.id);
        const why = broken;
        doors.push(() => (why === null ? resolve(DIALECTS[i]!) : reject(why)));
      }),
  }));
  const run = (): void => {
    while (turns.length > 0) turns.shift()!();
  };
  /** Lets in what was asked for, and runs on; says whether anything was. */
  const letIn = async (): Promise<boolean> => {
    const open = doors.splice(0);
    for (const door of open) door();
    // The promises behind the door, and those behind these.
    await new Promise((resolve) => setImmediate(resolve));
    run();
    return open.length > 0;
  };
  return {
    scheduler,
    asked,
    stock: createStock(listed),
    run,
    break: (why: Error | null): void => {
      broken = why;
    },
    letIn,
    async finish(): Promise<void> {
      run();
      while (await letIn());
    },
  };
};

const verdictsOf = (session: Session) => ({
  dialects: [...session.flows.values()].map(({ id, dialect, events, unrecognised }) => [id, dialect, events, unrecognised]),
  runs: session.runs.map(({ key, settlement, attempts }) => [key, settlement, attempts.length]),
  events: session.events,
  findings: session.findings,
  faults: session.faults,
});

const whole = (entries: readonly Entry[]): Session => {
  const session = createSession();
  session.ingest(entries);
  return session;
};

const entriesIn = (path: string): readonly Entry[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Entry);

const expectSame = async (feed: Feed, entries: readonly Entry[], name: string): Promise<void> => {
  const reference = whole(entries);
  expect(feed.waiting.value, name).toBe(0);
  expect(feed.session.entries.length, name).toBe(entries.length);
  expect(verdictsOf(feed.session), name).toEqual(verdictsOf(reference));
  // The past is read with what is here by now.
  const middle = entries[entries.length >> 1]?.seq ?? 0;
  const past = whole(entries.filter((entry) => entry.seq <= middle));
  expect(verdictsOf(feed.asOf(middle, null)), `${name} as of ${middle}`).toEqual(verdictsOf(past));
};

describe('read with dialects that come late, each recording is judged the same', () => {
  for (const folder of foldersIn('dialects'))
    test(folder, async () => {
      for (const file of readdirSync(join(CORE, 'dialects', folder))) {
        if (/^(?:origin\.md|expected\.jsonl)$|\.events\.txt$/u.test(file)) continue;
        const entries = load(join(CORE, 'dialects', folder, file));
        const { scheduler, stock, finish } = late();
        const feed = createFeed('file', file, scheduler, { mapped: [], stock });
        feed.replay(entries);
        await finish();
        await expectSame(feed, entries, file);
      }
    });
  for (const folder of foldersIn('findings'))
    test(folder, async () => {
      for (const kind of readdirSync(join(CORE, 'findings', folder)))
        for (const file of readdirSync(join(CORE, 'findings', folder, kind)).filter((name) => name.endsWith('.jsonl'))) {
          const entries = entriesIn(join(CORE, 'findings', folder, kind, file));
          const { scheduler, stock, finish } = late();
          const feed = createFeed('file', file, scheduler, { mapped: [], stock });
          feed.replay(entries);
          await finish();
          await expectSame(feed, entries, `${kind}/${file}`);
        }
    });
});

describe('while a dialect is loaded', () => {
  const { documents, entries } = SAMPLES['kestrel-cut']();

  test('what came waits in its order, and so does what comes', async () => {
    const { scheduler, stock, run, letIn, finish, asked } = late();
    const feed = createFeed('live', '', scheduler, { mapped: [], stock });
    feed.push(entries.slice(0, 10));
    run();
    expect(asked).toEqual(['kestrel-runner']);
    const inside = feed.session.entries.length;
    expect(inside).toBeLessThan(10);
    expect(feed.waiting.value).toBe(10 - inside);
    feed.push(entries.slice(10));
    run();
    expect(feed.session.entries.length).toBe(inside);
    expect(feed.waiting.value).toBe(entries.length - inside);
    await letIn();
    await finish();
    expect(feed.session.entries.map(({ at, type }) => [at, type])).toEqual(entries.map(({ at, type }) => [at, type]));
    expect(asked).toEqual(['kestrel-runner']);
  });

  test('two feeds ask once', async () => {
    const { scheduler, stock, run, finish, asked } = late();
    const feeds = ['a', 'b'].map((name) => createFeed('file', name, scheduler, { mapped: [], stock }));
    for (const feed of feeds) feed.replay(entries);
    run();
    expect(asked).toEqual(['kestrel-runner']);
    await finish();
    for (const feed of feeds) expect(feed.session.runs.length).toBe(3);
  });

  test('clearing keeps what is still open, waiting or not', async () => {
    const { scheduler, stock, run, finish } = late();
    const store = createStore(scheduler, createSettings(), stock);
    for (const document of documents) store.liveDocument(document);
    const end = entries.findLastIndex((entry) => entry.type === 'flow.ended');
    store.liveEntries(entries.slice(0, end));
    run();
    store.clear();
    store.liveEntries(entries.slice(end));
    await finish();
    expect(store.runs.value.map(({ settlement }) => settlement?.outcome)).toEqual(['severed']);
  });

  test('mappings that are read anew keep what waits', async () => {
    const { scheduler, stock, run, finish } = late();
    const store = createStore(scheduler, createSettings(), stock);
    for (const document of documents) store.liveDocument(document);
    store.liveEntries(entries);
    run();
    store.remap([]);
    await finish();
    expect(store.session().entries.length).toBe(entries.length);
    expect(store.runs.value.length).toBe(3);
  });

  test('a pause holds on when it is there', async () => {
    const { scheduler, stock, run, letIn, finish } = late();
    const feed = createFeed('live', '', scheduler, { mapped: [], stock });
    feed.push(entries);
    run();
    feed.pause(true);
    await letIn();
    expect(feed.session.runs.length).toBe(0);
    feed.pause(false);
    await finish();
    expect(feed.session.runs.length).toBe(3);
  });
});

describe('a mapping', () => {
  const { entries } = SAMPLES['kestrel-cut']();
  const built = DIALECTS.find(({ id }) => id === 'kestrel-runner')!;
  const readBy = async (mine: Dialect) => {
    const { scheduler, stock, asked, finish } = late();
    const feed = createFeed('live', '', scheduler, { mapped: [mine], stock });
    feed.push(entries);
    await finish();
    const reference = createSession({ dialects: [mine, ...DIALECTS] });
    reference.ingest(feed.session.entries);
    expect(verdictsOf(feed.session)).toEqual(verdictsOf(reference));
    return { asked, dialects: [...new Set([...feed.session.flows.values()].map(({ dialect }) => dialect))] };
  };

  test('that knows a stream is asked first, and nothing is loaded for it', async () => {
    expect(await readBy({ ...built, id: 'mine' })).toEqual({ asked: [], dialects: ['mine'] });
  });
  test('that is not certain leaves the stream to the dialect that is', async () => {
    const unsure = { ...built, id: 'mine', recognise: () => 'plausible' as const };
    expect(await readBy(unsure)).toEqual({ asked: ['kestrel-runner'], dialects: ['kestrel-runner'] });
  });
});

describe('a dialect that cannot be loaded', () => {
  const { entries } = SAMPLES['kestrel-cut']();

  test('is said, nothing is lost, and it is tried again when asked', async () => {
    const panel = late();
    const feed = createFeed('live', '', panel.scheduler, { mapped: [], stock: panel.stock });
    panel.break(new Error('Failed to fetch kestrel-runner.js'));
    feed.push(entries.slice(0, 20));
    await panel.finish();
    expect(feed.failure.value).toBe('Failed to fetch kestrel-runner.js');
    const inside = feed.session.entries.length;
    feed.push(entries.slice(20));
    await panel.finish();
    expect(feed.waiting.value).toBe(entries.length - inside);
    feed.retry();
    await panel.finish();
    expect(feed.failure.value).toBe('Failed to fetch kestrel-runner.js');
    panel.break(null);
    feed.retry();
    expect(feed.failure.value).toBeNull();
    await panel.finish();
    expect(feed.session.entries.length).toBe(entries.length);
    expect(feed.session.runs.map(({ settlement }) => settlement?.outcome)).toEqual(['completed', 'waiting', 'severed']);
  });
});

test('a stream that tells and that nobody knows has seen every dialect; one that does not tell has asked for none', async () => {
  const socket = (data: string): Entry[] => [
    {
      seq: 0,
      at: 0,
      type: 'flow.opened',
      flow: 'f',
      document: 'd',
      transport: 'websocket',
      method: 'GET',
      url: 'wss://a.example/hot',
      requestHeaders: {},
      requestBody: null,
    } as Entry,
    ...Array.from(
      { length: 8 },
      (_, i) =>
        ({
          seq: i + 1,
          at: i,
          type: 'flow.chunk',
          flow: 'f',
          direction: 'received',
          encoding: 'text',
          text: data,
          event: null,
          id: null,
        }) as Entry,
    ),
  ];
  for (const [data, all] of [
    ['{"type":"connected"}', false],
    ['{"model":1,"done":"x"}', true],
  ] as const) {
    const { scheduler, stock, asked, finish } = late();
    const feed = createFeed('live', '', scheduler, { mapped: [], stock });
    feed.push(socket(data));
    await finish();
    expect(feed.session.entries.length).toBe(9);
    expect(asked.length).toBe(all ? ON_DEMAND.length : 0);
  }
});
