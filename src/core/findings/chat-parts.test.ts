/** How the parts of chat kits behave at the end of a run: learnt on pages made of packages that no rule had met. */
import { describe, expect, it } from 'vitest';
import { type Scene, scene } from '../scenes/scene';
import { createSession } from '../session';

const start = { type: 'start', messageId: 'm1' };
const open = { type: 'text-start', id: 't1' };
const text = (delta: string) => ({ type: 'text-delta', id: 't1', delta });
const over = [{ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]'] as const;
const ANSWER = 'The ferry leaves at nine. Bicycles travel free of charge.';
const HALF = ANSWER.slice(0, 26);

const told = (s: Scene): readonly string[] => {
  const session = createSession();
  session.ingest(s.entries);
  expect(session.faults).toEqual([]);
  return session.findings.map((finding) => `${finding.verdict} ${finding.rule}`);
};
const asked = (): Scene =>
  scene()
    .rest()
    .at(1000)
    .open('flow-1', { body: { messages: [{ role: 'user', content: 'When does the ferry leave?' }] } })
    .at(1005);

describe('a page that takes the turn away when it is stopped', () => {
  const early = (goes: (s: Scene) => Scene): boolean => told(dropped(goes)).some((one) => one.endsWith('final-before-settle'));
  /** The stream goes on, and nobody listens. */
  const dropped = (goes: (s: Scene) => Scene): Scene =>
    goes(
      asked()
        .busy()
        .show('you', 'When does the ferry leave?', { presentedAs: 'user' })
        .at(1100)
        .say(start, open, text(HALF))
        .wait(10)
        .show('reply', HALF)
        .at(2000),
    )
      .at(2600)
      .say(text(ANSWER.slice(26)), ...over)
      .end()
      .at(8000)
      .tick();

  it('has shown nothing as final, in whatever order one change is noted', () => {
    expect(early((s) => s.idle().hide('you').hide('reply'))).toBe(false);
    expect(early((s) => s.hide('you').hide('reply').idle())).toBe(false);
    expect(early((s) => s.idle().wait(30).hide('you').hide('reply'))).toBe(false);
  });

  it('has, where the text stood at rest for a while', () => {
    expect(early((s) => s.idle().wait(400).hide('you').hide('reply'))).toBe(true);
  });

  it('has, where the same change draws the text anew', () => {
    expect(early((s) => s.idle().hide('reply').show('reply-2', HALF))).toBe(true);
    expect(early((s) => s.show('reply-2', HALF).idle().hide('reply'))).toBe(true);
  });
});

describe('an indicator of moving dots and words, under the messages', () => {
  interface Dots {
    readonly name: string;
    readonly words: string;
    /** How long after the dots the words come. */
    readonly after?: number;
    readonly presentedAs?: 'reasoning';
  }
  /** Off while nothing is typed, as before the question and after the answer: it says nothing. */
  const page = ({ name, words, after = 0, presentedAs }: Dots, goes: (s: Scene) => Scene): Scene =>
    goes(
      asked()
        .cue('send', 'control', 'disabled', 'Send')
        .cue('dots', 'animation', 'running', name)
        .wait(after)
        .show('dots', words, presentedAs === undefined ? {} : { presentedAs })
        .at(1600)
        .say(start, open, text(HALF))
        .wait(10)
        .show('reply', HALF)
        .at(2400)
        .say(text(ANSWER.slice(26)), ...over)
        .end()
        .wait(10)
        .show('reply', ANSWER),
    )
      .at(9000)
      .still('reply')
      .tick();
  const stays = (s: Scene): Scene => s;
  const indicator: Dots = { name: 'row__loading-dots', words: 'Ada is writing…' };

  it('that never goes is busy', () => {
    expect(told(page(indicator, stays))).toEqual(['fail busy-after-settle']);
  });

  it('is not, where it goes with the end, or soon after it', () => {
    const goes = (s: Scene): Scene => s.cue('dots', 'animation', null, 'row__loading-dots').hide('dots');
    expect(told(page(indicator, goes))).toEqual([]);
    expect(told(page(indicator, (s) => goes(s.wait(2000))))).toEqual([]);
  });

  it('is not, where what goes on moving has lost its words', () => {
    expect(told(page(indicator, (s) => s.hide('dots')))).toEqual([]);
  });

  it.each([
    ['what moves may be decoration by its name', { ...indicator, name: 'glow' }],
    ['the words do not say that work goes on', { ...indicator, words: 'Ada, your guide' }],
    ['the words came by themselves', { ...indicator, after: 300 }],
    ['the words head the working material', { ...indicator, words: 'Thinking', presentedAs: 'reasoning' as const }],
  ])('is not told, where %s', (_, dots) => {
    expect(told(page(dots, stays))).toEqual([]);
  });
});

describe('a page that types more slowly than the text comes', () => {
  /** Its last words stand six seconds after the end; `after` is how long the work is shown from then on. */
  const page = (over: readonly unknown[], after: number, last = ANSWER): Scene =>
    [HALF.length, 36, 46, last.length]
      .reduce(
        (s, length, i) => s.at(3000 + 1500 * i).show('reply', last.slice(0, length)),
        asked()
          .busy()
          .at(1600)
          .say(start, open, text(ANSWER), ...over)
          .end()
          .wait(10)
          .show('reply', ANSWER.slice(0, 8)),
      )
      .wait(after)
      .idle()
      .at(14_000)
      .still('reply')
      .tick();

  it('is at work until its last word', () => {
    expect(told(page(over, 500))).toEqual([]);
    expect(told(page([], 500)).filter((one) => one.includes('busy'))).toEqual([]);
  });

  it('is busy, where its work is shown long after that', () => {
    expect(told(page(over, 3500))).toEqual(['fail busy-after-settle']);
    expect(told(page([], 5500))).toContain('fail busy-after-close');
  });

  it('is busy, where all it adds is a count under an answer that stood there', () => {
    const counting = asked()
      .busy()
      .at(1600)
      .say(start, open, text(ANSWER), ...over)
      .end()
      .wait(10)
      .show('reply', ANSWER);
    for (let i = 1; i < 9; i++) counting.at(1600 + 1000 * i).show('reply', `${ANSWER} ${i}s`);
    expect(told(counting.idle().at(14_000).still('reply').tick())).toContain('fail busy-after-settle');
  });
});

describe('a page that shows all it has in one go, once the run is over', () => {
  /** Cut off at the limit of length, and drawn only then, with what every finished message has under it. */
  const page = (end: (s: Scene) => Scene): Scene =>
    end(
      asked()
        .busy()
        .at(1600)
        .say(start, open, text(HALF), { type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'length' }, '[DONE]')
        .end()
        .at(2200),
    )
      .at(9000)
      .still('reply')
      .tick();
  const icons = (s: Scene): Scene =>
    s.cue('icon-1', 'control', 'enabled', null, { region: 'reply' }).cue('icon-2', 'control', 'enabled', null, { region: 'reply' });

  it('has come to rest with it, whatever controls without a name come then', () => {
    expect(told(page((s) => icons(s.idle()).show('reply', HALF)))).toEqual(['fail unclean-finish-as-clean']);
  });

  it('perhaps asks by them, where something is awaited', () => {
    const s = asked()
      .busy()
      .at(1600)
      .say(
        start,
        { type: 'tool-input-available', toolCallId: 'c1', toolName: 'book', input: { ferry: 'the one at nine' } },
        { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' },
        { type: 'finish', finishReason: 'tool-calls' },
        '[DONE]',
      )
      .end()
      .at(2200)
      .idle();
    const found = told(icons(s).show('reply', 'book the one at nine').at(9000).still('reply').tick());
    expect(found.filter((one) => one.startsWith('fail'))).toEqual([]);
  });

  it('perhaps offers another try by them, where the connection broke', () => {
    const s = asked()
      .busy()
      .at(1600)
      .say(start, open, text(HALF))
      .wait(10)
      .show('reply', HALF)
      .at(2200)
      .end('network-error')
      .wait(20)
      .idle();
    const found = told(s.cue('icon', 'control', 'enabled', null).at(9000).still('reply').tick());
    expect(found.filter((one) => one.startsWith('fail') && !one.endsWith('severed-stream'))).toEqual([]);
    expect(found).toContain('inconclusive final-never-settled');
  });

  it('owns up to nothing by the pager of a table', () => {
    const pager = (words: string): Scene => page((s) => s.idle().show('reply', HALF).show('pager', words, { path: 'main › table › div' }));
    expect(told(pager('Showing 1 to 2 of 2\n1'))).toEqual(['fail unclean-finish-as-clean']);
    expect(told(pager('Showing 2 of 9'))).toEqual([]);
  });

  it('perhaps has not, where a control without a name came before the run was over', () => {
    const s = asked()
      .busy()
      .at(1600)
      .say(start, open, text(HALF))
      .wait(10)
      .show('reply', HALF)
      .idle()
      .cue('icon', 'control', 'enabled')
      .at(3000)
      .say(text(ANSWER.slice(26)), ...over)
      .end()
      .wait(10)
      .show('reply', ANSWER)
      .at(9000)
      .still('reply')
      .tick();
    expect(told(s)).toEqual(['inconclusive final-before-settle']);
  });
});
