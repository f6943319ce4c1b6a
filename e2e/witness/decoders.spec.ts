/**
 * The decoders are brought into a document when a stream comes that could be an agent's: into that frame and no other, never
 * for ordinary traffic, though the background dies over it; and where they are refused nothing is lost.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Frame, test } from '@playwright/test';
import type { Browser } from 'webextension-polyfill';
import { DECODERS_FILE } from '../../src/link/files';
import { DECODERS } from '../../src/witness/load';
import { withExtension } from './beside';

test.describe.configure({ mode: 'serial' });

const beside = withExtension((request, response) => {
  if (request.url === '/api/balance') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"balance":12,"items":[{"type":"a","status":"ok"}]}');
    return true;
  }
  if (request.url === '/clock') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: twelve\n\ndata: thirteen\n\n');
    return true;
  }
  if (request.url === '/picture.svg') {
    response.writeHead(200, { 'content-type': 'image/svg+xml' });
    response.end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    return true;
  }
  if (request.url === '/completion') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      '{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
    );
    return true;
  }
  if (request.url === '/house') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"ourKind":"reply","words":"Done."}');
    return true;
  }
  return false;
});

/** Whether the decoders are in the isolated world of each of the page's frames, by the frame's address. */
const loadedIn = async (): Promise<Record<string, boolean>> => {
  const session = await beside.context.newCDPSession(beside.page);
  const contexts: { id: number; frame: string }[] = [];
  session.on('Runtime.executionContextCreated', ({ context }) => {
    const aux = context.auxData as { type?: string; frameId?: string } | undefined;
    if (aux?.type === 'isolated' && context.origin.startsWith('chrome-extension://'))
      contexts.push({ id: context.id, frame: aux.frameId ?? '' });
  });
  await session.send('Runtime.enable');
  const found: Record<string, boolean> = {};
  for (const { id } of contexts) {
    const { result } = await session.send('Runtime.evaluate', {
      contextId: id,
      expression: `[location.href, ${JSON.stringify(DECODERS)} in globalThis]`,
      returnByValue: true,
    });
    const [href, here] = result.value as [string, boolean];
    found[href.replace(beside.origin, '')] = here;
  }
  await session.detach();
  return found;
};

const STREAM = ['{"choices":[{"delta":{"content":"Hel"}}]}', '{"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}'];
const stream = (frame: Frame): Promise<unknown> =>
  frame.evaluate(() => {
    void fetch('/chat', { method: 'POST' }).then((response) => response.text());
  });
/** On the newest of so many streams. */
const say = async (streams = 1): Promise<void> => {
  await expect.poll(() => beside.streams.length).toBe(streams);
  for (const data of STREAM) beside.streams.at(-1)!.write(`data: ${data}\n\n`);
};
const closeBoth = async (): Promise<void> => {
  await beside.page.close();
  await beside.panel.close();
};

test('not for answers, pictures, code and a clock', async () => {
  await beside.openBoth('<img src="/picture.svg">');
  await beside.page.evaluate(async () => {
    await (await fetch('/api/balance')).json();
    await (await fetch('/clock')).text();
    await (await fetch('/picture.svg')).text();
  });
  // The clock is kept, as every stream is; by then everything before it has been decided.
  await beside.untilHeard((entries) => entries.some((entry) => entry.type === 'flow.ended'));
  expect(await loadedIn()).toEqual({ '/': false });
  const entries = (await beside.heard()).entries;
  expect(
    entries
      .filter((entry) => entry.type === 'flow.opened')
      .map((entry) => (entry.type === 'flow.opened' ? new URL(entry.url).pathname : '')),
  ).toEqual(['/clock']);
  await closeBoth();
});

test('for a stream, in the frame that has it, and for a whole answer', async () => {
  await beside.openBoth('<iframe src="/inner"></iframe><iframe srcdoc="<p>in</p>"></iframe>');
  const inner = beside.page.frames().find((frame) => frame.url().endsWith('/inner'))!;
  await stream(inner);
  await say();
  await expect.poll(loadedIn).toMatchObject({ '/': false, '/inner': true, 'about:srcdoc': false });
  const srcdoc = beside.page.frames().find((frame) => frame.url() === 'about:srcdoc')!;
  await stream(srcdoc);
  await say(2);
  await expect.poll(loadedIn).toMatchObject({ '/': false, '/inner': true, 'about:srcdoc': true });
  await beside.page.evaluate(async () => void (await (await fetch('/completion', { method: 'POST', body: '{}' })).json()));
  await beside.untilHeard((entries) => entries.some((entry) => entry.type === 'flow.opened' && entry.url.endsWith('/completion')));
  expect(await loadedIn()).toMatchObject({ '/': true });
  await closeBoth();
});

test('though the background dies whenever it is asked', async () => {
  await beside.openBoth('<p>page</p>');
  const cdp = await beside.context.newCDPSession(beside.panel);
  await cdp.send('ServiceWorker.enable');
  const kill = async (): Promise<number> => {
    await cdp.send('ServiceWorker.stopAllWorkers');
    return (await beside.heard()).deaths;
  };
  await kill();
  await stream(beside.page.mainFrame());
  await say();
  for (let i = 0; i < 3; i++) await expect.poll(kill).toBeGreaterThan(i);
  await cdp.detach();
  await expect.poll(loadedIn, { timeout: 15_000 }).toMatchObject({ '/': true });
  await closeBoth();
});

test('what only a mapping knows is kept, and dropped without one', async () => {
  const house = (): Promise<void> =>
    beside.page.evaluate(async () => void (await (await fetch('/house', { method: 'POST', body: '{}' })).json()));
  const opened = async (): Promise<number> => (await beside.heard()).entries.filter((entry) => entry.type === 'flow.opened').length;
  await beside.openBoth('<p>page</p>');
  await house();
  const mapping = JSON.stringify({
    unsettledMapping: 1,
    id: 'house',
    recognise: { where: [{ path: 'ourKind' }] },
    type: 'ourKind',
    events: { reply: { does: 'replace', voice: 'assistant', text: 'words' } },
  });
  await beside.panel.evaluate(async (text) => {
    await (globalThis as unknown as { chrome: Browser }).chrome.storage.local.set({ panel: { mappings: [text] } });
  }, mapping);
  await beside.page.reload();
  await house();
  await beside.untilHeard((entries) => entries.some((entry) => entry.type === 'flow.opened' && entry.url.endsWith('/house')));
  expect(await opened()).toBe(1);
  await beside.panel.evaluate(async () => {
    await (globalThis as unknown as { chrome: Browser }).chrome.storage.local.remove('panel');
  });
  await closeBoth();
});

test('refused: everything is there, and a gap says so', async () => {
  await beside.openBoth('<p>page</p>');
  // The browser has nothing to run, which it says as it says any other refusal.
  rmSync(join(beside.dir, DECODERS_FILE));
  await stream(beside.page.mainFrame());
  await say();
  await beside.untilHeard((all) => all.some((entry) => entry.type === 'gap' && entry.reason === 'fault'));
  beside.streams.at(-1)!.end();
  const entries = await beside.untilHeard((all) => all.some((entry) => entry.type === 'flow.ended'));
  const text = entries.map((entry) => (entry.type === 'flow.chunk' ? entry.text : '')).join('');
  expect(text).toBe(`: hello\n\n${STREAM.map((data) => `data: ${data}\n\n`).join('')}`);
  expect(await loadedIn()).toEqual({ '/': false });
  await closeBoth();
});
