/**
 * The whole way from a relay through the real router to the panel link, over ports that break. Whatever breaks, and when,
 * the panel has every entry once and in order, or knows exactly how many are lost.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceDocument } from '../core/model';
import { createJoin, type JoinedPort } from '../router/join';
import { createRelay, type Relay } from '../witness/relay';
import {
  LINK_VERSION,
  type OutlineMark,
  pageMessageSchema,
  panelMessageSchema,
  read,
  routerMessageSchema,
  type Unstamped,
} from './messages';
import { connectPanel, type PanelLink } from './panel-link';
import { openRuntimePort, type RuntimePortLike } from './runtime-port';

const HOME = 'chrome-extension://unsettled/';
const TAB = 7;

type Task = () => void;

/** One browser: every delivery is a task of its own, and the test decides in which order tasks of different lines run. */
const createWorld = () => {
  /** Lines keep their own order; between lines any order is possible. */
  const lines: Task[][] = [];
  const timers = new Set<Task>();
  let join: ((port: JoinedPort) => void) | null = null;
  let wakers: (() => void)[] = [];
  /** `silently`: the background is dead and hears nothing of it. */
  let open: { kill(silently: boolean): void }[] = [];

  const startRouter = (): void => {
    join = createJoin({
      home: HOME,
      wake: () => {
        const line: Task[] = wakers.map((wake) => wake);
        lines.push(line);
      },
      picture: async () => ({ image: null, why: 'permission' }),
    });
  };

  const connect = (name: string, sender: JoinedPort['sender']): RuntimePortLike => {
    if (join === null) startRouter();
    const toRouter: Task[] = [];
    const toPage: Task[] = [];
    lines.push(toRouter, toPage);
    let alive = true;
    let joined = false;
    const listeners = { page: [] as ((m: unknown) => void)[], router: [] as ((m: unknown) => void)[] };
    const ends = { page: [] as Task[], router: [] as Task[] };
    const half = (mine: 'page' | 'router', line: Task[], other: 'page' | 'router'): RuntimePortLike => ({
      postMessage(message) {
        if (!alive) throw new Error('Attempting to use a disconnected port object');
        const copy: unknown = JSON.parse(JSON.stringify(message));
        line.push(() => {
          if (alive) for (const listener of listeners[other]) listener(copy);
        });
      },
      disconnect() {
        if (!alive) return;
        alive = false;
        line.push(() => {
          for (const end of ends[other]) end();
        });
      },
      onMessage: { addListener: (listener) => listeners[mine].push(listener) },
      onDisconnect: { addListener: (listener) => ends[mine].push(listener) },
    });
    const page = half('page', toRouter, 'router');
    const routerSide = { ...half('router', toPage, 'page'), name, sender };
    open.push({
      kill(silently) {
        if (!alive) return;
        alive = false;
        toRouter.length = 0;
        toPage.length = 0;
        // A living background hears of every port's beginning and end.
        if (!silently)
          toRouter.push(() => {
            if (!joined) join?.(routerSide);
            for (const end of ends.router) end();
          });
        toPage.push(() => {
          for (const end of ends.page) end();
        });
      },
    });
    toRouter.push(() => {
      joined = true;
      join?.(routerSide);
    });
    return page;
  };

  return {
    connect,
    onWake: (wake: () => void) => {
      wakers = [...wakers, wake];
    },
    later: (what: Task) => {
      timers.add(what);
      return () => timers.delete(what);
    },
    /** The background dies: its memory, its ports and everything under way with it. */
    killRouter() {
      const dying = open;
      open = [];
      join = null;
      for (const port of dying) port.kill(true);
    },
    /** One port dies while the background lives. */
    killPort(pick: number) {
      const port = open[pick % Math.max(1, open.length)];
      port?.kill(false);
    },
    /** Runs one task; false if there is none. */
    step(pick: number): boolean {
      const waiting = lines.filter((line) => line.length > 0);
      const line = waiting[pick % Math.max(1, waiting.length)];
      if (line !== undefined) {
        line.shift()!();
        return true;
      }
      return false;
    },
    fireTimers() {
      const due = [...timers];
      timers.clear();
      for (const task of due) task();
      return due.length > 0;
    },
  };
};

