import { expect, test } from 'vitest';
import { createPicture, type Tabs } from './picture';

const tabs = (more: Partial<Tabs>): Tabs => ({
  get: async () => ({ active: true, windowId: 3 }),
  captureVisibleTab: async (window) => `data:image/jpeg;base64,${window}`,
  ...more,
});
const refused = (words: string): Tabs =>
  tabs({
    captureVisibleTab: async () => {
      throw new Error(words);
    },
  });

test('the tab in front is pictured in its own window', async () => {
  expect(await createPicture(tabs({}))(1)).toEqual({ image: 'data:image/jpeg;base64,3', why: null });
});

test('another tab in front is never pictured for ours', async () => {
  expect(await createPicture(tabs({ get: async () => ({ active: false, windowId: 3 }) }))(1)).toEqual({ image: null, why: 'hidden' });
});

// The browsers' own words (Chromium 156, Firefox 153).
test.each([
  ["Either the '<all_urls>' or 'activeTab' permission is required.", 'permission'],
  ['Missing activeTab permission', 'permission'],
  ['This request exceeds the MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND quota.', 'busy'],
  ['Failed to capture tab: image readback failed', 'failed'],
])('%s', async (words, why) => {
  expect(await createPicture(refused(words))(1)).toEqual({ image: null, why });
});
