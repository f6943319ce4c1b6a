/**
 * Holds the layers to each other: import edges, banned names, and the explicit lists against the files beside them.
 * The other enforcer is TypeScript: src/core compiles without DOM, browser, Node types or a clock.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from './core/dialects';

const SRC = dirname(fileURLToPath(import.meta.url));

/** What each room may import: other rooms (`room`, or `room:type` for types only) and packages. */
const EDGES: Readonly<Record<string, { readonly rooms: readonly string[]; readonly packages: readonly string[] }>> = {
  'core/model': { rooms: [], packages: [] },
  'core/bytes': { rooms: [], packages: [] },
  'core/json': { rooms: [], packages: [] },
  'core/nearest': { rooms: [], packages: [] },
  'core/text-event': { rooms: ['core/model'], packages: [] },
  'core/overlap': { rooms: ['core/model:type'], packages: [] },
  'core/order': { rooms: ['core/model:type'], packages: [] },
  'core/framing': { rooms: ['core/model'], packages: ['eventsource-parser'] },
  'core/dialects': { rooms: ['core/model', 'core/bytes', 'core/json'], packages: ['valibot'] },
  'core/mapping': { rooms: ['core/model', 'core/dialects'], packages: ['valibot'] },
  'core/decode': { rooms: ['core/framing', 'core/dialects', 'core/model', 'core/text-event'], packages: [] },
  'core/ledger': { rooms: ['core/model', 'core/order', 'core/dialects:type'], packages: [] },
  'core/align': { rooms: ['core/model'], packages: [] },
  'core/screen': { rooms: ['core/model', 'core/align', 'core/overlap'], packages: [] },
  'core/findings': { rooms: ['core/model', 'core/screen:type', 'core/order', 'core/overlap'], packages: [] },
  'core/capture': { rooms: ['core/model', 'core/bytes', 'core/json'], packages: ['valibot'] },
  // Nobody may import it but tests, benches and scripts.
  'core/scenes': { rooms: ['core/model:type'], packages: [] },
  'core/judging': {
    rooms: ['core/decode:type', 'core/ledger:type', 'core/screen:type', 'core/findings', 'core/model', 'core/overlap'],
    packages: [],
  },
  'core/engine': {
    rooms: [
      'core/judging',
      'core/decode',
      'core/dialects:type',
      'core/ledger',
      'core/align',
      'core/screen',
      'core/findings',
      'core/capture',
      'core/model',
    ],
    packages: [],
  },
  'core/session': { rooms: ['core/engine', 'core/decode', 'core/dialects'], packages: [] },
  'core/scout': { rooms: ['core/decode', 'core/dialects', 'core/model'], packages: [] },
  'core/report': { rooms: ['core/engine:type', 'core/model'], packages: [] },
  link: { rooms: ['core/model'], packages: ['valibot'] },
  tap: { rooms: ['core/model:type', 'link:type'], packages: [] },
  witness: {
    rooms: ['core/decode', 'core/session', 'core/framing', 'core/dialects', 'core/mapping', 'core/model', 'link'],
    packages: ['webextension-polyfill'],
  },
  router: { rooms: ['core/model:type', 'link'], packages: ['webextension-polyfill'] },
  devtools: { rooms: ['link'], packages: ['webextension-polyfill'] },
  panel: {
    rooms: [
      'core/engine',
      'core/scout',
      'core/model',
      'core/text-event',
      'core/order',
      'core/capture',
      'core/report',
      'core/dialects',
      'core/findings',
      'core/mapping',
      'link',
    ],
    packages: ['preact', '@preact/signals', 'webextension-polyfill', 'valibot', 'idb', 'fast-diff'],
  },
  cli: {
    rooms: [
      'core/session',
      'core/model',
      'core/order',
      'core/capture',
      'core/report',
      'core/dialects',
      'core/findings',
      'core/mapping',
      'core/nearest',
      'fixture',
    ],
    packages: ['node:*', '@playwright/test'],
  },
  fixture: {
    rooms: [
      'core/session',
      'core/model',
      'core/capture',
      'core/report',
      'core/dialects',
      'core/findings',
      'core/mapping',
      'core/nearest',
      'link',
      'tap',
      'witness',
    ],
    packages: ['node:*', '@playwright/test', 'valibot'],
  },
  library: {
    rooms: ['core/session', 'core/decode', 'core/model', 'core/capture', 'core/report', 'core/dialects', 'core/findings', 'core/mapping'],
    packages: [],
  },
  demo: { rooms: ['core/model:type'], packages: ['node:*', 'ws', 'vite'] },
};

const files = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return name.endsWith('.fixtures') ? [] : files(path);
    return /\.tsx?$/u.test(name) && !/\.test\.tsx?$/u.test(name) ? [path] : [];
  });

const roomOf = (path: string): string => {
  const parts = relative(SRC, path)
    .replace(/\.tsx?$/u, '')
    .split(sep);
  return parts[0] === 'core' ? `core/${parts[1]}` : parts[0]!;
};

