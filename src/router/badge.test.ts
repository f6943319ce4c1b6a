/** Whose button shows what. */
import { expect, it } from 'vitest';
import { createBadge } from './badge';

const setUp = (listens: boolean) => {
  const shown: [number, string][] = [];
  const told: [number, string, number][] = [];
  const badge = createBadge({
    show: async (tab, text) => void shown.push([tab, text]),
    tell: async (tab, call) => {
      if (!listens) throw new Error('Receiving end does not exist');
      told.push([tab, call.document, call.count]);
    },
  });
  return { badge, shown, told };
};

it('shows what the tab’s own document says', () => {
  const { badge, shown } = setUp(true);
  badge(1, { link: 1, type: 'badge', count: 3 });
  badge(1, { link: 1, type: 'badge', count: 0 });
  badge(2, { link: 1, type: 'badge', count: 1_000 });
  expect(shown).toEqual([
    [1, '3'],
    [1, ''],
    [2, '99+'],
  ]);
});

it('hands a frame’s count on, and shows it where the tab’s own document is none of ours', async () => {
  const { badge, shown, told } = setUp(true);
  badge(1, { link: 1, type: 'count', document: 'd', count: 2 });
  expect(told).toEqual([[1, 'd', 2]]);
  expect(shown).toEqual([]);
  const alone = setUp(false);
  alone.badge(1, { link: 1, type: 'count', document: 'd', count: 2 });
  await Promise.resolve();
  await Promise.resolve();
  expect(alone.shown).toEqual([[1, '2']]);
});
