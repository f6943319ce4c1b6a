/** How a page is read as working or final, and what counts as owning up: one case for each thing the recordings taught. */
import { describe, expect, it } from 'vitest';
import { type Scene, scene } from '../scenes/scene';
import { createSession } from '../session';
import { createHistory, textAt } from './history';
import type { RunScreen } from './screen';
import { AFTERWARDS, RETRY, STOPPING, says, UNFINISHED, WORKING } from './words';

const TEXT = 'The migration is safe to run.';
const MORE = `${TEXT} It adds one nullable column.`;

const open = (s: Scene): Scene =>
  s.at(1000).open('flow-1', { body: { messages: [{ role: 'user', content: 'Is it safe to run, you think?' }] } });
const say = (s: Scene): Scene =>
  s
    .at(1100)
    .say(
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: TEXT },
    )
    .wait(10)
    .show('reply', TEXT);
const more = (s: Scene): Scene =>
  s
    .at(2000)
    .say({ type: 'text-delta', id: 't1', delta: MORE.slice(TEXT.length) })
    .wait(10)
    .show('reply', MORE);
const end = (s: Scene): Scene =>
  s.at(2500).say({ type: 'text-end', id: 't1' }, { type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }, '[DONE]').end();

const screenOf = (s: Scene, n = 0): RunScreen => {
  const session = createSession({ rules: [] });
  session.ingest(s.entries);
  const screen = session.screenOf(session.runs[n]!.key);
  if (screen === null) throw new Error('nothing was watched');
  return screen;
};
const stretches = (s: Scene, n = 0): readonly (readonly [string, number])[] =>
  screenOf(s, n).presented.map((stretch) => [stretch.as, stretch.from] as const);

