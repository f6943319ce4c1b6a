import { expect, test } from 'vitest';
import type { AgentEvent, Run } from '../../../core/model';
import type { Feed } from '../../feed';
import { buildTimeline } from './model';

const feedOf = (events: readonly Partial<AgentEvent>[]): Feed =>
  ({
    session: { events, eventsOf: () => events, flows: new Map() },
    judged: { peek: () => 0 },
    timeOf: (_seq: number, at: number) => at,
    timeOfFlow: (_flow: string, at: number) => at,
  }) as unknown as Feed;

test('very many events are taken in over several builds, each once and in order', () => {
  const events = Array.from({ length: 150_000 }, (_, at) => ({ type: 'part.delta', voice: 'reasoning', flow: 'f', at }) as const);
  const feed = feedOf(events);
  let builds = 1;
  let model = buildTimeline(feed, [], () => null);
  expect(model.partial).toBe(true);
  while (model.partial && builds < 100) {
    model = buildTimeline(feed, [], () => null);
    builds++;
  }
  expect(builds).toBeGreaterThan(2);
  const times = model.points.get('reasoning')!;
  expect(times.length).toBe(events.length);
  expect(times.every((time, at) => time === at)).toBe(true);
  expect(buildTimeline(feed, [], () => null).points.get('reasoning')!.length).toBe(events.length);
});

test('an ordinary run is there in one build', () => {
  const feed = feedOf(Array.from({ length: 500 }, (_, at) => ({ type: 'part.delta', voice: 'assistant', flow: 'f', at }) as const));
  const model = buildTimeline(feed, [], () => null);
  expect(model.partial).toBe(false);
  expect(model.points.get('assistant')!.length).toBe(500);
});

test('of very many runs a build makes a part, and none is made again while it stays the same', () => {
  const feed = feedOf([]);
  const runs = Array.from(
    { length: 5_000 },
    (_, at) =>
      ({
        key: `r${at}`,
        revision: 1,
        openedSeq: at,
        openedAt: at * 10,
        get attempts() {
          const settlement = { seq: at, at: at * 10 + 5, outcome: 'completed', strength: 'reason' };
          return [{ settlement, parts: [], tools: [], asks: [], flows: [], openedSeq: at, openedAt: at * 10 }];
        },
      }) as unknown as Run,
  );
  let builds = 1;
  let model = buildTimeline(feed, runs, () => null);
  while (model.partial && builds < 100) {
    expect(model.lines.length).toBe(builds * 1_000);
    model = buildTimeline(feed, runs, () => null);
    builds++;
  }
  expect(builds).toBe(5);
  expect(model.lines.map(({ at }) => at)).toEqual(runs.map(({ openedAt }) => openedAt + 5));
  const before = model.lines;
  const [first, ...rest] = runs;
  model = buildTimeline(feed, [{ ...first!, revision: 2, attempts: [] } as unknown as Run, ...rest], () => null);
  expect(model.partial).toBe(false);
  // The line of the run that changed is gone, the others are the very same.
  expect(model.lines.length).toBe(4_999);
  expect(model.lines.every((line, at) => line === before[at + 1])).toBe(true);
});
