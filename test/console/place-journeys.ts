import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { auditor, author, operator } from '../support/users.ts';
import type { Journey } from './journeys.ts';
import { declareWithdrawal, makeEndpoint, requestReturn } from './shop.ts';

let platform = '';
let customer = '';

/** Requests more returns than a page of the queue has. */
const manyReturns = async (): Promise<string> => {
  platform = `many-${randomUUID().slice(0, 8)}`;
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.all(Array.from({ length: 6 }, async () => requestReturn({ platform, quantity: 1 })));
  return `/?view=to_decide&platform=${platform}`;
};

const twoReturns = async (): Promise<string> => {
  platform = `two-${randomUUID().slice(0, 8)}`;
  await Promise.all([requestReturn({ platform }), requestReturn({ platform })]);
  return `/?view=to_decide&platform=${platform}`;
};

const rows = (page: Page) => page.locator('tbody tr');

/** What a person sees of a list: its rows, the scroll position, and the row with the focus. */
const placeOf = async (page: Page): Promise<unknown> =>
  page.evaluate(
    `[document.querySelectorAll('tbody tr').length, Math.round(scrollY), document.activeElement?.getAttribute('href')]`,
  );

/** Waits until a list is as it was. */
const expectPlace = async (page: Page, place: unknown): Promise<void> => {
  await expect.poll(async () => placeOf(page)).toEqual(place);
};

/** Where a person is, and how to come back. */
export const placeJourneys: readonly Journey[] = [
  {
    title: 'finds rows, scroll position and focus of the queue again, after Back and after a reload',
    person: operator,
    quick: true,
    before: manyReturns,
    run: async (page) => {
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('60 returns. End of the list.').waitFor();
      const link = rows(page).nth(54).getByRole('link').first();
      await link.scrollIntoViewIfNeeded();
      const opened = await link.getAttribute('href');
      await link.focus();
      const before = await placeOf(page);
      expect(before).toEqual([60, expect.any(Number), opened]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: /^Return / }).waitFor();
      expect(await page.evaluate('[scrollY, document.activeElement.id]')).toEqual([0, 'content']);
      // The title follows the return, which the heading does not wait for.
      await expect.poll(async () => page.title()).toMatch(/^[0-9A-Z]{11} · Requested · Returns$/);
      await page.goBack();
      await expectPlace(page, before);
      expect(await page.title()).toBe('To decide · Returns');
      await page.reload();
      await expectPlace(page, before);
      // The list is read again, and nothing moves.
      await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
      await expectPlace(page, before);
    },
  },
  {
    title: 'goes through the returns of a list by keys, and comes back to the list in one step',
    person: operator,
    before: twoReturns,
    run: async (page) => {
      const links = rows(page).locator('.queue-link');
      const [first = '', second = ''] = await links.allTextContents();
      await links.first().click();
      const heading = (rma: string) => page.getByRole('heading', { level: 1, name: `Return ${rma}` });
      await heading(first).waitFor();
      const here = page.locator('header.top nav [aria-current]');
      expect(await here.allTextContents()).toEqual(['Returns']);
      await page.keyboard.press('j');
      await heading(second).waitFor();
      expect(await page.getByRole('button', { name: 'Next return' }).count()).toBe(0);
      await page.keyboard.press('k');
      await heading(first).waitFor();
      await page.locator('.crumb a').click();
      await page.waitForURL(/view=to_decide&platform=/);
      await page.locator('.queue-link:focus').waitFor();
      expect(await rows(page).count()).toBe(2);
    },
  },
  {
    title: 'takes back a filter by Back, also after a reload',
    person: operator,
    before: async () => {
      await requestReturn();
      return '/';
    },
    run: async (page) => {
      const status = page.getByRole('combobox', { name: 'Status' });
      await status.selectOption('Completed');
      await page.waitForURL(/status=completed/);
      await page.getByRole('combobox', { name: 'Next step by' }).selectOption('Finance');
      await page.waitForURL(/nextBy=finance/);
      await page.goBack();
      expect(new URL(page.url()).search).toBe('?status=completed');
      await page.reload();
      await rows(page).or(page.getByText('No return matches.')).first().waitFor();
      await page.goBack();
      await page.waitForURL(/\/console$/);
      expect(await status.inputValue()).toBe('');
    },
  },
  {
    title: 'shows a search for a customer again after Back and a reload, and no address has the name',
    person: operator,
    before: async () => {
      customer = `Beatriz ${randomUUID().replaceAll('-', '')}`;
      await requestReturn({ texts: { customer } });
      return '/';
    },
    run: async (page) => {
      const addresses: string[] = [];
      page.on('framenavigated', (frame) => addresses.push(frame.url()));
      const field = page.getByRole('searchbox');
      await field.fill(customer);
      await field.press('Enter');
      const heading = page.getByRole('heading', { name: `Results for ${customer}` });
      const found = rows(page).filter({ hasText: customer });
      await heading.waitFor();
      await found.locator('.queue-link').click();
      await page.getByRole('heading', { level: 1, name: /^Return / }).waitFor();
      await page.goBack();
      await heading.waitFor();
      await found.waitFor();
      expect([await found.count(), await field.inputValue()]).toEqual([1, customer]);
      await page.reload();
      await heading.waitFor();
      await found.waitFor();
      expect([await found.count(), await field.inputValue()]).toEqual([1, customer]);
      // One more step leads to the list before the search.
      await page.goBack();
      await heading.waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe('');
      expect(addresses.filter((address) => address.includes(customer))).toEqual([]);
      expect(String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'))).toBe(
        '[{},{}]',
      );
    },
  },
  {
    title: 'gives the search of one person to no other one in the same tab',
    person: operator,
    run: async (page, { context }) => {
      await page.getByRole('searchbox').fill('Beatriz Almeida');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Results for Beatriz Almeida' }).waitFor();
      await context.clearCookies();
      await page.reload();
      await page.getByRole('button', { name: 'Carla Dias' }).click();
      await rows(page).or(page.getByText('No return matches.')).first().waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
    },
  },
  {
    title: 'comes back from a declaration to the filtered list, and titles each tab by what it shows',
    person: auditor,
    before: async () => {
      await declareWithdrawal({ name: 'Ada Example', contract: 'Order 1001' });
      return '/withdrawals?status=declared';
    },
    run: async (page) => {
      await rows(page).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'What the consumer declared' }).waitFor();
      expect(await page.title()).toMatch(/^Withdrawal wdr_\w+ · Returns$/);
      await page.locator('.crumb a').click();
      await page.waitForURL(/\/withdrawals\?status=declared$/);
      await expect.poll(async () => page.evaluate('document.activeElement.pathname')).toMatch(/\/withdrawals\/wdr_/);
      await page.goForward();
      await page.getByRole('heading', { name: 'What the consumer declared' }).waitFor();
    },
  },
  {
    title: 'takes back a filter of the deliveries of an endpoint',
    person: author,
    before: async () => `/endpoints/${await makeEndpoint()}`,
    run: async (page) => {
      const status = page.getByRole('group', { name: 'Filters' }).getByLabel('Status');
      await status.selectOption({ index: 1 });
      await page.waitForURL(/status=/);
      await page.goBack();
      await expect.poll(async () => status.inputValue()).toBe('');
    },
  },
  {
    title: 'skips the navigation by its link',
    person: operator,
    run: async (page) => {
      await rows(page).or(page.getByText('No return matches.')).first().waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#content:focus').waitFor();
    },
  },
];