describe('working and final', () => {
  it('is read off what departs from rest and returns', () => {
    const s = end(more(say(open(scene().rest()).at(1005).busy())))
      .wait(50)
      .idle();
    expect(stretches(s)).toEqual([
      ['unknown', 1000],
      ['working', 1005],
      ['final', 2550],
    ]);
  });

  it('says which cue decided, and when', () => {
    const s = end(more(say(open(scene().rest()).at(1005).busy())))
      .wait(50)
      .idle();
    const final = screenOf(s).presented.at(-1)!;
    expect(final.cues[0]).toMatchObject({ text: '“Stop” gone', kind: 'control', at: 2550 });
    expect(final.sure).toBe(true);
  });

  it('is decided by controls when cues leave one after another', () => {
    const s = end(more(say(open(scene().rest()).at(1005).busy().cue('caret', 'caret', '▍').cue('box', 'class', 'streaming', 'streaming'))))
      .wait(50)
      .idle()
      .wait(600)
      .cue('caret', 'caret', null)
      .cue('box', 'class', null, 'streaming');
    expect(stretches(s).at(-1)).toEqual(['final', 2550]);
  });

  it('stays working while a spinner stays long after the controls are back', () => {
    const s = end(more(say(open(scene().rest()).at(1005).busy().cue('spin', 'animation', 'running', 'spin'))))
      .wait(50)
      .idle()
      .at(9000)
      .still('reply');
    expect(stretches(s).at(-1)![0]).toBe('working');
  });

  it('leaves it open while a cue that may be lag is still there', () => {
    const s = end(more(say(open(scene().rest()).at(1005).busy().cue('spin', 'animation', 'running', 'spin'))))
      .wait(50)
      .idle();
    expect(stretches(s).at(-1)![0]).toBe('unknown');
  });

  it('takes a typing indicator for the time before the first word only', () => {
    const s = end(
      more(say(open(scene().rest()).at(1005).cue('dots', 'animation', 'running', 'dots')).cue('dots', 'animation', null, 'dots')),
    );
    const screen = screenOf(s);
    expect(screen.presented.map((one) => one.as)).toEqual(['unknown', 'working', 'unknown']);
    expect(screen.noCue).toBe(true);
  });

  it('has no cue where nothing differs from rest', () => {
    const screen = screenOf(end(more(say(open(scene().rest())))));
    expect(screen.noCue).toBe(true);
    expect(screen.firstWithoutCue).toBe(true);
    expect(screen.presented.map((one) => one.as)).toEqual(['unknown']);
  });

  it('has no opinion where the page at rest was never seen', () => {
    const screen = screenOf(end(more(say(open(scene())))));
    expect(screen.noCue).toBe(false);
    expect(screen.hasRest).toBe(false);
  });

  it('knows the controls of finished messages by their coming after text', () => {
    const s = end(more(say(open(scene().rest()))))
      .wait(80)
      .cue('copy', 'control', 'enabled', 'Copy')
      .cue('again', 'control', 'enabled', 'Regenerate');
    const screen = screenOf(s);
    expect(screen.noCue).toBe(false);
    expect(screen.presented.at(-1)).toMatchObject({ as: 'final', from: 2580, sure: true });
  });

  it('is not sure of a lone copy button with text still to come', () => {
    const s = end(more(say(open(scene().rest())).at(1500).cue('copy', 'control', 'enabled', 'Copy')));
    expect(screenOf(s).presented.at(-1)).toMatchObject({ as: 'final', sure: false });
  });

  it('is not sure of a button that typing switches too', () => {
    const s = end(
      more(
        say(open(scene().rest()).at(1005).cue('send', 'control', 'disabled', 'Send'))
          .at(1700)
          .cue('send', 'control', 'enabled', 'Send'),
      ),
    );
    expect(screenOf(s).presented.at(-1)).toMatchObject({ as: 'final', from: 1700, sure: false });
  });

  it('ignores what comes and goes under the pointer', () => {
    const s = more(
      say(open(scene().rest()).at(1005).busy())
        .at(1300)
        .cue('copy', 'control', 'enabled', 'Copy')
        .at(1500)
        .cue('copy', 'control', null, 'Copy'),
    );
    expect(stretches(s).at(-1)![0]).toBe('working');
  });

  it('does not take names of classes for states', () => {
    const s = end(more(say(open(scene().rest()).at(1005).busy().cue('box', 'class', 'typing-area', 'typing-area'))))
      .wait(50)
      .idle()
      .at(9000)
      .still('reply');
    expect(stretches(s).at(-1)![0]).toBe('final');
  });

  it('ignores an entrance that ends while text still comes', () => {
    const screen = screenOf(
      end(more(say(open(scene().rest())).cue('enter', 'class', 'slide-in', 'slide-in').wait(300).cue('enter', 'class', null, 'slide-in'))),
    );
    expect(screen.noCue).toBe(true);
  });

  it('reads a state attribute by its change, not by its words', () => {
    const s = end(more(say(open(scene().rest()).at(1005).cue('state', 'attribute', 'zzz', 'data-s'))))
      .wait(40)
      .cue('state', 'attribute', 'yyy', 'data-s');
    expect(stretches(s)).toEqual([
      ['unknown', 1000],
      ['working', 1005],
      ['final', 2540],
    ]);
  });

  it('does not take the state of a tool row for the state of the run', () => {
    const s = end(
      more(
        say(open(scene().rest()).at(1005).busy())
          .show('row', 'lookup', { presentedAs: 'tool' })
          .cue('row', 'attribute', 'running', 'data-state', { region: 'row' }),
      ),
    )
      .wait(50)
      .idle()
      .at(9000)
      .still('reply');
    expect(stretches(s).at(-1)).toEqual(['final', 2550]);
  });

  it('lets the page’s own word win', () => {
    const s = end(
      more(
        say(open(scene().rest()).at(1005).busy().cue('mark', 'outright', 'working'))
          .at(1500)
          .cue('mark', 'outright', 'final'),
      ),
    )
      .wait(50)
      .idle();
    expect(stretches(s)).toEqual([
      ['unknown', 1000],
      ['working', 1005],
      ['final', 1500],
    ]);
  });

  it('drops a return that was taken back at once, and keeps one that was not', () => {
    const brief = end(more(say(open(scene().rest()).at(1005).busy()).at(1500).idle().at(1540).busy()))
      .wait(50)
      .idle();
    expect(stretches(brief).map(([as]) => as)).toEqual(['unknown', 'working', 'final']);
    const long = end(more(say(open(scene().rest()).at(1005).busy()).at(1400).idle().at(1900).busy()))
      .wait(50)
      .idle();
    expect(stretches(long).map(([as]) => as)).toEqual(['unknown', 'working', 'final', 'working', 'final']);
  });

  it('counts a departure just before the request goes out', () => {
    const s = end(more(say(open(scene().rest().at(900).busy()))))
      .wait(50)
      .idle();
    expect(stretches(s).map(([as]) => as)).toEqual(['working', 'final']);
  });
});

