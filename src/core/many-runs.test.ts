/**
 * That very many runs cost no more each than a few do. Work is counted, not timed: how often each block of the core's code was
 * gone through, as the JavaScript engine counts it. The same on every machine.
 */
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SceneEntry } from './scenes/scene';
import { scene } from './scenes/scene';
import { createSession } from './session';

const inspector = new Session();
beforeAll(async () => {
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(() => inspector.disconnect());

/** How often blocks of the core were gone through while something was done. */
const workOf = async (what: () => void): Promise<number> => {
  await inspector.post('Profiler.takePreciseCoverage');
  what();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  let sum = 0;
  for (const { url, functions } of result)
    if (url.includes('/src/core/') && !url.endsWith('.test.ts'))
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
  return sum;
};

/**
 * Questions and answers one after the other. On a page, where there is one: a chat that keeps them all, each with controls of its
 * own, and is looked at before each; or one place for every answer, on a page that is looked at once, as it is over a socket.
 * `cut`: what would have settled them was lost, so that nothing does.
 */
const many = (
  runs: number,
  on: 'no page' | 'a chat' | 'one place',
  cut = false,
): { readonly document: ReturnType<ReturnType<typeof scene>['capture']>['documents'][0]; readonly entries: readonly SceneEntry[] } => {
  const page = scene();
  if (on === 'one place') page.rest();
  for (let run = 0; run < runs; run++) {
    const flow = `flow-${run}`;
    const region = on === 'a chat' ? `answer-${run}` : 'answer';
    const answer = `The answer to question ${run} is long enough.`;
    page.wait(20_000);
    if (on === 'a chat') page.rest();
    page.open(flow);
    if (on !== 'no page') page.busy();
    page.sayOn(flow, { type: 'start', messageId: `m${run}` }, { type: 'text-start', id: 'p' });
    page.sayOn(flow, { type: 'text-delta', id: 'p', delta: answer });
    if (on === 'one place') page.show(region, '');
    if (on !== 'no page') for (let shown = 4; shown < answer.length + 4; shown += 4) page.wait(10).show(region, answer.slice(0, shown));
    // Some end well, some are cut; or of none it is known.
    if (cut) page.gap('over-budget', flow);
    else if (run % 4 !== 3) page.sayOn(flow, { type: 'text-end', id: 'p' }, { type: 'finish' });
    page.end(run % 4 === 2 ? 'aborted-by-page' : 'eof', flow);
    if (cut) page.tick();
    if (on !== 'no page') page.wait(10).still(region).idle();
    if (on === 'a chat')
      page
        .cue(`copy ${region}`, 'control', 'enabled', 'Copy', { region })
        .cue(`look ${region}`, 'attribute', 'settled', 'look', { region });
  }
  const { documents, entries } = page.capture();
  return { document: documents[0]!, entries };
};

/** Taken in and judged as a panel does: ten times on the way, and at the end. */
const judge = ({ document, entries }: ReturnType<typeof many>, verdictsOnly = false) => {
  const session = createSession({ verdictsOnly });
  session.document(document);
  const step = Math.ceil(entries.length / 10);
  for (let at = 0; at < entries.length; at += step) {
    session.ingest(entries.slice(at, at + step));
    if (!verdictsOnly) session.judge(() => false);
  }
  return { runs: session.runs.length, findings: session.findings };
};

const FEW = 300;
const MANY = 2_400;

test.each([
  { on: 'no page', verdictsOnly: false },
  { on: 'no page', verdictsOnly: true },
  { on: 'a chat', verdictsOnly: false },
  { on: 'one place', verdictsOnly: false },
] as const)('runs of $on (verdicts only: $verdictsOnly): eight times as many are eight times the work', async ({ on, verdictsOnly }) => {
  // What is shown of a run is a hundred times the work of its stream.
  const size = on === 'no page' ? FEW : FEW / 3;
  const few = many(size, on);
  const more = many((size * MANY) / FEW, on);
  // Whatever happens only once happens before it is counted.
  judge(few, verdictsOnly);
  const work = await workOf(() => void judge(few, verdictsOnly));
  const most = await workOf(() => void judge(more, verdictsOnly));
  expect(work).toBeGreaterThan(size * 100);
  expect(most / work).toBeGreaterThan((MANY / FEW) * 0.8);
  expect(most / work).toBeLessThan((MANY / FEW) * 1.15);
});

test('choices of one completion: eight times as many are eight times the work', async () => {
  const parts = (choices: number): number => {
    const page = scene().open('f', { headers: { 'content-type': 'text/event-stream' } });
    for (let index = 0; index < choices; index++)
      page.sayOn('f', { id: 'A', object: 'chat.completion.chunk', choices: [{ index, delta: { content: 'x' }, finish_reason: null }] });
    const session = createSession();
    session.ingest(page.entries);
    return session.runs[0]?.attempts[0]?.parts.length ?? 0;
  };
  expect(parts(20_000)).toBe(20_000);
  const work = await workOf(() => void parts(MANY / 8));
  const most = await workOf(() => void parts(MANY));
  expect(work).toBeGreaterThan((MANY / 8) * 100);
  expect(most / work).toBeLessThan(8 * 1.15);
}, 60_000);

test.each(['no page', 'a chat'] as const)('a run of $0 that nothing settles is judged again for a while, and not for ever', (on) => {
  /** How often a run is judged where that is done after each of them. */
  const judgings = (runs: number): number => {
    let judged = 0;
    const rule = {
      id: 'counts',
      severity: 'minor',
      needs: [],
      message: { fail: '', inconclusive: '' },
      judge() {
        judged++;
        return null;
      },
    } as const;
    const session = createSession({ rules: [rule] });
    const { document, entries } = many(runs, on, true);
    session.document(document);
    const step = Math.ceil(entries.length / runs);
    for (let at = 0; at < entries.length; at += step) {
      session.ingest(entries.slice(at, at + step));
      session.judge(() => false);
    }
    expect(session.runs.map(({ settlement }) => settlement)).toEqual(Array.from({ length: runs }, () => null));
    return judged / runs;
  };
  const few = judgings(50);
  expect(few).toBeGreaterThan(1);
  expect(judgings(400) / few).toBeLessThan(1.1);
});

test('what rules ask of other runs is answered by looking at a few of them', async () => {
  const few = many(FEW, 'no page');
  const more = many(MANY, 'no page');
  const asks = (of: typeof few) => {
    let asked = 0;
    let looked = 0;
    const session = createSession({
      rules: [
        {
          id: 'asks',
          severity: 'minor',
          needs: [],
          message: { fail: '', inconclusive: '' },
          judge({ others, run }) {
            const look = (): boolean => {
              looked++;
              return false;
            };
            asked += 4;
            others.some({ settledAfter: run.openedSeq, openedBefore: run.openedSeq }, look);
            others.some({ openedAfter: run.openedSeq, openedUntil: run.openedAt + 100_000 }, look);
            others.some({ settledFrom: run.openedAt - 60_000, settledUntil: run.openedAt + 60_000 }, look);
            others.some({ openedBefore: run.openedSeq, settledAfter: run.openedSeq, settledBefore: run.openedSeq + 40 }, look);
            return null;
          },
        },
      ],
    });
    session.document(of.document);
    session.ingest(of.entries);
    session.judge(() => false);
    return { asked, looked };
  };
  const before = asks(few);
  const { asked, looked } = asks(more);
  expect(asked).toBe(MANY * 4);
  expect(looked / asked).toBeGreaterThan(1);
  // Those within the bounds are as many as before, and to find them takes a little more, since there are more levels: not eight times.
  expect(looked / asked / (before.looked / before.asked)).toBeLessThan(1.1);
  const work = await workOf(() => void asks(few));
  const most = await workOf(() => void asks(more));
  expect(most / work).toBeLessThan((MANY / FEW) * 1.5);
});
