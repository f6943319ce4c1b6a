/**
 * The light tests against the dialects themselves. Every recording that a dialect recognises is cut down to what its
 * recogniser cannot do without, and must still pass the light test; and with dialects fetched one by one every recording is
 * read as it is with the whole list.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { load } from '../../../scripts/dialect-fixtures';
import { neededDialects } from '../../../scripts/needed-dialects';
import { createDecoder } from '../decode';
import type { AgentEvent, FlowId, TapRecord, WireFrame } from '../model';
import { createScout } from '../scout';
import { DIALECTS } from '.';
import { asObject, type Dialect, type FlowOpening, type JsonObject, parseJson } from './dialect';
import { carriesOneRun, lookAt } from './light';
import { ON_DEMAND, type OnDemand } from './on-demand';

const DIR = dirname(fileURLToPath(import.meta.url));
const folders = readdirSync(DIR).filter((name) => name.endsWith('.fixtures'));
const recordings = (folder: string): string[] =>
  readdirSync(join(DIR, folder)).filter((name) => !/^(?:origin\.md|expected\.jsonl)$|\.events\.txt$/u.test(name));

test('the same dialects in the same order', async () => {
  expect(ON_DEMAND.map(({ id }) => id)).toEqual(DIALECTS.map(({ id }) => id));
  for (const [i, { load: bring, outlives = false }] of ON_DEMAND.entries()) {
    const dialect = DIALECTS[i]!;
    expect(await bring()).toBe(dialect);
    expect(outlives, dialect.id).toBe(dialect.runs !== 'flow');
  }
});

/** The opening in which each flow was recognised, and by whom. */
const recognised = (records: readonly TapRecord[]): { readonly opening: FlowOpening; readonly dialect: Dialect }[] => {
  const found: { opening: FlowOpening; dialect: Dialect }[] = [];
  const decoder = createDecoder({
    dialects: DIALECTS.map((dialect) => ({
      ...dialect,
      open(opening: FlowOpening) {
        found.push({ opening: { ...opening, frames: opening.frames.slice() }, dialect });
        return dialect.open(opening);
      },
    })),
  });
  for (const record of records) decoder.push(record);
  return found;
};

/** Every way to leave one member out, at whatever depth. */
const without = function* (value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      yield value.toSpliced(i, 1);
      for (const less of without(value[i])) yield value.with(i, less);
    }
    return;
  }
  const object = asObject(value);
  for (const key of Object.keys(object ?? {})) {
    const { [key]: taken, ...rest } = object!;
    yield rest;
    for (const less of without(taken)) yield { ...object, [key]: less };
  }
};

/** Every opening that has a little less than this one. */
const lesser = function* (opening: FlowOpening): Generator<FlowOpening> {
  const { frames, headers, requestHeaders, requestBody } = opening;
  if (requestBody !== null) {
    yield { ...opening, requestBody: null };
    for (const less of without(parseJson(requestBody))) yield { ...opening, requestBody: JSON.stringify(less) };
  }
  for (const name of Object.keys(headers)) {
    const { [name]: _, ...rest } = headers;
    yield { ...opening, headers: rest };
  }
  for (const name of Object.keys(requestHeaders)) {
    const { [name]: _, ...rest } = requestHeaders;
    yield { ...opening, requestHeaders: rest };
  }
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i]!;
    yield { ...opening, frames: frames.toSpliced(i, 1) };
    if (frame.event !== null) yield { ...opening, frames: frames.with(i, { ...frame, event: null }) };
    if (frame.id !== null) yield { ...opening, frames: frames.with(i, { ...frame, id: null }) };
    for (const less of without(parseJson(frame.data)))
      yield { ...opening, frames: frames.with(i, { ...frame, data: JSON.stringify(less) } as WireFrame) };
  }
};

/** As little as the dialect still recognises. */
const least = (opening: FlowOpening, dialect: Dialect): FlowOpening => {
  for (let now = opening; ; ) {
    let less: FlowOpening | null = null;
    for (const one of lesser(now))
      if (dialect.recognise(one) !== 'no') {
        less = one;
        break;
      }
    if (less === null) return now;
    now = less;
  }
};

