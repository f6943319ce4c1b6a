import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RULES } from '../../core/findings';
import type { Finding } from '../../core/model';
import { type Span, wordsGone, wordsStanding } from '../../core/screen/spans';
import { createSession, type Entry } from '../../core/session';
import { en } from './en';
import { messageOf, phraseOf } from './index';
import { zh } from './zh';

const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/gu)].map((match) => match[1]!);

describe('sentences of findings in other languages', () => {
  test.each(RULES.map((rule) => [rule.id, rule] as const))('%s has both, and names only what the rule tells', (id, rule) => {
    const translated = zh.messages?.[id];
    expect(translated, `a sentence for ${id}`).toBeDefined();
    for (const verdict of ['fail', 'inconclusive'] as const) {
      const known = new Set([...placeholders(rule.message.fail), ...placeholders(rule.message.inconclusive)]);
      expect(placeholders(translated![verdict]).filter((name) => !known.has(name))).toEqual([]);
    }
    expect(zh.rules[id], `a title and a fix for ${id}`).toBeDefined();
    expect(en.rules[id as keyof typeof en.rules], `a title and a fix for ${id}`).toBeDefined();
  });

  const finding: Finding = {
    key: 'k',
    rule: 'severed-stream',
    verdict: 'fail',
    severity: 'serious',
    run: 'r',
    attempt: null,
    voice: null,
    text: '',
    region: null,
    at: 0,
    untimed: false,
    until: null,
    data: { how: 'eof', endedMs: 12, last: 'run.progress', silentMs: 3 },
    message: 'The connection ended.',
    evidence: [],
  };
  test('phrases of the core are translated, words of the wire stay', () => {
    expect(messageOf(zh, finding)).toBe(
      '连接在 12 毫秒结束（正文结束），距最后一个事件（run.progress）3 毫秒，其上没有任何事件使运行定局。',
    );
  });
  test('English, and a rule that a language does not know, say what the core says', () => {
    expect(messageOf(en, finding)).toBe('The connection ended.');
    expect(messageOf(zh, { ...finding, rule: 'of-tomorrow' })).toBe('The connection ended.');
  });
  test('English says how a connection ended as the panel does elsewhere; words of the page in brackets stay', () => {
    const ended = (how: string, message: string): string => messageOf(en, { ...finding, data: { how }, message });
    expect(ended('network-error', 'The body ended (network-error) inside a frame.')).toBe('The body ended (network error) inside a frame.');
    expect(ended('eof', 'The connection ended (eof), yet the page shows “ended (eof)” as final.')).toBe(
      'The connection ended (end of body), yet the page shows “ended (eof)” as final.',
    );
    const lost = 'The page no longer shows it (shows neither the question nor a way to answer it).';
    expect(ended('shows neither the question nor a way to answer it', lost)).toBe(lost);
  });
  test('a value that a sentence asks for and the finding lacks leaves no brace', () => {
    expect(messageOf(zh, { ...finding, untimed: true, data: {} })).not.toMatch(/[{}]/u);
  });

  test('what is not known is left out, with the words around it', () => {
    expect(messageOf(zh, { ...finding, data: { how: 'eof', last: 'run.progress' } })).toBe(
      '连接结束（正文结束），距最后一个事件（run.progress），其上没有任何事件使运行定局。',
    );
  });

  test('moments are said on the clock of the table', () => {
    const message = 'The connection ended (eof) at 25432 ms, 3 ms after the last event, and it said “at 7 ms”.';
    const timed = { ...finding, message, data: { ...finding.data, endedMs: 25_432, silentMs: 3 } };
    const at = (time: number): string => `${(time - 20_000) / 1000} s`;
    expect(messageOf(en, timed, at)).toBe(
      'The connection ended (end of body) at 5.432 s, 3 ms after the last event, and it said “at 7 ms”.',
    );
    expect(messageOf(zh, timed, at)).toContain('5.432 s');
    expect(messageOf(zh, timed, at)).not.toContain('25432');
  });
});

