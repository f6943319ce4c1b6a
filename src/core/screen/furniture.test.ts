/** What stands around any finished message owns up to nothing; what looks like it and says that something went wrong does. */
import { describe, expect, it } from 'vitest';
import { answering, broken, delta, failed, HONEST, over, SILENT } from '../scenes/answering';
import { type Scene, scene } from '../scenes/scene';
import { createSession } from '../session';
import { isFurniture, takesAway } from './furniture';

const TEXT = 'The lease of flat 12 ends in March, and the notice period is three months.';
const ASKED = 'When does the lease of flat 12 end?';
const running = (): Scene => answering(TEXT, ASKED, 30)((s) => s.cue('text|head', 'text', 'Ines', null, { rest: true }));
const rulesOf = (s: Scene): readonly string[] => {
  const session = createSession();
  session.ingest(s.entries);
  return failed(session.findings);
};
const noted = (words: string): readonly string[] => rulesOf(over(broken(running()).show('note', words, { path: 'main › p' })));

describe('what comes with a finished message', () => {
  it.each([
    'Sources: Tenancy act House rules',
    'Quellen (3)',
    'Références : bail, règlement',
    '出典：契約書',
    'AI can make mistakes.',
    'KI-Antworten können Fehler enthalten.',
    'Les réponses de l’IA peuvent contenir des erreurs.',
    'Las respuestas de la IA pueden contener errores.',
    'AI の回答には誤りが含まれる場合があります。',
    'AI 生成的内容可能有错误。',
    'Was this answer helpful?',
    'War diese Antwort hilfreich?',
    'È stato utile?',
    'この回答は役に立ちましたか？',
    '这个回答有帮助吗？',
    'Your summary was created',
    'Der Bericht wurde erfolgreich erstellt.',
    'Resumen generado correctamente ✓',
    '要約の生成が完了しました',
    'Ines · just now · Was this useful?',
  ])('owns up to nothing: %s', (words) => {
    expect(noted(words)).toEqual(SILENT);
  });

  it.each([
    'Sources: could not be loaded, connection lost',
    'An error may have occurred.',
    'The AI may have made errors because it was interrupted.',
    'KI-Fehler: die Antwort kann abgebrochen sein',
    'Was this error helpful?',
    'Your summary was not created',
    'The summary was only partly created',
    'Partial summary saved',
    'Request sent to the landlord',
    '要約の生成が完了しませんでした',
    '要約の生成が停止しました',
    'Přerušeno · Was this useful?',
    'Interrupted · Was this useful?',
  ])('does where it says otherwise: %s', (words) => {
    expect(noted(words)).toEqual(HONEST);
  });

  it.each(['Showing 1 to 2 of 2', 'Zeige 1 bis 7 von 7', 'Rangée 1 – 12 sur 12', '显示第 1 条-第 2 条，共 2 条', 'Showing 1 to 2 of 2\n1'])(
    'owns up to nothing by a pager that shows all: %s',
    (words) => {
      expect(isFurniture(words)).toBe(true);
    },
  );
  it.each([
    'Showing 1 to 2 of 9',
    'Showing 3 of 10 results',
    'Showing partial results 2 of 2',
    'Stopped after 1 to 2 of 2',
    'Showing 2 to 3 of 3',
    'Reconnecting (1/3) in 3 s',
    'Versuch 1 von 3, weiter in 3 s',
    'Nouvel essai 1 sur 3 dans 3 s',
    'Próba 1 z 3, za 3 s',
    '第 1 次重连，共 3 次，3 秒后',
    'Only 1 of 3 answers came, 3 were asked',
  ])('may own up by one that shows less, says what went wrong, or counts tries: %s', (words) => {
    expect(isFurniture(words)).toBe(false);
  });

  it.each(['33 λέξεις · 5.4 δ.', '8 λέξεις · 3.8 δ.', '120 słów, 4,2 sek.', '12 शब्द | 3.1 से', '≈40 tokenů\n2 s'])(
    'owns up to nothing by counts, in a language that is not known: %s',
    (words) => {
      expect(isFurniture(words)).toBe(true);
    },
  );
  it.each(['3 λέξεις', '2 failed · 3 ok', 'λείπουν 3 · 5 δ.', 'Fel 500 · försök 2', '第 1 次 · 3 秒'])(
    'may own up by one count alone, by a word for what went wrong, or by words before the number: %s',
    (words) => {
      expect(isFurniture(words)).toBe(false);
    },
  );

  it('knows the parts of a line that stood on the page before, unless they own up', () => {
    const known = (part: string): boolean => ['Ines', 'failed'].includes(part);
    expect(isFurniture('Ines · 2 min ago · Was this useful?', known)).toBe(true);
    expect(isFurniture('Marek · 2 min ago · Was this useful?', known)).toBe(false);
    expect(isFurniture('failed · Was this useful?', known)).toBe(false);
    expect(isFurniture('Ines', known)).toBe(false);
  });
});

