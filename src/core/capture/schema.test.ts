/** Holds the published schema to the frozen reader: both say the same of every line, right or wrong. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultOfEntryV1, faultOfHeaderV1 } from './upgrades/v1';

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** The part of JSON Schema that the file uses. */
const fits = (schema: Schema, value: unknown): boolean => {
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value))) return false;
  if ('const' in schema && value !== schema.const) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.oneOf && schema.oneOf.filter((option) => fits(option, value)).length !== 1) return false;
  if (typeOf(value) === 'array') return schema.items === undefined || (value as unknown[]).every((item) => fits(schema.items!, item));
  if (typeOf(value) !== 'object') return true;
  const object = value as Record<string, unknown>;
  if (schema.required?.some((key) => !(key in object))) return false;
  return Object.entries(object).every(([key, member]) => fits(schema.properties?.[key] ?? schema.additionalProperties ?? {}, member));
};

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/capture-format.schema.json'), 'utf8')) as {
  $defs: { header: Schema; entry: Schema };
};
const [header, ...entries] = readFileSync(join(import.meta.dirname, 'upgrades/upgrades.fixtures/v1.unsettled.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Every way to drop or spoil one member, at any depth. */
function* spoilt(value: unknown): Generator<unknown> {
  if (typeOf(value) === 'array') {
    const list = value as unknown[];
    for (let i = 0; i < list.length; i++) for (const bad of spoilt(list[i])) yield [...list.slice(0, i), bad, ...list.slice(i + 1)];
    return;
  }
  if (typeOf(value) !== 'object') return;
  const object = value as Record<string, unknown>;
  for (const [key, member] of Object.entries(object)) {
    const { [key]: _, ...without } = object;
    yield without;
    for (const bad of ['?', 7, true, null, [], {}]) yield { ...object, [key]: bad };
    for (const bad of spoilt(member)) yield { ...object, [key]: bad };
  }
}

describe('docs/capture-format.schema.json', () => {
  it('has a fixture line for every entry type', () => {
    const types = schema.$defs.entry.oneOf!.map((option) => option.properties!.type!.const);
    expect([...new Set(entries.map((entry) => entry.type))].sort()).toEqual([...types].sort());
  });
  it('agrees with the reader on every kept line, and on every way to spoil it', () => {
    expect(fits(schema.$defs.header, header)).toBe(true);
    expect(faultOfHeaderV1(header)).toBeNull();
    for (const bad of spoilt(header)) expect(fits(schema.$defs.header, bad), JSON.stringify(bad)).toBe(faultOfHeaderV1(bad) === null);
    for (const entry of entries) {
      expect(fits(schema.$defs.entry, entry)).toBe(true);
      for (const bad of spoilt(entry)) expect(fits(schema.$defs.entry, bad), JSON.stringify(bad)).toBe(faultOfEntryV1(bad) === null);
    }
  });
});
