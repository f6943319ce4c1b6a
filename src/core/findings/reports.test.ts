/**
 * Twelve public bug reports as small streams (`reports/`), each with the page that has the fault and a page that does not.
 * The faulty page must be told of, and the good page must not. The page of each report is scripted here: a reply with a
 * state on it, a composer that is free only when the page takes the run for over, and a region for working material.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createReader } from '../capture/capture';
import { type Scene, scene } from '../scenes/scene';
import { createSession, type Entry } from '../session';

const records = (name: string): readonly Entry[] => {
  const entries: Entry[] = [];
  const reader = createReader({ document: () => undefined, entries: (more) => entries.push(...more) });
  reader.push(readFileSync(fileURLToPath(new URL(`./reports/${name}.jsonl`, import.meta.url))));
  reader.end();
  return entries;
};

/** Stream and page on one clock: what the page does at a time comes after the bytes of that time. */
const together = (wire: readonly Entry[], page: Scene): readonly Entry[] => {
  const document = wire.find((entry) => entry.type === 'flow.opened');
  const key = document?.type === 'flow.opened' ? document.document : '';
  const seen = page.entries.map((entry) => ('document' in entry ? { ...entry, document: key } : entry));
  return [...wire.map((entry) => ({ entry, order: 0 })), ...seen.map((entry) => ({ entry, order: entry.at < 0 ? -1 : 1 }))]
    .sort((a, b) => a.entry.at - b.entry.at || a.order - b.order)
    .map(({ entry }, seq) => ({ ...entry, seq }) as Entry);
};

const REPLY = { path: 'main › article › div', presentedAs: 'assistant' as const };
const ACTIVITY = { path: 'main › aside › p', presentedAs: 'progress' as const };
const ROW = { path: 'main › aside › div', presentedAs: 'tool' as const };

class Page {
  readonly scene = scene();
  constructor() {
    this.scene.at(-50).watch('rest').cue('composer', 'composer', 'enabled', null, { rest: true });
    this.scene.at(1).show('you', 'Please do that.', { path: 'main › article.user', presentedAs: 'user' });
    this.scene.cue('composer', 'composer', 'disabled').cue('reply-state', 'attribute', 'busy', 'data-state');
  }
  at(time: number): this {
    this.scene.at(time + 5);
    return this;
  }
  reply(text: string): this {
    this.scene.show('reply', text, REPLY);
    return this;
  }
  activity(text: string): this {
    this.scene.show('activity', text, ACTIVITY);
    return this;
  }
  row(text: string, state: string): this {
    this.scene.show('row', text, ROW).cue('row-state', 'attribute', state, 'data-state', { region: 'row' });
    return this;
  }
  note(text: string): this {
    this.scene.show('note', text, { path: 'main › small' });
    return this;
  }
  button(name: string): this {
    this.scene.cue(name, 'control', 'enabled', name);
    return this;
  }
  is(state: 'busy' | 'done' | 'waiting' | 'stopped' | 'error'): this {
    this.scene.cue('composer', 'composer', state === 'busy' ? 'disabled' : 'enabled').cue('reply-state', 'attribute', state, 'data-state');
    return this;
  }
  /** Nothing moves any more, and somebody goes on looking. */
  rests(): this {
    this.scene.wait(300);
    this.scene.still('reply');
    this.scene.wait(2500).tick();
    return this;
  }
}

const page = (): Page => new Page();
const STEPS = 'Steps: 1. Stop the worker. 2. Copy the ';

interface Report {
  readonly name: string;
  readonly what: string;
  /** The page cuts the body here. */
  readonly cutAt?: number;
  readonly faulty: () => Page;
  readonly told: readonly string[];
  readonly good: () => Page;
}

