/** Look-ups over all runs of a feed, made only where something asks, once for as long as the runs stay the same. */
import { computed, type ReadonlySignal } from '@preact/signals';
import type { FlowId, Run } from '../../core/model';

export const createRunIndex = (runs: ReadonlySignal<readonly Run[]>) => ({
  /** The place of each run in the list. */
  places: computed<ReadonlyMap<string, number>>(() => new Map(runs.value.map((run, at) => [run.key, at]))),
  /** The first run that each flow carried. */
  carried: computed<ReadonlyMap<FlowId, Run>>(() => {
    const by = new Map<FlowId, Run>();
    for (const run of runs.value) for (const { flows } of run.attempts) for (const flow of flows) if (!by.has(flow)) by.set(flow, run);
    return by;
  }),
});
