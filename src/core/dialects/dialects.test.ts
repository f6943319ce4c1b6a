/**
 * Runs every fixture of every listed dialect. A fixture folder `<id>.fixtures/` holds recordings (any kind the importers
 * read), `<case>.events.txt` (the events expected of each, one a line, reviewed by hand; written by `vitest -u`),
 * `expected.jsonl` (the right verdict of each) and `origin.md`.
 *
 * Per recording: (a) the expected events; (b) the same events however the bytes are chunked; (c) cut anywhere before the
 * settling event it never comes out completed; (d) garbage between frames costs nothing but itself; (e) no other dialect
 * claims it; and the right verdict.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  frameEnds,
  frameIsWhole,
  garbageFor,
  load,
  merged,
  openingOf,
  perFrame,
  rechunk,
  sessionOf,
} from '../../../scripts/dialect-fixtures';
import type { AgentEvent, Run, TapRecord } from '../model';
import type { Session } from '../session';
import { membersOf } from '../text-event';
import { DIALECTS } from '.';
import type { Dialect } from './dialect';
import { SPECS } from './specs';

const DIR = dirname(fileURLToPath(import.meta.url));

interface Expected {
  readonly file: string;
  readonly class: string;
  readonly finishReason?: string | null;
  readonly committedText: string | null;
  readonly provisionalText: string;
}

/** What an event says, less where in the arrival it stood. */
const said = (event: AgentEvent): string => {
  const { seq: _seq, at: _at, ordinal: _ordinal, frame: _frame, ...rest } = membersOf(event);
  return JSON.stringify(rest);
};

/** Rules about when something came, which is told by the reads. */
const ABOUT_TIME = new Set(['buffered-stream', 'stalled']);

/** What the rules find, less when, and less in which record. `bare`: less which event it rests on, too. */
const found = (session: Session, bare: boolean): readonly string[] =>
  session.findings
    .filter(({ rule }) => !ABOUT_TIME.has(rule))
    .map(({ key, rule, verdict, severity, run, attempt, voice, text, message, evidence }) =>
      JSON.stringify([
        ...[rule, verdict, severity, run, attempt, voice, text, message.replace(/\d+ ms/gu, '… ms')],
        ...(bare ? [] : [key, evidence.map((ref) => (ref.kind === 'event' ? [ref.flow, ref.event] : ref.kind))]),
      ]),
    )
    .sort();

const line = (event: AgentEvent): string => {
  const {
    seq: _seq,
    at: _at,
    flow,
    ordinal: _o,
    frame: _f,
    dialect: _d,
    raw,
    voice,
    voiceBySaying,
    standing,
    identity,
    lane,
    part,
    wireId: _w,
    order: _r,
    type,
    ...body
  } = membersOf(event);
  const mark = { provisional: '~', committed: '=', settling: '!' }[standing];
  const about = [
    ...Object.entries(identity).map(([key, value]) => `${key}=${value}`),
    ...(lane === null ? [] : [`lane=${lane}`]),
    ...(part === null ? [] : [`part=${part}`]),
  ].join(' ');
  const text = JSON.stringify(body);
  return [
    flow,
    `${mark}${voice ?? 'unrecognised'}${voiceBySaying ? '' : '?'}`,
    raw,
    type,
    about,
    text === '{}' ? '' : text.length > 400 ? `${text.slice(0, 400)}…(${text.length})` : text,
  ]
    .join(' | ')
    .trimEnd();
};

const settlingSeq = (session: Session): number =>
  Math.min(
    ...session.events.filter((event) => ['finished', 'failed', 'turn.ended'].includes(event.type)).map((event) => event.seq),
    Number.POSITIVE_INFINITY,
  );

const root = (session: Session): Run | undefined => session.runs.filter((run) => run.parent === null).at(-1);
const texts = (run: Run | undefined, standing: string): string =>
  (run?.attempts ?? [])
    .filter((attempt) => !attempt.replaced)
    .flatMap((attempt) => attempt.parts)
    .filter((part) => part.voice === 'assistant' && part.standing === standing && !part.withdrawn)
    .map((part) => part.text)
    .join('');
const fold = (text: string): string => text.normalize('NFC').replace(/[\s|]+/gu, '');
const summary = (session: Session) =>
  session.runs.map((run) => ({
    outcome: run.settlement?.outcome ?? null,
    ending: run.ending.raw,
    committed: texts(run, 'committed'),
    provisional: texts(run, 'provisional'),
  }));

