/** A mapping makes a dialect like any other; a wrong one says where and what. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../dialects';
import type { TapRecord, WireFrame } from '../model';
import { createSession } from '../session';
import { suggestFrom } from './mapped-dialect';
import { readMapping } from './mapping';

const MAPPING = {
  unsettledMapping: 1,
  id: 'acme-agent',
  title: 'Acme agent',
  recognise: { where: [{ path: 'acme', matches: '^v\\d$' }] },
  type: 'kind',
  identity: { run: 'job', conversation: 'chat.id' },
  eventId: 'n',
  events: {
    begin: { does: 'open-run', resumes: 'answers' },
    think: { does: 'delta', voice: 'reasoning', text: 'd.t' },
    say: { does: 'delta', voice: 'assistant', text: 'd.t', part: 'd.p' },
    said: { does: 'close', voice: 'assistant', part: 'd.p', text: 'd.full' },
    'step.*': { does: 'note', voice: 'progress', text: 'title' },
    call: { does: 'tool-call', id: 'd.id', name: 'd.name', owedBy: 'page' },
    result: { does: 'tool-result', id: 'd.id', output: 'd.out', failed: 'd.bad' },
    ask: { does: 'ask', request: 'd.id', kind: 'approval', prompt: 'd.q' },
    end: { does: 'finish', reason: 'how', outcomes: { ok: 'completed', cut: 'truncated', hold: 'waiting', no: 'refused' } },
    oops: { does: 'fail', message: 'why' },
  },
} as const;

const run = (events: readonly object[], mapping: object = MAPPING) => {
  const read = readMapping(JSON.stringify(mapping));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const session = createSession({ dialects: [read.dialect, ...DIALECTS] });
  const base = { flow: 'f', at: 0 };
  const records: TapRecord[] = [
    {
      ...base,
      seq: 0,
      type: 'flow.opened',
      document: 'd',
      transport: 'fetch',
      method: 'POST',
      url: 'http://x/y',
      requestHeaders: {},
      requestBody: null,
    },
    { ...base, seq: 1, type: 'flow.head', status: 200, headers: { 'content-type': 'text/event-stream' } },
    ...events.map(
      (event, i): TapRecord => ({
        ...base,
        seq: i + 2,
        type: 'flow.chunk',
        direction: 'received',
        text: `data: ${JSON.stringify({ acme: 'v1', job: 'j1', n: i, ...event })}\n\n`,
        encoding: 'text',
        event: null,
        id: null,
      }),
    ),
    { ...base, seq: events.length + 2, type: 'flow.ended', how: 'eof', code: null, detail: null },
  ];
  session.ingest(records);
  return session;
};

describe('a mapping', () => {
  test('gives voices, parts, commits and the outcome', () => {
    const session = run([
      { kind: 'begin' },
      { kind: 'think', d: { t: 'Hm.' } },
      { kind: 'step.search', title: 'Searching' },
      { kind: 'say', d: { t: 'Hel', p: 1 } },
      { kind: 'say', d: { t: 'lo', p: 1 } },
      { kind: 'said', d: { p: 1, full: 'Hello' } },
      { kind: 'end', how: 'ok' },
    ]);
    const [only] = session.runs;
    expect(only?.settlement).toMatchObject({ outcome: 'completed', finish: { raw: 'ok' } });
    expect(only?.attempts[0]?.parts.map(({ voice, standing, text }) => [voice, standing, text])).toEqual([
      ['reasoning', 'committed', 'Hm.'],
      ['assistant', 'committed', 'Hello'],
    ]);
    expect(session.flows.get('f')?.dialect).toBe('acme-agent');
  });
  test.each([
    ['ok', 'completed'],
    ['cut', 'truncated'],
    ['hold', 'waiting'],
    ['no', 'refused'],
    ['something else', 'unattested'],
    ['constructor', 'unattested'],
  ])('%s means %s', (how, outcome) => {
    expect(run([{ kind: 'begin' }, { kind: 'end', how }]).runs[0]?.settlement?.outcome).toBe(outcome);
  });
  test('a call that the page owes makes a polite end a wait, and the answer goes on with the run', () => {
    expect(
      run([{ kind: 'begin' }, { kind: 'call', d: { id: 'c1', name: 'pick' } }, { kind: 'end', how: 'ok' }]).runs[0]?.settlement,
    ).toMatchObject({ outcome: 'waiting', waitingFor: 'tool' });
  });
  test('a failure, and the end without a word', () => {
    expect(run([{ kind: 'begin' }, { kind: 'oops', why: 'no' }]).runs[0]?.settlement).toMatchObject({ outcome: 'failed', error: 'no' });
    expect(run([{ kind: 'begin' }, { kind: 'say', d: { t: 'x' } }]).runs[0]?.settlement?.outcome).toBe('severed');
  });
  test('unknown types are kept as unrecognised, and a path that is not there is malformed', () => {
    const session = run([{ kind: 'begin' }, { kind: 'new' }, { kind: 'say' }]);
    expect(session.events.map((event) => event.type)).toEqual(['run.opened', 'unrecognised', 'malformed']);
  });
  test('streams that lack its marks are left alone', () => {
    expect(run([{ acme: 'x', kind: 'say' }]).flows.get('f')?.dialect).toBeNull();
  });
});

const problem = (text: string) => {
  const read = readMapping(text);
  expect(read.ok).toBe(false);
  return read.ok ? [] : read.problems.map(({ line, key, message }) => `${line}: ${key}: ${message}`);
};
const lines = (edit: (text: string) => string): string => edit(JSON.stringify(MAPPING, null, 2));

describe('a wrong mapping file names line and key', () => {
  test('an unknown key', () => {
    const text = lines((json) => json.replace('"type": "kind"', '"type": "kind",\n  "tipe": "x"'));
    expect(problem(text)[0]).toMatch(
      new RegExp(`^${text.split('\n').findIndex((one) => one.includes('tipe')) + 1}: tipe: is not a key that belongs here`, 'u'),
    );
  });
  test('a voice that does not exist', () => {
    const text = lines((json) => json.replace('"voice": "reasoning"', '"voice": "thoughts"'));
    expect(problem(text)[0]).toMatch(
      new RegExp(`^${text.split('\n').findIndex((one) => one.includes('thoughts')) + 1}: events\\.think\\.voice: is "thoughts"`, 'u'),
    );
  });
  test('a key that is missing', () => {
    expect(problem(JSON.stringify({ ...MAPPING, type: undefined }))[0]).toMatch(/^(?:null|1): type: is missing/u);
  });
  test('a finish that does not say how', () => {
    expect(problem(JSON.stringify({ ...MAPPING, events: { end: { does: 'finish' } } }))).toEqual([
      '1: events.end: says "finish" and not how: give "outcome", or "reason" with "outcomes"',
    ]);
  });
  test('a bad regular expression, a bad path, nothing to recognise by', () => {
    expect(problem(JSON.stringify({ ...MAPPING, recognise: { where: [{ path: 'a', matches: '(' }] } }))[0]).toContain(
      'must be a regular expression',
    );
    expect(problem(JSON.stringify({ ...MAPPING, type: 'a..b' }))[0]).toContain('must be a path');
    expect(problem(JSON.stringify({ ...MAPPING, recognise: { where: [] } }))[0]).toContain('must name at least one path');
  });
  test('an expression that may never end is refused before it is run', () => {
    for (const recognise of [{ where: [{ path: 'acme', matches: '^(a+)+$' }] }, { where: [{ path: 'acme' }], url: '^(a|a)*$' }]) {
      const [said] = problem(JSON.stringify({ ...MAPPING, recognise }, null, 2));
      expect(said).toMatch(/^\d+: recognise\.(?:where\.0\.matches|url): may never end on some texts/u);
    }
    expect(readMapping(JSON.stringify({ ...MAPPING, recognise: { where: [{ path: 'acme', matches: '^(foo|bar)+$' }] } })).ok).toBe(true);
  });
  test('broken JSON', () => {
    expect(problem('{\n  "unsettledMapping": 1,\n  "id": "x"\n  "type": "y"\n}')).toEqual([
      '4: : not valid JSON: expected "," or "}", found "\\""',
    ]);
    expect(problem('')).toEqual(['null: : the file is empty: a mapping is a JSON object']);
    expect(problem('{"a": "b')[0]).toContain('expected the closing quote of this string');
  });
  test('any text: an answer, never a throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ ...MAPPING, events: value })),
        ),
        (text) => void readMapping(text),
      ),
      { numRuns: 300 },
    );
  });
});

test('an example suggests where the type is and what there is to read', () => {
  const frame = { data: JSON.stringify({ kind: 'say', d: { t: 'hi', list: [1] } }), event: null } as WireFrame;
  expect(suggestFrom(frame)).toEqual({
    type: 'say',
    typePath: 'kind',
    paths: [
      { path: 'kind', sample: 'say' },
      { path: 'd.t', sample: 'hi' },
    ],
  });
});

test('the published schema knows the same keys', () => {
  const schema = JSON.parse(readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../../../docs/mapping.schema.json'), 'utf8'));
  const kinds = schema.$defs.event.oneOf.map((one: { properties: { does: { const: string } } }) => one.properties.does.const);
  expect(kinds).toEqual([
    'open-run',
    'delta',
    'replace',
    'close',
    'withdraw',
    'commit-all',
    'withdraw-all',
    'tool-call',
    'tool-result',
    'ask',
    'answer',
    'finish',
    'fail',
    'sentinel',
    'note',
  ]);
  expect(Object.keys(schema.properties)).toEqual([
    '$schema',
    'unsettledMapping',
    'id',
    'title',
    'recognise',
    'type',
    'identity',
    'eventId',
    'events',
  ]);
  // Every kind of the schema is one that the reader takes, with the keys it says are required.
  for (const one of schema.$defs.event.oneOf) {
    const entry = Object.fromEntries(
      one.required.map((key: string) => [
        key,
        one.properties[key].const ?? one.properties[key].enum?.[0] ?? (one.properties[key].$ref?.endsWith('voice') ? 'log' : 'a.b'),
      ]),
    );
    if (entry.does === 'finish') entry.outcome = 'completed';
    expect(readMapping(JSON.stringify({ ...MAPPING, events: { x: entry } })), JSON.stringify(entry)).toMatchObject({ ok: true });
  }
});
