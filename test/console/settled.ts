import type { Page } from 'playwright-core';

/** Waits until a screen has read what it shows. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main h1').first().waitFor();
  // The policy of the page forbids the evaluation of a text, which waitForFunction needs.
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
};