/** What is English of the core in a Chinese sentence: words outside of what is quoted that follow each other, or tell of a change. */
const englishIn = (said: string): string | null =>
  /[A-Za-z]+(?: [a-z]+)+|\b(?:gone|enabled|disabled|readonly|appeared)\b/u.exec(said.replaceAll(/“[^”]*”/gu, ''))?.[0] ?? null;

describe('the core’s own words in Chinese sentences', () => {
  const FINDINGS = fileURLToPath(new URL('../../core/findings/', import.meta.url));

  test('the signs in every finding of every fixture are said in Chinese', () => {
    const left = new Set<string>();
    let said = 0;
    for (const folder of readdirSync(FINDINGS).filter((name) => name.endsWith('.fixtures')))
      for (const path of readdirSync(join(FINDINGS, folder), { recursive: true, encoding: 'utf8' })) {
        if (!path.endsWith('.jsonl')) continue;
        const [, ...lines] = readFileSync(join(FINDINGS, folder, path), 'utf8')
          .trimEnd()
          .split('\n');
        const session = createSession();
        session.ingest(lines.map((line) => JSON.parse(line) as Entry));
        for (const finding of session.findings) {
          const sentence = messageOf(zh, finding);
          if (finding.data.cue === undefined) continue;
          said++;
          const found = englishIn(phraseOf(zh, finding.data.cue));
          if (found !== null) left.add(`${finding.rule}: ${found} in ${sentence}`);
        }
      }
    expect(said).toBeGreaterThan(40);
    expect([...left]).toEqual([]);
  });

  const span = (more: Partial<Span>): Span => {
    const mark = { seq: 0, at: 0 };
    const none = { control: false, restValue: null, main: false, strong: true, returned: false };
    return { kind: 'busy', label: null, value: null, next: null, from: mark, until: mark, ...none, ...more } as Span;
  };
  test('every sign of a page, standing and gone', () => {
    for (const kind of ['control', 'composer', 'busy', 'animation', 'caret', 'class', 'attribute', 'text', 'outright', 'words'] as const)
      for (const named of [false, true])
        for (const [value, next] of [
          ['enabled', null],
          ['enabled', 'disabled'],
          ['readonly', 'enabled'],
          [null, 'enabled'],
        ] as const) {
          // The name of an attribute is the page's own.
          const label = named ? (kind === 'attribute' ? 'data-state' : 'Stop it, please') : null;
          for (const words of [wordsGone(span({ kind, label, value, next })), wordsStanding(span({ kind, label, value, next }))])
            expect(englishIn(phraseOf(zh, words).replace('data-state', '')), words).toBeNull();
        }
  });
  test('several signs one after another, each as it is alone', () => {
    expect(phraseOf(zh, '“Stop, now” gone, caret gone, class “is-busy” gone, composer enabled')).toBe(
      '“Stop, now”消失、光标消失、类“is-busy”消失、输入框可用',
    );
    expect(phraseOf(zh, 'class “is-busy” gone, “Stop” gone')).toBe('类“is-busy”消失、“Stop”消失');
    expect(phraseOf(zh, '“Thinking” became “Done, all”')).toBe('“Thinking”变为“Done, all”');
  });
  test('words that every object has a member for stay as they are', () => {
    for (const word of ['constructor', 'constructor gone', 'valueOf, toString', '__proto__'])
      expect(phraseOf(zh, word).replace('消失', ' gone').replace('、', ', ')).toBe(word);
  });
  test('what the page or the wire said stays as it is, even if the core says it, too', () => {
    const quoted = { rule: 'missing-head', verdict: 'fail', data: { excerpt: 'caret gone', missing: 3 } } as unknown as Finding;
    expect(messageOf(zh, quoted)).toContain('“caret gone”');
  });
});
