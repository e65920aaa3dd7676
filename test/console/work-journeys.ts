import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { lostBulk } from '../support/jobs.ts';
import { stack } from '../support/stack.ts';
import { auditor, operator } from '../support/users.ts';
import { actionsOf, countActions, waitForStatus } from './act.ts';
import type { Journey } from './journeys.ts';
import { inspectedReturn, requestReturn, shippedReturn } from './shop.ts';

const detector = `window.BarcodeDetector = class {
  static async getSupportedFormats() { return ['code_128', 'ean_13', 'qr_code']; }
  async detect() { return window.code ? [{ rawValue: window.code, format: 'code_128' }] : []; }
};
const canvas = document.createElement('canvas');
const brush = canvas.getContext('2d');
setInterval(() => brush.fillRect(0, 0, Math.random() * 9, 9), 50);
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream();`;

/** Records the pitch of each tone that the page plays. */
const countTones = `window.tones = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) {
  window.tones.push(this.frequency.value);
  return start.call(this, at);
};`;

/** Sends a code twice at once, as some scanners do. */
const scanTwice = (code: string): string => `for (let scans = 0; scans < 2; scans += 1) {
  const field = document.getElementById('station-scan');
  field.value = ${JSON.stringify(code)};
  field.form.requestSubmit();
}`;

let returnId = '';
let tracking = '';
let number = '';
let customer = '';
let other = '';

/** Requests two returns of a platform of their own: other tests change the returns of others. */
const twoReturns = async (): Promise<string> => {
  const platform = `bulk-${randomUUID().slice(0, 8)}`;
  ({ returnId } = await requestReturn({ platform }));
  await requestReturn({ platform });
  return `/?view=to_decide&platform=${platform}`;
};

