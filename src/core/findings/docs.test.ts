/**
 * Each rule's page tells a front-end developer what to do: in words, in React and in plain DOM, in code that at least parses.
 * And nothing that judges or watches knows anybody by name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';
import { describe, expect, it, test } from 'vitest';
import { SCENARIOS } from '../../demo/scenarios';
import { DIALECTS } from '../dialects';
import { RULES } from '.';

const DIR = dirname(fileURLToPath(import.meta.url));
const ROOT = join(DIR, '../../..');

const fixOf = (id: string): string => /^## How to fix\n([\s\S]*?)^## /mu.exec(readFileSync(join(DIR, `${id}.md`), 'utf8'))?.[1] ?? '';
const snippets = (section: string, language: string): readonly string[] =>
  [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gmu)].filter((match) => match[1] === language).map((match) => match[2]!);

/** A piece of a program: statements, the inside of a function, cases of a switch, children or attributes of an element. */
const WRAPPED: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => `async function* f() {\n${code}\n}`,
  (code) => `function f() { switch (x) {\n${code}\n} }`,
  (code) => `const f = <>\n${code}\n</>;`,
  (code) => `const f = <X ${code} />;`,
];
const parses = async (code: string, lang: 'tsx' | 'js'): Promise<boolean> => {
  for (const wrap of WRAPPED)
    try {
      await transformWithOxc(wrap(code), `snippet.${lang}`, { lang });
      return true;
    } catch {
      // In another place, perhaps.
    }
  return false;
};

describe.each(RULES.map((rule) => rule.id))('%s: how to fix', (id) => {
  const section = fixOf(id);
  test('says it in words', () => {
    expect(section.replace(/^```[\s\S]*?^```$/gmu, '').trim().length).toBeGreaterThan(40);
  });
  // React, and plain DOM.
  test.each(['tsx', 'js'] as const)('has an example in %s that parses', async (language) => {
    const found = snippets(section, language);
    expect(found.length).toBeGreaterThan(0);
    for (const code of found) expect(await parses(code, language), code).toBe(true);
    for (const code of found) expect(code.split('\n').length).toBeLessThan(20);
  });
});

/** Libraries, products and sites that pages are made with or talk to. Words of the web platform and of English are none. */
const NAMES = [
  ...['react', 'preact', 'vue', 'nuxt', 'svelte', 'angular', 'solidjs', 'lit-element', 'next\\.js', 'remix', 'astro'],
  ...['usechat', 'ai[ -]sdk', 'vercel', 'assistant-ui', 'copilotkit', 'deep-chat', 'streamdown', 'chatscope', 'llamaindex', 'langchain'],
  ...['langgraph', 'openai', 'chatgpt', 'anthropic', 'claude', 'gemini', 'deepseek', 'mistral', 'ollama', 'kestrel', 'mastra', 'tanstack'],
  ...['radix', 'tailwind', 'shadcn', 'mui', 'chakra', 'marked', 'showdown', 'remark', 'prosemirror', 'codemirror', 'virtuoso', 'katex'],
  ...[
    'cloudflare',
    'codex',
    'mcp',
    'eventsource-parser',
    'harbour desk',
    'github\\.com',
    'huggingface',
    'open-webui',
    'librechat',
    'flowise',
    'dify',
  ],
];
/** Ids that are plain words too. */
const PLAIN = new Set(['a2a', 'acp', 'completed', 'waiting', 'cancelled']);

it('knows no library, site, protocol or scenario by name', () => {
  const folders = ['src/witness', 'src/core/align', 'src/core/screen', 'src/core/findings'];
  const ids = [
    ...DIALECTS.map((dialect) => dialect.id),
    ...SCENARIOS.map((scenario) => scenario.id),
    ...readdirSync(join(ROOT, 'e2e/pages'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
    ...DIALECTS.map((dialect) => dialect.title),
  ].filter((id) => id.length > 3 && !PLAIN.has(id.toLowerCase()) && !/^(?:plain|by-hand|repros|servers|node_modules)$/u.test(id));
  const escaped = ids.map((id) => id.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'));
  const banned = new RegExp(`(?<![\\w-])(?:${[...NAMES, 'B\\d{3}', ...escaped].join('|')})(?![\\w-])`, 'giu');
  const files = (dir: string): readonly string[] =>
    readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return entry.name.endsWith('.fixtures') || entry.name === 'reports' ? [] : files(path);
      return /\.(?:ts|md)$/u.test(entry.name) && !/\.test\.ts$|(?:^|\/)scene\.ts$/u.test(entry.name) ? [path] : [];
    });
  const found = folders
    .flatMap((folder) => files(join(ROOT, folder)))
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          // A relative import names a file of ours.
          const names = /^import .* from '\.{1,2}\//u.test(line) ? [] : [...line.matchAll(banned)].map((match) => match[0]);
          return names.length === 0 ? [] : [`${relative(ROOT, path)}:${at + 1} ${names.join(', ')}`];
        }),
    );
  expect(found).toEqual([]);
});
