import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { putIntent } from '../support/intents.ts';
import { putUser } from '../support/known-user.ts';
import { stack } from '../support/stack.ts';
import { auditor, operator } from '../support/users.ts';
import type { Journey } from './journeys.ts';
import { requestReturn } from './shop.ts';

const colleague = { userId: 'staff|colleague', name: 'Otto Weiss' };

const rows = (page: Page) => page.locator('tbody tr');

const assignee = (page: Page) => page.getByLabel('Assignee');

/** Who does the work, and what must not wait. */
export const assigneeJourneys: readonly Journey[] = [
  {
    title: 'takes a return by one click, and finds it in the own list',
    person: operator,
    quick: true,
    before: async () => `/returns/${(await requestReturn()).returnId}`,
    run: async (page) => {
      const rma = (await page.locator('h1').textContent())?.replace(/^\S+ /, '') ?? '';
      await page.getByRole('button', { name: 'Assign to me' }).click();
      await page.getByRole('button', { name: 'Assign to me' }).waitFor({ state: 'detached' });
      expect(await assignee(page).inputValue()).toBe('me');
      await page.getByRole('link', { name: 'Returns', exact: true }).last().click();
      await page.getByRole('link', { name: 'Mine' }).click();
      await rows(page).filter({ hasText: rma }).getByText('Ana Silva').waitFor();
    },
  },
  {
    title: 'gives a return to a colleague and takes it away again, each in the history',
    person: operator,
    before: async () => {
      await putUser(stack(), colleague);
      return `/returns/${(await requestReturn()).returnId}`;
    },
    run: async (page) => {
      await assignee(page).locator('option', { hasText: colleague.name }).waitFor({ state: 'attached' });
      await assignee(page).selectOption(colleague.name);
      await page.getByText('Assigned').first().waitFor();
      await assignee(page).selectOption('No assignee');
      await page.getByText('Assigned').nth(1).waitFor();
      expect(await assignee(page).inputValue()).toBe('');
    },
  },
  {
    title: 'assigns several returns at once',
    person: operator,
    before: async () => {
      await putUser(stack(), colleague);
      const platform = `assign-${randomUUID().slice(0, 8)}`;
      await Promise.all([requestReturn({ platform }), requestReturn({ platform })]);
      return `/?platform=${platform}`;
    },
    run: async (page) => {
      const boxes = rows(page).locator('input');
      await boxes.nth(1).waitFor();
      await boxes.first().click();
      await boxes.nth(1).click();
      await page.getByLabel('Command').selectOption('Assign');
      await page.getByRole('button', { name: 'Continue' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Assignee').selectOption(colleague.name);
      await dialog.getByRole('button', { name: 'Run for 2 returns' }).click();
      await dialog.getByText('Done for 2, not done for 0.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await rows(page).getByText(colleague.name).nth(1).waitFor();
    },
  },
  {
    title: 'shows an auditor the assignee, and no way to change it',
    person: auditor,
    before: async () => `/returns/${(await requestReturn()).returnId}`,
    run: async (page) => {
      await page.getByText('No assignee').first().waitFor();
      expect(await assignee(page).count()).toBe(0);
    },
  },
  {
    title: 'opens what is parked from the bell',
    person: operator,
    before: async () => {
      await putIntent(stack());
      await putIntent(stack(), { reason: 'shop_refused:lines' });
      return '/';
    },
    run: async (page) => {
      const bell = page.locator('.bell summary');
      await expect.poll(async () => bell.getAttribute('aria-label')).toMatch(/^Needs attention: [1-9]/);
      await bell.click();
      await page.getByRole('link', { name: /^Parked write-back/ }).click();
      await page.waitForURL(/write-back\?status=parked$/);
      await rows(page)
        .getByText('A request got no answer, and the shop shows no effect. effect_unknown')
        .first()
        .waitFor();
      // A code without a sentence stands alone, with its detail.
      const code = rows(page)
        .locator('td')
        .filter({ hasText: /^shop_refused:lines$/ });
      await code.first().waitFor();
    },
  },
];
