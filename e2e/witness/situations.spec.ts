/**
 * Pages that make it hard to see: text that lags behind its stream, runs from right to left, stands in portals, toasts,
 * frames and several conversations, moves to another route, or goes on while nobody looks. Each asks for what a person at
 * the page could have seen, and when.
 */
import { expect, type Page, test } from '@playwright/test';
import type { Unstamped } from '../../src/link/messages';
import { cuesOf, entriesOf, expectValues, fold, openPage, type Shown, until, untilText, valuesOf } from './harness';

test.use({ launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] } });

const CHAT = `
  <main>
    <div id="log"><div class="msg user" data-role="user">An old question</div><div class="msg assistant">An old answer that was here before.</div></div>
    <form id="composer"><textarea aria-label="Message"></textarea><button type="button" aria-label="Send">↑</button></form>
  </main>`;

const grown = (entries: readonly Unstamped[]): Shown[] => fold(entries).filter((region) => !region.rest);
const texts = (entries: readonly Unstamped[]): string[] => grown(entries).map((region) => region.text);

test('a smoother shows the words long after they came; each is said when it was shown', async ({ page }) => {
  await openPage(page, CHAT);
  const words = 'The words come all at once and are let out one by one'.split(' ');
  const times = await page.evaluate(async (all) => {
    const flow = window.tapDriver.open();
    window.tapDriver.chunk(flow, all.join(' '));
    window.tapDriver.end(flow);
    const message = document.createElement('div');
    message.className = 'msg assistant';
    document.querySelector('#log')!.append(message);
    const shown: number[] = [];
    for (const word of all) {
      message.append(`${word} `);
      shown.push(performance.now());
      await new Promise((done) => setTimeout(done, 70));
    }
    return shown;
  }, words);
  const entries = await untilText(page, words.join(' '));
  const ended = entries.findIndex((entry) => entry.type === 'flow.ended');
  const changes = entries.filter((entry) => entry.type === 'sight.text' && !entry.rest && entry.edit !== null);
  // It went on to be watched after the end of the stream, and nothing is dated back before it was shown.
  expect(entries.indexOf(changes.at(-1)!)).toBeGreaterThan(ended);
  let length = 0;
  for (const change of changes) {
    if (change.type !== 'sight.text') continue;
    length = change.length;
    const count = words.join(' ').slice(0, length).split(' ').length;
    expect(change.at).toBeGreaterThanOrEqual(times[count - 1]! - 1);
  }
  expect(length).toBe(words.join(' ').length);
});

test('right to left, with names from left to right in it, and scripts without spaces', async ({ page }) => {
  await openPage(page, CHAT.replace('<main>', '<main dir="rtl">'));
  const samples = [
    'تم الانتهاء من الترحيل (orders.sql) بنجاح.',
    'העברת הנתונים הושלמה ב־12:40.',
    '数据库迁移已经完成，可以安全运行。',
    '移行は完了しました。次に進みます。',
    'ย้ายข้อมูลเสร็จแล้ว',
  ];
  await page.evaluate(async (all) => {
    const flow = window.tapDriver.open();
    for (const sample of all) {
      const message = document.createElement('div');
      message.className = 'msg assistant';
      message.dir = 'auto';
      document.querySelector('#log')!.append(message);
      // Letter by letter, each in an element of its own, some isolated.
      for (const letter of sample) {
        const span = document.createElement(/[a-z]/u.test(letter) ? 'bdi' : 'span');
        span.textContent = letter;
        message.append(span);
        await new Promise((done) => setTimeout(done, 4));
      }
    }
    window.tapDriver.end(flow);
  }, samples);
  const entries = await until(page, (all) =>
    samples.every((sample) => grown(all).some((region) => region.text === sample && region.rested)),
  );
  expect(texts(entries)).toEqual(samples);
});

test('a zoomed page, and one that is scaled, is read as any other', async ({ page }) => {
  await openPage(page, `<style>html { zoom: 1.75 } main { transform: scale(0.6); transform-origin: 0 0 }</style>${CHAT}`);
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const button = document.querySelector('button')!;
    button.setAttribute('aria-label', 'Stop');
    const message = document.createElement('div');
    message.className = 'msg assistant';
    message.textContent = 'Small print, and large.';
    document.querySelector('#log')!.append(message);
    await new Promise((done) => setTimeout(done, 200));
    document.documentElement.style.setProperty('zoom', '0.4');
    button.setAttribute('aria-label', 'Send');
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'Small print, and large.');
  expect(grown(entries)).toMatchObject([{ visible: true }]);
  await expectValues(page, 'control', 'Stop', ['enabled', null]);
});

