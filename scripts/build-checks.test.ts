import { describe, expect, it } from 'vitest';
import { classicFaults, LIMITS, sizeFaults } from './build-checks';

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