const REPORTS: readonly Report[] = [
  {
    name: 'B001',
    what: 'the first task is taken for the answer',
    cutAt: 46,
    faulty: () => page().at(40).reply('Request received.').is('done').rests(),
    told: ['final-before-settle'],
    good: () => page().at(540).reply('There are three overdue invoices.').at(640).is('done').rests(),
  },
  {
    name: 'B013',
    what: 'think tags are shown',
    faulty: () =>
      page()
        .at(160)
        .reply('<think>I should verify')
        .at(320)
        .reply('<think>I should verify the migration first.</think>\n\nThe migration is safe to run.')
        .at(370)
        .is('done')
        .rests(),
    told: ['reasoning-as-answer'],
    good: () => page().at(320).reply('The migration is safe to run.').at(370).is('done').rests(),
  },
  {
    name: 'B026',
    what: 'end of body is taken for done',
    faulty: () => page().at(160).reply('The backup ran at 02:00 and copied 412 of').at(220).is('done').rests(),
    told: [],
    good: () => page().at(160).reply('The backup ran at 02:00 and copied 412 of').at(220).is('stopped').note('Interrupted').rests(),
  },
  {
    name: 'B029',
    what: 'records without done',
    faulty: () => page().at(120).reply('The dragon slept under the hill.').at(150).is('done').rests(),
    told: ['final-never-settled', 'severed-stream'],
    good: () => page().at(120).reply('The dragon slept under the hill.').at(150).is('error').note('The answer broke off').rests(),
  },
  {
    name: 'B039',
    what: 'an interrupt is taken for success',
    faulty: () => page().at(200).reply('I can refund order 77.').at(320).row('refund', 'running').at(360).is('done').rests(),
    told: ['waiting-as-done', 'waiting-lost'],
    good: () =>
      page()
        .at(200)
        .reply('I can refund order 77.')
        .at(320)
        .row('refund', 'waiting')
        .at(360)
        .is('waiting')
        .note('Refund order 77?')
        .button('Approve')
        .rests(),
  },
  {
    name: 'B057',
    what: 'length with reasoning only',
    faulty: () => page().at(160).reply('First compare the two indexes, then estimate the row count, then').at(200).is('done').rests(),
    told: ['unclean-finish-as-clean', 'reasoning-as-answer'],
    good: () =>
      page()
        .at(160)
        .activity('First compare the two indexes, then estimate the row count, then')
        .at(200)
        .reply(' ')
        .is('done')
        .note('The length limit was reached')
        .rests(),
  },
  {
    name: 'B058',
    what: 'the end of an item is taken for the end',
    faulty: () => page().at(200).reply(STEPS).at(240).is('done').rests(),
    told: ['final-before-settle', 'unclean-finish-as-clean'],
    good: () => page().at(200).reply(STEPS).at(320).is('done').note('The answer was cut at its length limit').rests(),
  },
  {
    name: 'B071',
    what: 'a stopped answer comes back whole',
    faulty: () =>
      page()
        .at(120)
        .reply('Title: Login fails. ')
        .at(160)
        .is('stopped')
        .note('Stopped')
        .at(3040)
        .reply('Title: Login fails. Steps: open the page, press the button.')
        .is('done')
        .rests(),
    told: ['text-after-cancel'],
    good: () => page().at(120).reply('Title: Login fails. ').at(160).is('stopped').note('Stopped').rests(),
  },
  {
    name: 'B091',
    what: 'a resume appends what it replays',
    faulty: () =>
      page()
        .at(160)
        .reply('The report has ')
        .at(350)
        .reply('The report has The report has ')
        .at(390)
        .reply('The report has The report has four sections.')
        .at(510)
        .is('done')
        .rests(),
    told: ['duplicate-text'],
    good: () => page().at(160).reply('The report has ').at(390).reply('The report has four sections.').at(510).is('done').rests(),
  },
  {
    name: 'B101',
    what: 'a waiting turn shows its progress line as the answer',
    faulty: () => page().at(160).reply('I need one detail before I inspect anything.').at(200).is('done').rests(),
    told: ['waiting-as-done', 'progress-as-answer', 'committed-lost'],
    good: () =>
      page()
        .at(160)
        .activity('I need one detail before I inspect anything.')
        .at(200)
        .reply('Which workspace should I inspect?')
        .is('waiting')
        .rests(),
  },
  {
    name: 'B112',
    what: 'a tool row spins after the error',
    faulty: () => page().at(200).row('flaky_lookup', 'running').at(240).reply(' ').note('Tool retries used up').at(320).is('done').rests(),
    told: ['tool-left-pending'],
    good: () =>
      page()
        .at(200)
        .row('flaky_lookup', 'running')
        .at(240)
        .reply(' ')
        .note('Tool retries used up')
        .row('flaky_lookup', 'error')
        .at(320)
        .is('error')
        .rests(),
  },
  {
    name: 'B126',
    what: 'line ends are not parsed, so nothing is shown',
    faulty: () => page().at(240).reply(' ').is('done').rests(),
    told: ['committed-lost'],
    good: () => page().at(160).reply('All nine checks pass.').at(240).is('done').rests(),
  },
];

const judge = (report: Report, shown: Page, cut: boolean): readonly string[] => {
  const all = records(report.name);
  const until = cut ? report.cutAt : undefined;
  const flow = all.find((entry) => entry.type === 'flow.opened');
  const wire: readonly Entry[] =
    until === undefined || flow?.type !== 'flow.opened'
      ? all
      : [
          ...all.filter((entry) => entry.at < until),
          { seq: 0, at: until, type: 'flow.ended', flow: flow.flow, how: 'aborted-by-page', code: null, detail: null },
        ];
  const session = createSession();
  session.ingest(together(wire, shown.scene));
  expect(session.faults).toEqual([]);
  return session.findings.filter((finding) => finding.verdict === 'fail').map((finding) => finding.rule);
};

describe.each(REPORTS)('$name: $what', (report) => {
  it('is told of', () => {
    const told = judge(report, report.faulty(), true);
    expect(told).toEqual(expect.arrayContaining([...report.told]));
  });
  it('is not told of a page that does it right', () => {
    const wireOnly = new Set([
      'severed-stream',
      'unterminated-last-event',
      'commit-differs',
      'state-disagree',
      'out-of-order',
      'unrecognised-event',
      'event-after-settle',
    ]);
    expect(judge(report, report.good(), false).filter((rule) => !wireOnly.has(rule))).toEqual([]);
  });
});
