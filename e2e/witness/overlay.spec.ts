/**
 * Outlines on the page, in a real browser: that they stand where the regions are, whatever the page does, and that the page
 * has nothing of them but one element that cannot be touched, read out or printed.
 */
import { expect, type Page, test } from '@playwright/test';
import type { OutlineMark } from '../../src/link/messages';
import { fold, openPage, untilText } from './harness';

test.use({ launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] } });

const BODY = `
  <style>#log { height: 300px; overflow: auto; margin: 40px; border: 1px solid #ccc } .msg { margin: 20px; padding: 10px } .tall { height: 600px }</style>
  <main><div id="log"></div></main>
  <form><textarea aria-label="Message"></textarea><button type="button">Send</button></form>`;

/** Keeps the closed tree of the outlines, and counts frames that are asked for. */
const SPY = `
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init);
    if (this.localName === 'unsettled-overlay') window.outlines = root;
    return root;
  };
  const frame = requestAnimationFrame;
  window.framesAsked = 0;
  window.requestAnimationFrame = (what) => { window.framesAsked++; return frame(what); };`;

const FIRST = 'The first answer is long enough to be found.';
const SECOND = 'I should verify the migration first.';

/** Opens the page with two regions; gives their keys. */
const open = async (page: Page, body = BODY): Promise<[first: string, second: string]> => {
  await page.addInitScript({ content: SPY });
  await openPage(page, body);
  await page.evaluate(
    ([first, second]) => {
      const flow = window.tapDriver.open();
      for (const [id, text] of [
        ['first', first],
        ['second', second],
      ] as const) {
        const message = document.createElement('div');
        message.className = 'msg assistant';
        message.id = id;
        message.textContent = text;
        document.querySelector('#log')!.append(message);
      }
      window.tapDriver.end(flow);
    },
    [FIRST, SECOND] as const,
  );
  const entries = await untilText(page, SECOND);
  const keyOf = (text: string): string => fold(entries).find((region) => region.text === text)!.key;
  return [keyOf(FIRST), keyOf(SECOND)];
};

const draw = (page: Page, marks: readonly OutlineMark[] | null): Promise<void> =>
  page.evaluate((all) => window.tapDriver.witness.draw(all), marks);

const mark = (region: string, more: Partial<OutlineMark> = {}): OutlineMark => ({
  region,
  voice: 'assistant',
  standing: 'provisional',
  label: null,
  ...more,
});

interface Line {
  readonly style: string;
  readonly colour: string;
  readonly tag: string;
  /** How far it stands from the edges of what it surrounds; null where it is not shown. */
  readonly off: readonly number[] | null;
}

/** The outlines, each measured against an element of the page. Two frames later, so that what changed was followed. */
const linesAt = (page: Page, selectors: readonly string[]): Promise<Line[]> =>
  page.evaluate(async (all) => {
    for (let n = 0; n < 3; n++) await new Promise((done) => requestAnimationFrame(done));
    const { outlines } = window as unknown as { outlines: ShadowRoot };
    const boxes = [...outlines.children].filter((child) => child.firstElementChild !== null) as HTMLElement[];
    return boxes.map((box, i) => {
      const element = document.querySelector(all[i]!)!;
      const mine = box.getBoundingClientRect();
      const its = element.getBoundingClientRect();
      return {
        style: box.style.borderTopStyle,
        colour: box.style.borderTopColor,
        tag: box.textContent ?? '',
        off:
          box.style.display === 'none'
            ? null
            : [its.left - mine.left, its.top - mine.top, mine.right - its.right, mine.bottom - its.bottom].map((px) => Math.round(px)),
      };
    });
  }, selectors);

const AROUND = [3, 3, 3, 3];

