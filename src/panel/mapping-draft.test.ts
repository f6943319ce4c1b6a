import { expect, test } from 'vitest';
import { readMapping } from '../core/mapping/mapping';
import type { WireFrame } from '../core/model';
import { createSession } from '../core/session';
import { exampleOf, freshId, MEANINGS, needsText, newMapping, withEntry } from './mapping-draft';

const frame = (data: object, event: string | null = null): WireFrame => ({
  flow: 'f',
  index: 0,
  seq: 0,
  at: 0,
  direction: 'received',
  framing: 'sse',
  kind: 'data',
  event,
  id: null,
  data: JSON.stringify(data),
  encoding: 'text',
  start: 0,
  end: 0,
  complete: true,
});
const url = 'https://acme.example/v1/agent (beta)/run?x=1';

test('the example offers the type and the longest text', () => {
  const example = exampleOf(frame({ kind: 'think', n: 4, d: { t: 'I should look first.' } }));
  expect(example).toMatchObject({ typePath: 'kind', type: 'think', textPath: 'd.t' });
});

test('every meaning makes a file that its reader accepts', () => {
  for (const meaning of MEANINGS) {
    const text = newMapping('acme', url, { meaning, typePath: 'kind', type: 'x', textPath: needsText(meaning) ? 'd.t' : '' });
    const result = readMapping(text);
    expect(result.ok ? [] : result.problems, meaning).toEqual([]);
  }
});

test('a stream that nobody knew has voices and an ending once three of its events are explained', () => {
  let text = newMapping('acme', url, { meaning: 'reasoning', typePath: 'kind', type: 'think', textPath: 'd.t' });
  text = withEntry(text, { meaning: 'answer', typePath: 'kind', type: 'say', textPath: 'd.t' })!;
  text = withEntry(text, { meaning: 'completed', typePath: 'kind', type: 'end', textPath: '' })!;
  const mapped = readMapping(text);
  if (!mapped.ok) throw new Error(JSON.stringify(mapped.problems));
  const session = createSession({ dialects: [mapped.dialect] });
  const chunks = [{ kind: 'think', d: { t: 'I should look.' } }, { kind: 'say', d: { t: 'It is safe.' } }, { kind: 'end' }];
  session.ingest([
    {
      seq: 0,
      at: 0,
      type: 'flow.opened',
      flow: 'f',
      document: 'd',
      transport: 'fetch',
      method: 'POST',
      url,
      requestHeaders: {},
      requestBody: null,
    },
    { seq: 1, at: 1, type: 'flow.head', flow: 'f', status: 200, headers: { 'content-type': 'text/event-stream' } },
    ...chunks.map((data, index) => ({
      seq: 2 + index,
      at: 2 + index,
      type: 'flow.chunk' as const,
      flow: 'f',
      direction: 'received' as const,
      text: `data: ${JSON.stringify(data)}\n\n`,
      encoding: 'text' as const,
      event: null,
      id: null,
    })),
  ]);
  const run = session.runs[0]!;
  expect(run.settlement?.outcome).toBe('completed');
  expect(run.attempts[0]!.parts.map((part) => [part.voice, part.text])).toEqual([
    ['reasoning', 'I should look.'],
    ['assistant', 'It is safe.'],
  ]);
});

test('a text that is no object takes no entry', () => {
  const answer = { meaning: 'log', typePath: 'kind', type: 'x', textPath: 't' } as const;
  expect(withEntry('{', answer)).toBeNull();
  expect(withEntry('[]', answer)).toBeNull();
});

test('names are words and dashes, and never twice', () => {
  expect(freshId('https://acme.example/v1/Run?x', [])).toBe('acme-example-v1-run');
  expect(freshId('https://acme.example/v1/Run?x', ['acme-example-v1-run'])).toBe('acme-example-v1-run-2');
  expect(freshId('', [])).toBe('my-stream');
  expect(readMapping(newMapping(freshId('wss://ä.example/', []), '', { meaning: 'log', typePath: 'k', type: 'x', textPath: 't' })).ok).toBe(
    true,
  );
});