/** Selects the first two returns of the queue, and runs a command for both. */
const runForTwo = async (page: Page): Promise<void> => {
  const boxes = page.locator('tbody input[type="checkbox"]');
  await boxes.nth(1).waitFor();
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('combobox', { name: /command/i }).selectOption({ label: 'Add a note' });
  await page.getByRole('button', { name: 'Continue' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('Counted together');
  await dialog.getByRole('button', { name: 'Run for 2 returns' }).click();
};

/** The queue, the station and the order. */
export const workJourneys: readonly Journey[] = [
  {
    title: 'finds a return by its order number',
    person: operator,
    before: async () => {
      ({ number } = await requestReturn());
      return '/';
    },
    run: async (page) => {
      // The screen has its keys when it shows rows.
      await page.locator('tbody tr').first().waitFor();
      await page.keyboard.press('/');
      await page.locator('input[type="search"]:focus').waitFor();
      await page.keyboard.type(number);
      await page.keyboard.press('Enter');
      // The list shows the return too, until the results replace it.
      await page.getByRole('heading', { name: `Results for ${number}` }).waitFor();
      await page.getByRole('row').filter({ hasText: number }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
    },
  },
  {
    title: 'finds and opens a return by a tracking number in lower case and with spaces',
    person: operator,
    before: async () => {
      ({ trackingNumber: tracking, returnId } = await shippedReturn());
      return '/';
    },
    run: async (page) => {
      await countActions(page);
      // The only result has the focus.
      const typed = `${tracking.slice(0, 4)} ${tracking.slice(4)}`.toLowerCase();
      await page.getByRole('searchbox').fill(typed);
      await page.getByRole('searchbox').press('Enter');
      await page.locator('.queue-link:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(returnId));
      expect(await actionsOf(page)).toBe(2);
    },
  },
  {
    title: 'finds a customer by a name without accents, and opens all orders and returns of the customer',
    person: operator,
    before: async () => {
      const family = randomUUID().replaceAll(/[-0-9]/g, '');
      customer = `Zélia ${family}`;
      ({ number } = await requestReturn({ texts: { customer }, email: `${family}@example.com` }));
      ({ number: other } = await requestReturn({ texts: { customer }, email: `${family}@example.com` }));
      return '/';
    },
    run: async (page) => {
      await countActions(page);
      const field = page.getByRole('searchbox');
      await field.fill(customer.replace('é', 'e').toLowerCase());
      await field.press('Enter');
      for (const one of [number, other])
        await page.getByRole('row').filter({ hasText: one }).filter({ hasText: customer }).waitFor();
      expect(page.url()).not.toMatch(/z[eé]lia/i);
      await page.getByRole('link', { name: customer }).first().click();
      await page.getByRole('heading', { name: customer }).waitFor();
      for (const one of [number, other]) await page.getByRole('listitem').filter({ hasText: one }).waitFor();
      expect(page.url()).not.toMatch(/z[eé]lia|@|%40/i);
      expect(await actionsOf(page)).toBe(2);
      await page
        .getByRole('link', { name: /^[0-9A-Z]{11}$/ })
        .first()
        .click();
      await page.getByRole('link', { name: new RegExp(customer) }).waitFor();
    },
  },
  {
    title: 'finds open returns by a SKU, and a return at the station by an e-mail address',
    person: operator,
    before: async () => {
      customer = `${randomUUID()}@example.com`;
      number = `Sku-${randomUUID()}`;
      ({ returnId } = await requestReturn({ texts: { sku: number }, email: customer }));
      return '/';
    },
    run: async (page, { open }) => {
      await countActions(page);
      await page.getByRole('searchbox').fill(number.toLowerCase());
      await page.getByRole('searchbox').press('Enter');
      await page.getByRole('row').filter({ hasText: 'SKU' }).waitFor();
      await page.getByText(/^Compared with the SKUs of/).waitFor();
      expect(await actionsOf(page)).toBe(1);
      await open('/station');
      await page.getByLabel('Scan or type').fill(customer);
      await page.getByLabel('Scan or type').press('Enter');
      await page.getByText(/^Return .* is open\./).waitFor();
      expect(page.url()).toContain(returnId);
      expect(page.url()).not.toContain('@');
    },
  },
  {
    title: 'opens a view of the queue, whose address a colleague can open',
    person: auditor,
    before: async () => {
      await requestReturn();
      return '/';
    },
    run: async (page, { open }) => {
      await page.getByRole('link', { name: /^To decide/ }).click();
      await page.waitForURL(/view=to_decide/);
      await open('?view=to_decide');
      await page
        .getByRole('link', { name: /^To decide/ })
        .and(page.locator('[aria-current]'))
        .waitFor();
      await waitForStatus(page, 'Requested');
    },
  },
  {
    title: 'moves through the queue by keyboard, and opens a return',
    person: operator,
    before: async () => {
      await requestReturn();
      return '/?view=to_decide';
    },
    run: async (page) => {
      await page.locator('tbody tr').first().waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/returns\/ret_/);
    },
  },
  {
    title: 'asks the customers of two returns at once',
    person: operator,
    before: twoReturns,
    run: async (page) => {
      await runForTwo(page);
      await page.getByRole('dialog').getByText('Done for 2, not done for 0.').waitFor();
    },
  },
  {
    title: 'stops a bulk job',
    person: operator,
    before: twoReturns,
    run: async (page) => {
      // The answer names a job whose messages are lost, so the job runs until the person stops it.
      await page.route('**/v1/bulk-commands', async (route) => {
        const answer = await route.fetch();
        const job = (await answer.json()) as Output<'createBulk'>;
        if (job.request.dryRun) return route.fulfill({ response: answer, json: job });
        const jobId = await lostBulk(stack(), returnId, job.createdBy);
        return route.fulfill({ response: answer, json: { ...job, jobId, status: 'running' } });
      });
      await runForTwo(page);
      // A read would enqueue the job again.
      await page.route('**/v1/bulk-commands/*', async (route) =>
        route.request().method() === 'GET' ? undefined : route.continue(),
      );
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Stop the job' }).click();
      await dialog.getByText(/^The job was stopped/).waitFor();
      expect(await dialog.getByRole('button', { name: 'Stop the job' }).count()).toBe(0);
    },
  },
  {
    title: 'scans a parcel, counts its items, receives and inspects them',
    person: operator,
    quick: true,
    before: async () => {
      ({ trackingNumber: tracking } = await shippedReturn());
      return '/station';
    },
    run: async (page) => {
      const field = page.getByLabel('Scan or type');
      const scan = async (code: string) => {
        await field.fill(code);
        await field.press('Enter');
      };
      await scan(tracking);
      await page.getByText(/^Return .* is open\./).waitFor();
      await page.getByRole('button', { name: 'Count all open units' }).click();
      // The return is read again after the receipt. The person chooses a step earlier, and stays there.
      const { promise: chosen, resolve: choose } = Promise.withResolvers<void>();
      await page.route('**/v1/returns/ret_*', async (route) => {
        await chosen;
        return route.continue();
      });
      await page.getByRole('button', { name: /^Receive 3 units/ }).click();
      await page.getByText('Received 3 units').first().waitFor();
      await page.getByRole('button', { name: 'Grade and dispose' }).first().click();
      choose();
      await page
        .getByRole('button', { name: /accept/i })
        .first()
        .waitFor();
    },
  },
  {
    title: 'keeps a double scan at its line until a person answers it',
    person: operator,
    before: async () => {
      ({ trackingNumber: tracking } = await shippedReturn());
      return '/station';
    },
    run: async (page) => {
      const field = page.getByLabel('Scan or type');
      await page.evaluate(countTones);
      await field.fill(tracking);
      await field.press('Enter');
      await page.getByText(/is open\./).waitFor();
      await page.evaluate(scanTwice('MER-CRW-M'));
      const line = page.getByRole('listitem').filter({ hasText: 'MER-CRW-M' });
      await line.getByText('a double scan counts once.').waitFor();
      expect(await page.evaluate('window.tones')).toEqual([1_320, 1_320, 220, 220]);
      await field.fill('HAT');
      await field.press('Enter');
      await page.getByText('Answer the yellow questions first.').waitFor({ state: 'detached' });
      await line.getByRole('button', { name: 'Count 1 more' }).click();
      await page.getByRole('button', { name: 'Receive 3 units' }).waitFor();
    },
  },
  {
    title: 'reads a code by the camera',
    person: operator,
    before: async () => {
      ({ trackingNumber: tracking } = await shippedReturn());
      return '/';
    },
    run: async (page, { context, open }) => {
      await context.addInitScript(detector);
      await open('/station');
      await page.getByRole('button', { name: 'Use the camera' }).click();
      await page.evaluate(`window.code = ${JSON.stringify(tracking)}`);
      await page.getByText(/^Return .* is open\./).waitFor();
      await page.getByRole('button', { name: 'Stop the camera' }).click();
    },
  },
  {
    title: 'counts an unknown code as an unexpected item',
    person: operator,
    before: async () => {
      ({ trackingNumber: tracking } = await shippedReturn());
      return '/station';
    },
    run: async (page) => {
      const field = page.getByLabel('Scan or type');
      await field.fill(tracking);
      await field.press('Enter');
      await page.getByText(/is open\./).waitFor();
      const code = `UMBRELLA-${randomUUID().slice(0, 8)}`;
      await field.fill(code);
      await field.press('Enter');
      await page.getByText('Answer the yellow questions first.').waitFor();
      await page.getByRole('button', { name: 'Count as an unexpected item' }).click();
      await page.getByRole('button', { name: 'Receive 1 unit' }).waitFor();
    },
  },
  {
    title: 'shows the units of an order over all its returns, its VAT and its promotions',
    person: auditor,
    before: async () => {
      const { order } = await inspectedReturn({ promotion: 'Second hat free' });
      return `/order?platform=${order.platform}&orderId=${order.orderId}`;
    },
    run: async (page) => {
      await page.getByText('Merino crew neck, charcoal, M').first().waitFor();
      await page.getByText('23 %: €49.93').waitFor();
      await page.getByText(/^Second hat free: /).waitFor();
      await page
        .getByRole('link', { name: /^[0-9A-Z]{11}$/ })
        .first()
        .click();
      await page.waitForURL(/\/returns\/ret_/);
    },
  },
];
