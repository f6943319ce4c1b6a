/** Redaction in three readings: long captures in narrow windows, the same as in one piece, and in steps. */
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import type { CaptureEntry } from './capture';
import { redactCapture, redactionPasses, redactSteps } from './redact';

type Limits = NonNullable<Parameters<typeof redactionPasses>[0]>;
/** So small that everything below lies over many seams. */
const NARROW: Limits = { window: 700, total: 2_000_000, value: 3000, bare: 12_000 };

const captureOf = (bodies: readonly object[]): Capture => ({
  format: 'unsettled-capture',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  producer: { name: 't', version: '0', browser: null },
  documents: [{ key: 'd', url: 'http://localhost/', topLevel: true, timeOrigin: 0 }],
  entries: bodies.map((body, seq) => ({ ...body, seq, at: seq }) as CaptureEntry),
  redaction: null,
});
const opened = (flow = 'f', transport = 'fetch'): object => ({
  type: 'flow.opened',
  flow,
  document: 'd',
  transport,
  method: 'POST',
  url: '/chat',
  requestHeaders: {},
  requestBody: null,
});
const chunk = (text: string, flow = 'f', encoding = 'text'): object => ({
  type: 'flow.chunk',
  flow,
  direction: 'received',
  text,
  encoding,
  event: null,
  id: null,
});
const ended = (flow = 'f'): object => ({ type: 'flow.ended', flow, how: 'eof', code: null, detail: null });

const narrow = (capture: Capture, limits: Limits = NARROW): Capture => {
  const passes = redactionPasses(limits);
  const drain = (steps: Generator<void>): void => {
    for (const _ of steps);
  };
  for (const entry of capture.entries) drain(passes.learn(entry));
  drain(passes.learnt());
  for (const entry of capture.entries) drain(passes.mark(entry));
  drain(passes.marked());
  return { ...capture, entries: capture.entries.map((entry) => passes.write(entry)) };
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
let state = 7;
const random = (below: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (state >>> 8) % below;
};
const letters = (length: number): string => Array.from({ length }, () => ALPHABET[random(ALPHABET.length)]).join('');
const WORDS = 'the migration drops a column and nobody asked who reads from it so I look at the schema before I answer'.split(' ');
const prose = (words: number): string => Array.from({ length: words }, () => WORDS[random(WORDS.length)]).join(' ');
const cut = (text: string, most: number): string[] => {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 1 + random(most);
    parts.push(text.slice(at, at + length));
    at += length;
  }
  return parts;
};

const SECRETS = [
  ...Array.from({ length: 12 }, (_, i) => `sk-proj-${i}${letters(40)}`),
  ...Array.from({ length: 6 }, (_, i) => `person.${i}${letters(4)}@example-mail.org`),
  '4111 1111 1111 1111',
  '+49 171 1234567',
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${letters(300)}.${letters(43)}`,
];
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${Array.from({ length: 60 }, () => letters(64)).join('\n')}\n-----END RSA PRIVATE KEY-----`;
const story = (): string => SECRETS.map((secret) => `${prose(60)} ${secret} ${prose(60)}`).join('. ');

const deltasOf = (capture: Capture): string =>
  capture.entries
    .filter((entry) => entry.type === 'flow.chunk')
    .map((entry) => entry.text)
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => (JSON.parse(line.slice(6)) as { delta: string }).delta)
    .join('');

/** What a text is apart from its secrets; each secret must have become something of its length. */
const expectOnlySecretsGone = (before: string, after: string, secrets: readonly string[]): void => {
  expect(after).toHaveLength(before.length);
  for (const secret of secrets) {
    const at = before.indexOf(secret);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(after, secret).not.toContain(secret);
    expect(after.slice(at, at + secret.length), secret).not.toContain(secret.slice(-8));
  }
  const bare = (text: string): string => {
    let left = text;
    for (const secret of secrets) {
      const at = before.indexOf(secret);
      left = left.slice(0, at) + ' '.repeat(secret.length) + left.slice(at + secret.length);
    }
    return left;
  };
  expect(bare(after)).toBe(bare(before));
};

