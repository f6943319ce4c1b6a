/**
 * The built extension in Chromium, page world and isolated world together, read through the background as a panel reads it:
 * what only the extension can see (closed shadow trees, marks of the page's world), and that nothing is lost when the
 * background dies.
 */
import { expect, test } from '@playwright/test';
import { withExtension } from './beside';
import { fold, valuesOf } from './harness';

test.describe.configure({ mode: 'serial' });

const beside = withExtension();
const { openBoth, heard, untilHeard } = beside;

const READ = `
  const response = await fetch('/chat', { method: 'POST' });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const [, word] of value.matchAll(/^data: (.*)$/gmu)) show(word + ' ');
  }
  finish();`;

const say = async (words: readonly string[]): Promise<void> => {
  await expect.poll(() => beside.streams.length).toBeGreaterThan(0);
  for (const word of words) {
    beside.streams[0]!.write(`data: ${word}\n\n`);
    await new Promise((done) => setTimeout(done, 60));
  }
  beside.streams[0]!.end();
};

test('closed shadow trees, the mark of the page, and what was said before what was shown', async () => {
  await openBoth('<chat-closed></chat-closed><button id="go">Go</button>');
  await beside.page.evaluate((read) => {
    customElements.define(
      'chat-closed',
      class extends HTMLElement {
        constructor() {
          super();
          const shadow = this.attachShadow({ mode: 'closed' });
          shadow.innerHTML = '<div class="log"></div><button>Send</button>';
          const log = shadow.querySelector('.log')!;
          const button = shadow.querySelector('button')!;
          const bubble = document.createElement('div');
          bubble.className = 'bubble';
          document.querySelector('#go')!.addEventListener('click', () => {
            button.textContent = 'Stop';
            log.append(bubble);
            const show = (word: string) => bubble.append(word);
            const finish = () => {
              button.textContent = 'Send';
              performance.mark('unsettled:final');
            };
            new Function('show', 'finish', `return (async () => {${read}})()`)(show, finish);
          });
        }
      },
    );
  }, READ);
  await beside.page.click('#go');
  await say(['behind', 'closed', 'doors']);
  const entries = await untilHeard((all) => fold(all).some((region) => region.text === 'behind closed doors' && region.rested));
  expect(valuesOf(entries, 'control', 'Stop')).toEqual(['enabled', null]);
  expect(entries.some((entry) => entry.type === 'sight.cue' && entry.kind === 'outright' && entry.value === 'final')).toBe(true);
  // No word is shown in front of the chunk that brought it.
  let said = '';
  let shown = '';
  for (const entry of entries) {
    if (entry.type === 'flow.chunk') said += [...entry.text.matchAll(/^data: (.*)$/gmu)].map((m) => `${m[1]} `).join('');
    if (entry.type === 'sight.text' && entry.edit !== null && !entry.rest) {
      shown = shown.slice(0, entry.edit.at) + entry.edit.inserted + shown.slice(entry.edit.at + entry.edit.removed);
      expect(said.startsWith(shown)).toBe(true);
    }
  }
  expect((await heard()).faults).toEqual([]);
  await beside.page.close();
  await beside.panel.close();
});

test('the background dies in the middle of a stream: nothing is lost, nothing comes twice', async () => {
  await openBoth('<div id="log"></div><button id="go">Go</button>');
  await beside.page.evaluate((read) => {
    const bubble = document.createElement('div');
    bubble.className = 'bubble';
    document.querySelector('#go')!.addEventListener('click', () => {
      document.querySelector('#log')!.append(bubble);
      new Function('show', 'finish', `return (async () => {${read}})()`)(
        (word: string) => bubble.append(word),
        () => undefined,
      );
    });
  }, READ);
  await beside.page.click('#go');
  await expect.poll(() => beside.streams.length).toBeGreaterThan(0);
  const words = Array.from({ length: 30 }, (_, i) => `word${i}`);
  const talking = say(words);
  const cdp = await beside.context.newCDPSession(beside.panel);
  await cdp.send('ServiceWorker.enable');
  for (let i = 0; i < 3; i++) {
    await untilHeard((all) => all.filter((entry) => entry.type === 'flow.chunk').length > i * 6 + 2);
    // One that is only just starting has no port of ours yet.
    await expect
      .poll(async () => {
        await cdp.send('ServiceWorker.stopAllWorkers');
        return (await heard()).deaths;
      })
      .toBeGreaterThan(i);
  }
  await cdp.detach();
  await talking;
  const entries = await untilHeard(
    (all) => all.some((entry) => entry.type === 'flow.ended') && fold(all).some((r) => r.text === words.join(' ') && r.rested),
  );
  const chunks = entries.filter((entry) => entry.type === 'flow.chunk').map((entry) => (entry.type === 'flow.chunk' ? entry.text : ''));
  expect(chunks.join('')).toBe(`: hello\n\n${words.map((word) => `data: ${word}\n\n`).join('')}`);
  expect((await heard()).faults).toEqual([]);
});