/** As a tab behind another: no frames, and the document says so. */
const HIDE = `
  const frame = window.requestAnimationFrame;
  let held = [];
  let hidden = false;
  window.requestAnimationFrame = (what) => hidden ? held.push(what) : frame.call(window, what);
  Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
  Object.defineProperty(Document.prototype, 'visibilityState', { get: () => hidden ? 'hidden' : 'visible' });
  window.setHidden = (on) => {
    hidden = on;
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    if (!on) for (const what of held.splice(0)) frame.call(window, what);
  };`;

test('a hidden tab: everything is seen, and cues have the time of their change, not of a frame', async ({ page }) => {
  await page.addInitScript({ content: HIDE });
  await openPage(page, CHAT);
  const [stop, send] = await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const button = document.querySelector('button')!;
    await pause(100);
    (window as unknown as { setHidden(on: boolean): void }).setHidden(true);
    button.setAttribute('aria-label', 'Stop');
    const first = performance.now();
    const message = document.createElement('div');
    message.className = 'msg assistant';
    document.querySelector('#log')!.append(message);
    for (const word of ['Said ', 'behind ', 'your ', 'back.']) {
      window.tapDriver.chunk(flow, word);
      message.append(word);
      await pause(90);
    }
    button.setAttribute('aria-label', 'Send');
    const second = performance.now();
    await pause(200);
    window.tapDriver.end(flow);
    return [first, second];
  });
  const entries = await untilText(page, 'Said behind your back.');
  const of = (label: string, value: string | null) =>
    cuesOf(entries).findLast((cue) => cue.kind === 'control' && cue.label === label && cue.value === value && !cue.rest)!.at;
  expect(Math.abs(of('Stop', 'enabled') - stop!)).toBeLessThan(10);
  expect(Math.abs(of('Stop', null) - send!)).toBeLessThan(10);
  expect(entries.some((entry) => entry.type === 'sight.watch' && !entry.visible)).toBe(true);
  expect(grown(entries)).toHaveLength(1);
});

test('a route that changes in the middle of a run: the old text is gone, the new is watched, cues are not made up', async ({ page }) => {
  await openPage(page, `<div id="app">${CHAT}</div>`);
  await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const say = async (text: string) => {
      const message = document.createElement('div');
      message.className = 'msg assistant';
      document.querySelector('#log')!.append(message);
      for (const word of text.split(' ')) {
        message.append(`${word} `);
        await pause(40);
      }
    };
    document.querySelector('button')!.setAttribute('aria-label', 'Stop');
    await say('The beginning on the first route');
    await pause(400);
    history.pushState({}, '', '/other');
    const app = document.querySelector('#app')!;
    const page = app.innerHTML;
    app.innerHTML = '<nav>Settings</nav><p>Nothing of the chat is here.</p>';
    await pause(300);
    history.pushState({}, '', '/chat');
    app.innerHTML = page.replace(/<div class="msg assistant">The beginning[\s\S]*?<\/div>/u, '');
    await say('The whole of it on another route');
    document.querySelector('button')!.setAttribute('aria-label', 'Send');
    await pause(50);
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'The whole of it on another route');
  const first = grown(entries).find((region) => region.text.startsWith('The beginning'))!;
  expect(first.removed).toBe(true);
  // The button went with its page, came back with it, and was a send button at the end.
  await until(page, (all) => valuesOf(all, 'control', 'Stop').at(-1) === null && valuesOf(all, 'control', 'Send').at(-1) === 'enabled');
});

test('portals: an answer and its controls that are put at the end of the body', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const layer = document.createElement('div');
    layer.innerHTML = '<div role="dialog" aria-label="Assistant"><div class="answer"></div><button>Stop</button></div>';
    document.body.append(layer);
    for (const word of ['Shown ', 'in ', 'a ', 'layer.']) {
      layer.querySelector('.answer')!.append(word);
      await pause(60);
    }
    layer.querySelector('button')!.remove();
    await pause(60);
    window.tapDriver.end(flow);
  });
  await untilText(page, 'Shown in a layer.');
  await expectValues(page, 'control', 'Stop', ['enabled', null]);
});

