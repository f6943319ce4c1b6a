/**
 * The published DeepSeek Harness page, as a person uses it, seen through the extension's panel: what was committed, how each
 * interval ended, and that findings are true ones. The model is scripted, everything between it and the panel is real.
 */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { launchChromium } from '../drivers/chromium';
import { type Driver, type Panel, type Tab, until } from '../drivers/driver';
import { type Reading, readPanel, readUntil } from '../extension/reading';
import { type Host, startHost } from './host';
import { SAID } from './provider';

let host: Host;
let driver: Driver;

test.beforeAll(async () => {
  host = await startHost();
  driver = await launchChromium({ extension: process.env.UNSETTLED_EXTENSION ?? join(import.meta.dirname, '../../dist/chrome') });
});
test.afterAll(async () => {
  await driver?.close();
  await host?.close();
});
test.afterEach(async () => {
  expect(await driver.errors(), 'errors in the extension itself').toEqual([]);
});

interface Kept {
  readonly conversation: string;
  /** What the person said in it. */
  readonly asked: string;
  readonly root: boolean;
  readonly outcome: string | null;
  readonly waitingFor: string | null;
  readonly ending: { readonly state: string; readonly raw: string | null };
  readonly turns: number;
  readonly reattached: boolean;
  readonly committed: string;
  readonly provisional: string;
}

/** The runs of the panel's session with what the shared reading leaves out. */
const kept = (panel: Panel): Promise<readonly Kept[]> =>
  panel.evaluate<readonly Kept[]>(`globalThis.unsettled.live().session.runs.map((run) => {
    const text = (standing) => run.attempts.flatMap((attempt) => attempt.parts)
      .filter((part) => part.voice === 'assistant' && part.standing === standing && !part.withdrawn).map((part) => part.text).join('|');
    return {
      conversation: run.identity.conversation,
      asked: run.attempts.flatMap((attempt) => attempt.parts).filter((part) => part.voice === 'user').map((part) => part.text).join('|'),
      root: run.parent === null,
      outcome: run.settlement?.outcome ?? null,
      waitingFor: run.settlement?.waitingFor ?? null,
      ending: { state: run.ending.state, raw: run.ending.raw },
      turns: run.attempts.length,
      reattached: run.reattached,
      committed: text('committed'),
      provisional: text('provisional'),
    };
  })`);
/** The root runs of the session in which this was asked. The page may show earlier sessions too. */
const runsOf = async (panel: Panel, asked: string): Promise<readonly Kept[]> => {
  const all = await kept(panel);
  const conversation = all.find((run) => run.asked.includes(asked))?.conversation;
  return all.filter((run) => run.root && run.conversation === conversation);
};

const press = (words: string): string => `(() => {
  const button = [...document.querySelectorAll('button, [role=button], [role=radio], [role=option]')]
    .find((one) => (one.getAttribute('aria-label') ?? one.innerText ?? '').trim() === ${JSON.stringify(words)} && !one.disabled);
  button?.click();
  return button !== undefined;
})()`;

/** A new session on the page, with the panel open, ready to be written in. */
const begin = async (): Promise<{ tab: Tab; panel: Panel }> => {
  const tab = await driver.openTab();
  await tab.goto(host.origin);
  const panel = await tab.openPanel();
  await readUntil(panel, 'the panel knows the page', ({ documents }) => documents.length > 0);
  await until('the page is ready', async () => {
    await tab.evaluate(press('Continue'));
    await tab.evaluate(press('New session'));
    return tab.evaluate<boolean>(`(() => {
      const field = document.querySelector('textarea');
      return field !== null && !field.readOnly && !/\\bturns\\b/.test(document.body.innerText);
    })()`);
  });
  return { tab, panel };
};

let sent = 0;
/** Sends a prompt that names the script, as nothing before did; gives back its words. */
const send = async (tab: Tab, script: string): Promise<string> => {
  const text = `Prompt ${++sent}, scenario: ${script}`;
  await until('the field takes text', () =>
    tab.evaluate<boolean>(`(() => {
      const field = document.querySelector('textarea');
      field.focus();
      return !field.readOnly && field.value === '' && document.execCommand('insertText', false, ${JSON.stringify(text)});
    })()`),
  );
  await tab.evaluate(
    `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true, cancelable: true }))`,
  );
  return text;
};

/** Ended for good: lost connections may be joined again. */
const ended = ({ outcome }: Kept): boolean => outcome !== null && outcome !== 'waiting' && outcome !== 'severed';
const settled = (panel: Panel, asked: string, count = 1, seconds = 40): Promise<readonly Kept[]> =>
  until(
    `${count} runs have ended`,
    async () => {
      const runs = await runsOf(panel, asked);
      return runs.length === count && runs.every(ended) ? runs : null;
    },
    seconds,
  );

const expectSound = (reading: Reading): void => {
  expect(reading.faults).toEqual([]);
  expect(reading.counts.lost).toBe(0);
  expect(reading.link).toMatchObject({ lost: 0, rejected: 0 });
};
const failing = ({ findings }: Reading): readonly string[] =>
  findings.filter(({ verdict }) => verdict === 'fail').map(({ rule, message }) => `${rule}: ${message}`);

