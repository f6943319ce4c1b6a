import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../core/model';
import type { Feed } from '../../feed';
import { buildTimeline } from './model';

const feedOf = (events: readonly Partial<AgentEvent>[]): Feed =>
  ({
    session: { events, eventsOf: () => events, flows: new Map() },
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
