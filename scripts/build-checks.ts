/**
 * What must hold for a built extension, read from the files themselves: content scripts are classic and self-contained
 * (an asynchronous loader would come too late to see the page's first request, and cannot run in the page world at all),
 * and the bundles keep their size. Each check returns the faults it found, in words.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DECODERS_FILE } from '../src/link/files';

interface ContentScript {
  readonly js?: readonly string[];
  readonly run_at?: string;
  readonly world?: string;
}

interface Manifest {
  readonly content_scripts?: readonly ContentScript[];
}

/**
 * Size limits in bytes after gzip. `tap` runs in the page's world and is kept smallest; `contentScripts` is what every page
 * of an enabled site carries from its start. `decoders` is every dialect and the judge in one script, run only in a document
 * in which a stream came that could be an agent's. `panel` is what an ordinary session with the panel loads: first paint, and all that
 * follows without being asked for, the larger of the languages with it. `panelInAll` adds what only a deliberate step loads.
 */
export const LIMITS = { tap: 8_000, contentScripts: 60_000, decoders: 120_000, panel: 220_000, panelInAll: 260_000 } as const;

/** Chunks of the panel that a deliberate step of the reader loads (opening, saving, comparing, a sheet, the sample), by their file names. */
const DELIBERATE = /^(?:capture-file|compare|archive|copy-request|sample|[a-z]+-sheet)-/u;

const manifestOf = (dir: string): Manifest => JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Manifest;

/** What keeps this code from being a classic, self-contained script of the given world. */
export const classicFaults = (file: string, code: string, world: string): string[] => {
  const faults: string[] = [];
  if (/-loader-/.test(file)) faults.push(`${file}: is an asynchronous loader`);
  if (/\bimport\s*\(/.test(code)) faults.push(`${file}: has a dynamic import`);
  if (/^\s*(import|export)[\s{*]/m.test(code)) faults.push(`${file}: has module syntax`);
  if (world === 'MAIN' && /only be loaded in a browser extension/.test(code))
    faults.push(`${file}: webextension-polyfill in the page world`);
  return faults;
};

/** The faults of every document_start content script of the build in `dir`. */
export const contentScriptFaults = (dir: string): string[] => {
  const scripts = (manifestOf(dir).content_scripts ?? []).filter((script) => script.run_at === 'document_start');
  if (scripts.length === 0) return [`${dir}/manifest.json: names no document_start content script`];
  const decoders = join(dir, DECODERS_FILE);
  if (!existsSync(decoders)) return [`${decoders}: is missing, and no stream would be understood beside the page`];
  return [
    ...scripts.flatMap(({ js = [], world = 'ISOLATED' }) =>
      js.flatMap((file) => classicFaults(file, readFileSync(join(dir, file), 'utf8'), world)),
    ),
    ...classicFaults(DECODERS_FILE, readFileSync(decoders, 'utf8'), 'ISOLATED'),
  ];
};

/** Bytes of each bundle after gzip. */
export interface Sizes {
  readonly tap: number;
  readonly contentScripts: number;
  readonly decoders: number;
  readonly panel: number;
  readonly panelInAll: number;
}

const gzipped = (path: string): number => gzipSync(readFileSync(path)).length;

/**
 * Every script and style that a page loads, through static and dynamic imports, less those whose file `skip` names and what
 * only they load; source maps and images are not counted.
 */
const closure = (dir: string, entry: string, skip: (file: string) => boolean): string[] => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || skip(basename(file)) || !existsSync(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    for (const [, path] of code.matchAll(/["'`(]((?:\.{0,2}\/)[\w./-]+\.(?:js|css))["'`)]/g))
      if (path) visit(path.startsWith('/') ? join(dir, path) : join(dirname(file), path));
  };
  visit(join(dir, entry));
  return [...seen].map((file) => relative(dir, file));
};

const PANEL = 'src/panel/panel.html';

/** The sizes of the build in `dir`. */
export const sizesOf = (dir: string): Sizes => {
  const scripts = manifestOf(dir).content_scripts ?? [];
  const files = (world: string): string[] =>
    scripts.filter((script) => (script.world ?? 'ISOLATED') === world).flatMap(({ js = [] }) => js);
  const sum = (list: readonly string[]): number => list.reduce((total, file) => total + gzipped(join(dir, file)), 0);
  return {
    tap: sum(files('MAIN')),
    contentScripts: sum([...files('MAIN'), ...files('ISOLATED')]),
    decoders: gzipped(join(dir, DECODERS_FILE)),
    panel: sum(closure(dir, PANEL, (file) => DELIBERATE.test(file))),
    panelInAll: sum(closure(dir, PANEL, () => false)),
  };
};

/** The bundles that are over their limit. */
export const sizeFaults = (sizes: Sizes): string[] =>
  (Object.keys(LIMITS) as (keyof Sizes)[])
    .filter((name) => sizes[name] > LIMITS[name])
    .map((name) => `${name}: ${sizes[name]} bytes after gzip, ${LIMITS[name]} allowed`);
