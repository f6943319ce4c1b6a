/** Where a word is due, a page may send anything: an object whose `toString` is no function makes `String()` and `join()` throw. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { load, perFrame, sessionOf } from '../../../scripts/dialect-fixtures';
import type { TapRecord } from '../model';
import { DIALECTS } from '.';

const DIR = dirname(fileURLToPath(import.meta.url));
const HOSTILE = { toString: 1, toJSON: 2, valueOf: 3 };
const WEIRD: readonly unknown[] = [HOSTILE, [HOSTILE], [[HOSTILE], 'a']];
/** How much is tried of each dialect. */
const MOST = 900;

/** The value with its nth node made another; null where it has no such node. */
const replaced = (value: unknown, nth: number, by: unknown): unknown => {
  let left = nth;
  const walk = (one: unknown): unknown => {
    if (left-- === 0) return by;
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one === 'object' && one !== null) return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, walk(member)]));
    return one;
  };
  const made = walk(value);
  return left < 0 ? made : null;
};

/** The JSON that a line holds, and what stands before it. */
const jsonOf = (line: string): readonly [string, unknown] | null => {
  const from = line.search(/[[{]/u);
  if (from < 0) return null;
  try {
    return [line.slice(0, from), JSON.parse(line.slice(from))];
  } catch {
    return null;
  }
};

test.each(DIALECTS.map(({ id }) => id))('%s reads no word by force', (id) => {
  const dir = join(DIR, `${id}.fixtures`);
  const files = (existsSync(dir) ? readdirSync(dir) : []).filter((name) => name.endsWith('.jsonl') && name !== 'expected.jsonl');
  const thrown = new Set<string>();
  const seen = new Set<string>();
  let tried = 0;
  for (const file of files) {
    const records = perFrame(load(join(dir, file)));
    if (records.length > 400) continue;
    records.forEach((record, at) => {
      if (record.type !== 'flow.chunk' || record.encoding !== 'text') return;
      const lines = record.text.split('\n');
      lines.forEach((line, i) => {
        const read = jsonOf(line);
        if (read === null) return;
        const [before, value] = read;
        // One of each shape, with the words that tell events apart.
        const shape = JSON.stringify(value, (key, one) =>
          typeof one !== 'string' || /^(?:type|event|kind|method|status|state)$/u.test(key) ? one : '',
        );
        if (seen.has(shape)) return;
        seen.add(shape);
        for (const weird of WEIRD)
          for (let nth = 0; tried < MOST; nth++) {
            const made = replaced(value, nth, weird);
            if (made === null) break;
            tried++;
            const text = lines.map((other, j) => (j === i ? before + JSON.stringify(made) : other)).join('\n');
            const session = sessionOf(records.map((other, j): TapRecord => (j === at ? { ...record, text } : other)));
            for (const fault of session.faults) thrown.add(`${fault.message} (${file}, ${record.seq})`);
          }
      });
    });
  }
  expect([...thrown]).toEqual([]);
});
