/** The runner behind the Svelte page: the demo's own server, with a script for each scenario and for the neighbours of a board. */
import type { Scenario as Script, Step } from '../../../src/demo/scenarios';
import { startDemoServer } from '../../../src/demo/server';
import type { Scenario, Served } from '../page';
import { builtOf } from '../page';
import { WORDS } from '../words';

const { reasoning, answer } = WORDS.plain!;
const think: readonly Step[] = [
  { do: 'reason', text: reasoning },
  { do: 'announce', text: 'Reading the configuration.' },
  { do: 'tool', name: 'read_file', input: { path: 'config/retention.yaml' }, output: { audit_days: 90 }, ms: 160 },
];
const draft: readonly Step[] = [...think, { do: 'draft', text: answer }];

const SCRIPTS: Partial<Readonly<Record<Scenario, readonly Step[]>>> = {
  completed: [...draft, { do: 'complete', text: answer }],
  'late-settlement': [...draft, { do: 'pause', ms: 2_500 }, { do: 'complete', text: answer }],
  'severed-mid-text': [...draft, { do: 'pause', ms: 300 }, { do: 'cut' }],
  'reset-mid-text': [...draft, { do: 'pause', ms: 300 }, { do: 'reset' }],
  'severed-after-reasoning': [...think, { do: 'reason', text: 'The nightly sweep may remove more than that.', open: true }, { do: 'cut' }],
  waiting: [
    ...think,
    {
      do: 'ask',
      prompt: 'Which environment do you mean, staging or production?',
      afterwards: [{ do: 'complete', text: answer }],
    },
  ],
  'failed-after-text': [
    ...draft,
    { do: 'pause', ms: 600 },
    { do: 'fail', code: 'EVALUATION_UNRESOLVED_EFFECTS', message: 'An effect was still open when the result was proposed.' },
  ],
  'aborted-by-person': [...think, { do: 'draft', text: answer, held: true }, { do: 'linger' }],
  // The connection is lost, the run goes on, and the subscription that finds it again stays open.
  'left-open': [...think, { do: 'lose' }, { do: 'pause', ms: 600 }, { do: 'complete', text: answer }],
};

const NEIGHBOURS: Readonly<Record<string, readonly Step[]>> = {
  'neighbour-left': [
    { do: 'reason', text: 'The index has three shards, and each of them reports its own age.' },
    { do: 'pause', ms: 400 },
    { do: 'complete', text: 'All three shards were rebuilt last night, and none of them is behind.' },
  ],
  'neighbour-right': [
    { do: 'reason', text: 'Invoices are stored by quarter, so the sum of the last one is a single query.' },
    { do: 'pause', ms: 1_200 },
    { do: 'complete', text: 'The last quarter has 212 invoices, and eleven of them are still open.' },
  ],
};

export const SCENARIOS = Object.keys(SCRIPTS) as readonly Scenario[];

export const startServer = (): Promise<Served> =>
  startDemoServer({
    port: 0,
    pages: [builtOf('kestrel')],
    scenarios: Object.entries({ ...SCRIPTS, ...NEIGHBOURS }).map(
      ([id, steps]): Script => ({ id, title: id, prompt: '', story: '', paceMs: 40, steps }),
    ),
  });
