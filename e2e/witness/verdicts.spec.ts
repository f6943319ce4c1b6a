/**
 * From the page to the verdict: small chat pages play one stream well and badly, and the session that a panel would hold is
 * asked what it found. The witness knows nothing of these pages.
 */
import { expect, type Page, test } from '@playwright/test';
import type { Entry } from '../../src/core/session';
import { createSession } from '../../src/core/session';
import { entriesOf, openPage } from './harness';

// Each waits for the grace of a rule, far longer than it works.
test.describe.configure({ mode: 'parallel' });
test.use({ launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] } });

const PAGE = `
  <main><div id="log"><div class="msg user">Earlier question</div><div class="msg bot">Earlier answer of the page.</div></div>
  <form id="f"><textarea aria-label="Message"></textarea><button id="b" type="button">Send</button></form></main>`;

interface Play {
  /** OpenAI chat completions: content or reasoning deltas, then how it ends. */
  readonly content: readonly string[];
  readonly reasoning?: readonly string[];
  readonly end: 'stop' | 'severed';
  /** What the page does: which sign of work it shows, and when it takes it away. */
  readonly sign: 'stop-button' | 'disabled-composer' | 'spinner' | 'class' | 'icon' | 'none';
  readonly clear: 'at-end' | 'at-last-word';
  readonly notice?: string;
  readonly showReasoning?: boolean;
}

const play = (page: Page, what: Play): Promise<void> =>
  page.evaluate(async (p) => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const log = document.querySelector('#log')!;
    const button = document.querySelector<HTMLButtonElement>('#b')!;
    const text = document.querySelector('textarea')!;
    const icon = (d: string) => `<svg viewBox="0 0 9 9"><path d="${d}"/></svg>`;
    const user = document.createElement('div');
    user.className = 'msg user';
    user.textContent = 'What about the migration?';
    log.append(user);
    const sign = (on: boolean): void => {
      if (p.sign === 'stop-button') button.textContent = on ? 'Stop' : 'Send';
      if (p.sign === 'disabled-composer') text.disabled = button.disabled = on;
      if (p.sign === 'class') document.querySelector('.msg.current')?.classList.toggle('is-streaming', on);
      if (p.sign === 'icon') button.innerHTML = icon(on ? 'M2 2h5v5h-5z' : 'M0 0L9 9');
      if (p.sign === 'spinner') {
        document.querySelector('.spin')?.remove();
        if (!on) return;
        const spin = document.createElement('i');
        spin.className = 'spin';
        spin.animate([{ rotate: '0turn' }, { rotate: '1turn' }], { duration: 500, iterations: Number.POSITIVE_INFINITY });
        spin.style.display = 'inline-block';
        spin.textContent = '◌';
        log.append(spin);
      }
    };
    const message = document.createElement('div');
    message.className = 'msg bot current';
    sign(true);
    await pause(100);
    const flow = window.tapDriver.open();
    log.append(message);
    sign(true);
    const chunk = (delta: object, finish: string | null) =>
      window.tapDriver.chunk(
        flow,
        JSON.stringify({
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm',
          choices: [{ index: 0, delta, finish_reason: finish }],
        }),
      );
    chunk({ role: 'assistant', content: '' }, null);
    for (const word of p.reasoning ?? []) {
      chunk({ reasoning_content: word }, null);
      if (p.showReasoning === true) message.append(word);
      await pause(40);
    }
    for (const word of p.content) {
      chunk({ content: word }, null);
      message.append(word);
      await pause(40);
    }
    if (p.clear === 'at-last-word') {
      sign(false);
      await pause(700);
    }
    if (p.end === 'stop') {
      chunk({}, 'stop');
      window.tapDriver.chunk(flow, '[DONE]');
    }
    window.tapDriver.end(flow);
    await pause(5);
    sign(false);
    if (p.notice !== undefined) {
      const notice = document.createElement('div');
      notice.setAttribute('role', 'alert');
      notice.textContent = p.notice;
      log.append(notice);
    }
    await pause(2600);
  }, what);

const verdicts = async (page: Page, what: Play): Promise<string[]> => {
  const icon = '<svg viewBox="0 0 9 9"><path d="M0 0L9 9"/></svg>';
  await openPage(page, what.sign === 'icon' ? PAGE.replace('>Send<', `>${icon}<`) : PAGE);
  await play(page, what);
  const session = createSession();
  session.document({ key: 'd', url: 'http://localhost:9/', topLevel: true, timeOrigin: 0 });
  session.ingest((await entriesOf(page)).map((entry, seq) => ({ ...entry, seq }) as Entry));
  expect(session.runs).toHaveLength(1);
  return session.findings.filter((finding) => finding.verdict === 'fail').map((finding) => finding.rule);
};

const ANSWER = 'I have looked at the migration and it is complete on every server but one , which is down for repair today .'
  .split(' ')
  .map((word) => `${word} `);
const THOUGHT = ['I should ', 'verify ', 'the migration ', 'before I ', 'say so.'];

for (const sign of ['stop-button', 'disabled-composer', 'spinner', 'class', 'icon'] as const) {
  test(`${sign}: taken away at the end, nothing is wrong`, async ({ page }) => {
    expect(await verdicts(page, { content: ANSWER, end: 'stop', sign, clear: 'at-end' })).toEqual([]);
  });

  test(`${sign}: taken away before the settling event`, async ({ page }) => {
    expect(await verdicts(page, { content: ANSWER, end: 'stop', sign, clear: 'at-last-word' })).toEqual(['final-before-settle']);
  });

  test(`${sign}: the stream is cut and the page goes back to rest`, async ({ page }) => {
    expect(await verdicts(page, { content: ANSWER, end: 'severed', sign, clear: 'at-end' })).toContain('final-never-settled');
  });
}

test('the stream is cut and the page says so', async ({ page }) => {
  const found = await verdicts(page, {
    content: ANSWER,
    end: 'severed',
    sign: 'stop-button',
    clear: 'at-end',
    notice: 'Connection lost. The answer is incomplete.',
  });
  expect(found).not.toContain('final-never-settled');
});

test('reasoning in the place of the answer, as the last thing before the cut', async ({ page }) => {
  const found = await verdicts(page, {
    content: [],
    reasoning: THOUGHT,
    showReasoning: true,
    end: 'severed',
    sign: 'stop-button',
    clear: 'at-end',
  });
  expect(found).toContain('reasoning-as-answer');
});

test('no sign of unfinished text at all', async ({ page }) => {
  expect(await verdicts(page, { content: ANSWER, end: 'stop', sign: 'none', clear: 'at-end' })).toEqual(['final-before-settle']);
});
