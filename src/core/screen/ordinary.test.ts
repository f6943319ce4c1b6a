/** Ordinary words that come with the end and own up to nothing, and signs in places that were there before: learnt on pages that no rule had seen. */
import { describe, expect, it } from 'vitest';
import { answering, broken, delta, failed, HONEST, over, SILENT } from '../scenes/answering';
import { type Scene, scene } from '../scenes/scene';
import { createSession } from '../session';
import { droppedWords, freshWords } from './lines';
import { claimsEnd, isKey, isMeasure } from './words';

const TEXT = 'The retention window is set by audit_days.';
const ASKED = 'Where is the retention window set?';
const running = answering(TEXT, ASKED, 20);
const rulesOf = (s: Scene): readonly string[] => {
  const session = createSession();
  session.ingest(s.entries);
  return failed(session.findings);
};

describe('words that come with a bad end', () => {
  it.each(['3.2 s, 9 tokens', '5 rows in 5.1 s', '12 トークン', 'Tab ⇥', 'Ctrl + Enter', 'Your report is ready'])(
    'own up to nothing where they sum up, name a key, or claim the end: %s',
    (words) => {
      expect(rulesOf(over(broken(running()).show('note', words, { path: 'main › p' })))).toEqual(SILENT);
    },
  );

  it.each([
    'Error 503',
    'Stopped after 9 tokens, 3.2 s',
    'Could not complete the report',
    'Your report is not ready',
    'The final part is missing',
    '无法完成',
    'The end came before it was complete',
    'Spojení bylo přerušeno',
  ])('do in any language where they say more: %s', (words) => {
    expect(rulesOf(over(broken(running()).show('note', words, { path: 'main › p' })))).toEqual(HONEST);
  });

  it.each([
    ['✓ Utkast klart', SILENT],
    ['✅ Hotovo', SILENT],
    ['✓ Stopped', HONEST],
    ['✓ Interrupted', HONEST],
    ['✗ Utkast klart', HONEST],
  ])('are none behind a tick, unless they say otherwise: %s', (words, told) => {
    expect(rulesOf(over(broken(running()).show('note', words, { path: 'main › p' })))).toEqual(told);
  });

  it('are none where they are the name of who speaks, known from before, and the time of day', () => {
    const name = (s: Scene): Scene => s.show('who', 'Domácí rádce říká', { path: 'main › h3' });
    const ended = (words: string): Scene => over(broken(running(undefined, name)).show('note', words, { path: 'main › p' }));
    expect(rulesOf(ended('Domácí rádce 16:24'))).toEqual(SILENT);
    expect(rulesOf(ended('Domácí rádce 4:24 PM'))).toEqual(SILENT);
    expect(rulesOf(ended('Přerušeno 16:24'))).toEqual(HONEST);
  });

  it('are none where they stood there at rest and come back', () => {
    const hint = (s: Scene): Scene => s.cue('text|hint', 'text', 'Sem klikněte a mluvte', null, { rest: true });
    const gone = (s: Scene): Scene => s.cue('text|hint', 'text', null);
    const s = broken(running(hint, gone))
      .cue('text|hint', 'text', 'Sem klikněte a mluvte')
      .show('hint', 'Sem klikněte a mluvte', { path: 'main › p' });
    expect(rulesOf(over(s))).toEqual(SILENT);
  });

  it('are none where a list is drawn anew with another mark, and one where the mark is a bad one', () => {
    const steps = (s: Scene): Scene => s.show('step', '○ Hledání', { path: 'ol › li' });
    const drawn = (mark: string): Scene =>
      broken(running(undefined, steps)).hide('step').show('step2', `${mark} Hledání`, { path: 'ol › li' });
    expect(rulesOf(over(drawn('✓')))).toEqual(SILENT);
    expect(rulesOf(over(drawn('✗')))).toEqual(HONEST);
  });

  it('are none where they ask for a rating, together with what rates', () => {
    const asked = (words: string): Scene =>
      broken(running()).show('reply', `${TEXT}\n${words}`).cue('up', 'control', 'enabled', '👍', { region: 'reply' });
    expect(rulesOf(over(asked('Thanks for asking! Was this useful?')))).toEqual(SILENT);
    expect(rulesOf(over(asked('Interrupted. Was this useful?')))).toEqual(HONEST);
  });

  it('are a sign where a terminal writes what it writes when one breaks off', () => {
    expect(rulesOf(over(broken(running()).show('reply', `${TEXT}\n^C`)))).toEqual(HONEST);
  });
});