describe('controls of a finished message', () => {
  it.each(['Download PDF', 'CSV', 'Drucken', 'Télécharger', 'Show more', 'Mehr anzeigen', 'もっと見る', '共有'])(
    'take it away or show more of it: %s',
    (label) => {
      expect(takesAway(label)).toBe(true);
    },
  );
  it.each(['Approve', 'Open the form', 'Retry download', 'Yes', 'Ablehnen', null])('are none where they answer or retry: %s', (label) => {
    expect(takesAway(label)).toBe(false);
  });

  const waiting = (after: (s: Scene) => Scene): readonly string[] => {
    const s = running()
      .at(2400)
      .say(
        { type: 'text-end', id: 't1' },
        { type: 'tool-input-available', toolCallId: 'call-1', toolName: 'cancelLease', input: { flat: 12 } },
        { type: 'tool-approval-request', approvalId: 'a-1', toolCallId: 'call-1' },
        { type: 'finish', finishReason: 'tool-calls' },
        '[DONE]',
      )
      .end()
      .wait(20)
      .idle();
    return rulesOf(over(after(s)));
  };
  it('are no way to answer a question, nor is the vote on the answer', () => {
    expect(waiting((s) => s.cue('pdf', 'control', 'enabled', 'Save as PDF'))).toEqual(['waiting-as-done', 'waiting-lost']);
    const vote = (s: Scene, words: string): Scene =>
      s.show('vote', words, { path: 'main › p' }).cue('yes', 'control', 'enabled', 'Ja').cue('no', 'control', 'enabled', 'Nein');
    expect(waiting((s) => vote(s, 'War das hilfreich?'))).toEqual(['waiting-as-done', 'waiting-lost']);
    expect(waiting((s) => vote(s, 'Soll der Vertrag enden?'))).toEqual([]);
    expect(waiting((s) => vote(s, 'Would you like to end the lease?'))).toEqual([]);
  });
  it('an approval without words is asked for by controls, or by the name of its tool', () => {
    expect(waiting((s) => s)).toEqual(['waiting-as-done', 'waiting-lost']);
    expect(waiting((s) => s.cue('ok', 'control', 'enabled', 'Approve'))).toEqual([]);
    expect(waiting((s) => s.show('tool', 'cancelLease { "flat": 12 }', { path: 'main › pre' }))).not.toContain('waiting-lost');
  });
});

describe('text that grows on a page at rest', () => {
  const early = (back: number, grow: boolean): readonly string[] => {
    const s = scene()
      .rest()
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1005)
      .busy()
      .at(1100)
      .say({ type: 'start', messageId: 'm1' }, { type: 'text-start', id: 't1' })
      .at(back)
      .idle()
      .at(2000)
      .say(delta(TEXT.slice(0, 30)))
      .wait(100)
      .show('reply', TEXT.slice(0, 30));
    if (grow)
      s.at(2800)
        .say(delta(TEXT.slice(30, 50)))
        .wait(10)
        .show('reply', TEXT.slice(0, 50))
        .at(3600)
        .say(delta(TEXT.slice(50)))
        .wait(10)
        .show('reply', TEXT);
    s.at(4000).say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]').end();
    return rulesOf(over(s));
  };
  it('is shown as final too early', () => {
    expect(early(1800, true)).toEqual(['final-before-settle']);
  });
  it('is not where nothing grew', () => {
    expect(early(1800, false)).not.toContain('final-before-settle');
  });
});

describe('a control that typing switches, too', () => {
  const paused = (more: (s: Scene) => Scene): Scene => {
    const s = scene().rest();
    s.at(1000).open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } });
    s.at(1005).cue('send', 'control', 'disabled', 'Send');
    s.at(1100).say({ type: 'start', messageId: 'm1' }, { type: 'text-start', id: 't1' }, delta(TEXT)).wait(10).show('reply', TEXT);
    s.at(2500).cue('send', 'control', 'enabled', 'Send');
    more(s);
    return s
      .at(5000)
      .say(delta(' It cannot be prolonged.'), { type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]')
      .wait(10)
      .show('reply', `${TEXT} It cannot be prolonged.`)
      .end();
  };
  it('tells the end for sure where it comes back with what only finished messages have', () => {
    expect(rulesOf(over(paused((s) => s)))).toEqual([]);
    expect(rulesOf(over(paused((s) => s.cue('up', 'control', 'enabled', '👍', { region: 'reply' }))))).toEqual(['final-before-settle']);
  });
});