describe('in narrow windows', () => {
  it('secrets split over thousands of deltas and over the chunks are gone, and nothing else is', () => {
    const text = story();
    const wire = cut(text, 5)
      .map((delta) => `data: ${JSON.stringify({ type: 'text-delta', id: 't1', delta })}\n\n`)
      .join('');
    const capture = captureOf([opened(), ...cut(wire, 90).map((part) => chunk(part)), ended()]);
    expectOnlySecretsGone(text, deltasOf(narrow(capture)), SECRETS);
    expect(deltasOf(narrow(capture))).toBe(deltasOf(redactCapture(capture, { policy: 'standard' }).capture));
  });

  it('a private key longer than the window is one secret', () => {
    const text = `${prose(300)}\n${KEY}\n${prose(300)}`;
    const capture = captureOf([
      opened(),
      ...cut(text, 7).map((delta) => chunk(`data: ${JSON.stringify({ type: 'text-delta', id: 't1', delta })}\n\n`)),
    ]);
    const after = deltasOf(narrow(capture));
    for (const line of KEY.split('\n').slice(1, -1)) expect(after).not.toContain(line.slice(0, 20));
    expect(after).toContain(text.slice(0, 1000));
    expect(after).toContain(text.slice(-1000));
  });

  it('more columns than the budget holds: each is looked through before it is let go', () => {
    const parts = Array.from({ length: 80 }, (_, i) => `note ${i}: sk-proj-${letters(44)} ${prose(4)}`);
    const capture = captureOf([
      opened(),
      ...parts.flatMap((part, i) =>
        cut(part, 9).map((delta) => chunk(`data: ${JSON.stringify({ type: 'text-delta', id: `part-${i}`, delta })}\n\n`)),
      ),
    ]);
    const after = deltasOf(narrow(capture, { ...NARROW, total: 60_000 }));
    for (const part of parts) expect(after).not.toContain(part.split(' ')[2]);
    expect(after.replaceAll(/redacted-k\d+-x+/gu, '')).toBe(parts.join('').replaceAll(/sk-proj-\w+/gu, ''));
  });

  it('a body in one piece beyond the limit, and a text without form', () => {
    const body = JSON.stringify({ list: SECRETS.map((secret) => ({ note: prose(40), secret_note: `it is ${secret} there` })) }, null, 1);
    const bare = `${Array.from({ length: 40 }, () => prose(100)).join('\n')}\n${KEY}\n${story()}`;
    const capture = captureOf([
      opened('a'),
      ...cut(body, 400).map((part) => chunk(part, 'a')),
      opened('b'),
      ...cut(bare, 400).map((part) => chunk(part, 'b')),
    ]);
    const after = narrow(capture);
    const textOf = (flow: string): string =>
      after.entries.map((entry) => (entry.type === 'flow.chunk' && entry.flow === flow ? entry.text : '')).join('');
    expectOnlySecretsGone(body, textOf('a'), SECRETS);
    expectOnlySecretsGone(bare, textOf('b'), [...SECRETS, ...KEY.split('\n').slice(1, -1)]);
    expect(() => JSON.parse(textOf('a'))).not.toThrow();
  });

  it('two flows that alternate in mid-event, and one that begins anew after its end', () => {
    const [left, right] = [story(), story().replaceAll('example-mail', 'other-mail')];
    const wire = (text: string): string[] =>
      cut(
        cut(text, 6)
          .map((delta) => `data: ${JSON.stringify({ delta })}\r\n\r\n`)
          .join(''),
        50,
      );
    const [a, b] = [wire(left), wire(right)];
    const capture = captureOf([
      opened('a'),
      opened('b'),
      ...a.flatMap((part, i) => [chunk(part, 'a'), ...(b[i] === undefined ? [] : [chunk(b[i]!, 'b')])]),
      ended('a'),
      ...b.slice(a.length).map((part) => chunk(part, 'b')),
      ended('b'),
      chunk(`data: ${JSON.stringify({ delta: `late ${SECRETS[0]} word` })}\n\n`, 'a'),
    ]);
    const after = narrow(capture);
    for (const secret of SECRETS) expect(JSON.stringify(after)).not.toContain(secret);
    const of = (which: Capture, flow: string): string =>
      deltasOf({ ...which, entries: which.entries.filter((entry) => entry.type === 'flow.chunk' && entry.flow === flow) });
    expectOnlySecretsGone(left, of(after, 'a').slice(0, left.length), SECRETS);
  });

  it('finds the same aliases as in one piece, and again nothing in what came out', () => {
    const text = story();
    const capture = captureOf([opened(), ...cut(text, 4).map((delta) => chunk(`data: ${JSON.stringify({ delta })}\n\n`))]);
    const once = narrow(capture);
    expect(narrow(once).entries).toEqual(once.entries);
  });
});