const chunk = (document: string, i: number, size: number): Unstamped => ({
  at: i,
  type: 'flow.chunk',
  flow: document,
  direction: 'received',
  text: `${i}:`.padEnd(size, 'x'),
  encoding: 'text',
  event: null,
  id: null,
});

const setUp = (
  world: ReturnType<typeof createWorld>,
  keys: readonly string[],
  bounds: { bound: number; batch: number; window: number },
) => {
  const relays = new Map<string, Relay>();
  const drawn: [document: string, marks: readonly OutlineMark[] | null][] = [];
  for (const [frame, key] of keys.entries()) {
    const document: SourceDocument = { key, url: `http://localhost/${key}`, topLevel: frame === 0, timeOrigin: 0 };
    const relay = createRelay({
      document: () => document,
      connect: openRuntimePort(() => world.connect('witness', { url: document.url, tab: { id: TAB } })),
      alive: () => true,
      record: () => undefined,
      point: () => undefined,
      draw: (marks) => drawn.push([key, marks]),
      lapse: () => undefined,
      place: () => ({ at: 0, visible: true, box: null, width: 0, height: 0 }),
      orphaned: () => undefined,
      ...bounds,
    });
    relays.set(key, relay);
    world.onWake(() => relay.announce());
  }
  const got = new Map<string, { entry: Unstamped }[]>();
  const lost = new Map<string, number>();
  const openPanel = (): PanelLink =>
    connectPanel({
      connect: openRuntimePort(() => world.connect(`panel:${TAB}`, { url: `${HOME}src/panel/panel.html` })),
      later: world.later,
      onEntries: (document, entries, count) => {
        const list = got.get(document) ?? [];
        list.push(...entries.map((entry) => ({ entry })));
        got.set(document, list);
        lost.set(document, (lost.get(document) ?? 0) + count);
      },
      onDocument: () => false,
      onBye: () => undefined,
      onStatus: () => undefined,
      acknowledge: bounds.window / 4,
    });
  return { relays, got, lost, openPanel, drawn };
};

/** What a document's entries amount to: the numbers seen, with what was lost standing as a count. */
const account = (entries: readonly { entry: Unstamped }[]): number => {
  let next = 0;
  for (const { entry } of entries) {
    if (entry.type === 'gap') {
      expect(entry.reason).toBe('relay-lost');
      next += entry.lost;
      continue;
    }
    expect(entry.at).toBe(next);
    next++;
  }
  return next;
};

const settle = async (world: ReturnType<typeof createWorld>): Promise<void> => {
  for (;;) {
    await Promise.resolve();
    await Promise.resolve();
    if (world.step(0)) continue;
    if (!world.fireTimers()) {
      await Promise.resolve();
      if (!world.step(0)) return;
    }
  }
};

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('step' as const), pick: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), document: fc.nat(1), size: fc.integer({ min: 1, max: 900 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('killPort' as const), pick: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('timers' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const), document: fc.nat(1) }) },
);

describe('the link under breakage', () => {
  const run = async (
    actions: readonly (typeof action extends fc.Arbitrary<infer A> ? A : never)[],
    bounds: { bound: number; batch: number; window: number },
  ) => {
    const world = createWorld();
    const keys = ['a', 'b'];
    const { relays, got, openPanel } = setUp(world, keys, bounds);
    const added = new Map(keys.map((key) => [key, 0]));
    for (const relay of relays.values()) relay.announce();
    openPanel();
    for (const what of actions) {
      switch (what.do) {
        case 'step':
          world.step(what.pick);
          break;
        case 'add': {
          const key = keys[what.document]!;
          const i = added.get(key)!;
          added.set(key, i + 1);
          relays.get(key)!.add(chunk(key, i, what.size));
          break;
        }
        case 'kill':
          world.killRouter();
          break;
        case 'killPort':
          world.killPort(what.pick);
          break;
        case 'timers':
          world.fireTimers();
          break;
        case 'renew':
          relays.get(keys[what.document]!)!.renew();
          break;
      }
      await Promise.resolve();
    }
    await settle(world);
    return { got, added };
  };

  it('delivers everything once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 120 }), async (actions) => {
        const { got, added } = await run(actions, { bound: 1e9, batch: 2_000, window: 5_000 });
        for (const [key, count] of added) {
          expect(account(got.get(key) ?? [])).toBe(count);
          expect((got.get(key) ?? []).some(({ entry }) => entry.type === 'gap')).toBe(false);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('counts exactly what fell out of the ring', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 160 }), async (actions) => {
        const { got, added } = await run(actions, { bound: 3_000, batch: 1_000, window: 1_500 });
        for (const [key, count] of added) expect(account(got.get(key) ?? [])).toBe(count);
      }),
      { numRuns: 400 },
    );
  });
});

