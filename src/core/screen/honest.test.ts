/** What a region owns up to at its end, and pages without any cue: learnt on handwritten pages that no rule had seen. */
import { describe, expect, it } from 'vitest';
import { answering, broken, delta, failed, start } from '../scenes/answering';
import { type Scene, scene } from '../scenes/scene';
import { createSession } from '../session';

const TEXT = 'The retention window is set by audit_days.';
const ASKED = 'Where is the retention window set?';

const running = answering(TEXT, ASKED, 20);
const read = (s: Scene) => {
  const session = createSession();
  session.ingest(s.entries);
  const [run] = session.runs;
  const screen = session.screenOf(run!.key)!;
  return {
    signs: screen.honestSigns.map(({ kind, text }) => [kind, text]),
    rules: failed(session.findings),
    owners: screen.regions.map(({ region, voice }) => [region.key, voice]),
  };
};

describe('words that nobody said, at the end of a region of the run', () => {
  it.each([
    ['on a line of their own', `${TEXT}\nThe connection was lost.`, 'The connection was lost.'],
    ['however short', `${TEXT}\n[cut]`, '[cut]'],
    ['in a script without spaces', `${TEXT}\n中断`, '中断'],
  ])('are a sign %s', (_, shown, words) => {
    const { signs, rules } = read(broken(running()).wait(10).show('reply', shown).at(9000).still('reply').tick());
    expect(signs).toEqual([['notice', words]]);
    expect(rules).toEqual(['severed-stream']);
  });

  it.each([
    ['that simply go on', `${TEXT} It can be changed in the settings.`],
    ['that are a mark only', `${TEXT}\n▍`],
  ])('are none %s', (_, shown) => {
    expect(read(broken(running()).wait(10).show('reply', shown).at(9000).still('reply').tick()).signs).toEqual([]);
  });

  it('are none where they go with the work', () => {
    const { rules } = read(
      running().at(2100).show('line', 'Schreibt noch …').at(2500).end('network-error').wait(20).idle().hide('line').at(9000).tick(),
    );
    expect(rules).toContain('final-never-settled');
  });

  it('are none where it is text of the run that comes late', () => {
    const s = running()
      .at(2400)
      .say(delta('\n\nThe connection was lost.'))
      .at(2500)
      .end()
      .wait(20)
      .idle()
      .at(2900)
      .show('reply', `${TEXT}\nThe connection was lost.`)
      .at(9000)
      .still('reply')
      .tick();
    const { signs, rules } = read(s);
    expect(signs).toEqual([]);
    expect(rules).toContain('final-never-settled');
  });

  it('are the producer’s own error where they repeat it', () => {
    const s = running()
      .at(2500)
      .say({ type: 'error', errorText: 'The model is overloaded' })
      .end()
      .wait(20)
      .idle()
      .show('reply', `${TEXT}\nThe model is overloaded`)
      .at(9000)
      .still('reply')
      .tick();
    expect(read(s)).toMatchObject({ signs: [['error', expect.stringContaining('The model is overloaded')]], rules: [] });
  });
});

describe('words that claim the end', () => {
  it.each(['Done ✓', 'Finished.', 'Complete', '完成', 'Copy'])('own up to nothing: %s', (words) => {
    const { signs, rules } = read(broken(running()).wait(10).show('note', words, { path: 'main › p' }).at(9000).still('reply').tick());
    expect(signs).toEqual([]);
    expect(rules).toContain('final-never-settled');
  });
  it.each(['Not done', 'Could not complete the answer', 'Stopped after 3 s'])('do where they say otherwise: %s', (words) => {
    const { rules } = read(broken(running()).wait(10).show('note', words, { path: 'main › p' }).at(9000).still('reply').tick());
    expect(rules).toEqual(['severed-stream']);
  });
});

describe('the person’s own words', () => {
  it('stay theirs where thought and answer take up some of them', () => {
    const s = scene()
      .rest()
      .at(990)
      .show('you', `You: ${ASKED}`)
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1005)
      .busy()
      .at(1100)
      .say(
        { type: 'start', messageId: 'm1' },
        { type: 'reasoning-start', id: 'r1' },
        { type: 'reasoning-delta', id: 'r1', delta: 'The question names the retention window, which is a setting.' },
        { type: 'reasoning-end', id: 'r1' },
        { type: 'text-start', id: 't1' },
        delta(TEXT),
      )
      .wait(10)
      .show('reply', TEXT)
      .at(2500)
      .say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]')
      .end()
      .wait(20)
      .idle()
      .at(9000)
      .still('you', 'reply')
      .tick();
    expect(read(s)).toMatchObject({ owners: [['reply', 'assistant']], rules: [] });
  });
});

describe('a control that nobody knows', () => {
  const ended = (region: string): Scene =>
    running()
      .at(2500)
      .say({ type: 'error', errorText: 'overloaded' })
      .end()
      .wait(20)
      .idle()
      .cue('copy', 'control', 'enabled', 'Copy', { region: 'reply' })
      .cue('star', 'control', 'enabled', 'Zzz', { region });

  it('is of the toolbar’s kind where it comes with copy, on the same message', () => {
    expect(read(ended('reply')).signs).toEqual([]);
    expect(read(ended('other')).signs).toEqual([['control', 'Zzz']]);
  });
});

