/**
 * Which dialects the panel loads in a session of each protocol, by playing every recording of a dialect that has this one
 * protocol only: its own, and those that the light tests of light.ts could not rule out.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDecoder } from '../src/core/decode';
import { DIALECTS } from '../src/core/dialects';
import type { Dialect } from '../src/core/dialects/dialect';
import { ON_DEMAND } from '../src/core/dialects/on-demand';
import type { TapRecord } from '../src/core/model';
import { createScout } from '../src/core/scout';
import { load } from './dialect-fixtures';

const DIR = join(import.meta.dirname, '../src/core/dialects');

/** The dialects that one recording loads, and those that its flows are of. */
export const neededBy = (
  records: readonly TapRecord[],
): { readonly loaded: ReadonlySet<string>; readonly protocols: ReadonlySet<string> } => {
  const here = new Map<string, Dialect>();
  const scout = createScout({
    mapped: [],
    listed: ON_DEMAND,
    get: (id) => here.get(id) ?? null,
    complete: () => here.size === ON_DEMAND.length,
  });
  const decoder = createDecoder({ dialects: () => DIALECTS.filter(({ id }) => here.has(id)) });
  for (const record of records) {
    scout.note(record);
    for (let wanted = scout.wants(); wanted.length > 0; wanted = scout.wants())
      for (const { id } of wanted) here.set(id, DIALECTS.find((dialect) => dialect.id === id)!);
    decoder.push(record);
  }
  return {
    loaded: new Set(here.keys()),
    protocols: new Set([...decoder.flows.values()].flatMap(({ dialect }) => dialect ?? [])),
  };
};

/** By protocol: all that any of its recordings loads. */
export const neededDialects = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const needed = new Map<string, Set<string>>();
  for (const folder of readdirSync(DIR).filter((name) => name.endsWith('.fixtures')))
    for (const file of readdirSync(join(DIR, folder))) {
      if (/^(?:origin\.md|expected\.jsonl)$|\.events\.txt$/u.test(file)) continue;
      const { loaded, protocols } = neededBy(load(join(DIR, folder, file)));
      const [only] = protocols;
      if (only === undefined || protocols.size > 1) continue;
      const all = needed.get(only) ?? new Set<string>();
      for (const id of loaded) all.add(id);
      needed.set(only, all);
    }
  return needed;
};