const inWords = ({ url, headers, requestHeaders, requestBody, frames, last }: FlowOpening): JsonObject => ({
  url,
  headers,
  requestHeaders,
  requestBody,
  last,
  frames: frames.map(({ framing, event, data }) => `${framing} ${event ?? ''} ${data.slice(0, 300)}`),
});

describe('what a dialect recognises passes its light test', () => {
  const lightOf = new Map(ON_DEMAND.map((one) => [one.id, one]));
  for (const folder of folders)
    test(folder, () => {
      const missed: JsonObject[] = [];
      const seen = new Set<string>();
      for (const file of recordings(folder))
        for (const { opening, dialect } of recognised(load(join(DIR, folder, file)))) {
          const small = least(opening, dialect);
          const words = inWords(small);
          if (seen.has(JSON.stringify(words))) continue;
          seen.add(JSON.stringify(words));
          for (const one of [opening, small])
            if (!lightOf.get(dialect.id)!.mayBe(lookAt(one))) missed.push({ file, dialect: dialect.id, ...inWords(one) });
        }
      expect(missed).toEqual([]);
    });
});

describe('one run a flow is said of no flow that outlives its runs', () => {
  for (const folder of folders)
    test(folder, () => {
      const wrong = recordings(folder).flatMap((file) =>
        recognised(load(join(DIR, folder, file)))
          .filter(({ opening, dialect }) => [opening, least(opening, dialect)].some(carriesOneRun) && dialect.runs !== 'flow')
          .map(({ dialect }) => `${file}: ${dialect.id}`),
      );
      expect(wrong).toEqual([]);
    });

  test('and of most others it is: nothing has to be loaded for them', () => {
    const dearer = new Set<string>();
    for (const folder of folders)
      for (const file of recordings(folder))
        for (const { opening, dialect } of recognised(load(join(DIR, folder, file))))
          if (dialect.runs === 'flow' && !carriesOneRun(opening)) dearer.add(dialect.id);
    expect([...dearer].sort()).toEqual([]);
  });
});

interface Reading {
  readonly dialects: readonly (readonly [FlowId, string | null])[];
  readonly events: readonly AgentEvent[];
}

const read = (records: readonly TapRecord[], before: (record: TapRecord) => void, dialects: () => readonly Dialect[]): Reading => {
  const decoder = createDecoder({ dialects });
  const events = records.flatMap((record) => {
    before(record);
    return decoder.push(record);
  });
  return { dialects: [...decoder.flows.values()].map(({ id, dialect }) => [id, dialect] as const), events };
};

describe('fetched one by one, they read the same', () => {
  const byId = new Map(DIALECTS.map((dialect) => [dialect.id, dialect]));
  for (const folder of folders)
    test(folder, () => {
      for (const file of recordings(folder)) {
        const records = load(join(DIR, folder, file));
        const here = new Map<string, Dialect>();
        const listed: readonly OnDemand[] = ON_DEMAND;
        const scout = createScout({
          mapped: [],
          listed,
          get: (id) => here.get(id) ?? null,
          complete: () => here.size === listed.length,
        });
        const bring = (record: TapRecord): void => {
          scout.note(record);
          for (;;) {
            const wanted = scout.wants();
            if (wanted.length === 0) return;
            for (const { id } of wanted) {
              expect(here.has(id), `${id} is asked for once`).toBe(false);
              here.set(id, byId.get(id)!);
            }
          }
        };
        const mine = read(records, bring, () => DIALECTS.filter(({ id }) => here.has(id)));
        const whole = read(
          records,
          () => {},
          () => DIALECTS,
        );
        expect(mine, file).toEqual(whole);
      }
    });

  test('and an ordinary session needs its own', () => {
    const others = [...neededDialects()]
      .map(([of, ids]) => [of, [...ids].filter((id) => id !== of)] as const)
      .filter(([, ids]) => ids.length > 0)
      .map(([of, ids]) => `${of}: ${ids.sort().join(' ')}`);
    expect(others.sort()).toMatchInlineSnapshot(`
      [
        "ai-sdk-data-v4: assistant-stream-data",
        "mcp-streamable-http: a2a",
        "tanstack-ai: ag-ui",
      ]
    `);
  });
});