describe('a page without any cue', () => {
  const bare = (): Scene => {
    const s = scene()
      .rest()
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } });
    return s
      .at(1100)
      .say(...start, delta(TEXT.slice(0, 20)))
      .wait(10)
      .show('reply', TEXT.slice(0, 20))
      .at(2000)
      .say(delta(TEXT.slice(20)))
      .wait(10)
      .show('reply', TEXT);
  };
  const left = (s: Scene, at = 9000): Scene => s.at(at).still('reply').tick();

  it.each([
    ['final-never-settled', (s: Scene) => s.at(2500).end()],
    ['error-as-done', (s: Scene) => s.at(2500).say({ type: 'error', errorText: 'overloaded' }).end()],
    [
      'unclean-finish-as-clean',
      (s: Scene) => s.at(2500).say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'length' }).end(),
    ],
  ])('lets a bad end stand like a good one: %s', (rule, end) => {
    expect(read(left(end(bare()))).rules).toContain(rule);
    // It may still say so.
    expect(read(left(end(bare()), 3000)).rules).not.toContain(rule);
    expect(read(left(end(bare()).wait(300).show('note', 'That did not go well.'))).rules).not.toContain(rule);
  });
});

describe('a status line beside the run', () => {
  it('that turns with its end keeps the page from being one without any cue', () => {
    const s = scene()
      .rest()
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1100)
      .show('head', 'Helper zzz', { path: 'header', rest: true })
      .say(...start, delta(TEXT.slice(0, 20)))
      .wait(10)
      .show('reply', TEXT.slice(0, 20))
      .at(2000)
      .say(delta(TEXT.slice(20)))
      .wait(10)
      .show('reply', TEXT)
      .at(2500)
      .say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]')
      .end()
      .wait(10)
      .show('head', 'Helper yyy', { path: 'header', rest: true })
      .at(9000)
      .still('reply')
      .tick();
    expect(read(s).rules).toEqual([]);
  });
});

describe('words of the page at rest', () => {
  const withStatus = (during: string, after: string): Scene =>
    scene()
      .rest()
      .cue('text|head', 'text', 'aaa', null, { rest: true })
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1005)
      .cue('text|head', 'text', during)
      .at(1100)
      .say(...start, delta(TEXT.slice(0, 20)))
      .wait(10)
      .show('reply', TEXT.slice(0, 20))
      .at(2000)
      .say(delta(TEXT.slice(20)))
      .wait(10)
      .show('reply', TEXT)
      .at(2500)
      .end()
      .wait(20)
      .cue('text|head', 'text', after)
      .at(9000)
      .still('reply')
      .tick();

  it('that turn with the run and come back say working, and final, in any language', () => {
    expect(read(withStatus('bbb', 'aaa')).rules).toEqual(['final-never-settled', 'severed-stream']);
  });
  it('that turn into others at the end are the page’s own word for it', () => {
    const { rules, signs } = read(withStatus('bbb', 'ccc'));
    expect(rules).toEqual(['severed-stream']);
    expect(signs).toContainEqual(['notice', 'ccc']);
  });
  it.each([ASKED, TEXT, TEXT.slice(0, 24)])('that turn into what was asked or answered are nobody’s word for it: %s', (words) => {
    const moved = running().at(2000).cue('text|row', 'text', TEXT.slice(0, 12));
    const s = broken(moved).wait(10).cue('text|row', 'text', words).at(9000).still('reply').tick();
    expect(read(s)).toMatchObject({ signs: [], rules: ['final-never-settled', 'severed-stream'] });
  });
  it('that never turn say nothing', () => {
    expect(read(withStatus('aaa', 'aaa')).rules).toContain('final-before-settle');
  });
  it('that turn and come back while text still grows are tips', () => {
    const s = scene()
      .rest()
      .cue('text|tip', 'text', 'aaa', null, { rest: true })
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1200)
      .say(...start, delta(TEXT.slice(0, 20)))
      .cue('text|tip', 'text', 'bbb')
      .wait(10)
      .show('reply', TEXT.slice(0, 20))
      .at(1600)
      .cue('text|tip', 'text', 'aaa')
      .at(2000)
      .say(delta(TEXT.slice(20)))
      .wait(10)
      .show('reply', TEXT)
      .at(2500)
      .say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]')
      .end()
      .at(9000)
      .still('reply')
      .tick();
    expect(read(s).rules).toEqual(['final-before-settle']);
  });
});

describe('a control that comes with the end', () => {
  const ended = (...labels: readonly string[]) => {
    let s = broken(running()).wait(10);
    for (const [i, label] of labels.entries()) s = s.cue(`new-${i}`, 'control', 'enabled', label);
    return read(s.at(9000).still('reply').tick()).rules;
  };
  it.each(['⚠ Jawaban terputus di tengah jalan. Ketuk untuk mencoba lagi.', 'Svaret blev aldrig klart.'])(
    'and whose name is a statement, is a notice: %s',
    (label) => expect(ended(label)).toEqual(['severed-stream']),
  );
  it.each([
    ['a suggestion that asks', ['Jam berapa matahari terbit?']],
    ['suggestions, one like the other', ['Berikan contoh yang lain.', 'Jelaskan dengan lebih singkat.']],
    ['the name of a deed', ['Bagikan ke teman']],
  ])('is none where it is %s', (_, labels) => expect(ended(...labels)).toContain('final-never-settled'));
});