test('by voice, dashed while provisional, solid once committed, red with a label where a finding stands', async ({ page }) => {
  const [first, second] = await open(page);
  await draw(page, [mark(first), mark(second, { voice: 'reasoning', standing: 'committed' })]);
  expect(await linesAt(page, ['#first', '#second'])).toEqual([
    { style: 'dashed', colour: 'rgb(11, 87, 208)', tag: 'A', off: AROUND },
    { style: 'solid', colour: 'rgb(125, 47, 194)', tag: 'R', off: AROUND },
  ]);
  await draw(page, [
    mark(first, { standing: 'committed' }),
    mark(second, { voice: 'reasoning', label: '<b>Reasoning</b> shown as the answer' }),
  ]);
  expect(await linesAt(page, ['#first', '#second'])).toEqual([
    { style: 'solid', colour: 'rgb(11, 87, 208)', tag: 'A', off: AROUND },
    { style: 'solid', colour: 'rgb(179, 38, 30)', tag: 'R · <b>Reasoning</b> shown as the answer', off: AROUND },
  ]);
  await draw(page, [mark(first, { standing: 'committed' })]);
  expect(await linesAt(page, ['#first'])).toHaveLength(1);
});

test('follows scrolling, growth, zoom, a re-render and a transformed page, and is cut where the page cuts', async ({ page }) => {
  const [first, second] = await open(page);
  await draw(page, [mark(first), mark(second)]);
  await page.evaluate(() => {
    document.querySelector('#first')!.classList.add('tall');
  });
  let lines = await linesAt(page, ['#first', '#second']);
  // The tall one is cut at the edge of what scrolls, the other is out of view.
  expect(lines.map((line) => line.off?.slice(0, 3) ?? null)).toEqual([[3, 3, 3], null]);
  expect(lines[0]!.off![3]).toBeLessThan(-300);
  await page.evaluate(() => document.querySelector('#log')!.scrollTo(0, 10_000));
  lines = await linesAt(page, ['#first', '#second']);
  expect(lines[1]!.off).toEqual(AROUND);
  await page.evaluate(() => {
    document.querySelector('#first')!.classList.remove('tall');
    document.documentElement.style.setProperty('zoom', '1.5');
  });
  for (const line of await linesAt(page, ['#first', '#second'])) for (const px of line.off!) expect(Math.abs(px - 4.5)).toBeLessThan(1.6);
  await page.evaluate(() => {
    document.documentElement.style.setProperty('zoom', '1');
    document.documentElement.style.transform = 'translate(30px, 10px)';
  });
  expect((await linesAt(page, ['#first', '#second'])).map((line) => line.off)).toEqual([AROUND, AROUND]);
  await page.evaluate(() => {
    document.documentElement.style.transform = '';
    const old = document.querySelector('#second')!;
    const again = old.cloneNode(true) as Element;
    (again as HTMLElement).style.marginTop = '80px';
    const flow = window.tapDriver.open();
    setTimeout(() => {
      old.replaceWith(again);
      setTimeout(() => window.tapDriver.end(flow), 300);
    }, 100);
  });
  await expect.poll(async () => (await linesAt(page, ['#first', '#second'])).map((line) => line.off)).toEqual([AROUND, AROUND]);
});

