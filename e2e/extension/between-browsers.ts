/**
 * The cases about what differs between browsers: permissions, the back/forward cache, hidden tabs, private windows,
 * containers, worlds, cloning, themes. Part of the one list in cases.ts. `docs/browsers.md` names each by its title.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { DemoServer } from '../../src/demo/server';
import { type Driver, type Panel, until } from '../drivers/driver';
import { AT_REST } from './play';
import { openFinding, type Reading, readPanel, readUntil } from './reading';

export interface Surroundings {
  readonly driver: () => Driver;
  readonly server: () => DemoServer;
  /** The panel holds exactly what the server sent for its newest run. */
  readonly expectExactly: (reading: Reading) => void;
}

const LOCAL = 'http://127.0.0.1/*';
/** Resolves to this machine everywhere, and is in no manifest. */
export const OTHER_SITE = 'http://site.localhost/*';

const completed = ({ runs }: Reading): boolean => runs.length === 1 && runs[0]!.outcome === 'completed';
const underWay = ({ runs, counts }: Reading): boolean => runs.length === 1 && runs[0]!.outcome === null && counts.events > 3;
const at = (part: string) => (reading: Reading) => reading.documents.length === 1 && reading.documents[0]!.url.includes(part);

export const betweenBrowsers = ({ driver, server, expectExactly }: Surroundings): void => {
  const page = (query: string): string => `${server().origin}/?variant=careful&scenario=completed${query}`;
  const state = (panel: Panel, wanted: string, documents: number): Promise<Reading> =>
    readUntil(panel, `the panel says ${wanted}`, (reading) => reading.link.state === wanted && reading.documents.length === documents);

  test('the panel has its icon, by a path that is right from every page', async () => {
    const tab = await driver().openTab();
    await tab.goto('about:blank');
    const panel = await tab.openPanel();
    expect(await panel.evaluate<boolean>(`fetch('/icons/icon-32.png').then(({ ok }) => ok)`)).toBe(true);
    await tab.close();
  });

  test('the panel follows the theme of the developer tools', async () => {
    const tab = await driver().openTab();
    await tab.goto('about:blank');
    const panel = await tab.openPanel();
    const is = (theme: string): Promise<boolean> =>
      until(`the panel is ${theme}`, () => panel.evaluate<boolean>(`document.documentElement.dataset.theme === '${theme}'`), 10);
    await is('light');
    for (const theme of ['dark', 'light'] as const) {
      await driver().setTheme(theme);
      await is(theme);
    }
    await tab.close();
  });

  test('the panel takes clicks and keys, and is pictured in both themes', async ({ browserName: _ }, info) => {
    const tab = await driver().openTab();
    await tab.goto(page('&pace=5'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('scenario=completed'));
    await tab.click('#send');
    await readUntil(panel, 'the run has ended', completed);
    const rows = `document.querySelectorAll('.rows .row').length`;
    await until('there are rows', () => panel.evaluate<number>(rows));
    await panel.click('#search');
    await panel.type('audit');
    const marked = `document.querySelector('.rows .row mark')?.textContent ?? ''`;
    // Rows are drawn a moment after what they are of: only what is left by the search, and what it left out, is certain.
    const lacking = `[...document.querySelectorAll('.rows .row')].filter((row) => !/audit/i.test(row.textContent)).length`;
    await until(
      'the rows that have the word are left, and it is marked',
      async () => /audit/iu.test(await panel.evaluate<string>(marked)) && (await panel.evaluate<number>(lacking)) === 0,
    );
    await panel.press('Escape');
    await until(
      'the search is over, and every row is back',
      async () => (await panel.evaluate<string>(marked)) === '' && (await panel.evaluate<number>(lacking)) > 0,
    );
    await panel.press('Escape');
    await panel.press('?');
    await until('the keys are shown', () => panel.evaluate<boolean>(`document.querySelector('dialog[open], [role="dialog"]') !== null`));
    await panel.press('Escape');
    const bytes: number[] = [];
    try {
      for (const theme of ['light', 'dark'] as const) {
        await driver().setTheme(theme);
        await until(`the panel is ${theme}`, () => panel.evaluate<boolean>(`document.documentElement.dataset.theme === '${theme}'`), 10);
        const path = info.outputPath(`${theme}.png`);
        await driver().screenshot(tab, path);
        const picture = readFileSync(path);
        expect(picture.subarray(1, 4).toString()).toBe('PNG');
        expect(picture.readUInt32BE(16), 'its width').toBeGreaterThan(400);
        bytes.push(picture.length);
        await info.attach(theme, { path });
      }
    } finally {
      await driver().setTheme('light');
    }
    expect(new Set(bytes).size, 'two different pictures').toBe(2);
    await tab.close();
  });

  test('a permission that is taken back is said, and asked for again', async () => {
    const tab = await driver().openTab();
    await tab.goto(page(''));
    const panel = await tab.openPanel();
    await state(panel, 'connected', 1);
    await driver().setSite(LOCAL, false);
    await state(panel, 'revoked', 1);
    await tab.reload();
    await state(panel, 'revoked', 0);
    await panel.click('.empty .button.primary');
    await driver().answerQuestion(LOCAL, true);
    await state(panel, 'connected', 1);
    await tab.click('#send');
    expectExactly(await readUntil(panel, 'the run has ended', completed));
    await tab.close();
  });

  test('another site is switched on from the panel, its frames with it', async () => {
    const tab = await driver().openTab();
    await tab.goto(page(''));
    const panel = await tab.openPanel();
    await state(panel, 'connected', 1);
    await driver().setSite(OTHER_SITE, false);
    await tab.goto(`${server().origin.replace('127.0.0.1', 'site.localhost')}/frames.html`);
    await state(panel, 'blocked', 0);
    await panel.click('.empty .button.primary');
    await driver().answerQuestion(OTHER_SITE, true);
    const reading = await readUntil(
      panel,
      'the runs of its frames have ended',
      ({ runs }) => runs.length === 3 && runs.every(({ outcome }) => outcome === 'completed'),
    );
    expect(reading.flows.map(({ url }) => new URL(url).searchParams.get('in')).sort()).toEqual(['other', 'same', 'srcdoc']);
    await driver().setSite(OTHER_SITE, false);
    await tab.reload();
    await state(panel, 'blocked', 0);
    await tab.close();
  });

  test('back to a page that was kept brings its run back, and what it does then is seen', async () => {
    const tab = await driver().openTab();
    await tab.goto(page('&pace=5&visit=first'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('visit=first'));
    await tab.evaluate(`void addEventListener('pageshow', ({ persisted }) => { window.kept = persisted; })`);
    await tab.click('#send');
    await readUntil(panel, 'the run has ended', completed);
    await tab.goto(`${server().origin}/frame.html?scenario=completed&pace=5`);
    await readUntil(panel, 'the other page has its run', (reading) => at('frame.html')(reading) && completed(reading));
    await tab.back();
    await until('the browser kept the page', () => tab.evaluate<boolean>('window.kept === true'), 10);
    const again = await readUntil(panel, 'its run is back', (reading) => at('visit=first')(reading) && completed(reading));
    expect(again.runs[0]!.wireIds.length).toBeGreaterThan(0);
    expect(again.link).toMatchObject({ lost: 0, rejected: 0 });
    await until('the page is at rest', () => tab.evaluate<boolean>(AT_REST));
    await tab.evaluate(`void (document.querySelector('textarea, input').value = 'And the other logs?')`);
    await tab.click('#send');
    const reading = await readUntil(
      panel,
      'its second run has ended',
      ({ runs }) => runs.length === 2 && runs.every(({ outcome }) => outcome === 'completed'),
    );
    expectExactly(reading);
    await tab.close();
  });

  test('back to a page that was left in mid-stream shows that page and no other', async () => {
    const tab = await driver().openTab();
    await tab.goto(page('&pace=150&visit=second'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('visit=second'));
    await tab.evaluate(`void addEventListener('pageshow', ({ persisted }) => { window.kept = persisted; })`);
    await tab.click('#send');
    await readUntil(panel, 'the run is under way', underWay);
    await tab.goto(`${server().origin}/frame.html?scenario=completed&pace=5`);
    await readUntil(panel, 'the other page has its run', (reading) => at('frame.html')(reading) && completed(reading));
    await tab.back();
    await until('the page is there', () =>
      tab.evaluate<boolean>(`location.search.includes('visit=second') && document.readyState === 'complete'`),
    );
    // A browser may keep such a page, with its stream, or load it anew.
    const kept = await tab.evaluate<boolean>('window.kept === true');
    const reading = await readUntil(
      panel,
      'the panel is back too',
      (reading) => at('visit=second')(reading) && (kept ? completed(reading) : reading.runs.length === 0),
    );
    expect(reading.link).toMatchObject({ state: 'connected', lost: 0, rejected: 0 });
    expect(reading.faults).toEqual([]);
    await tab.close();
  });

  test('a route that changes in mid-run changes nothing', async () => {
    const tab = await driver().openTab();
    await tab.goto(page('&pace=40'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('scenario=completed'));
    await tab.click('#send');
    await readUntil(panel, 'the run is under way', underWay);
    await tab.evaluate(`history.pushState({ chat: 1 }, '', '/chats/1?route=pushed')`);
    await tab.evaluate(`history.replaceState({ chat: 2 }, '', '/chats/2?route=replaced#end')`);
    const reading = await readUntil(panel, 'the run has ended', completed);
    expect(reading.documents).toHaveLength(1);
    expectExactly(reading);
    await tab.close();
  });

  test('a page that is left in mid-run keeps its run in a preserved log, ended with the page', async () => {
    const tab = await driver().openTab();
    await tab.goto(page('&pace=150'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('scenario=completed'));
    await panel.evaluate('void (unsettled.settings.preserve.value = true)');
    try {
      await tab.click('#send');
      await readUntil(panel, 'the run is under way', underWay);
      await tab.goto(`${server().origin}/frame.html?scenario=completed&pace=5`);
      const reading = await readUntil(
        panel,
        'both runs are settled',
        ({ runs }) => runs.length === 2 && runs.every(({ outcome }) => outcome !== null),
      );
      // The page went (cancelled), or its stream was broken a moment before it was told so (severed): browsers do either, and
      // never is it more than that.
      expect(['cancelled', 'severed']).toContain(reading.runs[0]!.outcome);
      expect(reading.runs[1]!.outcome).toBe('completed');
      expect(reading.counts.lost).toBe(0);
    } finally {
      await panel.evaluate('void (unsettled.settings.preserve.value = false)');
    }
    await tab.close();
  });

  test('a run in a tab that is hidden meanwhile is seen to its end', async () => {
    const tab = await driver().openTab();
    await tab.goto(page('&pace=100'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('scenario=completed'));
    await tab.click('#send');
    await readUntil(panel, 'the run is under way', underWay);
    const other = await driver().openTab();
    await other.activate();
    await until('the page is hidden', () => tab.evaluate<boolean>(`document.visibilityState === 'hidden'`), 10);
    const reading = await readUntil(panel, 'the run has ended', completed);
    expect(await tab.evaluate<string>('document.visibilityState')).toBe('hidden');
    expectExactly(reading);
    await other.close();
    await tab.activate();
    const after = await readUntil(panel, 'what it showed is known', ({ counts }) => counts.sightings > 0);
    expect(after.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    await tab.close();
  });

  test('a background that died while nothing went on is there for the next run', async () => {
    const tab = await driver().openTab();
    await tab.goto(page('&pace=5'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('scenario=completed'));
    const { link } = await readPanel(panel);
    await driver().killBackground();
    await readUntil(panel, 'the panel has lost it and found it again', (reading) => reading.link.reconnects > link.reconnects);
    await tab.click('#send');
    expectExactly(await readUntil(panel, 'the run has ended', completed));
    await tab.close();
  });

  test('shadow trees, a page that lies about its nodes, and values that cannot be cloned', async () => {
    const tab = await driver().openTab();
    await tab.goto(`${server().origin}/trees.html?scenario=completed&pace=2`);
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('trees.html'));
    await tab.click('#send');
    await until('the page is done', () => tab.evaluate<boolean>(`document.body.dataset.done === 'yes'`));
    const reading = await readUntil(
      panel,
      'four runs have ended',
      ({ runs }) => runs.length === 4 && runs.every(({ outcome }) => outcome === 'completed'),
    );
    expect(reading.link).toMatchObject({ lost: 0, rejected: 0, reconnects: 0 });
    expect(reading.faults).toEqual([]);
    // Everywhere that the page shows it: in its own tree, in the open one, in the closed one.
    const places = `new Set(unsettled.live().session.entries
      .filter((entry) => entry.type === 'sight.text' && entry.edit?.inserted.includes('Audit logs are kept'))
      .map((entry) => entry.region)).size`;
    await until('the text is seen in all three trees', async () => (await panel.evaluate<number>(places)) === 3, 10);
    await tab.close();
  });

  test('what the browser cannot do is not offered', async () => {
    const tab = await driver().openTab();
    await tab.goto(`${server().origin}/?variant=careless&scenario=cut-after-reasoning&pace=5`);
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', ({ documents }) => documents.length === 1);
    await tab.click('#send');
    await openFinding(panel, 'reasoning-as-answer');
    const words = await until('the finding is open', () =>
      panel.evaluate<string | null>(`document.querySelector('.details')?.innerText ?? null`),
    );
    await until('its region can be outlined', () => panel.evaluate<boolean>(`document.body.innerText.includes('Highlight on page')`), 10);
    const offered = await panel.evaluate<boolean>(`document.body.innerText.includes('Reveal in Elements')`);
    expect(offered, words).toBe(driver().browser === 'chromium');
    await tab.close();
  });

  test('a page in a container is seen as any other', async () => {
    const tab = await driver().openTab(driver().hasContainers ? 'container' : 'ordinary');
    await tab.goto(page('&pace=5'));
    const panel = await tab.openPanel();
    await readUntil(panel, 'the panel knows the page', at('scenario=completed'));
    await tab.click('#send');
    expectExactly(await readUntil(panel, 'the run has ended', completed));
    await tab.close();
  });

  // The last one: letting an extension into private windows, or keeping it out, starts it anew.
  test('a private window has no panel until the extension is let in, and then it works there', async () => {
    const tab = await driver().openTab('private');
    await tab.goto(page('&pace=5'));
    await tab.panels();
    // The tools of a tab that was opened later know the panel: had it been coming here, it would have come.
    const ordinary = await driver().openTab();
    await ordinary.goto('about:blank');
    await ordinary.openPanel();
    expect(await tab.panels()).toEqual([]);
    await ordinary.close();
    await tab.close();
    await driver().allowPrivate(true);
    const allowed = await driver().openTab('private');
    await allowed.goto(page('&pace=5'));
    const panel = await allowed.openPanel();
    await readUntil(panel, 'the panel knows the page', at('scenario=completed'));
    await allowed.click('#send');
    expectExactly(await readUntil(panel, 'the run has ended', completed));
    await allowed.close();
    await driver().allowPrivate(false);
  });
};
