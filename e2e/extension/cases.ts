/**
 * What the built extension does in a real browser, seen through its panel in the browser's own developer tools. Written
 * once, against the `Driver` interface; each browser's spec file names its driver. One browser for all cases, one tab for
 * each. The demo's agent server says what was really on the wire.
 */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { build as viteBuild } from 'vite';
import { SCENARIOS, type Scenario } from '../../src/demo/scenarios';
import { type DemoServer, startDemoServer } from '../../src/demo/server';
import { type Driver, type LaunchOptions, type Panel, until } from '../drivers/driver';
import { ANSWER, startChatServer } from '../pages/ai-sdk-react/server';
import { betweenBrowsers, OTHER_SITE } from './between-browsers';
import { playScenario, QUIET_MS } from './play';
import { type Reading, readPanel, readUntil } from './reading';
import { toolbarCases } from './toolbar';
import { VERDICTS } from './verdicts';

const root = join(import.meta.dirname, '../..');
/** Where the builds are; a variable, so that a build elsewhere can be tested. */
const dist = process.env.UNSETTLED_DIST ?? join(root, 'dist');

const sentences = (count: number): string => Array.from({ length: count }, (_, at) => `Sentence number ${at} of a long thought.`).join(' ');

/** Scenarios of the tests' own, beside the demo's. */
const OWN: readonly Scenario[] = [
  {
    id: 'long',
    title: 'Long',
    prompt: 'Think long.',
    story: '',
    paceMs: 40,
    steps: [
      { do: 'reason', text: sentences(200) },
      { do: 'complete', text: 'That was long.' },
    ],
  },
  {
    id: 'markup',
    title: 'Markup',
    prompt: 'Break the panel.',
    story: '',
    paceMs: 5,
    steps: [
      { do: 'reason', text: '<img src="x-broken" onerror="globalThis.pwned = true"><script>globalThis.pwned = true</script>' },
      { do: 'announce', text: '<iframe srcdoc="<script>parent.pwned = true</script>"></iframe>' },
      { do: 'complete', text: '<img src="x-broken" onerror="globalThis.pwned = true"> is not run.' },
    ],
  },
];

/** Findings that point at no words of the page: the wire's own, and what is missing on the page. */
const ABOUT_OTHER_WORDS = new Set(['severed-stream', 'committed-lost']);

/** Everything a scenario's steps stream as reasoning. */
const reasoningOf = (id: string): string =>
  [...SCENARIOS, ...OWN]
    .find((scenario) => scenario.id === id)!
    .steps.map((step) => (step.do === 'reason' ? step.text : ''))
    .join('');