describe('words that stood beside the run from its beginning', () => {
  const chip = (s: Scene): Scene => s.show('chip', 'Píše se notes.txt', { path: 'aside › p', rest: true });

  it('are a sign once they say something else', () => {
    expect(
      rulesOf(over(broken(running(undefined, chip)).show('chip', 'notes.txt je jen část', { path: 'aside › p', rest: true }))),
    ).toEqual(HONEST);
  });
  it('are none where they say that it is done', () => {
    expect(rulesOf(over(broken(running(undefined, chip)).show('chip', 'notes.txt, version 1', { path: 'aside › p', rest: true })))).toEqual(
      SILENT,
    );
  });
});

describe('the place of a region', () => {
  const carded = (label: string): Scene => {
    const show = (s: Scene, text: string, name: string): Scene => s.show('card', text, { path: 'section › article', label: name });
    const s = scene()
      .rest()
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1100)
      .say({ type: 'start', messageId: 'm1' }, { type: 'text-start', id: 't1' }, delta(TEXT.slice(0, 20)))
      .wait(10);
    show(s, TEXT.slice(0, 20), 'Probíhá')
      .at(2000)
      .say(delta(TEXT.slice(20)))
      .wait(10);
    show(s, TEXT, 'Probíhá').at(2500).end().wait(30);
    return show(s, TEXT, label).at(9000).still('card').tick();
  };

  it('tells by a change of its name that the run is over, in any language', () => {
    expect(rulesOf(carded('Hotovo'))).toEqual(SILENT);
  });
  it('owns up by its name', () => {
    expect(rulesOf(carded('Interrupted'))).toEqual(HONEST);
  });
});

describe('two runs, one after the other', () => {
  it('a page that did not come to rest in between is not at rest', () => {
    const s = scene().rest().cue('send2', 'control', 'enabled', 'Go', { rest: true });
    s.at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1005)
      .cue('send2', 'control', 'disabled', 'Go');
    s.at(1100)
      .say({ type: 'start', messageId: 'm1' }, { type: 'text-start', id: 't1' }, delta(TEXT.slice(0, 20)))
      .wait(10)
      .show('reply', TEXT.slice(0, 20));
    s.at(3900)
      .end('network-error')
      .at(4500)
      .open('flow-2', { body: { messages: [{ role: 'user', content: ASKED }] } });
    const say = (...values: unknown[]): Scene => s.raw(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''), 'flow-2');
    s.at(4600);
    say({ type: 'start', messageId: 'm2' }, { type: 'text-start', id: 't1' }, delta(TEXT.slice(0, 20)))
      .wait(10)
      .show('reply', TEXT.slice(0, 22));
    s.at(5500);
    say(delta(TEXT.slice(20)))
      .wait(10)
      .show('reply', TEXT);
    s.at(6000).end('network-error', 'flow-2').wait(20).cue('send2', 'control', 'enabled', 'Go').at(15_000).still('reply').tick();
    expect(rulesOf(s)).toContain('final-never-settled');
  });
});

