/**
 * What the demo's agent does, as data: each scenario is the script of one run, told in the order in which it happens. The
 * runner turns each step into the wire events a Kestrel Runner would send. Nothing here says how a page should look.
 */

/** One step of a run. */
export type Step =
  /** The provider's reasoning, streamed in small pieces; closed unless `open`. */
  | { readonly do: 'reason'; readonly text: string; readonly open?: boolean }
  /** A message of the agent about committed work. */
  | { readonly do: 'announce'; readonly text: string }
  | { readonly do: 'tool'; readonly name: string; readonly input: object; readonly output: object; readonly ms: number }
  /** The answer's draft, as the agent hands it over for checking. `held`: the handing over does not come to its end. */
  | { readonly do: 'draft'; readonly text: string; readonly held?: boolean }
  | { readonly do: 'pause'; readonly ms: number }
  /** The settling events. */
  | { readonly do: 'complete'; readonly text: string }
  | { readonly do: 'ask'; readonly prompt: string; readonly afterwards: readonly Step[] }
  | { readonly do: 'fail'; readonly code: string; readonly message: string }
  /** Goes on doing nothing until somebody cancels the run. */
  | { readonly do: 'linger' }
  /** The connection ends, cleanly, and the run is never heard of again. */
  | { readonly do: 'cut' }
  /** The connection breaks, and the run is never heard of again. */
  | { readonly do: 'reset' }
  /** The connection ends, cleanly, and the run goes on without it. */
  | { readonly do: 'lose' };

/** The script of one run. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** What a person asks for. */
  readonly prompt: string;
  /** What happens, for the person who watches. */
  readonly story: string;
  /** Time between two pieces of streamed text. */
  readonly paceMs: number;
  readonly steps: readonly Step[];
}

const PACE = 45;

const looked: readonly Step[] = [
  { do: 'reason', text: 'This depends on the current schema and on the last deploy, so those come first.' },
  { do: 'announce', text: 'Reading the schema and the deploy log.' },
  { do: 'tool', name: 'read_schema', input: { table: 'orders' }, output: { columns: 14, migrations: ['0041', '0042'] }, ms: 180 },
];

export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'completed',
    title: 'Completed',
    prompt: 'How long do we keep audit logs?',
    story: 'The run ends with a committed answer.',
    paceMs: PACE,
    steps: [
      { do: 'reason', text: 'The retention window is set in the configuration, so that file is the source to quote.' },
      { do: 'announce', text: 'Checking the retention settings.' },
      { do: 'tool', name: 'read_file', input: { path: 'config/retention.yaml' }, output: { audit_days: 90 }, ms: 160 },
      { do: 'complete', text: 'Audit logs are kept for 90 days, then deleted. The setting is audit_days in config/retention.yaml.' },
    ],
  },
  {
    id: 'cut-after-reasoning',
    title: 'Cut after reasoning',
    prompt: 'Is it safe to drop the legacy_id column?',
    story: 'The last thing on the wire is a piece of reasoning. Then the connection closes, and nothing has settled the run.',
    paceMs: PACE,
    steps: [
      ...looked,
      { do: 'reason', text: 'Nothing reads legacy_id since the last deploy. I should verify the migration.', open: true },
      { do: 'cut' },
    ],
  },
  {
    id: 'broken-connection',
    title: 'Connection broken',
    prompt: 'Which customers are on the old plan?',
    story: 'The connection breaks in the middle of reasoning.',
    paceMs: PACE,
    steps: [
      {
        do: 'reason',
        text: 'The plan is a column of the account, and three plans are marked as retired. Counting them needs the',
        open: true,
      },
      { do: 'reset' },
    ],
  },
  {
    id: 'waiting',
    title: 'Waiting for an answer',
    prompt: 'Export all invoices of last quarter.',
    story: 'The run ends its attempt with a question. The envelope says completed; the work is waiting for the person.',
    paceMs: PACE,
    steps: [
      { do: 'reason', text: 'Invoices are stored in two regions and the request names none, so this has to be asked.' },
      {
        do: 'ask',
        prompt: 'Which region should the export use: eu-west or us-east?',
        afterwards: [
          { do: 'reason', text: 'The region is known now, so the export can be started.' },
          { do: 'complete', text: 'The export of 212 invoices has been written to the archive bucket of that region.' },
        ],
      },
    ],
  },
  {
    id: 'failed-after-draft',
    title: 'Failed after a draft',
    prompt: 'Reissue the invoices that bounced.',
    story: 'A complete draft of the answer is on the wire. Then checking it fails, and so does the run.',
    paceMs: PACE,
    steps: [
      ...looked,
      { do: 'draft', text: 'All 14 invoices were reissued and the customers have been told by mail.' },
      { do: 'pause', ms: 900 },
      { do: 'fail', code: 'EVALUATION_UNRESOLVED_EFFECTS', message: 'An effect was still open when the result was proposed.' },
    ],
  },
  {
    id: 'late-settlement',
    title: 'Late settlement',
    prompt: 'What changed in the deploy at noon?',
    story: 'The text is complete, and the settling event comes one and a half seconds later.',
    paceMs: PACE,
    steps: [
      ...looked,
      { do: 'draft', text: 'Errors doubled after the 12:05 deploy, which changed the retry limit from 5 to 50.' },
      { do: 'pause', ms: 1500 },
      { do: 'complete', text: 'Errors doubled after the 12:05 deploy, which changed the retry limit from 5 to 50.' },
    ],
  },
  {
    id: 'cancelled',
    title: 'Cancelled by the person',
    prompt: 'Rebuild the search index.',
    story: 'The draft is half handed over when the person presses Stop.',
    paceMs: PACE,
    steps: [
      ...looked,
      { do: 'draft', text: 'The index has been rebuilt from the newest snapshot of all three shards.', held: true },
      { do: 'linger' },
    ],
  },
  {
    id: 'lost-and-found',
    title: 'Connection lost, run goes on',
    prompt: 'Summarise the incident of this morning.',
    story: 'The connection closes early and the run goes on. A page that asks by identity learns how it ended.',
    paceMs: PACE,
    steps: [
      { do: 'reason', text: 'The incident has two timelines, one from the pager and one from the deploy log.' },
      { do: 'lose' },
      { do: 'tool', name: 'read_log', input: { since: '06:00' }, output: { lines: 4180 }, ms: 500 },
      { do: 'complete', text: 'A certificate expired at 06:12 and was renewed at 06:40. No data was lost.' },
    ],
  },
];
