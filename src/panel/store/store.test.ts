import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../core/dialects';
import { ON_DEMAND } from '../../core/dialects/on-demand';
import type { SourceDocument } from '../../core/model';
import { createStock } from '../dialects';
import { createFeed, type Scheduler } from '../feed';
import { largeSample, SAMPLES } from '../sample';
import { createSettings } from '../settings';
import { createStore } from './index';

/** Every dialect is here from the start. */
const readers = { mapped: [], stock: createStock(ON_DEMAND, DIALECTS) };

/** Time that passes by work done, and turns that are taken when asked for. */
const hand = () => {
  let now = 0;
  const turns: { at: number; what: () => void }[] = [];
  const scheduler: Scheduler = {
    now: () => {
      now += 0.5;
      return now;
    },
    yield: (what) => turns.push({ at: now, what }),
    later: (what, ms) => turns.push({ at: now + ms, what }),
  };
  return {
    scheduler,
    /** Runs turns until there are none, or `most` of them. */
    run(most = Number.POSITIVE_INFINITY): number {
      let done = 0;
      while (turns.length > 0 && done < most) {
        turns.sort((a, b) => a.at - b.at);
        const { at, what } = turns.shift()!;
        now = Math.max(now, at);
        what();
        done++;
      }
      return done;
    },
  };
};

const opened = (name: keyof typeof SAMPLES = 'kestrel-cut') => {
  const { scheduler, run } = hand();
  const settings = createSettings();
  const store = createStore(scheduler, settings, readers.stock);
  const feed = createFeed('sample', name, scheduler, readers);
  const capture = SAMPLES[name]();
  for (const document of capture.documents) feed.document(document);
  feed.replay(capture.entries);
  store.open(feed);
  run();
  return { store, settings, feed, capture, run };
};

test('a judging that throws is the last of none: the next entries are judged', () => {
  const { scheduler, run } = hand();
  const feed = createFeed('live', '', scheduler, readers);
  const { documents, entries } = SAMPLES['kestrel-cut']();
  for (const document of documents) feed.document(document);
  const { judge } = feed.session;
  feed.session.judge = () => {
    feed.session.judge = judge;
    throw new Error('out of order');
  };
  feed.replay(entries.slice(0, 5));
  expect(() => run()).toThrow('out of order');
  feed.replay(entries.slice(5));
  run();
  expect(feed.findings.value.filter(({ verdict }) => verdict === 'fail')).toHaveLength(3);
});

describe('the sample', () => {
  test('tells the story: completed, waiting, severed; only the severed run has findings', () => {
    const { store } = opened();
    const runs = store.runs.value;
    expect(runs.map((run) => run.settlement?.outcome)).toEqual(['completed', 'waiting', 'severed']);
    const failing = store.findings.value.filter((finding) => finding.verdict === 'fail');
    expect(new Set(failing.map((finding) => finding.run))).toEqual(new Set([runs[2]!.key]));
    expect(failing.map((finding) => finding.rule)).toContain('final-never-settled');
    expect(failing.map((finding) => finding.rule)).toContain('reasoning-as-answer');
    expect(store.session().counts.faults).toBe(0);
  });
  test('whoever is told of findings is told of everything else that was known by then', () => {
    const { scheduler, run } = hand();
    const feed = createFeed('sample', 'kestrel-cut', scheduler, readers);
    const behind: number[] = [];
    let told = 0;
    feed.findings.subscribe((findings) => {
      if (findings.length === 0) return;
      told++;
      if (feed.calm.peek() !== feed.session.revision) behind.push(feed.session.revision - feed.calm.peek());
    });
    const { documents, entries } = SAMPLES['kestrel-cut']();
    for (const document of documents) feed.document(document);
    for (let at = 0; at < entries.length; at += 5) {
      feed.replay(entries.slice(at, at + 5));
      run(2);
    }
    run();
    expect(told).toBeGreaterThan(0);
    expect(behind).toEqual([]);
  });
  test('the newest run is shown until another is chosen', () => {
    const { store } = opened();
    expect(store.run.value?.key).toBe(store.runs.value[2]!.key);
    store.selectScope({ kind: 'run', run: store.runs.value[0]!.key });
    expect(store.run.value?.settlement?.outcome).toBe('completed');
  });
});