describe('the text of the page', () => {
  it('is rewritten edit by edit, also where it grows, is taken back and appears anew', () => {
    const region = { key: 'r', path: 'main', role: null, label: null, presentedAs: 'unknown' };
    const sight = (change: string, at: number, removed: number, inserted: string): object => ({
      type: 'sight.text',
      document: 'd',
      region,
      change,
      edit: { at, removed, inserted },
      length: 0,
      visible: true,
      rest: false,
    });
    const texts: string[] = [];
    let now = '';
    const bodies: object[] = [];
    const step = (change: string, at: number, removed: number, inserted: string): void => {
      if (change === 'appeared') now = '';
      now = now.slice(0, at) + inserted + now.slice(at + removed);
      texts.push(now);
      bodies.push(sight(change, at, removed, inserted));
    };
    const secret = SECRETS[0]!;
    step('appeared', 0, 0, 'Key: ');
    for (const part of cut(secret, 4)) step('changed', now.length, 0, part);
    step('changed', now.length, 0, ' is it.');
    step('changed', 0, 4, 'The key');
    step('changed', 8, 12, '');
    step('appeared', 0, 0, `again ${secret}`);
    step('changed', now.length, 0, ' and more');
    const after = redactCapture(captureOf(bodies), { policy: 'standard' }).capture;
    let shown = '';
    for (const [i, entry] of after.entries.entries()) {
      if (entry.type !== 'sight.text' || !entry.edit) throw new Error('no edit');
      if (entry.change === 'appeared') shown = '';
      shown = shown.slice(0, entry.edit.at) + entry.edit.inserted + shown.slice(entry.edit.at + entry.edit.removed);
      expect(shown).toHaveLength(texts[i]!.length);
      expect(shown).not.toContain(secret.slice(8, 20));
    }
    expect(shown).toMatch(/^again redacted-k\d+-x+ and more$/u);
  });
});

describe('in steps', () => {
  const capture = captureOf([opened(), ...cut(story(), 4).map((delta) => chunk(`data: ${JSON.stringify({ delta })}\n\n`)), ended()]);

  it('comes to the same, and says how far it is', () => {
    const steps = redactSteps(capture, { policy: 'standard' });
    const seen: number[] = [];
    for (;;) {
      const step = steps.next();
      if (step.done) {
        expect(step.value).toEqual(redactCapture(capture, { policy: 'standard' }));
        break;
      }
      seen.push(step.value);
    }
    expect(seen.length).toBeGreaterThan(capture.entries.length * 3);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBeCloseTo(1);
  });

  it('counts a place once, in however many columns it lies', () => {
    const parts = cut(`first ${SECRETS[0]} then ${SECRETS[1]} and ${SECRETS[0]} again`, 6);
    const split = captureOf([
      opened(),
      ...parts.map((delta) => chunk(`data: ${JSON.stringify({ type: 'text-delta', id: 't', delta })}\n\n`)),
    ]);
    const { report } = redactCapture(split, { policy: 'standard' });
    expect(report.replacements.map(({ count }) => count).sort()).toEqual([1, 2]);
    expect(report.replaced).toBe(3);
  });

  it('refuses entries that are not those of the first reading', () => {
    const passes = redactionPasses();
    for (const entry of capture.entries) for (const _ of passes.learn(entry));
    for (const _ of passes.learnt());
    for (const entry of capture.entries.slice(0, -3)) for (const _ of passes.mark(entry));
    expect(() => {
      for (const _ of passes.marked());
    }).toThrow('changed between two readings');
  });
});
