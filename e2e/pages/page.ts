/**
 * What a real page is to `npm run pages`: other people's packages put together as their quick-starts show it, a server
 * that speaks their protocol, and the scenarios that the two can play. One folder per page, its `page.ts` exports `page`.
 *
 * A page knows nothing of Unsettled, and this contract nothing of any page.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Page as Tab } from 'playwright';

export type { Page as Tab } from 'playwright';

/** What can befall a run. A page leaves out what its protocol cannot say. */
export const SCENARIOS = [
  'completed',
  /** All the text is there; what settles the run comes seconds later. */
  'late-settlement',
  /** The connection ends in the middle of the text, cleanly, as a proxy's time limit ends it. */
  'severed-mid-text',
  /** The connection breaks in the middle of the text. */
  'reset-mid-text',
  /** The connection ends, cleanly, when there was only reasoning. */
  'severed-after-reasoning',
  /** The run settles as waiting for the person or the page. */
  'waiting',
  /** Half an answer, and then the producer says that it failed. */
  'failed-after-text',
  /** Settled, by the limit of length. */
  'truncated',
  /** The person presses stop in the middle of the text. */
  'aborted-by-person',
  /** Settled, and the connection stays open. */
  'left-open',
] as const;

export type Scenario = (typeof SCENARIOS)[number];

/** One scenario on one form of a page. `variant` '' is the page as its quick-start has it. */
export interface Play {
  readonly scenario: Scenario;
  readonly variant: string;
}

/** A server under way: the page's files and what they talk to. */
export interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

export interface RealPage {
  /** Its folder. */
  readonly name: string;
  /** The packages that make it, for the report. */
  readonly packages: readonly string[];
  /** Builds it into dist/pages/<name>. `buildWithVite` is all that most need. */
  build(): Promise<void>;
  serve(): Promise<Served>;
  readonly plays: readonly Play[];
  /** Whether a run of all pages plays it, too; if not said, it does. By the page's name all are played. */
  everyday?(play: Play): boolean;
  /** Path and query of the page that plays it. */
  url(play: Play): string;
  /** Types the prompt and sends it, as a person does. */
  send(tab: Tab, play: Play): Promise<void>;
  /** What the person does after that, where the scenario has it: presses stop when there is text. */
  act?(tab: Tab, play: Play): Promise<void>;
}

/** Every scenario that the protocol has on every variant; `but` drops pairs that make no sense. */
export const playsOf = (
  scenarios: readonly Scenario[],
  variants: readonly string[],
  but: (play: Play) => boolean = () => false,
): readonly Play[] => variants.flatMap((variant) => scenarios.map((scenario) => ({ scenario, variant })).filter((play) => !but(play)));

/** The scenarios that each form of a page is there to show. */
export const playsIn = (shown: Readonly<Record<string, readonly Scenario[]>>): readonly Play[] =>
  Object.entries(shown).flatMap(([variant, scenarios]) => playsOf(scenarios, [variant]));

/** The play's name in labels, reports and files: `waiting`, `waiting@no-notice`. */
export const nameOf = ({ scenario, variant }: Play): string => (variant === '' ? scenario : `${scenario}@${variant}`);

export const ROOT = join(import.meta.dirname, '../..');
export const folderOf = (name: string): string => join(import.meta.dirname, name);
export const builtOf = (name: string): string => join(ROOT, 'dist/pages', name);

/** Runs a command; its output is shown only if it fails. */
export const runCommand = (command: string, args: readonly string[], cwd: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let output = '';
    const note = (data: Buffer): void => {
      output = (output + data.toString()).slice(-8_000);
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} in ${cwd} ended with ${code}:\n${output}`)),
    );
  });

/** Builds with the folder's own vite.config.ts, in a process of its own: each page has its own compiler plugins. */
export const buildWithVite = (name: string): Promise<void> =>
  runCommand(
    process.execPath,
    [
      join(ROOT, 'node_modules/vite/bin/vite.js'),
      'build',
      '--config',
      join(folderOf(name), 'vite.config.ts'),
      '--outDir',
      builtOf(name),
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ],
    folderOf(name),
  );

/** What a person types. */
export const PROMPT = 'Where is the retention window set?';

/** Words near the beginning of every scripted answer. */
export const EARLY = 'audit_days';

/** Waits until the page shows the beginning of the answer, then clicks: a person who has seen enough. */
export const stopEarly = async (tab: Tab, button: string): Promise<void> => {
  await tab.getByText(EARLY).first().waitFor();
  await tab.locator(button).first().click();
};