describe('a panel that comes late', () => {
  it('gets what happened before it, and a second panel does not disturb the first', async () => {
    const world = createWorld();
    const { relays, got, openPanel } = setUp(world, ['a'], { bound: 1e9, batch: 1_000, window: 4_000 });
    const relay = relays.get('a')!;
    relay.announce();
    await settle(world);
    for (let i = 0; i < 50; i++) relay.add(chunk('a', i, 300));
    // The background died of idleness, and the witness does not keep it awake for nobody.
    world.killRouter();
    await settle(world);
    openPanel();
    await settle(world);
    expect(account(got.get('a')!)).toBe(50);

    const second = setUp(world, [], { bound: 1, batch: 1, window: 4_000 });
    second.openPanel();
    for (let i = 50; i < 80; i++) relay.add(chunk('a', i, 300));
    await settle(world);
    expect(account(got.get('a')!)).toBe(80);
    expect(account(second.got.get('a')!)).toBe(80);
  });

  it('says what the ring had lost before it came', async () => {
    const world = createWorld();
    const { relays, got, lost, openPanel } = setUp(world, ['a'], { bound: 2_000, batch: 1_000, window: 4_000 });
    for (let i = 0; i < 30; i++) relays.get('a')!.add(chunk('a', i, 340));
    relays.get('a')!.announce();
    openPanel();
    await settle(world);
    expect(got.get('a')![0]!.entry).toMatchObject({ type: 'gap', reason: 'relay-lost', lost: 26 });
    expect(lost.get('a')).toBe(26);
    expect(account(got.get('a')!)).toBe(30);
  });
});

describe('what does not have its shape', () => {
  it('is dropped, counted, and leaves a gap in its place', () => {
    let heard: (message: unknown) => void = () => undefined;
    const posted: unknown[] = [];
    const got: Unstamped[] = [];
    const link = connectPanel({
      connect: (onMessage) => {
        heard = onMessage;
        return { post: (message) => posted.push(message), disconnect: () => undefined };
      },
      later: () => () => undefined,
      onEntries: (_document, entries) => got.push(...entries),
      onDocument: () => false,
      onBye: () => undefined,
      onStatus: () => undefined,
    });
    heard({ link: 99, type: 'hello' });
    heard('nonsense');
    heard({
      link: LINK_VERSION,
      type: 'hello',
      document: { key: 'a', url: '', topLevel: true, timeOrigin: 0 },
      firstN: 0,
      nextN: 2,
      state: 'recording',
    });
    heard({
      link: LINK_VERSION,
      type: 'entries',
      document: 'a',
      n: 0,
      entries: [{ at: 'soon' }, { at: 1, type: 'tick' }],
      held: 10,
      bound: 20,
    });
    expect(got).toEqual([
      { at: 0, type: 'gap', flow: null, reason: 'fault', lost: 1 },
      { at: 1, type: 'tick' },
    ]);
    expect(link.status).toMatchObject({ state: 'connected', rejected: 3, held: 10, bound: 20 });
    expect(posted).toEqual([
      { link: LINK_VERSION, type: 'resume', document: 'a', n: 0 },
      { link: LINK_VERSION, type: 'taken', document: 'a', n: 1 },
    ]);
  });

  it('a document that is wanted from its beginning is asked for all of it again', () => {
    let heard: (message: unknown) => void = () => undefined;
    const posted: unknown[] = [];
    const got: unknown[] = [];
    let fromStart = false;
    connectPanel({
      connect: (onMessage) => {
        heard = onMessage;
        return { post: (message) => posted.push(message), disconnect: () => undefined };
      },
      later: () => () => undefined,
      onEntries: (_document, entries) => got.push(...entries),
      onDocument: () => fromStart,
      onBye: () => undefined,
      onStatus: () => undefined,
    });
    const document = { key: 'c', url: '', topLevel: true, timeOrigin: 0 };
    const hello = { link: LINK_VERSION, type: 'hello', document, firstN: 0, nextN: 1, state: 'recording' };
    const entries = { link: LINK_VERSION, type: 'entries', document: 'c', n: 0, entries: [{ at: 1, type: 'tick' }], held: 1, bound: 2 };
    heard(hello);
    heard(entries);
    heard(hello);
    fromStart = true;
    heard(hello);
    heard(entries);
    expect(posted.map((message) => (message as { n?: number }).n)).toEqual([0, 1, 0]);
    expect(got).toHaveLength(2);
  });

  it('a document that comes while recording is off is told so', () => {
    let heard: (message: unknown) => void = () => undefined;
    const posted: unknown[] = [];
    const link = connectPanel({
      connect: (onMessage) => {
        heard = onMessage;
        return { post: (message) => posted.push(message), disconnect: () => undefined };
      },
      later: () => () => undefined,
      onEntries: () => undefined,
      onDocument: () => false,
      onBye: () => undefined,
      onStatus: () => undefined,
    });
    link.record(false);
    heard({
      link: LINK_VERSION,
      type: 'hello',
      document: { key: 'b', url: '', topLevel: true, timeOrigin: 0 },
      firstN: 0,
      nextN: 0,
      state: 'recording',
    });
    expect(posted).toEqual([
      { link: LINK_VERSION, type: 'record', document: null, on: false },
      { link: LINK_VERSION, type: 'record', document: null, on: false },
      { link: LINK_VERSION, type: 'resume', document: 'b', n: 0 },
    ]);
  });
});

