/** Times of a run have one zero, that of the table's clock, and say how long after its request that was. */
import { expect, test } from 'vitest';
import { DIALECTS } from '../core/dialects';
import { ON_DEMAND } from '../core/dialects/on-demand';
import { createStock } from './dialects';
import { createFeed } from './feed';
import { timingOf } from './run-facts';
import { SAMPLES } from './sample';

test('what is said of each run counts from its first event, as the clock of the table does', () => {
  const turns: (() => void)[] = [];
  const later = (what: () => void): void => void turns.push(what);
  const scheduler = { now: () => 0, yield: later, later };
  const feed = createFeed('sample', 'kestrel-cut', scheduler, { mapped: [], stock: createStock(ON_DEMAND, DIALECTS) });
  const capture = SAMPLES['kestrel-cut']();
  for (const document of capture.documents) feed.document(document);
  feed.replay(capture.entries);
  while (turns.length > 0) turns.shift()!();
  const { session } = feed;
  expect(session.runs).toHaveLength(3);
  for (const run of session.runs) {
    const zero = feed.timeOf(run.openedSeq, run.openedAt);
    const flow = session.flows.get(run.attempts[0]!.flows[0]!)!;
    const answer = session.eventsOf(run.key).find((event) => event.voice === 'assistant' && event.type.startsWith('part.'));
    const timing = timingOf(feed, run);
    expect(timing.duration).toBe(feed.timeOf(run.settlement!.seq, run.settlement!.at) - zero);
    expect(timing.firstAnswer).toBe(answer === undefined ? null : feed.timeOfFlow(answer.flow, answer.at) - zero);
    expect(timing.wait).toBe(zero - feed.timeOfFlow(flow.id, flow.openedAt));
    // The request came first, so that another zero would be told by these.
    expect(timing.wait).toBeGreaterThan(0);
  }
});