describe('one run after another', () => {
  const second = (s: Scene, picture: boolean): Scene => {
    s.at(20_000);
    if (picture)
      s.watch('rest')
        .cue('composer', 'composer', 'enabled', null, { rest: true })
        .cue('send', 'control', 'enabled', 'Send', { rest: true });
    return s
      .open('flow-2', { body: { messages: [{ role: 'user', content: 'And the rollback?' }] } })
      .at(20_005)
      .busy()
      .at(20_100)
      .sayOn(
        'flow-2',
        { type: 'start', messageId: 'm2' },
        { type: 'text-start', id: 't1' },
        { type: 'text-delta', id: 't1', delta: 'It drops the column again.' },
      )
      .wait(10)
      .show('reply-2', 'It drops the column again.')
      .at(21_000)
      .sayOn('flow-2', { type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' })
      .end('eof', 'flow-2')
      .wait(30)
      .idle();
  };
  const first = (): Scene =>
    end(more(say(open(scene().rest()).at(1005).busy())))
      .wait(50)
      .idle();

  it.each([true, false])('each has its own stretches (a picture between them: %s)', (picture) => {
    const s = second(first(), picture);
    expect(stretches(s, 0)).toEqual([
      ['unknown', 1000],
      ['working', 1005],
      ['final', 2550],
    ]);
    expect(stretches(s, 1)).toEqual([
      ['unknown', 20_000],
      ['working', 20_005],
      ['final', 21_030],
    ]);
  });

  it('what the next run shows is no sign about the one before, nor the other way round', () => {
    const s = second(first(), true);
    expect(screenOf(s, 0).regions.map((region) => region.region.key)).toEqual(['reply']);
    expect(screenOf(s, 1).regions.map((region) => region.region.key)).toEqual(['reply-2']);
    expect(screenOf(s, 0).honestSigns).toEqual([]);
    expect(screenOf(s, 1).honestSigns).toEqual([]);
  });

  it('runs that stand beside each other share the page', () => {
    const s = say(open(scene().rest()).at(1005).busy())
      .at(1500)
      .open('flow-2', { body: { messages: [] } })
      .sayOn('flow-2', { type: 'start', messageId: 'm2' });
    expect(stretches(end(more(s)), 0).at(-1)![0]).toBe('working');
  });
});

describe('honest signs', () => {
  const ended = (): Scene => say(open(scene().rest()).at(1005).busy()).at(2500).end('network-error').wait(20).idle();
  const kinds = (s: Scene): readonly string[] => screenOf(s).honestSigns.map((sign) => sign.kind);

  it.each(['Retry', 'Try again', 'Continue', 'Erneut versuchen', 'Réessayer', '重试', '再試行', 'إعادة المحاولة'])(
    'a control “%s” is one',
    (label) => {
      expect(kinds(ended().cue('c', 'control', 'enabled', label))).toEqual(['retry']);
    },
  );
  it.each(['Copy', 'Regenerate', 'Send', 'Good response', 'Kopieren', '复制', 'Read aloud'])('a control “%s” is none', (label) => {
    expect(kinds(ended().cue('c', 'control', 'enabled', label))).toEqual([]);
  });
  it('text that nobody said is one', () => {
    expect(kinds(ended().show('note', 'Verbindung verloren.'))).toEqual(['notice']);
  });
  it('text of the stream, of the person, and of a control is none', () => {
    expect(
      kinds(
        ended()
          .show('again', TEXT)
          .show('you', 'Is it safe to run, you think?')
          .cue('c', 'control', 'enabled', 'Copy')
          .show('label', 'Copy'),
      ),
    ).toEqual([]);
  });
  it('times and counts without words are none', () => {
    expect(kinds(ended().show('time', '12:04').show('count', '1 284'))).toEqual([]);
  });
  it('a short notice is one, even if the answer has the word', () => {
    const s = open(scene().rest())
      .at(1005)
      .busy()
      .at(1100)
      .say(
        { type: 'start' },
        { type: 'text-start', id: 't1' },
        { type: 'text-delta', id: 't1', delta: 'The log shows one error in line 4.' },
      )
      .wait(10)
      .show('reply', 'The log shows one error in line 4.')
      .at(2000)
      .end('network-error')
      .wait(20)
      .idle()
      .show('note', 'error');
    expect(kinds(s)).toEqual(['notice']);
  });
  it('the producer’s error message is one', () => {
    const s = say(open(scene().rest()).at(1005).busy())
      .at(2000)
      .say({ type: 'error', errorText: 'The model is overloaded' })
      .wait(10)
      .show('note', 'The model is overloaded');
    expect(kinds(s)).toEqual(['error']);
  });
  it('a state that owns up is one, and one that claims the end is none', () => {
    expect(kinds(ended().cue('s', 'attribute', 'interrupted', 'data-state'))).toEqual(['state']);
    expect(kinds(ended().cue('s', 'attribute', 'done', 'data-state'))).toEqual([]);
  });
});

describe('what was seen', () => {
  it('follows edits, removals and returns', () => {
    const s = scene();
    s.at(1).show('a', 'one two three').at(2).show('a', 'one 2 three').at(3).hide('a').at(4).show('a', 'again');
    const history = createHistory('doc-1');
    for (const entry of s.entries) if (entry.type.startsWith('sight.')) history.add(entry as Parameters<typeof history.add>[0]);
    const [first, second] = history.stays;
    expect(first).toMatchObject({ text: 'one 2 three', removed: { at: 3 } });
    expect(second).toMatchObject({ text: 'again', removed: null });
    expect(textAt(first!, 0)).toBe('one two three');
    expect(textAt(first!, 1)).toBe('one 2 three');
    expect(textAt(first!, 2)).toBeNull();
    expect(history.gaps).toEqual([]);
  });

  it('notes a gap where a change does not fit what was seen', () => {
    const lost = (drop: number): number => {
      const s = scene();
      s.at(1)
        .show('a', 'one')
        .at(2)
        .show('a', 'one two')
        .at(3)
        .cue('stop', 'control', 'enabled', 'Stop')
        .at(4)
        .cue('stop', 'control', null, 'Stop')
        .at(5)
        .show('a', 'one two three');
      const history = createHistory('doc-1');
      for (const [i, entry] of s.entries.entries()) if (i !== drop) history.add(entry as Parameters<typeof history.add>[0]);
      return history.gaps.length;
    };
    expect(lost(-1)).toBe(0);
    for (const drop of [0, 1, 2]) expect(lost(drop)).toBeGreaterThan(0);
  });
});

describe('words', () => {
  it('are found whole, in compounds of code, and in scripts without spaces', () => {
    expect(says('Stop generating', STOPPING)).toBe(true);
    expect(says('stopwatch', STOPPING)).toBe(false);
    expect(says('isLoading', WORKING)).toBe(true);
    expect(says('message--streaming', WORKING)).toBe(true);
    expect(says('正在生成中…', WORKING)).toBe(true);
    expect(says('requires-action', UNFINISHED)).toBe(true);
    expect(says(null, RETRY)).toBe(false);
  });
  it('of one table do not contradict another', () => {
    for (const label of ['Copy', 'Regenerate', 'Send']) {
      expect(says(label, AFTERWARDS)).toBe(true);
      expect(says(label, RETRY)).toBe(false);
      expect(says(label, STOPPING)).toBe(false);
    }
  });
});
