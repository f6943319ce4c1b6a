/**
 * Zip files whose bytes depend on nothing but the names and contents in them: entries in order of name, one fixed time, no
 * trace of the machine. So that anybody can build the same file again and compare.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';

/** Zip keeps local times: these fields are the same in every time zone. The first moment that the format can hold. */
const never = (): Date => new Date(1980, 0, 1, 0, 0, 0);

/** Every file below a folder, by its path in it, with slashes. */
export const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dir.length + 1)
        .replaceAll('\\', '/'),
    );

/** `names` are paths below `root`; they are also the names in the zip. */
export const zipOf = (root: string, names: readonly string[]): Uint8Array => {
  const entries: Zippable = {};
  for (const name of [...names].sort())
    entries[name] = [readFileSync(join(root, name)), { mtime: never(), level: 9, os: 3, attrs: 0o644 << 16 }];
  return zipSync(entries);
};
