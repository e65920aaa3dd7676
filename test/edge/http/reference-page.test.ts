import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../console/browser.ts';
import { stack } from '../../support/stack.ts';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
  await page.goto(`${stack().web?.url ?? ''}/docs`);
});
afterAll(async () => browser.close());

const found = async (text: string): Promise<readonly string[]> => {
  await page.getByRole('searchbox').fill(text);
  return page.locator('#results a').allTextContents();
};

describe('the search of the reference', () => {
  it.each([
    ['approve', 'operations/approve'],
    ['Policy', 'types/Policy'],
    ['return.approved', 'events/return.approved'],
    ['return_not_found', 'errors/return_not_found'],
    ['list returns', 'operations/listReturns'],
  ])('shows the exact hit for %s first', async (text, first) => {
    expect((await found(text))[0]).toBe(first);
  });

  it('shows the start page again without a search: base URL, token and the usual operations', async () => {
    await found('approve');
    expect(await page.getByText('First call').isVisible()).toBe(false);
    await found('');
    expect(await page.getByText('First call').isVisible()).toBe(true);
    const start = await page.locator('#welcome').textContent();
    expect(start).toContain('https://returns.example.com/v1');
    expect(start).toContain('{auth_url}/connect/token');
    expect(await page.locator('#welcome td a').count()).toBe(10);
    await page.locator('#welcome').getByRole('link', { name: 'createReturn' }).click();
    await page.locator('article#operations\\/createReturn').waitFor();
  });

  it.each(['/docs/errors/nope', '/docs/nope', '/docs#errors/nope'])(
    'says at %s that there is no such page',
    async (path) => {
      const other = await browser.newPage();
      await other.goto(`${stack().web?.url ?? ''}${path}`);
      const name = path.slice('/docs/'.length);
      expect(await other.locator('#results').textContent()).toBe(
        `There is no page ${name}. Search for one of its words.`,
      );
      expect(await other.getByText('First call').isVisible()).toBe(true);
      await other.close();
    },
  );
});
