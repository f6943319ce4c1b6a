import { expect, it } from 'vitest';
import { createPrivate } from './private';

it('says what the browser says of the tab, and nothing of one that it does not show', async () => {
  const isPrivate = createPrivate(async (tab) => {
    if (tab === 3) throw new Error('No tab with id: 3.');
    return { incognito: tab === 2 };
  });
  expect(await isPrivate(1)).toEqual({ private: false });
  expect(await isPrivate(2)).toEqual({ private: true });
  expect(await isPrivate(3)).toEqual({ private: null });
});