describe('questions and outlines', () => {
  const mark = { region: 'r1', voice: 'reasoning', standing: 'provisional', label: null } as const;

  const started = async () => {
    const world = createWorld();
    const { relays, openPanel, drawn } = setUp(world, ['a', 'b'], { bound: 1e9, batch: 1_000, window: 4_000 });
    for (const relay of relays.values()) relay.announce();
    const panel = openPanel();
    await settle(world);
    return { world, panel, drawn };
  };

  it('are answered by the document that was asked, and by the router for a picture', async () => {
    const { world, panel } = await started();
    const answers = Promise.all([panel.place('b', 'r1'), panel.place('a', null), panel.picture()]);
    // The reply to each comes on the way; nothing here waits for time.
    for (let n = 0; n < 60; n++) {
      world.step(0);
      await Promise.resolve();
    }
    expect(await answers).toMatchObject([
      { type: 'placed', document: 'b', visible: true },
      { type: 'placed', document: 'a' },
      { type: 'picture', image: null, why: 'permission' },
    ]);
  });

  it('are given up where nobody answers', async () => {
    const { world, panel } = await started();
    const answer = panel.place('nobody', 'r1');
    await settle(world);
    expect(await answer).toBeNull();
  });

  it('go with the last panel, and reach one document only', async () => {
    const { world, panel, drawn } = await started();
    panel.draw('a', [mark]);
    await settle(world);
    expect(drawn).toEqual([['a', [mark]]]);
    panel.close();
    await settle(world);
    expect(drawn.slice(1).sort()).toEqual([
      ['a', null],
      ['b', null],
    ]);
  });

  it('of a page are no answers of the router, and what is out of shape is dropped', () => {
    const picture = { link: LINK_VERSION, type: 'picture', request: 1, image: 'data:image/jpeg;base64,AAAA', why: null };
    expect(read(pageMessageSchema, picture)).toBeNull();
    expect(read(routerMessageSchema, picture)).toEqual(picture);
    for (const image of ['javascript:alert(1)', 'data:image/svg+xml,<svg onload="x"/>', 'data:image/jpeg;base64,"><b>'])
      expect(read(routerMessageSchema, { ...picture, image })).toBeNull();
    const draw = { link: LINK_VERSION, type: 'draw', document: 'a', marks: [mark] };
    expect(read(panelMessageSchema, draw)).toEqual(draw);
    expect(read(panelMessageSchema, { ...draw, marks: Array.from({ length: 201 }, () => mark) })).toBeNull();
    expect(read(panelMessageSchema, { ...draw, marks: [{ ...mark, voice: 'red' }] })).toBeNull();
    expect(read(panelMessageSchema, { ...draw, marks: [{ ...mark, label: 'x'.repeat(121) }] })).toBeNull();
  });
});