describe('the second of two runs on one page', () => {
  it('has at rest what stood before the first, not what the first one showed while it worked', () => {
    const s = scene().rest();
    s.at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1005)
      .busy()
      .cue('glow', 'animation', 'running');
    s.at(1100).say({ type: 'start', messageId: 'm1' }, { type: 'text-start', id: 't1' }, delta(TEXT)).wait(10).show('reply', TEXT);
    s.at(4000).say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]').end();
    s.wait(10).idle().cue('glow', 'animation', null);
    s.at(4400).busy().cue('glow', 'animation', 'running');
    s.at(4410).open('flow-2', { body: { messages: [{ role: 'user', content: 'And of flat 14?' }] } });
    const other = 'The lease of flat 14 was prolonged until the end of next year, without any';
    s.at(4600)
      .sayOn('flow-2', { type: 'start', messageId: 'm2' }, { type: 'text-start', id: 't2' }, { type: 'text-delta', id: 't2', delta: other })
      .wait(10)
      .show('reply2', other);
    s.at(6000).end('network-error', 'flow-2').wait(10).idle().cue('glow', 'animation', null);
    expect(rulesOf(s.at(14_000).still('reply', 'reply2').tick())).toEqual(SILENT);
  });
});

describe('words of the reasoning elsewhere on the page', () => {
  const THOUGHT = 'The person asks about the notice period of a lease; the tenancy act has three months for flats.';
  const thinking = (shown: string, presentedAs: 'assistant' | 'unknown' = 'assistant'): Scene =>
    running0()
      .at(2500)
      .say({ type: 'text-end', id: 't1' }, { type: 'finish', finishReason: 'stop' }, '[DONE]')
      .end()
      .wait(10)
      .idle()
      .show('more', shown, { presentedAs });
  const running0 = (): Scene =>
    scene()
      .rest()
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1005)
      .busy()
      .at(1100)
      .say(
        { type: 'start', messageId: 'm1' },
        { type: 'reasoning-start', id: 'r1' },
        { type: 'reasoning-delta', id: 'r1', delta: THOUGHT },
        { type: 'reasoning-end', id: 'r1' },
        { type: 'text-start', id: 't1' },
        delta(TEXT),
      )
      .wait(10)
      .show('reply', TEXT, { presentedAs: 'assistant' });

  it.each(['the notice period of a lease', 'the tenancy act has three months'])('are a mention where they are a title: %s', (title) => {
    expect(rulesOf(over(thinking(title)))).toEqual([]);
  });
  it.each([THOUGHT, THOUGHT.slice(0, 36), THOUGHT.slice(30)])(
    'are the reasoning where most of it, or its beginning, is shown: %s',
    (shown) => {
      expect(rulesOf(over(thinking(shown)))).toContain('reasoning-as-answer');
    },
  );
});

describe('short texts', () => {
  const working = (label: string, shown: string): Scene =>
    scene()
      .rest()
      .at(1000)
      .open('flow-1', { body: { messages: [{ role: 'user', content: ASKED }] } })
      .at(1005)
      .busy()
      .at(1100)
      .say(
        { type: 'start', messageId: 'm1' },
        { type: 'reasoning-start', id: 'r1' },
        { type: 'reasoning-delta', id: 'r1', delta: label },
        { type: 'reasoning-end', id: 'r1' },
      )
      .at(2500)
      .end('network-error')
      .wait(10)
      .show('reply', shown)
      .idle();
  it('are told where all that was said is all that is left on the page', () => {
    expect(rulesOf(over(working('Calculating', 'Calculating')))).toContain('reasoning-as-answer');
    expect(rulesOf(over(working('Calculating', 'Calc')))).not.toContain('reasoning-as-answer');
    expect(rulesOf(over(working('Sum up', 'Sum up')))).not.toContain('reasoning-as-answer');
  });

  const called = (row: string): readonly string[] =>
    rulesOf(
      over(
        running()
          .at(2100)
          .say(
            { type: 'text-end', id: 't1' },
            { type: 'tool-input-available', toolCallId: 'call-1', toolName: 'findLease', input: { flat: 12 } },
          )
          .wait(20)
          .show('row', row, { path: 'main › ul › li', presentedAs: 'tool' })
          .at(3000)
          .say(
            { type: 'tool-output-available', toolCallId: 'call-1', output: { months: 3 } },
            { type: 'finish', finishReason: 'stop' },
            '[DONE]',
          )
          .end()
          .wait(10)
          .idle(),
      ),
    );
  it('say of a call that it is done where a tick stands beside the word', () => {
    expect(called('findLease ✓ fertig')).toContain('tool-done-early');
    expect(called('findLease fertig')).not.toContain('tool-done-early');
    expect(called('findLease ✓')).not.toContain('tool-done-early');
  });
});
