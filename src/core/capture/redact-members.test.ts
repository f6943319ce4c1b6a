/** Redaction reaches every text of an entry, whichever member it stands in; and names still refer to what they did. */
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model';
import { verdictsOf } from '../report';
import { createSession } from '../session';
import { redactCapture } from './redact';
import { faultOfEntryV1 } from './upgrades/v1';

const KEY = ['sk', 'proj', 'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'].join('-');
const MAIL = 'ann.smith@corp.example';

type Loose = Readonly<Record<string, unknown>>;
const captureOf = (entries: readonly Loose[], more: object = {}): Capture =>
  ({
    format: 'unsettled-capture',
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    producer: { name: 't', version: '0', browser: null },
    documents: [{ key: 'd1', url: 'https://x.test/', topLevel: true, timeOrigin: 1 }],
    redaction: null,
    entries: entries.map((entry, seq) => ({ seq, at: seq, ...entry })),
    ...more,
  }) as unknown as Capture;

/** One of each type of entry, with all its members. */
const ENTRIES: readonly Loose[] = [
  {
    type: 'flow.opened',
    flow: 'f1',
    document: 'd1',
    transport: 'eventsource',
    method: 'POST',
    url: 'https://x.test/api',
    requestHeaders: { accept: 'a/b' },
    requestBody: 'x',
  },
  { type: 'flow.head', flow: 'f1', status: 200, headers: { 'content-type': 'text/event-stream' } },
  { type: 'flow.chunk', flow: 'f1', direction: 'received', text: '{}', encoding: 'text', event: 'e', id: '1' },
  { type: 'flow.ended', flow: 'f1', how: 'eof', code: null, detail: 'd' },
  { type: 'gap', flow: 'f1', reason: 'fault', lost: 1 },
  { type: 'tick' },
  { type: 'sight.watch', document: 'd1', state: 'rest', visible: true },
  {
    type: 'sight.text',
    document: 'd1',
    region: { key: 'r1', path: 'main', role: 'log', label: 'l', presentedAs: 'unknown' },
    change: 'appeared',
    edit: { at: 0, removed: 0, inserted: 'hi' },
    length: 2,
    visible: true,
    rest: false,
  },
  { type: 'sight.cue', document: 'd1', key: 'k', kind: 'control', label: 'l', region: 'r1', value: 'v', rest: false },
];

/** The value with each text in it, and each name of a header, made longer by the secret, one at a time. */
function* planted(value: unknown, secret: string, path = ''): Generator<{ readonly path: string; readonly value: unknown }> {
  if (typeof value === 'string') yield { path, value: `${value} ${secret}` };
  else if (typeof value === 'object' && value !== null)
    for (const [member, one] of Object.entries(value)) {
      const at = `${path}.${member}`;
      for (const { path: deep, value: made } of planted(one, secret, at)) yield { path: deep, value: { ...value, [member]: made } };
      if (/headers$/iu.test(path)) yield { path: `${at} (name)`, value: { ...value, [`${member}-${secret}`]: one } };
    }
}

const POLICIES = [
  ['standard', { policy: 'standard' }],
  ['scramble', { policy: 'scramble', key: 'k' }],
] as const;

const verdict = (capture: Capture): string => {
  const session = createSession();
  for (const document of capture.documents) session.document(document);
  session.ingest(capture.entries);
  return verdictsOf(session);
};

