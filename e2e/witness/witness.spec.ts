/** What the witness says of small pages, in a real browser. */
import { expect, test } from '@playwright/test';
import { entriesOf, expectValues, fold, openPage, until, untilText, valuesOf } from './harness';

test.use({ launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] } });

const CHAT = `
  <main>
    <div id="log"><div class="msg user" data-role="user">An old question</div><div class="msg assistant">An old answer that was here before.</div></div>
    <form id="composer"><textarea aria-label="Message"></textarea><button type="submit" aria-label="Send">↑</button></form>
  </main>`;

test('plain page: text by growth, send and stop, composer, order of times', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const log = document.querySelector('#log')!;
    const send = document.querySelector('button')!;
    const text = document.querySelector('textarea')!;
    const flow = window.tapDriver.open();
    send.setAttribute('aria-label', 'Stop');
    text.disabled = true;
    const message = document.createElement('div');
    message.className = 'msg assistant';
    log.append(message);
    for (const word of ['I ', 'should ', 'verify ', 'the ', 'migration.']) {
      window.tapDriver.chunk(flow, word);
      message.append(word);
      await new Promise((done) => setTimeout(done, 60));
    }
    window.tapDriver.end(flow);
    send.setAttribute('aria-label', 'Send');
    text.disabled = false;
  });
  await untilText(page, 'I should verify the migration.');
  await expectValues(page, 'control', 'Send', ['enabled', null, 'enabled']);
  await expectValues(page, 'control', 'Stop', ['enabled', null]);
  await expectValues(page, 'composer', 'Message', ['enabled', 'disabled', 'enabled']);
  const entries = await entriesOf(page);
  const regions = fold(entries);
  expect(regions.filter((r) => !r.rest).map((r) => r.text)).toEqual(['I should verify the migration.']);
  // What was there before and is near is said as such.
  expect(regions.filter((r) => r.rest).map((r) => [r.text, r.presentedAs])).toEqual([
    ['An old question', 'user'],
    ['An old answer that was here before.', 'unknown'],
  ]);
  // Whatever the page did with the last chunk stands behind it.
  const lastChunk = entries.findLastIndex((e) => e.type === 'flow.chunk');
  const stopGone = entries.findIndex((e) => e.type === 'sight.cue' && e.label === 'Stop' && e.value === null);
  expect(stopGone).toBeGreaterThan(lastChunk);
  expect(entries[stopGone]!.at).toBeGreaterThanOrEqual(entries[lastChunk]!.at);
});

test('a stop button that nothing but its icon names', async ({ page }) => {
  await openPage(
    page,
    '<div id="log"></div><form><textarea aria-label="Message"></textarea><div role="button" id="go" tabindex="0"><svg><path d="M0 0L9 5"/></svg></div></form>',
  );
  await page.evaluate(async () => {
    const go = document.querySelector('#go')!;
    const arrow = go.innerHTML;
    const flow = window.tapDriver.open();
    go.innerHTML = '<div class="stop-icon"></div>';
    const message = document.createElement('p');
    document.querySelector('#log')!.append(message);
    for (const word of ['It ', 'stops ', 'here.']) {
      window.tapDriver.chunk(flow, word);
      message.append(word);
      await new Promise((done) => setTimeout(done, 60));
    }
    window.tapDriver.end(flow);
    go.innerHTML = arrow;
  });
  await untilText(page, 'It stops here.');
  await expectValues(page, 'control', 'stop-icon', ['enabled', null]);
});

test('markdown: paragraphs, lists, code, tables and links are one region', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const message = document.createElement('div');
    message.className = 'msg assistant';
    const body = document.createElement('div');
    body.className = 'markdown-body';
    message.append(body);
    document.querySelector('#log')!.append(message);
    const steps = [
      '<p>First <strong>bold</strong> and a <a href="#">link</a>.</p>',
      '<ul><li>one</li><li>two <em>more</em></li></ul>',
      '<div class="code-block"><div class="bar"><button>Copy</button></div><pre><code>const a = 1;\nconst b = 2;</code></pre></div>',
      '<table><thead><tr><th>k</th><th>v</th></tr></thead><tbody><tr><td>x</td><td>y</td></tr></tbody></table>',
      '<p>Last.</p>',
    ];
    for (const step of steps) {
      body.insertAdjacentHTML('beforeend', step);
      await new Promise((done) => setTimeout(done, 80));
    }
    window.tapDriver.end(flow);
  });
  await untilText(page, 'First bold and a link.\none\ntwo more\nconst a = 1;\nconst b = 2;\nk v\nx y\nLast.');
  const grown = fold(await entriesOf(page)).filter((r) => !r.rest && !r.removed);
  expect(grown).toHaveLength(1);
});

