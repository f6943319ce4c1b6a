/** What a page changes while nobody watches is told with the next picture of it at rest: no run after that may go by what stood before. */
import { describe, expect, it } from 'vitest';
import { type Scene, scene } from '../scenes/scene';
import { createSession } from '../session';

const WORDS = ['The first ferry leaves at nine in the morning.', 'The second one takes bicycles, too.', 'The last one leaves at ten.'];

/** The page looks again, as it does before each question: what stands is told, and what has gone since. */
const look = (s: Scene, gone: (s: Scene) => Scene): Scene => gone(s.rest()).watch('started');

/** A question and its whole answer, on a page that shows no sign of work for it. */
const answered = (s: Scene, n: number, wait = 100): Scene =>
  s
    .wait(wait)
    .open(`flow-${n}`)
    .wait(100)
    .sayOn(`flow-${n}`, { type: 'start', messageId: `m${n}` }, { type: 'text-start', id: 'p' })
    .sayOn(`flow-${n}`, { type: 'text-delta', id: 'p', delta: WORDS[n]! })
    .wait(10)
    .show(`answer-${n}`, WORDS[n]!)
    .wait(500)
    .sayOn(`flow-${n}`, { type: 'text-end', id: 'p' }, { type: 'finish', finishReason: 'stop' })
    .end('eof', `flow-${n}`)
    .wait(10)
    .still(`answer-${n}`);

/** The first question leaves something standing that is gone when the page is looked at before the second. */
const page = (stands: (s: Scene) => Scene, goes: (s: Scene) => Scene, between: number, wait = 100): Scene => {
  const first = stands(scene().rest().watch('started').wait(1000).open('flow-0').wait(20));
  first
    .wait(80)
    .sayOn('flow-0', { type: 'start', messageId: 'm0' }, { type: 'text-start', id: 'p' }, { type: 'text-delta', id: 'p', delta: WORDS[0]! })
    .wait(10)
    .show('answer-0', WORDS[0]!)
    .wait(500)
    // A wait for approval: that something stands then is as it should be.
    .sayOn('flow-0', { type: 'text-end', id: 'p' }, { type: 'tool-input-available', toolCallId: 'c', toolName: 'book', input: {} })
    .sayOn('flow-0', { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }, { type: 'finish', finishReason: 'tool-calls' })
    .end('eof', 'flow-0')
    .wait(10_000)
    .watch('stopped')
    .wait(20_000);
  answered(look(first, goes), 1, wait).wait(between);
  return answered(
    look(first, (s) => s),
    2,
    wait,
  )
    .wait(9000)
    .tick();
};

const found = (s: Scene): readonly string[] => {
  const session = createSession();
  session.ingest(s.entries);
  expect(session.faults).toEqual([]);
  const [first] = session.runs;
  return session.findings.filter(({ run }) => run !== first!.key).map(({ rule, verdict, data }) => `${verdict} ${rule}: ${data.cue ?? ''}`);
};

describe('what went while nobody watched, and was told with the next picture', () => {
  const SIGNS: readonly (readonly [what: string, stands: (s: Scene) => Scene, goes: (s: Scene) => Scene])[] = [
    [
      'a control that stops',
      (s) => s.cue('stop', 'control', 'enabled', 'Stop'),
      (s) => s.cue('stop', 'control', null, 'Stop', { rest: true }),
    ],
    [
      'what moves',
      (s) => s.cue('spin', 'animation', 'running', 'spinner'),
      (s) => s.cue('spin', 'animation', null, 'spinner', { rest: true }),
    ],
    ['a mark of being busy', (s) => s.cue('busy', 'busy', 'true'), (s) => s.cue('busy', 'busy', null, null, { rest: true })],
    [
      'a state',
      (s) => s.cue('state', 'attribute', 'running', 'data-state'),
      (s) => s.cue('state', 'attribute', null, 'data-state', { rest: true }),
    ],
  ];
  for (const [what, stands, goes] of SIGNS)
    for (const between of [200, 1900, 12_000, 60_000])
      for (const wait of [100, 3000])
        it(`${what} stands in no run after it (questions ${between} ms apart, asked ${wait} ms after the picture)`, () => {
          expect(found(page(stands, goes, between, wait))).toEqual([]);
        });

  it('one that comes back with a later run and stays is told there', () => {
    const [, stands, goes] = SIGNS[0]!;
    const s = page(stands, goes, 12_000);
    const later = look(s.wait(20_000), (all) => all)
      .wait(100)
      .open('flow-3')
      .wait(10)
      .cue('stop', 'control', 'enabled', 'Stop')
      .wait(100)
      .sayOn(
        'flow-3',
        { type: 'start', messageId: 'm3' },
        { type: 'text-start', id: 'p' },
        { type: 'text-delta', id: 'p', delta: 'None on Sundays, alas.' },
      )
      .wait(10)
      .show('answer-3', 'None on Sundays, alas.')
      .wait(500)
      .sayOn('flow-3', { type: 'text-end', id: 'p' }, { type: 'finish', finishReason: 'stop' })
      .end('eof', 'flow-3')
      .wait(10)
      .still('answer-3')
      .wait(9000)
      .tick();
    expect(found(later)).toEqual(['fail busy-after-settle: “Stop” enabled']);
  });
});