describe('taking in', () => {
  test('never more than a slice at a time, and everything in the end', () => {
    const { scheduler, run } = hand();
    const feed = createFeed('live', '', scheduler, readers);
    const { entries } = largeSample(2_000);
    feed.replay(entries);
    expect(feed.session.entries.length).toBe(0);
    run(1);
    expect(feed.session.entries.length).toBeLessThan(entries.length);
    run();
    expect(feed.session.entries.length).toBe(entries.length);
    expect(feed.session.runs[0]?.settlement?.outcome).toBe('completed');
  });
  test('views are told once per frame, not once per batch', () => {
    const { scheduler, run } = hand();
    const feed = createFeed('live', '', scheduler, readers);
    let told = -1;
    feed.revision.subscribe(() => told++);
    const { entries } = largeSample(300);
    for (const entry of entries) feed.push([entry]);
    run();
    expect(feed.session.entries.length).toBe(entries.length);
    expect(told).toBeLessThan(entries.length / 8);
  });
  test('stamps what comes from a page in order of arrival', () => {
    const { scheduler, run } = hand();
    const feed = createFeed('live', '', scheduler, readers);
    feed.push([{ at: 5, type: 'tick' } as never, { at: 4, type: 'tick' } as never]);
    feed.push([{ at: 9, type: 'tick' } as never]);
    run();
    expect(feed.session.entries.map((entry) => entry.seq)).toEqual([0, 1, 2]);
  });
  test('a paused view waits and loses nothing', () => {
    const { scheduler, run } = hand();
    const feed = createFeed('live', '', scheduler, readers);
    const { entries } = largeSample(200);
    feed.pause(true);
    feed.push(entries);
    run();
    expect(feed.session.entries.length).toBe(0);
    expect(feed.waiting.value).toBe(entries.length);
    feed.pause(false);
    run();
    expect(feed.session.entries.length).toBe(entries.length);
    expect(feed.waiting.value).toBe(0);
  });
  test('two documents have one clock', () => {
    const { scheduler, run } = hand();
    const feed = createFeed('live', '', scheduler, readers);
    const document = (key: string, timeOrigin: number): SourceDocument => ({ key, url: 'https://a.example/', topLevel: true, timeOrigin });
    feed.document(document('one', 1_000_000));
    feed.document(document('two', 1_060_000));
    feed.push([
      { at: 500, type: 'sight.watch', state: 'rest', visible: true, document: 'one' } as never,
      { at: 100, type: 'sight.watch', state: 'rest', visible: true, document: 'two' } as never,
    ]);
    run();
    expect(feed.timeOf(0, 500)).toBe(500);
    expect(feed.timeOf(1, 100)).toBe(60_100);
  });
});

describe('filtering', () => {
  test('counts matches here and in every run', () => {
    const { store, settings, run } = opened();
    settings.query.value = '"verify the migration"';
    run();
    expect(store.rows().matched).toBeGreaterThan(0);
    const [first, second, third] = store.runs.value.map((each) => store.matches.value?.get(each.key));
    expect([first, second]).toEqual([0, 0]);
    expect(third).toBe(store.rows().matched);
    store.resetFilter();
    run();
    expect(store.matches.value).toBeNull();
    expect(store.rows().matched).toBe(store.rows().total);
  });
  test('findings only: the events that findings rest on', () => {
    const { store, settings, run } = opened();
    settings.findingsOnly.value = true;
    run();
    const evidence = store.findings.value.flatMap((finding) => finding.evidence.filter((ref) => ref.kind === 'event'));
    expect(evidence.length).toBeGreaterThan(0);
    expect(store.rows().matched).toBeGreaterThan(0);
    expect(store.rows().matched).toBeLessThan(store.rows().total);
  });
});