test('re-render: a message that is replaced by the same one keeps its key and never goes', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const log = document.querySelector('#log')!;
    let text = '';
    let message: Element | null = null;
    for (let i = 0; i < 12; i++) {
      text += `word${i} `;
      const next = document.createElement('div');
      next.className = 'msg assistant';
      next.innerHTML = `<p>${text}</p>`;
      if (message === null) log.append(next);
      else message.replaceWith(next);
      message = next;
      await new Promise((done) => setTimeout(done, 50));
    }
    window.tapDriver.end(flow);
  });
  const text = Array.from({ length: 12 }, (_, i) => `word${i}`).join(' ');
  const entries = await untilText(page, text);
  const grown = fold(entries).filter((r) => !r.rest);
  expect(grown.map((r) => r.appearances)).toEqual([1]);
  expect(entries.some((e) => e.type === 'sight.text' && e.change === 'removed')).toBe(false);
});

test('paragraphs straight in a log are messages of their own; a second run is not the first', async ({ page }) => {
  await openPage(page, '<div id="log"><p>hello there old one</p></div><input aria-label="Ask"><button>Send</button>');
  const say = (text: string): Promise<void> =>
    page.evaluate(async (words) => {
      const flow = window.tapDriver.open();
      await new Promise((done) => setTimeout(done, 60));
      const p = document.createElement('p');
      document.querySelector('#log')!.append(p);
      for (const word of words.split(' ')) {
        p.append(`${word} `);
        await new Promise((done) => setTimeout(done, 40));
      }
      window.tapDriver.end(flow);
      await new Promise((done) => setTimeout(done, 60));
    }, text);
  await say('The first answer');
  await untilText(page, 'The first answer');
  await say('The second answer');
  const entries = await untilText(page, 'The second answer');
  expect(
    fold(entries)
      .filter((r) => !r.rest)
      .map((r) => r.text),
  ).toEqual(['The first answer', 'The second answer']);
});

test('word by word in spans, animated, with a duplicate for screen readers', async ({ page }) => {
  await openPage(
    page,
    `${CHAT}<style>@keyframes in { from { opacity: 0 } to { opacity: 1 } } .w { animation: in 0.2s } .sr { position: absolute; clip-path: inset(50%) }</style>`,
  );
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const message = document.createElement('div');
    message.className = 'msg assistant';
    const p = document.createElement('p');
    message.append(p);
    document.querySelector('#log')!.append(message);
    for (const word of 'per word animation of 漢字 and 👩‍👩‍👧 emoji'.split(' ')) {
      const span = document.createElement('span');
      span.className = 'w';
      span.textContent = `${word} `;
      p.append(span);
      await new Promise((done) => setTimeout(done, 40));
    }
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'per word animation of 漢字 and 👩‍👩‍👧 emoji');
  // A fade that ends is not an endless animation.
  expect(entries.some((e) => e.type === 'sight.cue' && e.kind === 'animation')).toBe(false);
});

test('disclosures and named places are reasoning, also when they are closed', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const log = document.querySelector('#log')!;
    const message = document.createElement('div');
    message.className = 'msg assistant';
    message.innerHTML = `
      <details><summary>Details</summary><div class="inner"></div></details>
      <button aria-expanded="false" aria-controls="c1">推理过程</button><div id="c1"><p></p></div>
      <div class="xyz"><h4>Thinking…</h4><div class="k1"></div></div>
      <div class="answer"></div>`;
    log.append(message);
    const [a, b, c, d] = ['.inner', '#c1 p', '.k1', '.answer'].map((s) => message.querySelector(s)!);
    for (const word of 'this is all of it'.split(' ')) {
      a!.append(`A${word} `);
      b!.append(`B${word} `);
      c!.append(`C${word} `);
      d!.append(`D${word} `);
      await new Promise((done) => setTimeout(done, 40));
    }
    window.tapDriver.end(flow);
  });
  const full = (letter: string) => 'this is all of it'.replace(/\S+/gu, (w) => letter + w);
  const entries = await until(page, (all) =>
    ['A', 'B', 'C', 'D'].every((l) => fold(all).some((r) => r.text.endsWith(full(l)) && r.rested)),
  );
  const by = (letter: string) => fold(entries).find((r) => r.text.endsWith(full(letter)))!;
  expect(by('A')).toMatchObject({ presentedAs: 'reasoning', visible: false, label: 'Details' });
  expect(by('B')).toMatchObject({ presentedAs: 'reasoning', visible: true, label: '推理过程' });
  expect(by('C')).toMatchObject({ presentedAs: 'reasoning', visible: true });
  expect(by('D')).toMatchObject({ presentedAs: 'unknown', visible: true });
});

