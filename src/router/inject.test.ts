/** Who may have the decoders, where they go, and what counts as refused. */
import { expect, it } from 'vitest';
import { DECODERS_FILE } from '../link/files';
import { createInject, type Injection } from './inject';

it('runs the file at once in the frame that asks, and nowhere else', async () => {
  const calls: Injection[] = [];
  const inject = createInject(async (injection) => {
    calls.push(injection);
    return [{}];
  });
  expect(await inject({ tab: { id: 7 }, frameId: 3 })).toEqual({ ok: true });
  expect(calls).toEqual([{ target: { tabId: 7, frameIds: [3] }, files: [DECODERS_FILE], injectImmediately: true }]);
  // A page of the extension itself.
  expect(await inject({})).toBeNull();
  expect(calls).toHaveLength(1);
});

it('says that it was refused, in either browser’s way', async () => {
  const throws = createInject(async () => {
    throw new Error('Cannot access contents of the page');
  });
  expect(await throws({ tab: { id: 7 }, frameId: 0 })).toEqual({ ok: false });
  const tells = createInject(async () => [{ error: { message: 'Missing host permission' } }]);
  expect(await tells({ tab: { id: 7 }, frameId: 0 })).toEqual({ ok: false });
});
