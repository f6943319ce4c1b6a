/**
 * What a page tells beside its text: short words that turn with the run (a status line, the title), also where the element
 * is another one each time; and pages that draw their chat into a frame of the same origin.
 */
import { expect, test } from '@playwright/test';
import { cuesOf, entriesOf, fold, openPage, until, untilText } from './harness';

test.use({ launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] } });

const HEAD =
  '<header><b>Helper</b> <small>zzz 12:40</small></header><div id="log"></div><form><input aria-label="Message"><button>Send</button></form>';

test('words of the page at rest are cues: by their place, without their numbers', async ({ page }) => {
  await openPage(page, HEAD);
  await page.evaluate(() => {
    document.querySelector('small')!.textContent = 'yyy';
    document.title = '(1) yyy';
    const flow = window.tapDriver.open();
    Object.assign(window, { flow });
    window.tapDriver.chunk(flow, 'One two three');
    document.querySelector('#log')!.append(Object.assign(document.createElement('p'), { textContent: 'One two three' }));
  });
  await untilText(page, 'One two three');
  // Another element in the same place is the same words.
  await page.evaluate(() => {
    document.querySelector('small')!.replaceWith(Object.assign(document.createElement('small'), { textContent: 'zzz 12:41' }));
    document.title = 't';
    window.tapDriver.end((window as unknown as { flow: string }).flow);
  });
  const values = async (key: RegExp) =>
    cuesOf(await entriesOf(page))
      .filter((cue) => cue.kind === 'text' && key.test(cue.key))
      .map((cue) => [cue.value, cue.rest]);
  await expect
    .poll(() => values(/small/u))
    .toEqual([
      ['zzz #:#', true],
      ['yyy', false],
      ['zzz #:#', false],
    ]);
  expect(await values(/title/u)).toEqual([
    ['t', true],
    ['(#) yyy', false],
    ['t', false],
  ]);
  // Nothing that came with the run is one, and no control is.
  expect(cuesOf(await entriesOf(page)).filter((cue) => cue.kind === 'text' && /One|Send/u.test(cue.value ?? ''))).toEqual([]);
});

test('a chat that the page draws into a frame: its text, its controls, and where it is', async ({ page }) => {
  await openPage(page, '<iframe style="margin: 40px; width: 500px; height: 300px"></iframe>');
  await page.evaluate(() => {
    const inner = document.querySelector('iframe')!.contentDocument!;
    inner.body.innerHTML = '<div class="list"></div><footer><input aria-label="Message"><button aria-label="Send">x</button></footer>';
  });
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  await page.evaluate(async () => {
    const inner = document.querySelector('iframe')!.contentDocument!;
    const flow = window.tapDriver.open();
    const bubble = inner.querySelector('.list')!.appendChild(inner.createElement('div'));
    bubble.className = 'message';
    inner.querySelector('button')!.setAttribute('aria-label', 'Stop');
    for (const word of ['One ', 'two ', 'three']) {
      window.tapDriver.chunk(flow, word);
      bubble.append(Object.assign(inner.createElement('span'), { textContent: word }));
      await new Promise((done) => requestAnimationFrame(done));
    }
    inner.querySelector('button')!.setAttribute('aria-label', 'Send');
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'One two three');
  const [region] = fold(entries).filter((one) => !one.rest && one.text === 'One two three');
  expect(region).toBeDefined();
  await until(page, (all) => cuesOf(all).some((cue) => cue.label === 'Stop' && cue.value === null));
  const placed = await page.evaluate((key) => window.tapDriver.witness.place(key), region!.key);
  const box = (await page.frameLocator('iframe').locator('.message').boundingBox())!;
  expect(placed.box!.x).toBeCloseTo(box.x, 0);
  expect(placed.box!.y).toBeCloseTo(box.y, 0);
});

test('a frame that comes, is loaded anew, and leaves', async ({ page }) => {
  await openPage(page, '<main></main>');
  await page.evaluate(async () => {
    Object.assign(window, { flow: window.tapDriver.open() });
    const frame = document.createElement('iframe');
    frame.srcdoc = '<p class="message">First words in it</p>';
    document.querySelector('main')!.append(frame);
    await new Promise((done) => frame.addEventListener('load', done, { once: true }));
    window.tapDriver.chunk((window as unknown as { flow: string }).flow, 'x');
  });
  await untilText(page, 'First words in it');
  await page.evaluate(async () => {
    const frame = document.querySelector('iframe')!;
    frame.srcdoc = '<p class="message">Other words in it</p>';
    await new Promise((done) => frame.addEventListener('load', done, { once: true }));
  });
  await untilText(page, 'Other words in it');
  await until(page, (all) => fold(all).find((one) => one.text === 'First words in it')?.removed === true);
  await page.evaluate(() => document.querySelector('iframe')!.remove());
  await until(page, (all) => fold(all).every((one) => one.removed || one.rest));
});