test('a list named progress and a named group stand apart from the turn around them', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const turn = document.createElement('article');
    turn.innerHTML = '<p>Where is it set?</p>';
    document.querySelector('#log')!.append(turn);
    const settled = () => new Promise((done) => setTimeout(done, 60));
    await settled();
    turn.insertAdjacentHTML('beforeend', '<ul aria-label="Progress"><li>Reading the configuration.</li></ul>');
    await settled();
    turn.insertAdjacentHTML('beforeend', '<div role="group" aria-label="Question"><p>Staging or production?</p></div>');
    await settled();
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'Staging or production?');
  expect(fold(entries).find((r) => r.text === 'Reading the configuration.')).toMatchObject({ presentedAs: 'progress', label: 'Progress' });
});

test('open shadow trees and slots', async ({ page }) => {
  await openPage(
    page,
    '<chat-app></chat-app>',
    `customElements.define('chat-message', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<div class="bubble"><slot></slot></div>'; } });
     customElements.define('chat-app', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<div id="log"></div><button>Send</button>'; } });`,
  );
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const root = document.querySelector('chat-app')!.shadowRoot!;
    root.querySelector('button')!.textContent = 'Stop';
    const message = document.createElement('chat-message');
    root.querySelector('#log')!.append(message);
    for (const word of 'inside a shadow tree'.split(' ')) {
      message.append(`${word} `);
      await new Promise((done) => setTimeout(done, 60));
    }
    root.querySelector('button')!.textContent = 'Send';
    window.tapDriver.end(flow);
  });
  await untilText(page, 'inside a shadow tree');
  await expectValues(page, 'control', 'Stop', ['enabled', null]);
});

test('a slotted note whose host has no box of its own is visible, and not while what holds it is hidden', async ({ page }) => {
  await openPage(
    page,
    '<main><div id="log"></div></main>',
    `customElements.define('a-note', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<style>:host { display: contents }</style><div><slot></slot></div>'; } });`,
  );
  await page.evaluate(async () => {
    const settled = () => new Promise((done) => setTimeout(done, 60));
    const flow = window.tapDriver.open();
    document.querySelector('#log')!.innerHTML = '<a-note>The answer was cut off.</a-note><a-note id="shut">Nobody reads this one.</a-note>';
    document.querySelector('#shut')!.shadowRoot!.querySelector('div')!.hidden = true;
    await settled();
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'Nobody reads this one.');
  const shown = (text: string) => fold(entries).find((region) => region.text === text)?.visible;
  expect(shown('The answer was cut off.')).toBe(true);
  expect(shown('Nobody reads this one.')).toBe(false);
});

test('a caret that its own style takes away is gone, and there when it is given back', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(() => {
    const flow = window.tapDriver.open();
    window.tapDriver.chunk(flow, 'So far');
    const message = document.createElement('div');
    message.className = 'msg assistant';
    message.innerHTML = '<span>So far </span><span id="caret" style="display: none">▍</span>';
    document.querySelector('#log')!.append(message);
  });
  await untilText(page, 'So far');
  const show = (display: string) =>
    page.evaluate((value) => {
      document.querySelector<HTMLElement>('#caret')!.style.display = value;
    }, display);
  await show('');
  await expectValues(page, 'caret', '▍', ['▍']);
  await show('none');
  await expectValues(page, 'caret', '▍', ['▍', null]);
});

test('a progress bar that is folded to no height is no busy mark', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const settled = () => new Promise((done) => setTimeout(done, 60));
    const flow = window.tapDriver.open();
    document
      .querySelector('#log')!
      .insertAdjacentHTML('beforeend', '<div role="progressbar" style="height: 4px"><div style="height: 100%"></div></div><p>So far</p>');
    await settled();
    (document.querySelector('[role=progressbar]') as HTMLElement).style.height = '0';
    await settled();
    window.tapDriver.end(flow);
  });
  await expectValues(page, 'busy', 'progressbar', ['true', null]);
});