test('a toast that comes and goes is text of its own, with the times at which it did', async ({ page }) => {
  await openPage(page, `${CHAT}<div id="toasts" role="region" aria-label="Notifications" aria-live="polite"></div>`);
  const [came, went] = await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const message = document.createElement('div');
    message.className = 'msg assistant';
    message.textContent = 'Half an ans';
    document.querySelector('#log')!.append(message);
    await pause(200);
    window.tapDriver.end(flow);
    const toast = document.createElement('div');
    toast.setAttribute('role', 'status');
    toast.textContent = 'The connection was lost.';
    document.querySelector('#toasts')!.append(toast);
    const first = performance.now();
    await pause(700);
    toast.remove();
    return [first, performance.now()];
  });
  const entries = await until(page, (all) => grown(all).some((region) => region.text === 'The connection was lost.' && region.removed));
  const of = (change: string) =>
    entries.find((entry) => entry.type === 'sight.text' && entry.change === change && entry.length === 'The connection was lost.'.length)!
      .at;
  expect(Math.abs(of('appeared') - came!)).toBeLessThan(10);
  expect(Math.abs(of('removed') - went!)).toBeLessThan(10);
  expect(grown(entries).find((region) => region.text === 'Half an ans')!.removed).toBe(false);
});

test('several conversations on one page, two of them at work at once', async ({ page }) => {
  const chat = (id: string): string =>
    `<section id="${id}" aria-label="${id}"><div class="log"><div class="msg">Old words of ${id}</div></div><textarea aria-label="To ${id}"></textarea><button>Send ${id}</button></section>`;
  await openPage(page, `<main>${['left', 'middle', 'right'].map(chat).join('')}</main>`);
  await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const talk = async (id: string, words: string, pace: number) => {
      const flow = window.tapDriver.open();
      const here = document.getElementById(id)!;
      here.querySelector('button')!.textContent = `Stop ${id}`;
      const message = document.createElement('div');
      message.className = 'msg';
      here.querySelector('.log')!.append(message);
      for (const word of words.split(' ')) {
        window.tapDriver.chunk(flow, word);
        message.append(`${word} `);
        await pause(pace);
      }
      here.querySelector('button')!.textContent = `Send ${id}`;
      window.tapDriver.end(flow);
    };
    await Promise.all([talk('left', 'The left one is quick about it', 30), talk('right', 'The right one takes its time for it', 80)]);
  });
  const entries = await until(page, (all) =>
    ['The left one is quick about it', 'The right one takes its time for it'].every((text) =>
      grown(all).some((region) => region.text === text && region.rested),
    ),
  );
  expect(texts(entries).sort()).toEqual(['The left one is quick about it', 'The right one takes its time for it']);
  for (const id of ['left', 'right']) await expectValues(page, 'control', `Stop ${id}`, ['enabled', null]);
  const said = await entriesOf(page);
  expect(valuesOf(said, 'control', 'Stop middle')).toEqual([]);
  const gone = (label: string) => cuesOf(said).find((cue) => cue.label === label && cue.value === null)!.at;
  expect(gone('Stop left')).toBeLessThan(gone('Stop right'));
});

test('a list that keeps only what is in view, while the newest message grows', async ({ page }) => {
  await openPage(page, CHAT);
  const count = 40;
  await page.evaluate(async (total) => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const log = document.querySelector('#log')!;
    const rows: { text: string }[] = [];
    // The same few elements are used again and again for other rows.
    const pool = Array.from({ length: 5 }, () => {
      const row = document.createElement('div');
      row.className = 'row msg';
      return row;
    });
    const draw = () => {
      const from = Math.max(0, rows.length - pool.length);
      for (const [i, row] of pool.entries()) {
        const item = rows[from + i];
        if (item === undefined) row.remove();
        else {
          if (row.textContent !== item.text) row.textContent = item.text;
          if (!row.isConnected) log.append(row);
        }
      }
    };
    for (let n = 0; n < total; n++) {
      rows.push({ text: '' });
      for (const word of [`Row ${n}`, ' says something', ' of its own.']) {
        rows.at(-1)!.text += word;
        draw();
        await pause(8);
      }
    }
    await pause(400);
    window.tapDriver.end(flow);
  }, count);
  const entries = await untilText(page, `Row ${count - 1} says something of its own.`);
  const now = grown(entries)
    .filter((region) => !region.removed)
    .map((region) => region.text);
  expect(now.sort()).toEqual(Array.from({ length: 5 }, (_, i) => `Row ${count - 5 + i} says something of its own.`).sort());
});

