import { describe, expect, test } from 'vitest';
import { RULES } from '../../core/findings';
import type { Finding } from '../../core/model';
import { en } from './en';
import { messageOf } from './index';
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
  test('a value that a sentence asks for and the finding lacks leaves no brace', () => {
    expect(messageOf(zh, { ...finding, data: {} })).not.toMatch(/[{}]/u);
  });

  test('moments are said on the clock of the table', () => {
    const message = 'The connection ended (eof) at 25432 ms, 3 ms after the last event, and it said “at 7 ms”.';
    const timed = { ...finding, message, data: { ...finding.data, endedMs: 25_432, silentMs: 3 } };
    const at = (time: number): string => `${(time - 20_000) / 1000} s`;
    expect(messageOf(en, timed, at)).toBe('The connection ended (eof) at 5.432 s, 3 ms after the last event, and it said “at 7 ms”.');
    expect(messageOf(zh, timed, at)).toContain('5.432 s');
    expect(messageOf(zh, timed, at)).not.toContain('25432');
  });
});