test('what is drawn anew with the animation it had never stopped', async ({ page }) => {
  await openPage(
    page,
    `${CHAT}<style>@keyframes turn { to { rotate: 1turn } } i { animation: turn 1s infinite; display: block; width: 9px; height: 9px }</style>`,
  );
  await page.evaluate(async () => {
    const flow = window.tapDriver.open();
    const log = document.querySelector('#log')!;
    const draw = (text: string, works: boolean): void => {
      log.innerHTML = `<section id="card">${works ? '<i></i>' : ''}<p>${text}</p></section>`;
    };
    let text = '';
    for (const word of 'a card that is swapped whole for each of its words'.split(' ')) {
      text += `${word} `;
      draw(text, true);
      await new Promise((done) => setTimeout(done, 70));
    }
    draw(text, false);
    window.tapDriver.end(flow);
  });
  await expectValues(page, 'animation', 'turn', ['running', null]);
});

test('that the page writes into a field is told, and never what; what a person types is not', async ({ page }) => {
  await openPage(page, `${CHAT}<textarea id="draft"></textarea><input id="mine" />`);
  await page.evaluate(() => void window.tapDriver.open());
  await page.locator('#mine').pressSequentially('typed by hand');
  await page.evaluate(async () => {
    const draft = document.querySelector<HTMLTextAreaElement>('#draft')!;
    for (const word of ['Dear', ' neighbours']) {
      draft.value += word;
      await new Promise((done) => setTimeout(done, 400));
    }
  });
  await expectValues(page, 'attribute', 'filled', ['by the page']);
  const entries = await until(page, () => true);
  expect(JSON.stringify(entries)).not.toMatch(/neighbours|typed by hand/u);
});

test('busy marks, endless animations, carets, classes, attributes and the page own word', async ({ page }) => {
  await openPage(
    page,
    `${CHAT}<style>@keyframes turn { to { rotate: 1turn } } .spin { animation: turn 1s infinite; width: 9px; height: 9px } .blink::after { content: '|'; animation: turn 1s infinite }</style>`,
  );
  await page.evaluate(async () => {
    const pause = () => new Promise((done) => setTimeout(done, 120));
    const flow = window.tapDriver.open();
    const log = document.querySelector('#log')!;
    const message = document.createElement('div');
    message.className = 'msg assistant is-streaming';
    message.setAttribute('data-status', 'streaming');
    message.setAttribute('aria-busy', 'true');
    message.innerHTML = '<div class="body"><p class="blink"></p></div><div class="spin"></div>';
    log.append(message);
    const p = message.querySelector('p')!;
    performance.mark('unsettled:working');
    for (const word of ['so ', 'far']) {
      p.textContent = `${p.textContent!.replace('▍', '')}${word}▍`;
      await pause();
    }
    await pause();
    p.textContent = p.textContent!.replace('▍', '');
    p.className = '';
    message.className = 'msg assistant';
    message.setAttribute('data-status', 'done');
    message.removeAttribute('aria-busy');
    message.querySelector('.spin')!.remove();
    message.setAttribute('data-unsettled', 'final');
    performance.mark('unsettled:final', { detail: 'r-1' });
    await pause();
    window.tapDriver.end(flow);
  });
  await untilText(page, 'so far');
  // What an element stood for as it went is told with it.
  const entries = await until(
    page,
    (all) => valuesOf(all, 'animation', 'turn').at(-1) === null && valuesOf(all, 'caret', '▍').at(-1) === null,
  );
  const last = (kind: string, label: string) => valuesOf(entries, kind, label);
  expect(last('busy', 'aria-busy')).toEqual(['true', null]);
  expect(new Set(last('animation', 'turn'))).toEqual(new Set(['running', null]));
  expect(last('animation', 'turn').at(-1)).toBe(null);
  expect(last('caret', '▍')).toEqual(['▍', null]);
  expect(last('class', 'is-streaming')).toEqual(['is-streaming', null]);
  expect(last('attribute', 'data-status')).toEqual(['streaming', 'done']);
  expect(last('outright', 'data-unsettled')).toEqual(['final']);
  expect(
    entries.filter((e) => e.type === 'sight.cue' && e.key === 'outright|mark').map((e) => e.type === 'sight.cue' && [e.value, e.label]),
  ).toEqual([
    ['working', null],
    ['final', 'r-1'],
  ]);
});