describe.each(POLICIES)('every member of every entry: %s', (_, options) => {
  it.each([KEY, MAIL])('none holds %s afterwards', (secret) => {
    let tried = 0;
    for (const entry of ENTRIES)
      for (const { path, value } of planted(entry, secret)) {
        // A word that the format gives is no text, and no file with another one is read.
        if (faultOfEntryV1({ seq: 0, at: 0, ...(value as Loose) }) !== null) continue;
        const { capture } = redactCapture(captureOf([value as Loose]), options);
        expect(JSON.stringify(capture), path).not.toContain(secret);
        expect(Object.keys(capture.entries[0]!), path).toEqual(['seq', 'at', ...Object.keys(entry)]);
        tried++;
      }
    expect(tried).toBeGreaterThanOrEqual(26);
  });
  it('nor does what stands around the entries', () => {
    for (const more of [
      { documents: [{ key: `d ${KEY}`, url: 'u', topLevel: true, timeOrigin: 1 }] },
      { documents: [{ key: 'd1', url: `https://x.test/${KEY}`, topLevel: true, timeOrigin: 1, title: KEY }] },
      { producer: { name: KEY, version: KEY, browser: KEY, more: KEY } },
      { createdAt: KEY, note: KEY },
    ])
      expect(JSON.stringify(redactCapture(captureOf(ENTRIES, more), options).capture)).not.toContain(KEY);
  });
  it('what no list knows is left out and counted', () => {
    const entries = ENTRIES.map((entry) => ({
      ...entry,
      note: KEY,
      deep: { a: [KEY] },
      ...(entry.type === 'sight.text' ? { region: { ...(entry.region as object), title: KEY } } : {}),
    }));
    const { capture, report } = redactCapture(captureOf(entries), options);
    expect(JSON.stringify(capture)).not.toContain(KEY);
    expect(report.dropped).toBe(entries.length * 2 + 1);
    expect(redactCapture(captureOf(ENTRIES), options).report.dropped).toBe(0);
  });
});

describe.each(POLICIES)('names: %s', (_, options) => {
  const cue = (key: string, label: string, more: object = {}): Loose => ({
    type: 'sight.cue',
    document: 'd1',
    key,
    kind: 'control',
    label,
    region: null,
    value: 'enabled',
    rest: true,
    ...more,
  });
  it('a key made of the words of a control says them no more, and still is one key for one control', () => {
    const labels = [`Account ${MAIL}`, 'Account of somebody else, and not of ann', 'Account ANN', 'Account ann', 'Account Ann'];
    const keyed = labels.map((label) => cue(`control|${label}|header>button`, label));
    const capture = captureOf([...keyed, ...keyed, { ...keyed[0], value: null }]);
    for (const words of [[], ['Account', 'ann']]) {
      const clean = redactCapture(capture, { ...options, words }).capture;
      const keys = clean.entries.map((entry) => (entry as { key?: string }).key);
      expect(JSON.stringify(clean)).not.toContain('ann.smith');
      if (words.length > 0) expect(JSON.stringify(clean)).not.toMatch(/account|ann/iu);
      expect(new Set(keys).size).toBe(labels.length);
      expect(keys.slice(0, 5)).toEqual(keys.slice(5, 10));
      expect(keys[10]).toBe(keys[0]);
      // Done once more, with other words, they stay apart.
      const again = redactCapture(clean, { ...options, words: ['header'] }).capture;
      expect(new Set(again.entries.map((entry) => (entry as { key?: string }).key)).size).toBe(labels.length);
    }
  });
  it('what refers to a region, a flow or a document still does', () => {
    const entries = [
      { ...ENTRIES[0], flow: `f ${KEY}`, document: `d ${KEY}` },
      { ...ENTRIES[2], flow: `f ${KEY}`, text: '{"choices":[{"index":0,"delta":{"content":"Hello there"},"finish_reason":null}]}' },
      { ...ENTRIES[7], document: `d ${KEY}`, region: { ...(ENTRIES[7]!.region as object), key: `r ${KEY}` } },
      { ...ENTRIES[8], document: `d ${KEY}`, region: `r ${KEY}` },
      { ...ENTRIES[3], flow: `f ${KEY}` },
    ];
    const documents = [{ key: `d ${KEY}`, url: 'https://x.test/', topLevel: true, timeOrigin: 1 }];
    const capture = captureOf(entries, { documents });
    const clean = redactCapture(capture, { ...options, ...(options.policy === 'scramble' ? { verdict } : {}) }).capture;
    expect(JSON.stringify(clean)).not.toContain(KEY);
    const [opened, chunk, text, cueEntry, ended] = clean.entries as unknown as Record<string, string>[];
    expect(chunk!.flow).toBe(opened!.flow);
    expect(ended!.flow).toBe(opened!.flow);
    expect(text!.document).toBe(clean.documents[0]!.key);
    expect(cueEntry!.region).toBe((text!.region as unknown as { key: string }).key);
    expect(JSON.parse(verdict(clean)).runs.length).toBe(JSON.parse(verdict(capture)).runs.length);
  });
});