describe('two runs beside each other', () => {
  const OTHER = 'Kündigungen sind zum Quartalsende möglich, mit drei Monaten Frist.';
  const both = (note: string | null): Scene => {
    const s = scene().rest().at(1000);
    s.open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } }).open('flow-2', {
      body: { messages: [{ role: 'user', content: 'Kündigungsfrist?' }] },
    });
    const say = (...values: unknown[]): Scene => s.raw(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''), 'flow-2');
    s.at(1005)
      .busy()
      .at(1100)
      .say({ type: 'start', messageId: 'm1' }, { type: 'text-start', id: 't1' }, delta(TEXT.slice(0, 20)));
    say({ type: 'start', messageId: 'm2' }, { type: 'text-start', id: 't1' }, delta(OTHER.slice(0, 20)));
    s.wait(10).show('reply', TEXT.slice(0, 20)).show('reply2', OTHER.slice(0, 20), { path: 'aside › p' });
    s.at(2000)
      .say(delta(TEXT.slice(20)))
      .wait(10)
      .show('reply', TEXT)
      .at(2500)
      .end('network-error')
      .wait(20);
    if (note !== null) s.show('reply', `${TEXT}\n${note}`);
    s.at(4400);
    say(delta(OTHER.slice(20)))
      .wait(10)
      .show('reply2', OTHER, { path: 'aside › p' });
    s.at(4500);
    say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }).end('eof', 'flow-2').wait(20).idle();
    return s.at(12_000).still('reply', 'reply2').tick();
  };

  it('what one says, seen for the first time or not, is no sign of the other', () => {
    expect(rulesOf(both(null))).toEqual(SILENT);
  });
  it('what came with the end of one counts for it, though the page rests only with the other', () => {
    expect(rulesOf(both('Spojení bylo přerušeno'))).toEqual(HONEST);
  });
});

describe('what a page says when a run beside this one ends well', () => {
  const page = (first: string, second: string, end = 4500): Scene => {
    const s = scene().rest().at(1000);
    s.open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } }).open('flow-2', {
      body: { messages: [{ role: 'user', content: 'Kdy?' }] },
    });
    const say = (...values: unknown[]): Scene => s.raw(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''), 'flow-2');
    const pill = (key: string, words: string): Scene => s.show(key, words, { path: `section#${key} › span` });
    s.at(1005).busy();
    pill('one', 'Píše');
    pill('two', 'Píše');
    s.at(1100).say({ type: 'start', messageId: 'm1' }, { type: 'text-start', id: 't1' }, delta(TEXT));
    say({ type: 'start', messageId: 'm2' }, { type: 'text-start', id: 't1' }, delta('Zítra ráno v devět.'));
    s.wait(10).show('reply', TEXT).show('reply2', 'Zítra ráno v devět.', { path: 'aside › p' }).at(2500);
    say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }).end('eof', 'flow-2').wait(15);
    pill('two', first).at(end).end('network-error').wait(15);
    return pill('one', second).idle().at(12_000).still('reply', 'reply2').tick();
  };

  it('is no sign when it says the same of this one', () => {
    expect(rulesOf(page('Hotovka', 'Hotovka'))).toEqual(SILENT);
  });
  it('leaves other words what they are', () => {
    expect(rulesOf(page('Hotovka', 'Přerušeno'))).toEqual(HONEST);
  });
  it('leaves what comes with its own end what it is, however shortly after the other', () => {
    expect(rulesOf(page('Hotovka', 'Přerušeno', 2550))).toEqual(HONEST);
  });
});

describe('words of a line', () => {
  it.each([
    ['notes.txt, version 1', 'Writing notes.txt', 'version 1'],
    ['Ln 2, Col 1Ready', 'Ln 2, Col 1Working…', 'Ready'],
    ['A line of its own', 'The answer', 'A line of its own'],
  ])('are told from those whose place they took: %s', (line, before, left) => {
    expect(freshWords(line, before, line)).toContain(left);
  });
  it('do not take the growing answer for something replaced', () => {
    expect(freshWords('The answer failed.', 'The answer', 'The answer goes on\nThe answer failed.')).toEqual(['The answer failed.']);
    expect(droppedWords('Title In progress\nThe ans', 'Title Ready\nThe answer')).toBe('In progress');
  });
  it('measures, keys and claims are nothing but that', () => {
    expect(['61 tokens', '1.2 s', '3 of 9 rows', '30'].map(isMeasure)).toEqual([true, true, true, true]);
    expect(['tokens', 'Error 503', '9 lives left', '3 s, cut'].map(isMeasure)).toEqual([false, false, false, false]);
    expect(['Esc', 'Esc to stop', ''].map(isKey)).toEqual([true, false, false]);
    expect(['All done', 'Not done', 'done?', 'Almost done', 'Done, with errors'].map(claimsEnd)).toEqual([true, false, true, false, false]);
  });
});