test('the page has one element of it, which it cannot touch, read out or print, and sees no change of', async ({ page }) => {
  const [first, second] = await open(page);
  await page.evaluate(() => {
    const seen: string[] = [];
    const watcher = new MutationObserver((records) => {
      for (const record of records)
        seen.push(`${record.type} ${[...record.addedNodes].map((n) => n.nodeName)} ${[...record.removedNodes].map((n) => n.nodeName)}`);
    });
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    Object.assign(window, { seen });
  });
  const seen = (): Promise<string[]> => page.evaluate(() => (window as unknown as { seen: string[] }).seen.splice(0));
  await draw(page, [mark(first), mark(second, { voice: 'reasoning', label: 'Shown as final' })]);
  await linesAt(page, ['#first', '#second']);
  await draw(page, [mark(first, { standing: 'committed' }), mark(second)]);
  await page.evaluate(() => document.querySelector('#log')!.scrollBy(0, 5));
  await linesAt(page, ['#first', '#second']);
  expect(await seen()).toEqual(['childList UNSETTLED-OVERLAY ']);
  expect(await page.evaluate(() => document.querySelector('unsettled-overlay')!.shadowRoot)).toBe(null);
  // Clicks and selections go to the page.
  expect(
    await page.evaluate(() => {
      const box = document.querySelector('#first')!.getBoundingClientRect();
      return document.elementFromPoint(box.left + 1, box.top + 1)?.id;
    }),
  ).toBe('first');
  expect(await page.evaluate(() => document.documentElement.innerText)).not.toContain('Shown as final');
  await draw(page, [mark(first), mark(second, { label: 'Shown as final' })]);
  expect(JSON.stringify(await page.locator('html').ariaSnapshot())).not.toContain('Shown as final');
  const display = (): Promise<string> => page.evaluate(() => getComputedStyle(document.querySelector('unsettled-overlay')!).display);
  expect(await display()).toBe('block');
  await page.emulateMedia({ media: 'print' });
  await expect.poll(display).toBe('none');
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(display).toBe('block');
  await seen();
  await draw(page, null);
  expect(await page.locator('unsettled-overlay').count()).toBe(0);
  expect(await seen()).toEqual(['childList  UNSETTLED-OVERLAY']);
  // Nothing goes on behind it.
  const frames = (): Promise<number> => page.evaluate(() => (window as unknown as { framesAsked: number }).framesAsked);
  await expect
    .poll(async () => {
      const before = await frames();
      await page.evaluate(() => new Promise((done) => setTimeout(done, 120)));
      return (await frames()) - before;
    })
    .toBe(0);
});

test('a region in a modal dialog is outlined above it, and the dialog is not disturbed', async ({ page }) => {
  const [first] = await open(
    page,
    `<dialog><div id="log"></div><button>Close</button></dialog><script>document.querySelector('dialog').showModal()</script>`,
  );
  await draw(page, [mark(first)]);
  expect((await linesAt(page, ['#first']))[0]!.off).toEqual(AROUND);
  expect(
    await page.evaluate(() => ({
      raised: document.querySelector('unsettled-overlay')!.matches(':popover-open'),
      open: document.querySelector('dialog')!.open,
      focus: document.activeElement?.localName,
    })),
  ).toEqual({ raised: true, open: true, focus: 'button' });
  await page.evaluate(() => document.querySelector('dialog')!.close());
  expect((await linesAt(page, ['#first']))[0]!.off).toBe(null);
});

test('outlines go when the region goes, when nobody can be heard for long, and all at once', async ({ page }) => {
  const [first, second] = await open(page);
  await draw(page, [mark(first), mark(second)]);
  await page.evaluate(() => document.querySelector('#second')!.remove());
  await expect
    .poll(async () =>
      page.evaluate(() =>
        [...(window as unknown as { outlines: ShadowRoot }).outlines.children].map((c) => (c as HTMLElement).style.display),
      ),
    )
    .toEqual(['', 'block', 'none']);
  await page.evaluate(() => window.tapDriver.witness.lapse());
  await draw(page, [mark(first)]);
  await page.evaluate(() => window.tapDriver.witness.lapse());
  expect(await page.locator('unsettled-overlay').count()).toBe(1);
  await expect.poll(() => page.locator('unsettled-overlay').count(), { timeout: 10_000 }).toBe(0);
});

test('where a region stands in the window, through frames of the same origin', async ({ page }) => {
  const [first] = await open(page);
  const placed = await page.evaluate((region) => window.tapDriver.witness.place(region), first);
  const box = await page.locator('#first').boundingBox();
  for (const side of ['x', 'y', 'width', 'height'] as const) expect(placed.box![side]).toBeCloseTo(box![side], 0);
  expect(placed).toMatchObject({ visible: true, width: 1280, height: 720 });
  expect(await page.evaluate(() => window.tapDriver.witness.place('r999'))).toMatchObject({ box: null });
});
