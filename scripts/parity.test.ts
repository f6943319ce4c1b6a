/** docs/browsers.md: every claim names tests that exist, both browsers run the one list of cases, and few things differ. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const lists = ['e2e/extension/cases.ts', 'e2e/extension/between-browsers.ts', 'e2e/extension/toolbar.ts'].map(read);
const titles = new Set(lists.flatMap((code) => [...code.matchAll(/^ *test\('((?:[^'\\]|\\.)+)'/gmu)].map(([, title]) => title!)));
const doc = read('docs/browsers.md');

/** The rows of the table below a heading, cell by cell. */
const rowsUnder = (heading: string): string[][] => {
  const from = doc.indexOf(`## ${heading}\n`);
  expect(from, `a section "${heading}"`).toBeGreaterThan(0);
  const section = doc.slice(from).split('\n## ')[0]!;
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};
const testsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/gu)].map(([, name]) => name!);

test.each(['The same in both', 'Different'])('every row of "%s" names tests, and they exist', (heading) => {
  const rows = rowsUnder(heading);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const named = testsIn(row.at(-1)!);
    expect(named.length, row[0]).toBeGreaterThan(0);
    for (const name of named) expect([...titles], `the test of "${row[0]}"`).toContain(name);
  }
});

test('at most three things differ', () => {
  expect(rowsUnder('Different').length).toBeLessThanOrEqual(3);
});

test('both browsers run the one list, and no case leaves one out', () => {
  for (const browser of ['chromium', 'firefox']) expect(read(`e2e/extension/${browser}.spec.ts`)).toMatch(/^extensionCases\(/mu);
  expect(lists[0]).toContain('betweenBrowsers(');
  for (const code of lists) expect(code).not.toMatch(/test\.(?:skip|fixme|fail|only)\b|testInfo\.skip/u);
});
