import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ON_DEMAND } from '../src/core/dialects/on-demand';
import { DECODERS_FILE } from '../src/link/files';
import { classicFaults, LIMITS, sizeFaults, sizesOf } from './build-checks';

describe('the check for classic content scripts', () => {
  it('accepts a self-contained function', () => {
    expect(classicFaults('src/tap/tap.iife.js', '(function(){const importance = 1; globalThis.fetch;})();', 'MAIN')).toEqual([]);
  });

  it.each([
    ['assets/tap.ts-loader-Cx1.js', '(function(){})()', 'asynchronous loader'],
    ['tap.js', '(async()=>{await import("./assets/tap.js")})()', 'dynamic import'],
    ['tap.js', 'import {a} from "./b.js";\na();', 'module syntax'],
    ['tap.js', 'const a = 1;\nexport {a};', 'module syntax'],
    ['tap.js', 'throw Error("This script should only be loaded in a browser extension.")', 'polyfill'],
  ])('refuses %s: %s', (file, code, reason) => {
    expect(classicFaults(file, code, 'MAIN').join()).toContain(reason);
  });

  it('lets the isolated world have the polyfill', () => {
    expect(classicFaults('w.js', '"This script should only be loaded in a browser extension."', 'ISOLATED')).toEqual([]);
  });
});

describe('the size limits', () => {
  it('accepts what is exactly at the limit', () => {
    expect(sizeFaults({ ...LIMITS })).toEqual([]);
  });

  it('names each bundle that is over', () => {
    const faults = sizeFaults({ ...LIMITS, tap: LIMITS.tap + 1, panel: LIMITS.panel + 1 });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toMatch(/^tap: 8001 bytes/);
    expect(faults[1]).toMatch(/^panel: /);
  });
});

describe('what an ordinary session of the panel loads', () => {
  const dirs: string[] = [];
  afterAll(() => {
    for (const dir of dirs) rmSync(dir, { recursive: true });
  });
  /** A build of these files, and of everything else that is looked for. */
  const built = (files: Readonly<Record<string, string>>, dialects = ON_DEMAND.map(({ id }) => id)): string => {
    const dir = mkdtempSync(join(tmpdir(), 'unsettled-sizes-'));
    dirs.push(dir);
    const all: Record<string, string> = {
      'manifest.json': '{}',
      [DECODERS_FILE]: '',
      'src/panel/panel.html': '<script type="module" src="/assets/panel.js"></script>',
      'assets/en.js': 'en',
      'assets/zh.js': 'zh and more of it',
      ...Object.fromEntries(dialects.map((id) => [`assets/${id}.js`, `${id} alone`])),
      'assets/panel.js': ['en', 'zh', 'save-sheet', ...dialects].map((name) => `import("./${name}.js")`).join(),
      ...files,
    };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), text);
    }
    return dir;
  };
  const gzipped = (text: string): number => gzipSync(text).length;
  const panel = (files: Readonly<Record<string, string>>, needed: readonly string[]) => {
    const dir = built(files);
    const { panel: size, protocol } = sizesOf(dir, new Map([['a protocol', new Set(needed)]]));
    const bare = sizesOf(dir, new Map([['nothing', new Set<string>()]])).panel;
    return { more: size - bare, protocol };
  };

  it('is the panel, the larger language, and the dialects that are asked for', () => {
    expect(panel({}, ['acp', 'a2a'])).toEqual({ more: gzipped('acp alone') + gzipped('a2a alone'), protocol: 'a protocol, zh' });
  });
  it('is another dialect too where one is built upon it', () => {
    const acp = 'import{a}from"./a2a.js";a()';
    expect(panel({ 'assets/acp.js': acp }, ['acp']).more).toBe(gzipped(acp) + gzipped('a2a alone'));
  });
  it('is nothing that a deliberate step loads, unless it is needed for something else', () => {
    const sheet = 'x'.repeat(3000);
    expect(panel({ 'assets/save-sheet.js': sheet }, ['acp']).more).toBe(gzipped('acp alone'));
    const acp = 'import"./save-sheet.js"';
    expect(panel({ 'assets/save-sheet.js': sheet, 'assets/acp.js': acp }, ['acp']).more).toBe(gzipped(acp) + gzipped(sheet));
  });
  it('is the protocol with the most to load', () => {
    const sizes = sizesOf(
      built({}),
      new Map([
        ['one', new Set(['acp'])],
        ['two', new Set(['acp', 'a2a'])],
      ]),
    );
    expect(sizes.protocol).toBe('two, zh');
  });
  it('cannot be told where a dialect is built into something else', () => {
    expect(() => sizesOf(built({}, ['acp']), new Map())).toThrow('has no chunk of its own');
  });
});
