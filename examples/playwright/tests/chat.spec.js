import { expect, test } from 'unsettled/playwright';

const ask = async (page, prompt) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(prompt);
  await page.getByRole('button', { name: 'Send' }).click();
};

test.describe('the careful page', () => {
  test('shows an answer only once it is one', async ({ page }) => {
    await page.goto('/careful');
    await ask(page, 'Is it safe to drop the column?');
    await expect(page).toHaveSettled({ outcome: 'completed', text: 'Nothing has read the column' });
    await expect(page).toShowNothingFinalBefore('settlement');
    await expect(page).toHaveNoFindings();
  });

  test('says so when the connection is cut', async ({ page }) => {
    await page.goto('/careful');
    await ask(page, 'Is it safe? Then be cut off.');
    await expect(page).toHaveSettled({ outcome: 'severed' });
    await expect(page.getByText('The answer was interrupted')).toBeVisible();
    // The stream itself is at fault here, and says so; the page is not.
    await expect(page).toHaveNoFindings({ mute: ['severed-stream'] });
  });
});

test.describe('the careless page', () => {
  test('shows a thought as its answer', async ({ page }) => {
    test.fail(true, 'This is the bug. Take this line away to see how it is reported, with a capture beside it.');
    await page.goto('/careless');
    await ask(page, 'Is it safe? Then be cut off.');
    await expect(page).toHaveNoFindings({ mute: ['severed-stream'] });
  });
});