const OUTCOMES: Readonly<Record<string, readonly (string | null)[]>> = {
  completed: ['completed'],
  waiting: ['waiting'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  truncated: ['truncated'],
  refused: ['refused'],
  unknown: ['unattested'],
  unsettled: ['severed', null],
  none: ['no run'],
};

const folders = DIALECTS.map((dialect) => [dialect.id, dialect] as const);

describe.each(folders)('%s', (id: string, dialect: Dialect) => {
  const dir = join(DIR, `${id}.fixtures`);
  // A missing folder fails its own dialect below, not every other.
  const names = existsSync(dir) ? readdirSync(dir) : [];
  const cases = names.filter(
    (name) => /\.(?:jsonl|sse|ndjson|txt|json)$/u.test(name) && name !== 'expected.jsonl' && !name.endsWith('.events.txt'),
  );
  const expected = new Map(
    (names.includes('expected.jsonl') ? readFileSync(join(dir, 'expected.jsonl'), 'utf8') : '')
      .split('\n')
      .filter((text) => text.trim() !== '')
      .map((text) => JSON.parse(text) as Expected)
      .map((one) => [one.file, one]),
  );

  test('every recording has a verdict, and its origin is told', () => {
    expect(cases.length).toBeGreaterThan(0);
    expect(cases.filter((name) => !expected.has(name))).toEqual([]);
    expect([...expected.keys()].filter((name) => !cases.includes(name))).toEqual([]);
    expect(readFileSync(join(dir, 'origin.md'), 'utf8').length).toBeGreaterThan(40);
  });

  describe.each(cases)('%s', (file) => {
    const records = load(join(dir, file));
    const whole = sessionOf(records);

    test('events', async () => {
      await expect(`${whole.events.map(line).join('\n')}\n`).toMatchFileSnapshot(join(dir, `${file}.events.txt`));
      expect(whole.faults).toEqual([]);
    });

    test('verdict', () => {
      const right = expected.get(file)!;
      const run = root(whole);
      const outcome = run === undefined ? 'no run' : (run.settlement?.outcome ?? null);
      const sentinelOnly = right.class === 'unsettled' && outcome === 'unattested' && run?.settlement?.strength === 'sentinel';
      if (!sentinelOnly) expect(OUTCOMES[right.class]).toContain(outcome);
      if (right.finishReason !== undefined && run) expect(run.ending.raw).toBe(right.finishReason);
      if (right.class === 'waiting') expect(run?.settlement?.waitingFor).toBeTruthy();
      if (run && right.committedText !== null) expect(fold(texts(run, 'committed'))).toBe(fold(right.committedText));
      if (run && right.provisionalText) expect(fold(texts(run, 'committed'))).not.toContain(fold(right.provisionalText));
    });

    test('the same events and findings however it is chunked', () => {
      // Bare text has no frames but the reads: its words are the same, its events are not.
      const bare = dialect.framings.every((framing) => framing === 'text');
      const told = (session: Session): unknown => ({
        events: bare ? summary(session) : session.events.map(said),
        findings: found(session, bare),
      });
      const events = told(whole);
      const joined = merged(records);
      expect(told(sessionOf(joined))).toEqual(events);
      expect(told(sessionOf(perFrame(records)))).toEqual(events);
      const size = records.reduce((sum, record) => sum + (record.type === 'flow.chunk' ? record.text.length : 0), 0);
      if (size < 200_000)
        expect(told(sessionOf(rechunk(joined, (text) => Array.from({ length: text.length }, (_, i) => text[i]!))))).toEqual(events);
      fc.assert(
        fc.property(fc.infiniteStream(fc.integer({ min: 1, max: 300 })), (sizes) => {
          const split = (text: string): string[] => {
            const out: string[] = [];
            for (let at = 0; at < text.length; ) {
              const next = at + (sizes.next().value as number);
              out.push(text.slice(at, next));
              at = next;
            }
            return out;
          };
          expect(told(sessionOf(rechunk(joined, split)))).toEqual(events);
        }),
        { numRuns: size < 30_000 ? 50 : 8, seed: 7 },
      );
    });

    test('cut before the settling event it never completes', () => {
      const records = perFrame(load(join(dir, file)));
      const settledAt = settlingSeq(sessionOf(records));
      // Where the end of the body is all the dialect has, a clean end may mean completed, unless it is within a frame.
      const endIsAll = !dialect.hasTerminalWord || dialect.endSettles === true;
      const points = records.flatMap((record) => (record.type === 'flow.chunk' && record.seq <= settledAt ? [record.seq] : []));
      const step = Math.max(1, Math.floor(points.length / 60));
      for (let i = 0; i < points.length; i += step) {
        const at = points[i]!;
        const chunk = records[at]!;
        if (chunk.type !== 'flow.chunk') continue;
        const before = records.slice(0, at);
        // At its boundary, and inside it: none of these prefixes holds the settling event.
        const inside = chunk.encoding === 'text' ? [chunk.text.slice(0, Math.floor(chunk.text.length / 2))] : [];
        for (const part of ['', ...(chunk.seq === settledAt ? inside.filter(() => frameIsWhole(records, at)) : inside)])
          for (const how of ['eof', 'network-error', null] as const) {
            const cut: TapRecord[] = part === '' ? [...before] : [...before, { ...chunk, text: part }];
            const open = new Set(cut.flatMap((r) => (r.type === 'flow.opened' ? [r.flow] : [])));
            for (const r of cut) if (r.type === 'flow.ended') open.delete(r.flow);
            if (how !== null)
              for (const flow of open)
                cut.push({ type: 'flow.ended', seq: cut.length + 1e6, at: chunk.at, flow, how, code: null, detail: null });
            const session = sessionOf(cut);
            if (how === 'eof' && endIsAll && ![...session.flows.values()].some((flow) => flow.unterminated)) continue;
            const run = root(session);
            // By what came before it, and not by the end of the body.
            const said = !endIsAll || run?.settlement?.evidence.some((one) => one.kind === 'event' && one.seq < 1e6);
            if (run?.settlement?.outcome === 'completed' && (settlingSeq(session) === Number.POSITIVE_INFINITY || said === false))
              expect.fail(`cut at record ${at} (${part.length} of ${chunk.text.length}), ${how}: completed`);
          }
      }
    });

    test('garbage between frames costs nothing but itself', () => {
      const records = perFrame(load(join(dir, file)));
      const clean = JSON.stringify(summary(whole));
      const framing = whole.flows.values().next().value;
      const soil: TapRecord[] = [];
      let n = 0;
      const boundaryOnly = frameEnds(records);
      for (const record of records) {
        soil.push(record);
        if (record.type === 'flow.chunk' && record.direction === 'received' && boundaryOnly.has(record.seq) && n++ % 3 === 0)
          for (const text of garbageFor(records, record.flow)) soil.push({ ...record, text });
      }
      expect(framing).toBeDefined();
      expect(JSON.stringify(summary(sessionOf(soil)))).toBe(clean);
    });

    test('no other dialect claims it', () => {
      for (const flow of whole.flows.values()) {
        if (flow.dialect !== id) continue;
        const opening = openingOf(records, flow.id);
        if (opening === null) continue;
        const claims = DIALECTS.filter((other) => other.recognise(opening) === 'certain').map((other) => other.id);
        // Its own claim may be the weaker one; a certain claim of another is a false hit.
        expect(claims.filter((other) => other !== id)).toEqual([]);
      }
    });
  });
});

test('docs/dialects.md has a row per dialect, in order, with what it was read from', () => {
  const rows = readFileSync(join(DIR, '../../../docs/dialects.md'), 'utf8')
    .split('\n')
    .filter((row) => row.startsWith('| ') && row.includes('(`'));
  expect(rows.map((row) => /\(`([^`]+)`\)/u.exec(row)?.[1])).toEqual(DIALECTS.map((dialect) => dialect.id));
  expect(Object.keys(SPECS)).toEqual(DIALECTS.map((dialect) => dialect.id));
  rows.forEach((row, i) => {
    expect(row).toContain(DIALECTS[i]!.title);
    expect(row).toContain(SPECS[DIALECTS[i]!.id]);
    expect(
      row
        .split(/(?<!\\)\|/u)
        .slice(1, -1)
        .map((cell) => cell.trim().length > 2),
    ).toEqual([true, true, true, true, true]);
  });
});