interface Import {
  readonly from: string;
  readonly target: string;
  readonly typeOnly: boolean;
}
const importsOf = (path: string): Import[] => {
  const source = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, '');
  const found: Import[] = [];
  for (const match of source.matchAll(/^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gmu)) {
    const names = /\{([^}]*)\}/u.exec(match[0])?.[1];
    const onlyTypes =
      names !== undefined && names.trim() !== '' && names.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
    found.push({ from: path, target: match[2]!, typeOnly: match[1] !== undefined || onlyTypes });
  }
  return found;
};

const all = files(SRC);

test('every import crosses an allowed edge', () => {
  const wrong: string[] = [];
  for (const path of all)
    for (const { target, typeOnly } of importsOf(path)) {
      const room = roomOf(path);
      const allowed = EDGES[room];
      const where = `${relative(SRC, path)} imports ${target}`;
      if (allowed === undefined) {
        wrong.push(`${where}: ${room} is no room of the plan`);
        continue;
      }
      if (target.startsWith('.')) {
        if (/\.(?:css|json|svg|md|txt)(?:\?\w+)?$/u.test(target) || target.endsWith('package.json')) continue;
        // The one look-up of installed browsers, which must also run before anything is installed.
        if (room === 'cli' && target.endsWith('scripts/browsers.mjs')) continue;
        const other = roomOf(resolve(dirname(path), target));
        if (other === room || allowed.rooms.includes(other) || (typeOnly && allowed.rooms.includes(`${other}:type`))) continue;
        wrong.push(`${where}: ${room} may not import ${other}${typeOnly ? '' : ' values'}`);
      } else {
        const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0]!;
        const listed = allowed.packages.some((one) => one === name || one === target || (one === 'node:*' && target.startsWith('node:')));
        if (!listed) wrong.push(`${where}: ${room} may not use that package`);
      }
    }
  expect(wrong).toEqual([]);
});

test('the panel carries no dialect: they come on demand', () => {
  const carried = all
    .filter((path) => ['panel', 'core/engine', 'core/scout', 'core/decode'].includes(roomOf(path)))
    .flatMap((path) => importsOf(path).map((one) => ({ ...one, path })))
    .filter(
      ({ target, typeOnly }) =>
        !typeOnly && /core\/dialects|^\.\/dialects/u.test(target) && !/\/(?:dialect|light|on-demand|telltale)$/u.test(target),
    )
    .filter(({ path, target }) => roomOf(resolve(dirname(path), target)) === 'core/dialects');
  expect(carried.map(({ path, target }) => `${relative(SRC, path)} imports ${target}`)).toEqual([]);
});

test('no junk drawers', () => {
  const banned = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|types|manager|service|handler)(?:\/|\.tsx?$)/u;
  expect(all.map((path) => relative(SRC, path)).filter((path) => banned.test(path))).toEqual([]);
});

test('text from the page is rendered as text only', () => {
  const banned = /dangerouslySetInnerHTML|\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML|document\.write\(/u;
  const rooms = new Set(['panel', 'witness', 'devtools', 'router', 'tap']);
  expect(
    all.filter((path) => rooms.has(roomOf(path)) && banned.test(readFileSync(path, 'utf8'))).map((path) => relative(SRC, path)),
  ).toEqual([]);
});

test('core has no clock, no chance and no console', () => {
  const banned = /\bDate\b\.now|\bnew Date\b|Math\.random|\bconsole\.|performance\.now|setTimeout|setInterval/u;
  const code = (path: string) => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gmu, '');
  expect(all.filter((path) => roomOf(path).startsWith('core/') && banned.test(code(path))).map((path) => relative(SRC, path))).toEqual([]);
});

test('every file says what it is for', () => {
  const silent = all.filter((path) => !/^(?:#![^\n]*\n)?\s*\/\*\*/u.test(readFileSync(path, 'utf8')));
  expect(silent.map((path) => relative(SRC, path))).toEqual([]);
});

describe('dialects', () => {
  const dir = join(SRC, 'core/dialects');
  const modules = readdirSync(dir).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !['dialect.ts', 'index.ts'].includes(name),
  );
  const fixtures = readdirSync(dir).filter((name) => name.endsWith('.fixtures'));

  test('each id is listed once', () => {
    const ids = DIALECTS.map((dialect) => dialect.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
  test('each listed dialect has its file and its fixtures, and each fixture folder its dialect', () => {
    for (const { id } of DIALECTS) {
      expect(modules, `a file for ${id}`).toContain(`${id}.ts`);
      expect(fixtures, `fixtures for ${id}`).toContain(`${id}.fixtures`);
    }
    const ids = new Set(DIALECTS.map((dialect) => dialect.id));
    // `ordinary` holds what no dialect may claim.
    expect(fixtures.filter((name) => name !== 'ordinary.fixtures' && !ids.has(name.replace('.fixtures', '')))).toEqual([]);
  });
});
