/** Pieces of text are kept by what is their own; nobody who reads them may see that. */
import { expect, test } from 'vitest';
import { createDecoder } from './decode';
import type { Dialect, Utterance } from './dialects/dialect';
import { delta, utter } from './dialects/dialect';
import { createWriting } from './dialects/writing';
import type { AgentEvent, TapRecord } from './model';
import { createSession } from './session';
import { membersOf, TextEvent } from './text-event';

/** A dialect that says what `say` makes of each line. */
const saying = (say: (line: string, at: number) => readonly Utterance[]): Dialect => ({
  id: 'probe',
  title: '',
  framings: ['ndjson'],
  hasTerminalWord: false,
  runs: 'flow',
  recognise: () => 'certain',
  open() {
    let at = 0;
    return { frame: (frame) => say(frame.data, at++), end: () => [] };
  },
});

const read = (dialect: Dialect, lines: readonly string[]): AgentEvent[] => {
  const decoder = createDecoder({ dialects: [dialect] });
  const records = [
    { type: 'flow.opened', flow: 'f', document: 'd', transport: 'fetch', method: 'POST', url: '/', requestHeaders: {}, requestBody: null },
    { type: 'flow.head', flow: 'f', status: 200, headers: { 'content-type': 'application/x-ndjson' } },
    ...lines.map((line) => ({
      type: 'flow.chunk',
      flow: 'f',
      direction: 'received',
      text: `${line}\n`,
      encoding: 'text',
      event: null,
      id: null,
    })),
  ].map((record, seq) => ({ ...record, seq, at: seq + 0.5 }) as TapRecord);
  return records.flatMap((record) => [...decoder.push(record)]);
};

const about = (message: string) => ({ identity: { message }, part: `text of ${message}` });

test('a piece of text says all that it would say with members of its own', () => {
  const [, event] = read(
    saying((line, at) => [delta('word', 'assistant', line, { ...about('m'), lane: 'l' }, `w${at}`)]),
    ['z', 'a'],
  );
  const whole = {
    ...{ seq: 3, at: 3.5, flow: 'f', ordinal: 1, frame: 1, dialect: 'probe', raw: 'word', voice: 'assistant', voiceBySaying: true },
    ...{ standing: 'provisional', identity: { message: 'm' }, lane: 'l', part: 'text of m', wireId: 'w1', order: null },
    ...{ type: 'part.delta', text: 'a' },
  };
  expect(event).toBeInstanceOf(TextEvent);
  expect(membersOf(event!)).toEqual(whole);
  expect(JSON.stringify(event)).toBe(JSON.stringify(whole));
  for (const [key, value] of Object.entries(whole)) expect(event![key as keyof AgentEvent], key).toEqual(value);
});

test('whatever differs from the piece before is told of the piece, and of no other', () => {
  const variants: readonly (() => Utterance)[] = [
    () => delta('word', 'assistant', 'x', about('m')),
    () => delta('other word', 'assistant', 'x', about('m')),
    () => delta('word', 'reasoning', 'x', about('m')),
    () => delta('word', 'assistant', 'x', about('n')),
    () => delta('word', 'assistant', 'x', { ...about('m'), part: 'other part' }),
    () => delta('word', 'assistant', 'x', { ...about('m'), lane: 'lane' }),
    () => delta('word', 'assistant', 'x', about('m'), 'w'),
    () => delta('word', 'assistant', 'x', about('m'), null, 7),
    () => delta('word', 'assistant', 'x', about('m'), null, null, 'committed'),
    () => utter('word', 'assistant', 'provisional', { type: 'part.delta', text: 'x' }, { ...about('m'), voiceBySaying: false }),
    () => utter('word', 'assistant', 'provisional', { type: 'tool.input', text: 'x' }, about('m')),
    () => utter('word', 'assistant', 'provisional', { type: 'part.opened' }, about('m')),
  ];
  // Each after each, and each after itself.
  const order = variants.flatMap((_, a) => variants.flatMap((__, b) => [a, b, b]));
  const events = read(
    saying((_, at) => [variants[order[at]!]!()]),
    order.map((_, at) => `${at}`),
  );
  const told = ({ seq: _s, at: _a, flow: _f, ordinal: _o, frame: _r, dialect: _d, ...rest }: AgentEvent) => rest;
  expect(events.map((event) => told(membersOf(event)))).toEqual(order.map((variant) => told(variants[variant]!() as AgentEvent)));
  expect(events.map(({ ordinal, frame }) => [ordinal, frame])).toEqual(order.map((_, at) => [at, at]));
});

test('pieces of one text share what they have in common, though their decoder makes it anew', () => {
  const [first, ...others] = read(
    saying((line) => [delta('word', 'assistant', line, about('m'))]),
    ['a', 'b', 'c'],
  );
  for (const event of others) expect(event.identity).toBe(first!.identity);
});

test('a piece that is told from the one before leaves that one as it was', () => {
  const writing = createWriting();
  const events = read(
    saying((line) => writing.more(line, line, 'same') ?? writing.note([delta('word', 'assistant', line, about('m'), line)])),
    ['a', 'b', 'c', 'd'],
  );
  expect(events.map((event) => [event.type === 'part.delta' && event.text, event.wireId])).toEqual(
    ['a', 'b', 'c', 'd'].map((text) => [text, text]),
  );
});

test('two texts that are written in turn keep their own words', () => {
  const texts = { m: createWriting(), n: createWriting() };
  const lines = ['m1', 'n1', 'm2', 'n2', 'm3', 'm4', 'n3', 'n4', 'n5', 'm5'];
  const events = read(
    saying((line) => {
      const of = line[0] as 'm' | 'n';
      return texts[of].more(line, null, of) ?? texts[of].note([delta('word', 'assistant', line, about(of))]);
    }),
    lines,
  );
  expect(events.map((event) => [event.type === 'part.delta' && event.text, event.identity.message])).toEqual(
    lines.map((line) => [line, line[0]]),
  );
  // Nor does their JSON tell which of them was told from the one before.
  const [first, ...others] = events.map((event) => Object.keys(JSON.parse(JSON.stringify(event))));
  for (const keys of others) expect(keys).toEqual(first);
});

test('no session has accessors of its own: a hidden class would keep them, and all that it holds, until the next full collection', () => {
  const own = Object.entries(Object.getOwnPropertyDescriptors(createSession()));
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(([, { get }]) => get !== undefined).map(([name]) => name)).toEqual([]);
});
