import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { auditor, author, operator } from '../support/users.ts';
import { actionsOf, countActions, openCommand, previewAndSend, sendCommand, waitForStatus } from './act.ts';
import type { Journey } from './journeys.ts';
import { readCode128 } from './read-code-128.ts';
import { inspectedReturn, requestReturn, shippedReturn } from './shop.ts';

let tracking = '';

const pathOf = async (created: Promise<{ readonly returnId: string }>) => `/returns/${(await created).returnId}`;

/** Records a result of the refund. */
const recordResult = async (page: Page, status: string): Promise<void> => {
  await page.getByRole('button', { name: 'Record result' }).first().click();
  const dialog = page.getByRole('dialog');
  // The person confirms money, so the form shows how much it is.
  await dialog.getByText(/^€[\d.]+ · Original payment$/).waitFor();
  await dialog.getByLabel(/^Status/).selectOption(status);
  expect(await dialog.getByLabel(/^Code/).count()).toBe(status === 'failed' ? 1 : 0);
  await previewAndSend(page);
  // The screen reads the return again. Until then it offers the results of the status before.
  if (status === 'submitted') await page.getByText('Refund submitted').waitFor();
};

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Decisions, goods and money of one return. */
export const returnJourneys: readonly Journey[] = [
  {
    title: 'takes a return from the request to a paid refund',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      await sendCommand(page, 'Approve');
      await waitForStatus(page, 'Approved');
      await openCommand(page, 'Add parcel');
      await previewAndSend(page);
      // The screen reads the return again. Until then a command has the version before.
      await page.getByText('Parcel 1').first().waitFor();
      await sendCommand(page, 'Receive');
      await waitForStatus(page, 'Received');
      await sendCommand(page, 'Inspect');
      await waitForStatus(page, 'Inspected');
      await sendCommand(page, 'Book a refund');
      await waitForStatus(page, 'Refund pending');
      await page.getByText(/^Goods: Net .+ · Tax .+ · 23 %: /).waitFor();
      await page.locator('.action-bar').getByRole('button', { name: 'Record refund result' }).click();
      await previewAndSend(page);
      await waitForStatus(page, 'Refunded');
      await sendCommand(page, 'Complete');
      await waitForStatus(page, 'Completed');
      await page.getByText('by Ana Silva').first().waitFor();
      // The text has the language of the customer, whatever the console speaks.
      await page.getByText('Message to the customer').last().click();
      await page.getByText(/Pagámos um reembolso pela sua devolução/).waitFor();
      const mail = page.getByRole('link', { name: 'marker-beatriz@example.com', exact: true });
      expect(await mail.getAttribute('href')).toMatch(/^mailto:[^?]+[?]subject=O%20reembolso.+&body=/);
    },
  },
  {
    title: 'takes a return from the queue to a paid refund with 7 clicks and nothing typed',
    person: operator,
    quick: true,
    before: async () => {
      const platform = `visit-${randomUUID().slice(0, 8)}`;
      await requestReturn({ platform });
      return `/?view=to_decide&platform=${platform}`;
    },
    run: async (page) => {
      await countActions(page);
      await page.locator('tbody tr a').first().click();
      await sendCommand(page, 'Approve');
      await waitForStatus(page, 'Approved');
      await sendCommand(page, 'Received, fine, refund');
      await waitForStatus(page, 'Inspected');
      await page.getByRole('button', { name: 'Record result' }).first().click();
      await previewAndSend(page);
      await waitForStatus(page, 'Refunded');
      expect(await actionsOf(page)).toBe(7);
    },
  },
  {
    title: 'explains a failed command until its repeat, which sends the same amount',
    person: operator,
    before: async () => pathOf(shippedReturn()),
    run: async (page) => {
      const sent: (string | null)[] = [];
      await page.route('**/receipts/refund', async (route) => {
        sent.push(route.request().postData());
        if (sent.length > 1) return route.continue();
        return route.fulfill({
          status: 503,
          json: { code: 'dependency_unavailable', detail: 'The store cannot be reached.' },
        });
      });
      await openCommand(page, 'Received, fine, refund');
      const dialog = page.getByRole('dialog');
      const send = dialog.locator('[type="submit"]');
      await dialog.getByText('What changes', { exact: true }).waitFor();
      const again = page.waitForResponse(/receipts\/refund\?dryRun=true$/);
      await send.click();
      await dialog.getByRole('alert').getByText('The store cannot be reached.').waitFor();
      await again;
      expect(await dialog.getByRole('alert').count()).toBe(1);
      await send.click();
      await waitForStatus(page, 'Inspected');
      expect(sent.at(-1)).toBe(sent[0]);
      expect(JSON.parse(sent[0] ?? '{}')).toHaveProperty('total');
    },
  },
  {
    title: 'rejects a return with 3 actions and nothing typed',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      await countActions(page);
      await openCommand(page, 'Reject');
      // A choice from the list is the third action.
      await page.getByRole('dialog').getByLabel(/^Code/).selectOption({ label: 'Final sale' });
      await previewAndSend(page);
      await waitForStatus(page, 'Rejected');
      expect(await actionsOf(page)).toBe(2);
    },
  },
  {
    title: 'asks the customer, and records the answer',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      await openCommand(page, 'Ask the customer');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await openCommand(page, 'Ask the customer');
      await page
        .getByRole('dialog')
        .getByLabel(/^Message/)
        .fill('Has it been worn?');
      // A key that people press by mistake loses no text.
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Stay' }).click();
      await previewAndSend(page);
      await waitForStatus(page, 'Waiting for customer');
      await page.getByText('Has it been worn?').first().waitFor();
      await openCommand(page, 'Record the answer');
      await page
        .getByRole('dialog')
        .getByLabel(/^Message/)
        .fill('Only tried on');
      await previewAndSend(page);
      await page.getByText('Only tried on').first().waitFor();
    },
  },
  {
    title: 'keeps the form when another person changes the return, and says what changed',
    person: operator,
    quick: true,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      await openCommand(page, 'Approve');
      const returnId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const { service } = await requestReturn();
      await service.post(`/returns/${returnId}/notes`, { text: 'Another person was faster' });
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await dialog.getByText('Another person changed it meanwhile.').waitFor();
      await previewAndSend(page);
      await waitForStatus(page, 'Approved');
    },
  },
  {
    title: 'reads each fact of the lines at 390 pixels, with the name of its column',
    person: operator,
    visit: { width: 390 },
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      const cells = page.locator('.lines tbody td');
      await cells.first().waitFor();
      const [units, , reason, wants, worth] = await cells.evaluateAll((elements) =>
        elements.slice(0, 5).map((cell) => [cell.getAttribute('data-name'), cell.getBoundingClientRect().right <= 390]),
      );
      expect([units, reason, wants, worth]).toEqual([
        ['Units', true],
        ['Reason', true],
        ['Wants', true],
        ['Worth', true],
      ]);
    },
  },
  {
    title: 'offers the next step first, and nothing that makes no sense in the status',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      const bar = page.locator('.action-bar');
      await bar.waitFor();
      expect(await bar.getByRole('button').allTextContents()).toEqual(['Approve', 'Reject', 'Ask the customer']);
      await bar.locator('summary').click();
      const menu = page.locator('.more-menu');
      expect(await menu.getByRole('heading').allTextContents()).toEqual(['Decision', 'Money', 'End of the return']);
      expect(await menu.textContent()).not.toMatch(/Receive|Inspect|Complete|The status does not allow it/);
    },
  },
  {
    title: 'goes on with the next step after a command, whose message names the return',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      const rma = /[0-9A-Z]{11}/.exec(await page.getByRole('heading', { level: 1 }).innerText())?.[0] ?? 'none';
      await sendCommand(page, 'Approve');
      await page.locator('.next-step:focus').getByText('The customer sends the goods.').waitFor();
      await page.getByText(`${rma} · Approve: done`).waitFor();
      // The next Tab reaches the next command.
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Receive');
    },
  },
  {
    title: 'shows what another person did when the tab is visible again, and keeps an open form',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      await openCommand(page, 'Ask the customer');
      const message = page.getByRole('dialog').getByLabel(/^Message/);
      await message.fill('Has it been worn?');
      // A dry run after the note would find its version changed, and show it then.
      await page.getByRole('dialog').getByText('What changes', { exact: true }).waitFor();
      const returnId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const { service } = await requestReturn();
      await service.post(`/returns/${returnId}/notes`, { text: 'Another person was faster' });
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.getByText('Another person was faster').first().waitFor();
      expect(await message.inputValue()).toBe('Has it been worn?');
      // The form has the version that the person saw, so the change is not overwritten unseen.
      await page.getByRole('dialog').getByRole('button', { name: 'Ask the customer', exact: true }).click();
      await page.getByRole('dialog').getByText('Another person changed it meanwhile.').waitFor();
    },
  },
  {
    title: 'shows an auditor everything of a return, and no command',
    person: auditor,
    before: async () => pathOf(inspectedReturn()),
    run: async (page) => {
      await page.getByText('Merino crew neck, charcoal, M').first().waitFor();
      expect(await page.locator('.action-bar').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Record result' }).count()).toBe(0);
    },
  },
  {
    title: 'approves a return by keyboard alone',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      await page.locator('.action-bar').waitFor();
      await page.keyboard.press('a');
      await page.getByRole('dialog').getByText('What changes', { exact: true }).waitFor();
      await page.keyboard.press('Control+Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await waitForStatus(page, 'Approved');
    },
  },
  {
    title: 'shows the error of an entry at its field',
    person: operator,
    before: async () => {
      const created = await shippedReturn();
      await created.service.post(`/returns/${created.returnId}/receipts`, {
        lines: created.lines.map(({ lineId, quantities }) => ({ lineId, quantity: quantities.requested })),
      });
      return `/returns/${created.returnId}`;
    },
    run: async (page) => {
      await openCommand(page, 'Inspect');
      const dialog = page.getByRole('dialog');
      await dialog
        .getByLabel(/^Outcome/)
        .first()
        .selectOption('refuse');
      await dialog
        .getByLabel(/^Disposition/)
        .first()
        .selectOption('');
      await dialog.getByRole('button', { name: 'Inspect', exact: true }).click();
      await dialog.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    title: 'adds a note, which stays in the return',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      const note = page.getByRole('textbox', { name: /note/i }).first();
      await note.fill('She called and was friendly');
      await note.press('Control+Enter');
      await page.getByText('She called and was friendly').first().waitFor();
      await page.reload();
      await page.getByText('She called and was friendly').first().waitFor();
    },
  },
  {
    title: 'attaches a picture, and sees it on the return and at the inspection of the station',
    person: operator,
    before: async () => {
      const shipped = await shippedReturn();
      ({ trackingNumber: tracking } = shipped);
      return pathOf(Promise.resolve(shipped));
    },
    run: async (page, { open }) => {
      await page.locator('input[type="file"]').setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer: png });
      await page.getByRole('link', { name: /^Open Whole return, png · 1 kB$/ }).waitFor();
      expect(await page.locator('.file img').getAttribute('loading')).toBe('lazy');
      await open('/station');
      await page.getByLabel('Scan or type').fill(tracking);
      await page.getByLabel('Scan or type').press('Enter');
      await page.getByRole('button', { name: 'Count all open units' }).click();
      await page.getByRole('button', { name: /^Receive 3 units/ }).click();
      await page.getByRole('button', { name: 'Grade and dispose' }).first().click();
      await page.getByRole('img', { name: 'The whole parcel' }).waitFor();
    },
  },
  {
    title: 'prints a slip whose barcode is the RMA number',
    person: operator,
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      await page.locator('.slip-qr path').waitFor({ state: 'attached' });
      await page.emulateMedia({ media: 'print' });
      const rma = await page.locator('.slip-rma').innerText();
      const bars = [
        ...((await page.locator('.slip-barcode path').getAttribute('d')) ?? '').matchAll(/M(\d+) 0h(\d+)/g),
      ];
      const modules = bars.map(([, x, width], index) => {
        const [, next = 0] = bars[index + 1] ?? [];
        return '1'.repeat(Number(width)) + '0'.repeat(Math.max(0, Number(next) - Number(x) - Number(width)));
      });
      expect(readCode128(modules.join(''))).toBe(rma);
      expect(await page.locator('.slip-qr').isVisible()).toBe(true);
      expect(await page.locator('main h1').isVisible()).toBe(false);
    },
  },
  {
    title: 'books a refund, and records that it failed',
    person: operator,
    before: async () => pathOf(inspectedReturn()),
    run: async (page) => {
      await openCommand(page, 'Book a refund');
      await previewAndSend(page);
      for (const status of ['submitted', 'failed']) {
        await recordResult(page, status);
      }
      await waitForStatus(page, 'Refund failed');
    },
  },
  {
    title: 'says that a correction needs an administrator',
    person: operator,
    before: async () => pathOf(inspectedReturn()),
    run: async (page) => {
      await page.locator('.more-actions summary').click();
      const correction = page.locator('.more-menu .blocked > div').filter({ hasText: 'Correct quantities' });
      await correction.getByText('Only an administrator may do this.').waitFor();
    },
  },
  {
    title: 'lets an administrator open a correction',
    person: author,
    before: async () => pathOf(inspectedReturn()),
    run: async (page) => {
      await openCommand(page, 'Correct quantities');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
  {
    title: 'approves a return in connected mode',
    person: operator,
    visit: { mode: 'connected' },
    before: async () => pathOf(requestReturn()),
    run: async (page) => {
      // The service knows the client, and not the person.
      expect(await page.getByRole('button', { name: 'Assign to me' }).count()).toBe(0);
      await sendCommand(page, 'Approve');
      await waitForStatus(page, 'Approved');
    },
  },
];