test('markdown that is rendered anew from its start for each piece, with blocks that change their kind', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const body = document.createElement('div');
    body.className = 'msg assistant markdown';
    document.querySelector('#log')!.append(body);
    for (const html of [
      '<p>Steps</p>',
      '<p>Steps:</p><p>- st</p>',
      '<p>Steps:</p><ul><li>stop</li></ul>',
      '<h2>Steps:</h2><ul><li>stop</li><li>copy<ul><li>the orders</li></ul></li></ul>',
      '<h2>Steps:</h2><ul><li>stop</li><li>copy<ul><li>the orders</li></ul></li></ul><p>| a | b |</p>',
      '<h2>Steps:</h2><ul><li>stop</li><li>copy<ul><li>the orders</li></ul></li></ul><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table><p>Done<sup><a href="#1">1</a></sup>.</p>',
    ]) {
      body.innerHTML = html;
      await pause(90);
    }
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'Steps:\nstop\ncopy\nthe orders\na b\nDone1.');
  expect(grown(entries).filter((region) => !region.removed)).toHaveLength(1);
  expect(grown(entries)[0]!.appearances).toBe(1);
});

test('a region that is split in two, and joined again, says all of its text and none of it twice', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const log = document.querySelector('#log')!;
    log.insertAdjacentHTML(
      'beforeend',
      '<div class="msg assistant" id="a"><p>The first half of it.</p><p>The second half of it.</p></div>',
    );
    await pause(400);
    // The second half becomes a message of its own.
    const second = document.createElement('div');
    second.className = 'msg assistant';
    second.id = 'b';
    second.append(document.querySelector('#a')!.lastElementChild!);
    log.append(second);
    await pause(500);
    document.querySelector('#a')!.append(second.firstElementChild!);
    second.remove();
    await pause(500);
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'The first half of it.\nThe second half of it.');
  const standing = grown(entries).filter((region) => !region.removed);
  expect(standing.map((region) => region.text)).toEqual(['The first half of it.\nThe second half of it.']);
  // In between each half stood alone.
  const seen = new Set<string>();
  for (let n = 1; n <= entries.length; n++) for (const region of grown(entries.slice(0, n))) if (!region.removed) seen.add(region.text);
  expect(seen).toContain('The first half of it.');
  expect(seen).toContain('The second half of it.');
});

const openFrames = async (page: Page): Promise<void> => {
  await openPage(page, '');
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<iframe src="/frame" style="margin: 50px; border: 5px solid; width: 600px; height: 300px"></iframe>',
    );
  });
  await expect.poll(() => page.frames().length).toBe(2);
  await page.frames()[1]!.waitForURL('**/frame');
  await page.frames()[1]!.waitForFunction(() => document.body !== null && document.readyState === 'complete');
};

test('a frame of the same origin has a witness of its own, and its regions have their place in the window', async ({ page }) => {
  await openFrames(page);
  const frame = page.frames()[1]!;
  await frame.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<main><div id="log"></div><button>Send</button></main>');
    const flow = window.tapDriver.open();
    const message = document.createElement('div');
    message.className = 'msg assistant';
    message.textContent = 'Said in a frame.';
    document.querySelector('#log')!.append(message);
    setTimeout(() => window.tapDriver.end(flow), 200);
  });
  await expect.poll(async () => texts(await frame.evaluate(() => window.tapDriver.entries.slice()))).toEqual(['Said in a frame.']);
  const [region] = grown(await frame.evaluate(() => window.tapDriver.entries.slice()));
  const placed = await frame.evaluate((key) => window.tapDriver.witness.place(key), region!.key);
  const box = (await frame.locator('.msg').boundingBox())!;
  for (const side of ['x', 'y', 'width', 'height'] as const) expect(placed.box![side]).toBeCloseTo(box[side], 0);
  // The page around it saw nothing of a stream.
  expect(texts(await entriesOf(page))).toEqual([]);
});
