/** Judging in slices: what comes while some runs are judged already must be known of by the next. */
import { expect, test } from 'vitest';
import { createJudging } from './judging';
import type { Flow, Run } from './model';
import type { Screen } from './screen/screen';

const flowOf = (id: string, document: string, seq: number): Flow => ({ id, document, openedSeq: seq, openedAt: seq, end: null }) as Flow;
const runOf = (key: string, flows: string[], seq: number) =>
  ({ key, parent: null, openedSeq: seq, openedAt: seq, settlement: null, attempts: [{ flows }] }) as unknown as Run;

test('a run that comes to another page while others are judged stands among the runs of that page', () => {
  const flows = new Map([flowOf('1', 'old', 0), flowOf('2', 'new', 1), flowOf('3', 'new', 2)].map((flow) => [flow.id, flow]));
  const moves = ['1'];
  const runs = [runOf('moves', moves, 0), runOf('stays', ['2'], 1)];
  let changed = [...runs];
  const seen = new Map<string, readonly string[]>();
  const judging = createJudging({
    rules: [],
    ledger: {
      runs: () => runs,
      run: (key: string) => runs.find((run) => run.key === key),
      takeChanged: () => changed.splice(0),
      takeDropped: () => [],
    } as never,
    decoder: { flows, dialectOf: () => null },
    screen: {
      of: ({ run, roots }: Parameters<Screen['of']>[0]) => {
        seen.set(
          run.key,
          roots.items.map((each) => each.run.key),
        );
        return null;
      },
    } as never,
    eventsOf: () => [],
    nowIn: () => 3,
  });
  judging.recordCame();
  expect(judging.step(() => true)).toBe(false);
  // The page was loaded anew, and asks for the run again.
  moves.push('3');
  changed = [...runs];
  judging.recordCame();
  while (!judging.step(() => true));
  judging.finish();
  expect(seen.get('stays')).toEqual(['moves', 'stays']);
});