test('an answer that ends well: completed, and nothing to complain of', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'plain');
  const [run] = await settled(panel, asked);
  expect(run).toMatchObject({ outcome: 'completed', ending: { state: 'reported', raw: 'completed' }, turns: 1, committed: SAID.answer });
  await until('the page shows the answer', () => tab.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(SAID.answer)})`));
  const reading = await readPanel(panel);
  expectSound(reading);
  expect(failing(reading)).toEqual([]);
  await tab.close();
});

test('a retried attempt: the wrong words were shown, never committed and taken away', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'retried');
  const [run] = await settled(panel, asked);
  expect(run).toMatchObject({ outcome: 'completed', committed: SAID.answer, provisional: '' });
  const reading = await readUntil(panel, 'it is found', ({ findings }) => findings.some(({ rule }) => rule === 'provisional-discarded'));
  expect(reading.findings.find(({ rule }) => rule === 'provisional-discarded')!.text).toBe(SAID.wrong);
  expectSound(reading);
  await tab.close();
});

test('a body that ends early after words that read as an answer: failed, and the words stay provisional', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'unfinished');
  const [run] = await settled(panel, asked);
  expect(run).toMatchObject({ outcome: 'failed', ending: { raw: 'error' }, committed: '', provisional: SAID.finished });
  await until('the page says so', () => tab.evaluate<boolean>(`document.body.innerText.includes('This turn failed')`));
  // It keeps the text and says beside it that the turn failed: that is honest.
  const reading = await readPanel(panel);
  expectSound(reading);
  expect(reading.findings.filter(({ severity, verdict }) => severity === 'critical' && verdict === 'fail')).toEqual([]);
  await tab.close();
});

test('a prompt queued behind a turn shares its interval, and the last ending names it', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'long');
  await readUntil(panel, 'the first turn has begun', ({ runs }) =>
    runs.some(({ text }) => text.user === asked && (text.assistant ?? '') !== ''),
  );
  await send(tab, 'ceiling');
  const [run] = await settled(panel, asked, 1, 60);
  expect(run).toMatchObject({
    outcome: 'truncated',
    ending: { state: 'reported', raw: 'max-tokens' },
    turns: 2,
    committed: `${SAID.long}|${SAID.cutShort}`,
  });
  expectSound(await readPanel(panel));
  await tab.close();
});

test('a question: the run waits while it is open, and ends once it is answered', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'question');
  await until('the run waits for input', async () => {
    const [run] = await runsOf(panel, asked);
    return run?.outcome === 'waiting' && run.waitingFor === 'input';
  });
  await until('the page asks', () => tab.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(SAID.question)})`));
  const choose = `(() => {
    const leaf = [...document.querySelectorAll('button, label, [role=radio], [role=option], li')].find((one) => one.innerText.trim().split('\\n').includes('Blue'));
    leaf?.click();
    return leaf !== undefined;
  })()`;
  await until('an answer can be given', () => tab.evaluate<boolean>(choose));
  await until('it is given', async () => {
    for (const words of ['Submit', 'Send', 'Confirm', 'Done', 'Next', 'Answer']) await tab.evaluate(press(words));
    const [run] = await runsOf(panel, asked);
    return run?.outcome !== 'waiting';
  });
  const [run] = await settled(panel, asked);
  expect(run).toMatchObject({ outcome: 'completed', committed: SAID.chosen });
  expectSound(await readPanel(panel));
  await tab.close();
});

test('a background helper is a child; the run it wakes is one of its own', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'background');
  const runs = await settled(panel, asked, 2);
  expect(runs.map(({ ending, committed }) => [ending.raw, committed])).toEqual([
    ['completed', SAID.started],
    ['completed', SAID.woken],
  ]);
  const children = (await kept(panel)).filter(({ root }) => !root);
  expect(children.map(({ committed, outcome }) => [committed, outcome])).toEqual([[SAID.childAnswer, 'completed']]);
  expectSound(await readPanel(panel));
  await tab.close();
});

test('connections cut in the middle: the run is joined again and ends as it ends', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'long');
  await readUntil(panel, 'the answer has begun', ({ runs }) =>
    runs.some(({ text }) => text.user === asked && (text.assistant ?? '').length > 80),
  );
  host.cut();
  const [run] = await settled(panel, asked, 1, 60);
  expect(run).toMatchObject({ outcome: 'completed', committed: SAID.long, reattached: true, turns: 1 });
  const reading = await readPanel(panel);
  expect(reading.faults).toEqual([]);
  expect(reading.flows.filter(({ url }) => url.includes('events.mux')).length).toBeGreaterThan(1);
  await tab.close();
});

test('a page that is loaded again in the middle finds its run in the history', async () => {
  const { tab, panel } = await begin();
  const asked = await send(tab, 'long');
  await readUntil(panel, 'the answer has begun', ({ runs }) =>
    runs.some(({ text }) => text.user === asked && (text.assistant ?? '').length > 40),
  );
  await tab.reload();
  const again = await tab.openPanel();
  const [run] = await settled(again, asked, 1, 60);
  expect(run).toMatchObject({ outcome: 'completed', committed: SAID.long, turns: 1 });
  expect((await readPanel(again)).faults).toEqual([]);
  await tab.close();
});