describe('as of', () => {
  test('the past knows only what had come by then', () => {
    const { store, feed } = opened();
    const run = store.runs.value[0]!;
    const committed = run.attempts[0]!.parts.find((part) => part.voice === 'assistant')!;
    expect(committed.standing).toBe('committed');
    const past = feed.asOf(committed.committedSeq! - 1, run.attempts[0]!.flows);
    expect(past.runs[0]!.settlement).toBeNull();
    expect(past.runs[0]!.attempts[0]!.parts.some((part) => part.voice === 'assistant' && part.text !== '')).toBe(false);
    const then = feed.asOf(committed.committedSeq!, run.attempts[0]!.flows);
    expect(then.runs[0]!.settlement?.outcome).toBe('completed');
  });
  test('steps from event to event and back to now', () => {
    const { store } = opened();
    const events = store.session().eventsOf(store.run.value!.key);
    store.stepAsOf(-1);
    expect(store.asOf.value?.seq).toBe(events.at(-1)!.seq);
    store.stepAsOf(-1);
    expect(store.asOf.value!.seq).toBeLessThan(events.at(-1)!.seq);
    store.stepAsOf(1);
    store.stepAsOf(1);
    expect(store.asOf.value).toBeNull();
  });
  test('a time names the last record before it', () => {
    const { store, capture } = opened();
    const middle = capture.entries[Math.floor(capture.entries.length / 2)]!;
    const seq = store.seqAt(middle.at);
    const last = capture.entries.findLast((entry) => entry.at <= middle.at)!;
    expect(seq).toBe(last.seq);
    expect(store.seqAt(-1)).toBe(-1);
  });
});

describe('findings', () => {
  test('muting takes a rule out of the count on its origin, and can be undone', () => {
    const { store } = opened();
    const before = store.failures.value;
    const finding = store.findings.value[0]!;
    store.mute(finding, true);
    expect(store.failures.value).toBeLessThan(before);
    expect(store.settings.muted.value).toEqual([`https://ops.example ${finding.rule}`]);
    expect(store.mutedFindings.value.length).toBeGreaterThan(0);
    store.unmuteAll();
    expect(store.failures.value).toBe(before);
  });
  test('evidence leads to its event, in whatever run it is', () => {
    const { store } = opened();
    const finding = store.findings.value[0]!;
    store.selectScope({ kind: 'run', run: store.runs.value[0]!.key });
    const ref = finding.evidence.find((each) => each.kind === 'event')!;
    expect(store.revealEvent(ref.flow, ref.event)).toBe(true);
    expect(store.run.value?.key).toBe(finding.run);
    expect(store.selected.value?.kind === 'event' && store.selected.value.event.ordinal).toBe(ref.event);
    expect(store.revealEvent('nowhere', 0)).toBe(false);
  });
});

describe('the live feed', () => {
  const document = (key: string, timeOrigin: number): SourceDocument => ({ key, url: 'https://a.example/', topLevel: true, timeOrigin });
  const live = () => {
    const { scheduler, run } = hand();
    const settings = createSettings();
    const store = createStore(scheduler, settings, readers.stock);
    store.liveDocument(document('sample', 1_000));
    store.liveEntries(SAMPLES['kestrel-cut']().entries);
    run();
    return { store, settings, run };
  };
  test('starts over on navigation', () => {
    const { store, run } = live();
    expect(store.runs.value.length).toBe(3);
    store.liveDocument(document('next', 99_000));
    run();
    expect(store.runs.value.length).toBe(0);
  });
  test('unless the log is to be preserved', () => {
    const { store, settings, run } = live();
    settings.preserve.value = true;
    store.liveDocument(document('next', 99_000));
    run();
    expect(store.runs.value.length).toBe(3);
    expect(store.session().documents.size).toBe(2);
  });
  test('a document that makes itself known again is no navigation', () => {
    const { store, run } = live();
    store.liveDocument(document('sample', 1_000));
    run();
    expect(store.runs.value.length).toBe(3);
  });
  test('a page that comes back is wanted from its beginning, and takes the place of the newer one', () => {
    const { store, run } = live();
    store.liveBye('sample');
    expect(store.liveDocument(document('next', 99_000))).toBe(true);
    expect(store.liveDocument(document('next', 99_000))).toBe(false);
    run();
    // The newer page goes into the cache without a word.
    expect(store.liveDocument(document('sample', 1_000))).toBe(true);
    run();
    expect([...store.session().documents.keys()]).toEqual(['sample']);
    expect(store.runs.value).toEqual([]);
  });
  test('a tab that went where nobody watches starts over too, but not for a frame that is watched there', () => {
    const { store, settings, run } = live();
    store.liveDocument({ ...document('frame', 99_001), topLevel: false });
    store.liveNowhere(99_000);
    run();
    expect([...store.session().documents.keys()]).toEqual(['frame']);
    settings.preserve.value = true;
    store.liveNowhere(200_000);
    run();
    expect([...store.session().documents.keys()]).toEqual(['frame']);
  });
  test('clearing keeps what is still open', () => {
    const { scheduler, run } = hand();
    const store = createStore(scheduler, createSettings(), readers.stock);
    store.liveDocument(document('sample', 1_000));
    const entries = SAMPLES['kestrel-cut']().entries;
    const end = entries.findLastIndex((entry) => entry.type === 'flow.ended');
    store.liveEntries(entries.slice(0, end));
    run();
    expect(store.runs.value.length).toBe(3);
    store.clear();
    run();
    expect(store.runs.value.length).toBe(1);
    store.liveEntries(entries.slice(end));
    run();
    expect(store.runs.value[0]?.settlement?.outcome).toBe('severed');
  });
  test('goes on behind an opened file', () => {
    const { store, run } = live();
    store.open(createFeed('file', 'x', hand().scheduler, readers));
    expect(store.runs.value.length).toBe(0);
    store.backToLive();
    run();
    expect(store.runs.value.length).toBe(3);
  });
});

