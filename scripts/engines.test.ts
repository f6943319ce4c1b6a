/**
 * Which installed packages say that they do not run on the oldest Node we name. npm's warning about them is kept away on
 * install (prepare.mjs), so this holds the list: each must be one that Node never runs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const OLDEST = [20, 19, 0] as const;
/** Bundled into the page of e2e/pages/ai-sdk-react and run by a browser. */
const IN_PAGES_ONLY = ['@ai-sdk/gateway', '@ai-sdk/mcp', '@ai-sdk/provider', '@ai-sdk/provider-utils', '@ai-sdk/react', 'ai'];

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < 3; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) - (b[i] ?? 0);
  return 0;
};

/** Whether a range of versions, as packages write them for `engines.node`, takes in a version. */
const takesIn = (range: string, version: readonly number[]): boolean =>
  range.split('||').some((part) =>
    [
      ...part
        .trim()
        .replace(/([<>=^~]+)\s+/gu, '$1')
        .matchAll(/(?<operator>[<>=^~]*)v?(?<numbers>[\d*x]+(?:\.[\dx*]+){0,2})/gu),
    ].every(({ groups }) => {
      const given = groups!
        .numbers!.split('.')
        .filter((each) => /^\d+$/u.test(each))
        .map(Number);
      if (given.length === 0) return true;
      const order = compare(version, given);
      switch (groups!.operator) {
        case '>=':
          return order >= 0;
        case '>':
          return order > 0;
        case '<':
          return order < 0;
        case '<=':
          return order <= 0;
        case '^':
          return order >= 0 && version[0] === given[0];
        case '~':
          return order >= 0 && version[0] === given[0] && version[1] === (given[1] ?? version[1]);
        default:
          return given.every((each, at) => version[at] === each);
      }
    }),
  );

test.each([
  ['>=18', true],
  ['>=22', false],
  ['^20.19.0 || >=22.12.0', true],
  ['^20.20.0 || >=22.12.0', false],
  ['>= 0.10.4', true],
  ['^18 || 20 || >=22', true],
  ['>=14 <20', false],
  ['*', true],
])('the range %s', (range, expected) => {
  expect(takesIn(range, OLDEST)).toBe(expected);
});

test('only packages that run in pages want a newer Node than we name', () => {
  const root = join(import.meta.dirname, '..');
  expect((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }).engines.node).toBe('>=20.19');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: { node?: string }; optional?: boolean }>;
  };
  const newer = Object.entries(packages)
    .filter(
      ([path, { engines, optional }]) => path !== '' && optional !== true && engines?.node !== undefined && !takesIn(engines.node, OLDEST),
    )
    .map(([path]) => path.replace(/^.*node_modules\//u, ''));
  expect(newer.sort()).toEqual(IN_PAGES_ONLY);
});
