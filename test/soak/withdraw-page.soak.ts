import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyReceipt } from '../../lib/domain/withdrawals/receipt/verify-receipt.ts';
import { type Browser, openBrowser } from '../support/browser.ts';
import { stack } from '../support/stack.ts';

/*
 * The page for withdrawals in a real browser: by the keyboard alone, without scripts, in a window of 320 px. `npm test`
 * tests the same page over HTTP.
 */

const width = 320;
const origin = stack().web?.url ?? '';
const numberPattern = /wdr_[0-9A-Z]{26}/;

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser({ width });
});
afterAll(async () => browser.close());

const focused = async () => {
  const node = await browser.focused();
  return { role: node?.role, name: node?.name };
};

/** Presses Tab until a control has the focus. */
const tabTo = async (name: string) => {
  for (let tries = 0; tries < 20; tries += 1) {
    await browser.tab();
    if ((await focused()).name === name) return;
  }
  throw new Error(`Tab does not reach ${name}`);
};

const text = async () => (await browser.nodes()).map(({ name }) => name).join('\n');

describe('page for withdrawals in a browser', () => {
  it('runs no script in this browser', async () => {
    await browser.open(`data:text/html,<title>still</title><script>document.title='ran'</script>`);
    expect((await browser.nodes())[0]?.name).toBe('still');
  });

  it('declares a withdrawal by the keyboard, and downloads a receipt that verifies', async () => {
    const own = randomUUID();
    await browser.open(`${origin}/withdraw?lang=de`);
    expect(await browser.contentWidth()).toBeLessThanOrEqual(width);

    const order: unknown[] = [];
    for (let count = 0; count < 9; count += 1) {
      await browser.tab();
      order.push(await focused());
    }
    expect(order).toEqual([
      ...['English', 'Português', 'Español', 'Français'].map((name) => ({ role: 'link', name })),
      ...['Name', 'Vertrag', 'E-Mail-Adresse', 'Waren oder Dienstleistungen (freiwillig)'].map((name) => ({
        role: 'textbox',
        name,
      })),
      { role: 'button', name: 'Weiter' },
    ]);

    // An empty form: the first wrong field has the focus and its error.
    await browser.open(`${origin}/withdraw?lang=de`);
    await tabTo('Weiter');
    await browser.enter();
    // The browser moves the focus shortly after the page is loaded.
    await expect
      .poll(async () => browser.focused(), { timeout: 20_000 })
      .toMatchObject({
        role: 'textbox',
        name: 'Name',
        description: expect.stringContaining('Fehler: Geben Sie Ihren Namen an.'),
        properties: { invalid: 'true', required: true },
      });
    expect((await browser.nodes()).some(({ role }) => role === 'alert')).toBe(true);
    expect(await browser.contentWidth()).toBeLessThanOrEqual(width);

    await browser.type(`Ada ${own}`);
    await browser.tab();
    await browser.type(`#${own}`);
    await browser.tab();
    await browser.type(`ada-${own}@example.com`);
    // Enter in a field continues, as its button does.
    await browser.enter();
    expect(await text()).toContain('Hiermit widerrufe ich');
    expect(await browser.contentWidth()).toBeLessThanOrEqual(width);

    // The language changes, and the texts stay.
    await tabTo('English');
    await browser.enter();
    expect(await text()).toContain('Step 2 of 2');
    await tabTo('Confirm withdrawal');
    await browser.enter();
    const receipt = await text();
    const withdrawalId = numberPattern.exec(receipt)?.[0];
    expect(withdrawalId).toBeDefined();
    expect(receipt).toContain(`Ada ${own}`);
    expect(receipt).toMatch(/\d\d:\d\d:\d\d \(UTC[+]0[12]:00, Europe\/Berlin\)/);
    expect(await browser.contentWidth()).toBeLessThanOrEqual(width);

    await browser.reload();
    expect(numberPattern.exec(await text())?.[0]).toBe(withdrawalId);
    // The receipt in another language, and back.
    await tabTo('Deutsch');
    await browser.enter();
    expect(await text()).toContain('Eingangsbestätigung');
    expect(numberPattern.exec(await text())?.[0]).toBe(withdrawalId);
    await browser.back();
    expect(await text()).toContain('Please download the receipt and keep it.');
    expect(numberPattern.exec(await text())?.[0]).toBe(withdrawalId);

    await tabTo('Download the receipt');
    const readable = await readFile(await browser.download(), 'utf8');
    await tabTo('For experts: the signed receipt (JWS)');
    const jws = await readFile(await browser.download(), 'utf8');
    const jwks: unknown = await (await fetch(`${origin}/.well-known/withdrawal-receipts.json`)).json();
    expect(verifyReceipt(jws, jwks)).toMatchObject({ ok: true });
    expect(readable).toContain(jws);
  });

  it('reports no error to the browser, such as a blocked resource', () => {
    expect(browser.complaints.filter((entry) => !entry.includes('status of 422'))).toEqual([]);
  });
});
