/**
 * What must hold for a built extension, read from the files themselves: content scripts are classic and self-contained
 * (an asynchronous loader would come too late to see the page's first request, and cannot run in the page world at all),
 * and the bundles keep their size. Each check returns the faults it found, in words.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ON_DEMAND } from '../src/core/dialects/on-demand';
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
 * in which a stream came that could be an agent's. `panel` is what an ordinary session with the panel loads, which has one
 * protocol: first paint, all that follows without being asked for, the larger of the languages, and every dialect that the streams
 * of the protocol with the most to load ask for. `panelInAll` adds what only a deliberate step loads, and all other dialects, each packed for itself.
 * `decoders` (123) and `panelInAll` (326) were raised when calls that are refused over HTTP, whole answers and further kinds of error became runs,
 * and once more when answers without words, prompts that wait their turn and look-alikes were told apart, and what a seventh set of pages taught.
 */
export const LIMITS = { tap: 8_000, contentScripts: 60_000, decoders: 126_500, panel: 150_000, panelInAll: 331_000 } as const;

/**
 * Chunks of the panel that a deliberate step of the reader loads (opening, saving, comparing, outlining, a menu, a tab, a sheet, the sample, a mapping for a
 * protocol of their own), by their file names.
 */
const DELIBERATE =
  /^(?:capture-file|compare|archive|copy|copy-request|mappings|measuring|outlines|row-menu|sample|seldom-tabs|vivid|[a-z]+-sheet)[.-]/u;

/** Of these an ordinary session loads one: the texts of the panel. */
const LANGUAGES = ['en', 'zh'] as const;
const languageOf = (file: string): string | undefined => LANGUAGES.find((name) => file === `${name}.js`);

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
 * Every script and style that a page loads, through static and dynamic imports; of what is imported dynamically less the files
 * that `skip` names, and what only they load. Source maps and images are not counted.
 */
const closure = (dir: string, entries: readonly string[], skip: (file: string) => boolean): string[] => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    // What is imported statically comes with its importer, whoever else has it on demand.
    const fixed = new Set([...code.matchAll(/\b(?:from|import)\s*["']([\w./-]+\.js)["']/g)].map(([, path]) => path));
    for (const [, path] of code.matchAll(/["'`(]((?:\.{0,2}\/)[\w./-]+\.(?:js|css))["'`)]/g))
      if (path && (fixed.has(path) || !skip(basename(path)))) visit(path.startsWith('/') ? join(dir, path) : join(dirname(file), path));
  };
  for (const entry of entries) visit(join(dir, entry));
  // Styles of what is imported dynamically stand in Vite's own list, by their place in the build.
  for (const file of [...seen])
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/["'](assets\/[\w.-]+\.css)["']/g))
      if (path && !skip(basename(path))) visit(join(dir, path));
  return [...seen].map((file) => relative(dir, file));
};

const PANEL = 'src/panel/panel.html';
const ASSETS = 'assets';

/** The chunk of each dialect in the build, by the dialect's id. Throws if one has none: then it is loaded with something else. */
const dialectChunks = (dir: string): ReadonlyMap<string, string> => {
  const files = readdirSync(join(dir, ASSETS));
  return new Map(
    ON_DEMAND.map(({ id }) => {
      const chunk = files.find((file) => file === `${id}.js`);
      if (chunk === undefined) throw new Error(`${dir}: the dialect ${id} has no chunk of its own`);
      return [id, join(ASSETS, chunk)] as const;
    }),
  );
};

/**
 * The most that the panel loads in a session of one protocol, and which that is. `needed`: the dialects that it asks for by
 * protocol (see needed-dialects.ts).
 */
const largestSession = (
  dir: string,
  needed: ReadonlyMap<string, ReadonlySet<string>>,
  sum: (files: readonly string[]) => number,
): { readonly protocol: string; readonly size: number } => {
  const chunks = dialectChunks(dir);
  const allChunks = new Set(chunks.values());
  let largest = { protocol: '', size: 0 };
  for (const [protocol, ids] of needed) {
    const mine = new Set([...ids].flatMap((id) => chunks.get(id) ?? []));
    for (const language of LANGUAGES) {
      const skip = (file: string): boolean =>
        DELIBERATE.test(file) ||
        (languageOf(file) ?? language) !== language ||
        (allChunks.has(join(ASSETS, file)) && !mine.has(join(ASSETS, file)));
      const size = sum(closure(dir, [PANEL, ...mine], skip));
      if (size > largest.size) largest = { protocol: `${protocol}, ${language}`, size };
    }
  }
  return largest;
};

/** The sizes of the build in `dir`. `needed`: the dialects that the panel loads in a session of each protocol. */
export const sizesOf = (dir: string, needed: ReadonlyMap<string, ReadonlySet<string>>): Sizes & { readonly protocol: string } => {
  const scripts = manifestOf(dir).content_scripts ?? [];
  const files = (world: string): string[] =>
    scripts.filter((script) => (script.world ?? 'ISOLATED') === world).flatMap(({ js = [] }) => js);
  const sum = (list: readonly string[]): number => list.reduce((total, file) => total + gzipped(join(dir, file)), 0);
  const { protocol, size } = largestSession(dir, needed, sum);
  return {
    tap: sum(files('MAIN')),
    contentScripts: sum([...files('MAIN'), ...files('ISOLATED')]),
    decoders: gzipped(join(dir, DECODERS_FILE)),
    panel: size,
    panelInAll: sum(closure(dir, [PANEL], () => false)),
    protocol,
  };
};

/** The bundles that are over their limit. */
export const sizeFaults = (sizes: Sizes): string[] =>
  (Object.keys(LIMITS) as (keyof Sizes)[])
    .filter((name) => sizes[name] > LIMITS[name])
    .map((name) => `${name}: ${sizes[name]} bytes after gzip, ${LIMITS[name]} allowed`);
