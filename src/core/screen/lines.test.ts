/** Lines of a region that are not the run's: the person's words at its head, the page's notice at its end. */
import { describe, expect, it } from 'vitest';
import { type Scene, scene } from '../scenes/scene';
import { createSession } from '../session';
import type { RunScreen } from './screen';

const ASKED = 'Where is the retention window set?';
const ANSWER = 'The retention window is set by audit_days in the configuration.';

const chat = (s: Scene): Scene =>
  s
    .at(1000)
    .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
    .at(1005)
    .busy()
    .at(1100)
    .say({ type: 'start', messageId: 'm1' }, { type: 'start-step' });
const answer = (s: Scene): Scene => s.say({ type: 'text-start', id: 't1' }, { type: 'text-delta', id: 't1', delta: ANSWER });
const finish = (s: Scene, reason = 'stop'): Scene =>
  s.say({ type: 'text-end', id: 't1' }, { type: 'finish-step' }, { type: 'finish', finishReason: reason }, '[DONE]').end();

const screenOf = (s: Scene): RunScreen => {
  const session = createSession({ rules: [] });
  session.ingest(s.entries);
  return session.screenOf(session.runs[0]!.key)!;
};
const told = (s: Scene): readonly string[] => {
  const session = createSession();
  session.ingest(s.entries);
  return session.findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);
};
const notices = (s: Scene): readonly (readonly [string, number])[] =>
  screenOf(s)
    .honestSigns.filter(({ kind }) => kind === 'notice')
    .map(({ text, at }) => [text, at] as const);

describe('the page’s own line in the block of the answer', () => {
  it('is a notice, from when it came', () => {
    const s = finish(answer(chat(scene().rest())).wait(10).show('reply', ANSWER).wait(500), 'length')
      .wait(10)
      .show('reply', `${ANSWER}\nCut at the limit of length.`)
      .idle()
      .wait(3000)
      .still('reply');
    expect(notices(s)).toEqual([['Cut at the limit of length.', 1620]]);
    expect(told(s)).toEqual([]);
  });

  it('is one, too, where the style alone gives it a line', () => {
    const s = finish(answer(chat(scene().rest())).wait(10).show('reply', ANSWER).wait(500), 'length')
      .wait(10)
      .show('reply', `${ANSWER}Cut at the limit of length.`)
      .idle()
      .wait(3000)
      .still('reply');
    expect(notices(s)).toEqual([['Cut at the limit of length.', 1620]]);
    expect(told(s)).toEqual([]);
  });

  it('is none where the text goes on, or its last word', () => {
    for (const more of [' Cut at the limit of length.', 's of yours', '。Cut', ''])
      expect(
        notices(
          finish(answer(chat(scene().rest())).wait(10).show('reply', ANSWER).wait(500), 'length')
            .wait(10)
            .show('reply', `${ANSWER}${more}`)
            .idle()
            .wait(3000)
            .still('reply'),
        ),
      ).toEqual([]);
  });

  it('is one, too, where the stream says the whole answer again after it', () => {
    const noted = answer(chat(scene().rest()))
      .say({ type: 'text-end', id: 't1' })
      .wait(10)
      .show('reply', ANSWER)
      .wait(500)
      .show('reply', `${ANSWER}\nCut at the limit of length.`)
      .wait(10);
    const again = [
      { type: 'text-start', id: 't2' },
      { type: 'text-delta', id: 't2', delta: ANSWER },
      { type: 'text-end', id: 't2' },
    ];
    const s = noted
      .say(...again, { type: 'finish', finishReason: 'length' }, '[DONE]')
      .end()
      .wait(10)
      .idle()
      .wait(3000)
      .still('reply');
    expect(notices(s)).toEqual([['Cut at the limit of length.', 1610]]);
    expect(told(s)).not.toContain('unclean-finish-as-clean');
  });

  it('does not make a short answer somebody else’s', () => {
    const s = finish(answer(chat(scene().rest())).wait(10).show('reply', ANSWER).wait(500), 'length')
      .wait(10)
      .show('reply', `${ANSWER}\nThe answer was cut because the limit of length was reached; ask for the rest to have it continued.`)
      .idle()
      .wait(3000)
      .still('reply');
    expect(screenOf(s).regions[0]).toMatchObject({ voice: 'assistant' });
    expect(told(s)).toEqual([]);
  });

  it('is none while it is drawn late but was said', () => {
    const s = finish(answer(chat(scene().rest())).wait(10).show('reply', 'The retention window is set').wait(500), 'length')
      .wait(10)
      .show('reply', 'The retention window is set\nby audit_days in the configuration.')
      .idle()
      .wait(3000)
      .still('reply');
    expect(notices(s)).toEqual([]);
    expect(told(s)).toEqual(['unclean-finish-as-clean']);
  });

  it('is none if it stood there before the end', () => {
    const s = finish(
      answer(chat(scene().rest()).show('reply', 'Assistant')).wait(10).show('reply', `Assistant\n${ANSWER}`).wait(500),
      'length',
    )
      .wait(10)
      .idle()
      .wait(3000)
      .still('reply');
    expect(told(s)).toEqual(['unclean-finish-as-clean']);
  });
});

describe('the person’s words', () => {
  it('are theirs, whatever else was said with the same words', () => {
    const s = finish(answer(chat(scene().rest()).show('asked', ASKED)).wait(10).show('reply', ANSWER).wait(500))
      .idle()
      .wait(3000)
      .still('reply');
    expect(screenOf(s).regions.map(({ region }) => region.key)).toEqual(['reply']);
  });

  it('at the head of a turn are no reasoning', () => {
    const reasoning = 'The question names the retention window, which is a setting.';
    const s = finish(
      answer(
        chat(scene().rest())
          .say(
            { type: 'reasoning-start', id: 'r1' },
            { type: 'reasoning-delta', id: 'r1', delta: reasoning },
            { type: 'reasoning-end', id: 'r1' },
          )
          .show('turn', ASKED),
      )
        .wait(10)
        .show('turn', `${ASKED}\nIt is a setting. ${ANSWER}`)
        .wait(500),
    )
      .idle()
      .wait(3000)
      .still('turn');
    expect(told(s)).toEqual([]);
  });
});

it('a question that repeats the answer is not the answer twice', () => {
  const text = 'I can refund order 77 to the card.';
  const question = 'Refund order 77 to the card?';
  const s = chat(scene().rest())
    .say({ type: 'text-start', id: 't1' }, { type: 'text-delta', id: 't1', delta: text }, { type: 'text-end', id: 't1' })
    .wait(10)
    .show('reply', text)
    .say(
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'refund', input: { question } },
      { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1', reason: question },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'tool-calls' },
      '[DONE]',
    )
    .end()
    .wait(10)
    .show('reply', `${text}\n${question}`)
    .idle()
    .wait(3000)
    .still('reply');
  expect(told(s)).not.toContain('duplicate-text');
});

it.each([
  ['in the answer is no new one', 'reply', []],
  ['beside it is one', null, ['Approve']],
] as const)('a control that was there, switched off, %s', (_, region, expected) => {
  const where = region === null ? {} : { region };
  const s = finish(
    answer(chat(scene().rest())).wait(10).show('reply', ANSWER).cue('act', 'control', 'disabled', 'Approve', where).wait(500),
  )
    .cue('act', 'control', 'enabled', 'Approve', where)
    .idle()
    .wait(3000)
    .still('reply');
  expect(screenOf(s).honestSigns.map(({ text }) => text)).toEqual(expected);
});
