import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { auditor, operator } from '../support/users.ts';
import type { Journey } from './journeys.ts';
import { approve, inspectedReturn, requestReturn, shippedReturn } from './shop.ts';
import { signInAs } from './visit.ts';

let made: Awaited<ReturnType<typeof requestReturn>>;

const rows = (page: Page) => page.locator('tbody tr');

/** Requests returns of a platform of their own: other tests change the returns of others. */
const requestMany = async (count: number): Promise<string> => {
  const platform = `queue-${randomUUID().slice(0, 8)}`;
  for (let made = 0; made < count; made += 5)
    await Promise.all(Array.from({ length: Math.min(5, count - made) }, async () => requestReturn({ platform })));
  return `/?platform=${platform}`;
};

/** Makes a return that waits for a decision, one that waits for its parcel, and one whose refund is due. */
const threeSteps = async (): Promise<string> => {
  const platform = `queue-${randomUUID().slice(0, 8)}`;
  await Promise.all([requestReturn({ platform }), shippedReturn({ platform }), inspectedReturn({ platform })]);
  return `/?platform=${platform}`;
};

/** Whether each row shows its next step, its deadline and its date without scrolling sideways. */
const cutOff = async (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('.queue-table tbody :is(.queue-next, time, .badge)')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.textContent)`);

const expectWholeRows = async (page: Page): Promise<void> => {
  await rows(page).nth(2).waitFor();
  expect(await rows(page).locator('.queue-next').allTextContents()).toHaveLength(3);
  const dates = rows(page).getByText(/^\d+ \w{3} \d{4}$/);
  expect(await dates.count()).toBe(3);
  expect(await cutOff(page)).toEqual([]);
};

/** The list of returns as a place of work. */
export const queueJourneys: readonly Journey[] = [
  {
    title: 'keeps what they type while the list is read again',
    person: operator,
    before: async () => requestMany(1),
    run: async (page) => {
      await rows(page).first().waitFor();
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/v1/returns?*', async (route) => {
        await answered;
        return route.continue();
      });
      const filters = page.getByRole('group', { name: 'Filters' });
      await filters.getByLabel('Status').selectOption({ label: 'Rejected' });
      const field = filters.getByRole('combobox', { name: 'Platform', exact: true });
      await field.fill('shop-of-nobody');
      answer();
      await page.getByText('No return matches.').waitFor();
      await field.press('Enter');
      await page.waitForURL('**/*platform=shop-of-nobody*');
    },
  },
  {
    title: 'approves 20 returns with 4 actions',
    person: operator,
    quick: true,
    before: async () => requestMany(20),
    run: async (page) => {
      let actions = 0;
      const act = async (action: Promise<unknown>): Promise<void> => {
        actions += 1;
        await action;
      };
      const boxes = rows(page).locator('input');
      await boxes.nth(19).waitFor();
      await act(boxes.first().click());
      await act(boxes.nth(19).click({ modifiers: ['Shift'] }));
      await page.getByText('20 returns selected').first().waitFor();
      await act(page.getByRole('button', { name: 'Continue' }).click());
      await act(page.getByRole('dialog').getByRole('button', { name: 'Run for 20 returns' }).click());
      await page.getByRole('dialog').getByText('Done for 20, not done for 0.').waitFor();
      expect(actions).toBe(4);
    },
  },
  {
    title: 'opens a return by one click in its row, and marks text without opening it',
    person: operator,
    before: async () => requestMany(1),
    run: async (page) => {
      const next = rows(page).locator('.queue-next');
      await next.waitFor();
      await page.evaluate("getSelection().selectAllChildren(document.querySelector('.queue-customer'))");
      await next.dispatchEvent('click');
      expect(new URL(page.url()).pathname).toBe('/console');
      await page.evaluate('getSelection().removeAllRanges()');
      await next.click();
      await page.waitForURL(/\/returns\/ret_/);
    },
  },
  {
    title: 'selects a range by keys',
    person: operator,
    before: async () => requestMany(4),
    run: async (page) => {
      await rows(page).nth(3).waitFor();
      for (const key of ['j', 'x', 'j', 'j', 'X']) await page.keyboard.press(key);
      await page.getByText('3 returns selected').first().waitFor();
    },
  },
  {
    title: 'filters by the words of a reason',
    person: operator,
    before: async () => requestMany(1),
    run: async (page) => {
      const filter = page.getByRole('group', { name: 'Filters' }).getByLabel('Reason');
      const words = filter.locator('option[value="preference.style"]');
      await words.waitFor({ state: 'attached' });
      expect(await words.textContent()).not.toContain('.');
      await filter.selectOption((await words.textContent()) ?? 'none');
      await page.waitForURL(/reason=preference\.style/);
      await rows(page).first().waitFor();
    },
  },
  ...[1440, 1024, 700, 390].map(
    (width): Journey => ({
      title: `shows the next step, the deadline and the date of each return at ${width} pixels`,
      person: operator,
      visit: { width },
      before: threeSteps,
      run: expectWholeRows,
    }),
  ),
  {
    title: 'names the same next step as the page of each return',
    person: operator,
    before: threeSteps,
    run: async (page) => {
      await rows(page).nth(2).waitFor();
      const steps = await rows(page).locator('.queue-next').allTextContents();
      expect(steps.toSorted()).toEqual(['Book a refund Finance', 'Decide Staff', 'Receive Warehouse']);
      for (const [index, step] of steps.entries()) {
        await rows(page).nth(index).locator('.queue-link').click();
        const next = page.locator('.next-step .badge');
        await next.waitFor();
        expect(step.endsWith((await next.textContent()) ?? 'none')).toBe(true);
        const main = await page.locator('.action-bar .primary').textContent();
        expect([main, 'Decide']).toContain(main === 'Approve' ? 'Decide' : step.replace(/ \w+$/, ''));
        await page.goBack();
        await rows(page).nth(2).waitFor();
      }
    },
  },
  {
    title: 'shows the columns that a person chose, also after a reload',
    person: operator,
    before: async () => requestMany(1),
    run: async (page) => {
      const heads = page.locator('.queue-table thead');
      await heads.getByText('Flags').waitFor();
      expect(await heads.getByText('SKU').count()).toBe(0);
      await page.locator('.queue-columns summary').click();
      await page.locator('.queue-columns').getByLabel('SKU').check();
      await page.locator('.queue-columns').getByLabel('Flags').uncheck();
      await rows(page).getByText('MER-CRW-M').first().waitFor();
      await page.reload();
      await heads.getByText('SKU').waitFor();
      expect(await heads.getByText('Flags').count()).toBe(0);
      await page.evaluate('localStorage.clear()');
    },
  },
  {
    title: 'offers no selection to an auditor',
    person: auditor,
    before: async () => requestMany(1),
    run: async (page) => {
      await rows(page).first().waitFor();
      expect(await page.locator('.queue-table input').count()).toBe(0);
    },
  },
  {
    title: 'sees what others change while the page is visible, and keeps selection, focus and scroll position',
    person: operator,
    before: async () => {
      const platform = `queue-${randomUUID().slice(0, 8)}`;
      made = await requestReturn({ platform });
      for (let count = 0; count < 24; count += 1) await requestReturn({ platform });
      return `/?platform=${platform}`;
    },
    run: async (page) => {
      await rows(page).nth(24).waitFor();
      const box = rows(page).nth(20).locator('input');
      await box.check();
      const states = async () =>
        page.evaluate(
          `[document.querySelectorAll('tbody input:checked').length, document.activeElement?.type, scrollY]`,
        );
      const before = await states();
      await approve(made);
      const setHidden = async (isHidden: boolean) =>
        page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
          document.dispatchEvent(new Event('visibilitychange'))`);
      const reads: string[] = [];
      page.on('request', (request) => reads.push(new URL(request.url()).pathname));
      await setHidden(true);
      await page.evaluate(`dispatchEvent(new Event('focus'))`);
      expect(reads).toEqual([]);
      await setHidden(false);
      await page.evaluate(`dispatchEvent(new Event('focus'))`);
      await rows(page).getByText('Approved').waitFor();
      expect(await states()).toEqual(before);
      // A browser reports both events when a person comes back. That is one read of the list, and one of the numbers.
      expect(reads.toSorted()).toEqual([...new Set(reads)].toSorted());
    },
  },
  {
    title: 'saves a list as a view of their own, and as a file with its sums',
    person: operator,
    before: threeSteps,
    run: async (page, { context, open }) => {
      await page.getByLabel('Next step by').selectOption({ label: 'Staff' });
      await rows(page).nth(0).waitFor();
      await page.getByLabel('Name of a view').fill('Mine to decide');
      await page.getByRole('button', { name: 'Save as a view' }).click();
      const address = new URL(page.url()).search;
      await open('/');
      const view = page.getByRole('link', { name: 'Mine to decide' });
      await view.click();
      await page.waitForURL((url) => new URLSearchParams(url.search).get('nextBy') === 'staff');
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(
        Object.fromEntries(new URLSearchParams(address)),
      );
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save the list as CSV' }).click(),
      ]);
      const csv = await readFile(await file.path(), 'utf8');
      const count = await rows(page).count();
      expect(csv.split('\r\n')).toHaveLength(count + 3);
      expect(csv).toMatch(/\r\nsum,.*,EUR,/);
      expect(csv).not.toContain('Beatriz');
      // Another person of this browser has other views.
      await context.clearCookies();
      await page.reload();
      await signInAs(page, auditor);
      await rows(page).nth(0).waitFor();
      expect(await view.count()).toBe(0);
      await context.clearCookies();
      await page.reload();
      await signInAs(page, operator);
      await page.getByRole('button', { name: 'Remove the view Mine to decide' }).click();
      await view.waitFor({ state: 'detached' });
    },
  },
];
