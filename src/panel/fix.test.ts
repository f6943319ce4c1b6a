import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fixIn } from './fix';

const dir = join(dirname(fileURLToPath(import.meta.url)), '../core/findings');
const docs = readdirSync(dir).filter((name) => name.endsWith('.md'));

test.each(docs)('%s tells words and examples', (name) => {
  const fix = fixIn(readFileSync(join(dir, name), 'utf8'))!;
  expect(fix.words.length).toBeGreaterThan(0);
  expect(fix.words.join(' ')).not.toMatch(/```|^#/u);
  const languages = fix.examples.map(({ language }) => language);
  expect(languages).toContain('react');
  expect(languages).toContain('dom');
  for (const { code } of fix.examples) expect(code).not.toContain('```');
});

test('a document without the section has none', () => {
  expect(fixIn('# A rule\n\n## What it says\n\nThis.\n')).toBeNull();
});

test('the section may be the last', () => {
  expect(fixIn('# A rule\n\n## How to fix\n\nDo `this`.\n\n```js\na();\n```\n')).toEqual({
    words: ['Do this.'],
    examples: [{ language: 'dom', code: 'a();' }],
  });
});