test('a virtual list: messages that leave and come back are the same regions', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    const log = document.querySelector('#log')!;
    const make = (text: string) => {
      const message = document.createElement('div');
      message.className = 'msg assistant';
      message.textContent = text;
      return message;
    };
    const first = make('A first message that is long enough');
    log.append(first);
    await pause(350);
    first.remove();
    log.append(make('A second message, quite another one'));
    await pause(350);
    log.append(make('A first message that is long enough'));
    await pause(350);
    window.tapDriver.end(flow);
  });
  const entries = await until(page, (all) => fold(all).some((r) => r.text.startsWith('A first') && r.appearances === 2 && r.rested));
  expect(
    fold(entries)
      .filter((r) => !r.rest)
      .map((r) => [r.text, r.appearances]),
  ).toEqual([
    ['A first message that is long enough', 2],
    ['A second message, quite another one', 1],
  ]);
  expect(entries.filter((e) => e.type === 'sight.text' && e.change === 'removed')).toHaveLength(1);
});

test('nothing is said while no flow is open; the person typing is nobody business', async ({ page }) => {
  await openPage(page, CHAT);
  await page.fill('textarea', 'my own private words');
  await page.evaluate(() => document.querySelector('#log')!.append('a text of the page'));
  expect(await entriesOf(page)).toEqual([]);
  const flow = await page.evaluate(() => window.tapDriver.open());
  await until(page, (all) => all.some((e) => e.type === 'sight.watch' && e.state === 'started'));
  await page.fill('textarea', 'more private words');
  await page.evaluate((f) => {
    const p = document.createElement('div');
    p.className = 'msg';
    p.textContent = 'an answer';
    document.querySelector('#log')!.append(p);
    window.tapDriver.end(f);
  }, flow);
  const entries = await untilText(page, 'an answer');
  expect(JSON.stringify(entries)).not.toContain('private words');
});

test('an outline is there only while asked for, and is no part of the page', async ({ page }) => {
  await openPage(page, CHAT);
  await page.evaluate(() => {
    const flow = window.tapDriver.open();
    const div = document.createElement('div');
    div.className = 'msg';
    div.textContent = 'point at me';
    document.querySelector('#log')!.append(div);
    window.tapDriver.end(flow);
  });
  const entries = await untilText(page, 'point at me');
  const key = fold(entries).find((r) => r.text === 'point at me')!.key;
  await page.evaluate((k) => window.tapDriver.witness.point(k), key);
  const overlay = page.locator('unsettled-overlay');
  await expect(overlay).toHaveCount(1);
  expect(await page.evaluate(() => document.querySelector('unsettled-overlay')!.shadowRoot)).toBe(null);
  await page.evaluate(() => window.tapDriver.witness.point(null));
  await expect(overlay).toHaveCount(0);
});

test('a card that is taken to another column, below others, is told with the new name of its place', async ({ page }) => {
  const lane = (name: string, cards: string): string => `<div class="lane"><h3>${name}</h3>${cards}</div>`;
  const old = '<article><b>An older card</b><p>With its text.</p></article>'.repeat(2);
  await openPage(page, `<div id="board">${lane('Läuft', '')}${lane('Erledigt', old)}</div><input aria-label="Task"><button>Add</button>`);
  await page.evaluate(async () => {
    const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const flow = window.tapDriver.open();
    await pause(60);
    const [first, last] = document.querySelectorAll('.lane');
    const card = document.createElement('article');
    const words = document.createElement('p');
    card.append(words);
    first!.append(card);
    words.textContent = 'The text of the card';
    await pause(700);
    last!.append(card);
    await pause(700);
    window.tapDriver.end(flow);
  });
  const labels = (all: Awaited<ReturnType<typeof entriesOf>>): readonly (string | null)[] =>
    all.flatMap((e) => (e.type === 'sight.text' && !e.rest && e.change !== 'removed' ? [e.region.label] : []));
  const entries = await until(page, (all) => labels(all).includes('Erledigt'));
  expect([...new Set(labels(entries))]).toEqual(['Läuft', 'Erledigt']);
});
