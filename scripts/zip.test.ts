/** The same files make the same zip, whenever and in whatever order they were written. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { filesBelow, zipOf } from './zip';

const FILES = { 'manifest.json': '{}', 'src/a.js': 'a', 'src/deep/b.js': 'b', 'Z.txt': 'z' };

const written = (order: readonly string[], time: Date): Uint8Array => {
  const dir = mkdtempSync(join(tmpdir(), 'unsettled-zip-'));
  try {
    mkdirSync(join(dir, 'src/deep'), { recursive: true });
    for (const name of order) {
      writeFileSync(join(dir, name), FILES[name as keyof typeof FILES]);
      utimesSync(join(dir, name), time, time);
    }
    return zipOf(dir, filesBelow(dir));
  } finally {
    rmSync(dir, { recursive: true });
  }
};

test('same bytes from files written at other times, in another order', () => {
  const names = Object.keys(FILES);
  const one = written(names, new Date(2020, 1, 1));
  expect(written([...names].reverse(), new Date(2031, 5, 5))).toEqual(one);
  expect(Object.fromEntries(Object.entries(unzipSync(one)).map(([name, bytes]) => [name, strFromU8(bytes)]))).toEqual(FILES);
});

test('same bytes in another time zone', () => {
  const before = process.env.TZ;
  try {
    process.env.TZ = 'Pacific/Kiritimati';
    const one = written(Object.keys(FILES), new Date(2020, 1, 1));
    process.env.TZ = 'America/Los_Angeles';
    expect(written(Object.keys(FILES), new Date(2020, 1, 1))).toEqual(one);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});
