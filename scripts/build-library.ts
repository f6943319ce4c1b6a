/**
 * Builds dist/lib, what the packed package holds beside the command line tool: modules, types, and the fixture's page script.
 * Types are emitted file by file; their imports are given the endings that Node's resolution asks for, which the sources,
 * written for bundlers, do without.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Runs one of the installed tools; what it prints is shown only if it fails. */
const tool = (path: string, ...args: readonly string[]): void => {
  const result = spawnSync(process.execPath, [join(ROOT, 'node_modules', path), ...args], { cwd: ROOT, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${path} ${args.join(' ')}\n${result.stdout}${result.stderr}`);
};

/** `./x` as Node finds it: `./x.js`, or `./x/index.js` where x is a folder. */
const withEnding = (file: string, specifier: string): string => {
  if (!specifier.startsWith('.') || /\.(?:js|json)$/u.test(specifier)) return specifier;
  const path = join(dirname(file), specifier);
  if (existsSync(`${path}.d.ts`)) return `${specifier}.js`;
  if (existsSync(join(path, 'index.d.ts'))) return `${specifier}/index.js`;
  throw new Error(`${file} imports the types of ${specifier}, which were not emitted`);
};

const declarations = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => join(dir, name));

const IMPORT = /(\bfrom\s*|\bimport\s*\(\s*|^import\s+)(['"])([^'"]+)\2/gmu;

/** What types may come from outside: the peer. Everything else would be missing where the package is installed alone. */
const OUTSIDE: readonly string[] = ['@playwright/test'];

/** The declarations that the entries lead to. Throws where they lead to a package that is not installed with this one. */
const reached = (entries: readonly string[]): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    // Examples in comments import, too.
    for (const [, , , specifier] of readFileSync(file, 'utf8')
      .replace(/\/\*[\s\S]*?\*\//gu, '')
      .matchAll(IMPORT)) {
      if (specifier!.startsWith('.')) visit(join(dirname(file), specifier!.replace(/\.js$/u, '.d.ts')));
      else if (!OUTSIDE.includes(specifier!)) throw new Error(`the types of ${file} need ${specifier}, which is not installed with them`);
    }
  };
  for (const entry of entries) visit(entry);
  return found;
};

export const buildLibrary = (outDir = join(ROOT, 'dist/lib')): void => {
  for (const mode of ['production', 'fixture'])
    tool('vite/bin/vite.js', 'build', '--config', 'vite.lib.config.ts', '--mode', mode, '--outDir', outDir, '--logLevel', 'warn');
  for (const mode of ['page', 'look', 'join', 'decoders'])
    tool(
      'vite/bin/vite.js',
      'build',
      ...['--config', 'vite.fixture.config.ts', '--mode', mode, '--outDir', join(outDir, 'fixture'), '--logLevel', 'warn'],
    );
  tool('typescript/bin/tsc', '-p', 'tsconfig.lib.json', '--outDir', outDir);
  for (const file of declarations(outDir)) {
    const text = readFileSync(file, 'utf8');
    const fixed = text.replace(
      IMPORT,
      (_, before: string, quote: string, specifier: string) => `${before}${quote}${withEnding(file, specifier)}${quote}`,
    );
    if (fixed !== text) writeFileSync(file, fixed);
  }
  const wanted = reached(['library/index.d.ts', 'fixture/playwright.d.ts'].map((name) => join(outDir, name)));
  for (const file of declarations(outDir)) if (!wanted.has(file)) rmSync(file);
};