/** Declares every case for one browser. `build` is the folder of its extension in dist/. */
export const extensionCases = (build: 'chrome' | 'firefox', launch: (options: LaunchOptions) => Promise<Driver>): void => {
  let driver: Driver;
  let server: DemoServer;

  test.beforeAll(async () => {
    server = await startDemoServer({
      port: 0,
      pages: [join(dist, 'demo'), join(root, 'e2e/pages/plain')],
      scenarios: [...SCENARIOS, ...OWN],
    });
    driver = await launch({ extension: join(dist, build), grantable: [OTHER_SITE] });
    console.log(`${driver.browser} ${driver.version}`);
  });

  test.afterAll(async () => {
    await driver?.close();
    await server?.close();
  });

  test.afterEach(async () => {
    expect(await driver.errors(), 'errors in the extension itself').toEqual([]);
  });

  /** The panel holds exactly what the server sent for its newest run: nothing lost, nothing doubled, nothing added. */
  const expectExactly = (reading: Reading): void => {
    const sent = server.runs.at(-1)!.journal;
    const run = reading.runs.at(-1)!;
    const ids = run.wireIds.filter((id, at) => id !== run.wireIds[at - 1]);
    expect(ids).toEqual(sent.map(({ id }) => id));
    expect(reading.flows.find(({ dialect }) => dialect === run.dialect)!.frames).toBe(sent.length);
    expect(reading.counts.lost).toBe(0);
    expect(reading.link).toMatchObject({ lost: 0, rejected: 0 });
    expect(reading.faults).toEqual([]);
  };

  test('the panel opens in the developer tools', async () => {
    const tab = await driver.openTab();
    await tab.goto('about:blank');
    const panel = await tab.openPanel();
    expect(await panel.evaluate<string>('document.title')).toBe('Unsettled');
    await tab.close();
  });

  test('a run is in the panel as the server sent it', async () => {
    const tab = await driver.openTab();
    const reading = await playScenario(tab, server.origin, 'careful', 'completed');
    expect(reading.runs).toHaveLength(1);
    expect(reading.runs[0]).toMatchObject({ outcome: 'completed', endedBy: 'producer', attempts: 1, dialect: 'kestrel-runner' });
    expect(reading.runs[0]!.text.reasoning).toBe(reasoningOf('completed'));
    expectExactly(reading);
    await tab.close();
  });

  test('every scenario has a verdict to be held to', () => {
    expect(Object.keys(VERDICTS).sort()).toEqual(SCENARIOS.map(({ id }) => id).sort());
  });

  for (const variant of ['careful', 'careless'] as const)
    for (const { id } of SCENARIOS)
      test(`${variant} page, ${id}`, async () => {
        const verdict = VERDICTS[id]!;
        const tab = await driver.openTab();
        const reading = await playScenario(tab, server.origin, variant, id);
        const failing = reading.findings.filter((finding) => finding.verdict === 'fail');
        expect(failing.map(({ rule }) => rule).sort()).toEqual([...verdict[variant]].sort());
        expect(reading.findings.filter((finding) => finding.verdict === 'inconclusive')).toEqual([]);
        // The careful page asks what became of a run that it lost, and so learns it.
        const outcome = variant === 'careful' && id === 'lost-and-found' ? 'completed' : verdict.outcome;
        expect(reading.runs.map((run) => run.outcome)).toEqual([outcome]);
        for (const finding of failing)
          if (!ABOUT_OTHER_WORDS.has(finding.rule)) expect(finding.text, `the words ${finding.rule} points at`).toContain(verdict.says);
        await tab.close();
      });

  test('a careful page stays clear of findings until the witness has stopped watching', async () => {
    const tab = await driver.openTab();
    await playScenario(tab, server.origin, 'careful', 'failed-after-draft');
    const panel = await tab.openPanel();
    const reading = await readUntil(panel, 'the witness has stopped', ({ documents }) => documents[0]?.watch === 'stopped', 30);
    expect(reading.findings).toEqual([]);
    await tab.close();
  });

  test.describe('a page on useChat and the ai package', () => {
    let chat: Awaited<ReturnType<typeof startChatServer>>;

    test.beforeAll(async () => {
      await viteBuild({ configFile: join(root, 'e2e/pages/ai-sdk-react/vite.config.ts'), logLevel: 'error' });
      chat = await startChatServer(join(root, 'dist/pages/ai-sdk-react'));
    });
    test.afterAll(() => chat.close());

    const ask = async (query: string): Promise<Reading> => {
      const tab = await driver.openTab();
      await tab.goto(`${chat.origin}/${query}`);
      const panel = await tab.openPanel();
      await readUntil(panel, 'the panel knows the page', ({ documents }) => documents.length === 1);
      await tab.click('#send');
      await until('the page has taken the message', () => tab.evaluate<boolean>(`document.querySelector('article') !== null`), 10);
      await until('the page is at rest', () => tab.evaluate<boolean>(`document.getElementById('send') !== null`));
      const reading = await readUntil(
        panel,
        'the run has ended and nothing moves on the page',
        ({ runs, quietMs }) => runs[0]?.outcome !== null && runs.length === 1 && quietMs > QUIET_MS,
      );
      await tab.close();
      return reading;
    };

    test('has nothing to be told of a clean run', async () => {
      const reading = await ask('');
      expect(reading.runs[0]).toMatchObject({ outcome: 'completed', endedBy: 'producer', dialect: 'ai-sdk-ui' });
      expect(reading.runs[0]!.text.assistant).toBe(ANSWER);
      expect(reading.findings).toEqual([]);
    });

    test('is told when the stream ended without a finish and the page shows the half answer as final', async () => {
      const reading = await ask('?cut=24');
      expect(reading.runs[0]).toMatchObject({ outcome: 'severed', endedBy: 'transport' });
      const failing = reading.findings.filter(({ verdict }) => verdict === 'fail');
      expect(failing.map(({ rule }) => rule).sort()).toEqual(['final-never-settled', 'severed-stream']);
      const words = failing.find(({ rule }) => rule === 'final-never-settled')!.text;
      expect(words).toContain(ANSWER.slice(0, 100));
      expect(words).not.toContain(ANSWER.slice(130));
    });
  });

  test('a background killed twenty times in one run loses nothing and doubles nothing', async () => {
    const tab = await driver.openTab();
    await tab.goto(`${server.origin}/?variant=careful&scenario=long`);
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', ({ documents }) => documents.length > 0);
    await tab.click('#send');
    await readUntil(panel, 'the run has begun', ({ runs }) => runs.length === 1);
    for (let kill = 0; kill < 20; kill++) {
      const before = await readPanel(panel);
      expect(before.runs[0]!.outcome, `still under way before kill ${kill + 1}`).toBeNull();
      await driver.killBackground();
      // The next kill waits until the link works again: it must break a working link, not a broken one.
      await readUntil(panel, 'events arrive again', ({ counts }) => counts.events > before.counts.events, 20);
    }
    const reading = await readUntil(panel, 'the run has ended', ({ runs }) => runs[0]?.outcome === 'completed', 60);
    expect(reading.runs[0]!.text.reasoning).toBe(reasoningOf('long'));
    expectExactly(reading);
    await tab.close();
  });

  test('developer tools opened late show what happened before', async () => {
    const tab = await driver.openTab();
    await tab.goto(`${server.origin}/?variant=careful&scenario=completed`);
    await tab.click('#send');
    await until('the answer is shown', () => tab.evaluate<boolean>(`document.querySelector('.answer') !== null`));
    const panel = await tab.openPanel();
    const reading = await readUntil(panel, 'the run is there', ({ runs }) => runs[0]?.outcome === 'completed');
    expectExactly(reading);
    expect(reading.counts.sightings).toBeGreaterThan(0);
    await tab.close();
  });

  test('a new page starts over, and a run that its page left behind has ended with it', async () => {
    const tab = await driver.openTab();
    await playScenario(tab, server.origin, 'careful', 'completed');
    await tab.goto(`${server.origin}/?variant=careful&scenario=waiting`);
    const panel = await tab.openPanel();
    await readUntil(panel, 'the new page is known, and no run', ({ runs, documents }) => runs.length === 0 && documents.length === 1);
    await tab.click('#send');
    const reading = await readUntil(panel, 'its run waits', ({ runs }) => runs[0]?.outcome === 'waiting');
    expect(reading.runs).toHaveLength(1);
    await tab.close();
  });

  test('frames of the same origin, of another, and without an address of their own are seen', async () => {
    const tab = await driver.openTab();
    await tab.goto(`${server.origin}/frames.html`);
    const panel = await tab.openPanel();
    const reading = await readUntil(
      panel,
      'three runs have ended',
      ({ runs }) => runs.length === 3 && runs.every(({ outcome }) => outcome === 'completed'),
    );
    expect(new Set(reading.flows.map(({ document }) => document)).size).toBe(3);
    expect(reading.flows.map(({ url }) => new URL(url).searchParams.get('in')).sort()).toEqual(['other', 'same', 'srcdoc']);
    expect(reading.documents.filter(({ topLevel }) => topLevel)).toHaveLength(1);
    await tab.close();
  });

  test('regions are outlined on the page while that is asked for', async () => {
    const tab = await driver.openTab();
    const outlined = (): Promise<boolean> => tab.evaluate<boolean>(`document.querySelector('unsettled-overlay') !== null`);
    const ready = (panel: Panel): Promise<void> => panel.evaluate('void unsettled.outline(true)');
    const reading = await playScenario(tab, server.origin, 'careless', 'cut-after-reasoning', { ready });
    const panel = await tab.openPanel();
    await until('the regions are outlined', outlined);
    // What stands there changes nothing of what is found, and the page cannot look into it.
    const failing = reading.findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);
    expect(failing.sort()).toEqual([...VERDICTS['cut-after-reasoning']!.careless].sort());
    expect(await tab.evaluate<boolean>(`document.querySelector('unsettled-overlay').shadowRoot === null`)).toBe(true);
    await panel.evaluate('void unsettled.outline(false)');
    await until('nothing is outlined', async () => !(await outlined()));
    await panel.evaluate('void unsettled.outline(true)');
    await until('the regions are outlined again', outlined);
    await driver.killBackground();
    await readUntil(panel, 'the link is there again', ({ link }) => link.state === 'connected');
    expect(await outlined()).toBe(true);
    await panel.evaluate('void unsettled.outline(false)');
    await until('nothing is outlined', async () => !(await outlined()));
    await tab.close();
  });

  test('text with markup in it stays text', async () => {
    const tab = await driver.openTab();
    await tab.goto(`${server.origin}/frame.html?scenario=markup`);
    const panel = await tab.openPanel();
    await readUntil(panel, 'the run has ended', ({ runs }) => runs[0]?.outcome === 'completed');
    await until('the panel shows the text', () => panel.evaluate<boolean>(`document.body.textContent.includes('is not run')`));
    expect(await panel.evaluate<boolean>(`document.querySelector('[src="x-broken"], iframe, body script:not([src])') === null`)).toBe(true);
    expect(await panel.evaluate<unknown>('globalThis.pwned ?? null')).toBeNull();
    await tab.close();
  });

  test('a page that floods, forges and breaks things fools nobody', async () => {
    const tab = await driver.openTab();
    await tab.goto(`${server.origin}/hostile.html?scenario=completed&pace=10`);
    const panel: Panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', ({ documents }) => documents.length === 1);
    await tab.click('#send');
    await until('the page is done', () => tab.evaluate<boolean>(`document.body.dataset.done === 'yes'`), 60);
    expect(await tab.evaluate<string>(`document.getElementById('answer').textContent`)).toContain('Audit logs are kept');
    const reading = await readUntil(panel, 'the run has ended', ({ runs }) => runs[0]?.outcome === 'completed');
    expect(reading.runs).toHaveLength(1);
    expect(reading.documents).toHaveLength(1);
    expect(reading.flows.filter(({ url }) => url.includes('forged'))).toEqual([]);
    expect(reading.runs[0]!.text.reasoning).toBe(reasoningOf('completed'));
    // Beside its own messages the page hears nothing: no offer, and no answer on any port. (As text: it broke what arrays need.)
    const heard = await tab.evaluate<string>(
      `JSON.stringify([...new Set(window.heard.filter((data) => data?.unsettled !== 'port').map((data) => JSON.stringify(data)))])`,
    );
    expect(JSON.parse(heard)).toEqual([]);
    await tab.close();
  });

  toolbarCases({ driver: () => driver, server: () => server });
  betweenBrowsers({ driver: () => driver, server: () => server, expectExactly });
};