describe('settings', () => {
  test('take stored values that fit and leave the others', async () => {
    const settings = createSettings();
    const written: unknown[] = [];
    await settings.load({
      read: async () => ({
        theme: 'dark',
        language: 'klingon',
        runsWidth: Number.NaN,
        query: 'x',
        hiddenLanes: ['log'],
        muted: [1],
        unknown: true,
      }),
      write: (value) => written.push(value),
    });
    expect(settings.theme.value).toBe('dark');
    expect(settings.language.value).toBe('auto');
    expect(settings.runsWidth.value).toBe(248);
    expect(settings.query.value).toBe('x');
    expect(settings.hiddenLanes.value).toEqual(['log']);
    expect(settings.muted.value).toEqual([]);
    expect(written).toEqual([]);
  });
});

describe('a stretch of time', () => {
  test('filters what is shown, says how much is left, and holds for its own run only', () => {
    const { store, run } = opened();
    const last = store.run.value!;
    const { feed } = store;
    const events = feed.value.session.eventsOf(last.key);
    const all = store.rows().total;
    const timeOf = (event: (typeof events)[number]): number => feed.value.timeOfFlow(event.flow, event.at);
    const [from, to] = [timeOf(events[5]!), timeOf(events[20]!)];
    // The other way round is the same stretch.
    store.setStretch({ from: to, to: from });
    run();
    const rows = store.rows();
    const inIt = events.filter((event) => timeOf(event) >= from && timeOf(event) <= to);
    expect(inIt.length).toBeGreaterThan(10);
    expect(rows.passing()).toEqual(inIt);
    expect([rows.matched, rows.total]).toEqual([inIt.length, all]);
    store.selectScope({ kind: 'run', run: store.runs.value[0]!.key });
    run();
    expect(store.stretch.value).toBeNull();
    expect(store.filter.value).toBeNull();
    store.selectScope({ kind: 'run', run: last.key });
    run();
    expect(store.rows().matched).toBe(inIt.length);
    store.resetFilter();
    run();
    expect(store.stretch.value).toBeNull();
    expect(store.rows().matched).toBe(all);
  });
  test('a search of all runs counts beyond it', () => {
    const { store, settings, run } = opened();
    settings.query.value = 'verify';
    run();
    const hits = store.matches.value!.get(store.run.value!.key);
    expect(hits).toBeGreaterThan(0);
    store.setStretch({ from: 0, to: 1 });
    run();
    expect(store.rows().matched).toBe(0);
    expect(store.matches.value!.get(store.run.value!.key)).toBe(hits);
  });
});

describe('the order of rows', () => {
  test('is a setting, and holds for what is shown next', () => {
    const { store, settings, run } = opened();
    const first = store.rows().row(0)!.event;
    settings.sort.value = '-sequence';
    run();
    const { length } = store.rows();
    expect(store.rows().row(length - 1)!.event).toBe(first);
    store.selectScope({ kind: 'all' });
    run();
    const seqs: number[] = [];
    for (let at = 0; at < store.rows().length; at++) {
      const row = store.rows().row(at)!;
      if (row.event !== null) seqs.push(row.event.seq);
    }
    expect(seqs.length).toBeGreaterThan(3);
    expect(seqs).toEqual([...seqs].sort((a, b) => b - a));
  });
});
