import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { stack } from '../support/stack.ts';
import { auditor, author, operator, webUrl } from '../support/users.ts';
import type { Journey } from './journeys.ts';
import { beginDraftOf, makePolicy, requestReturn } from './shop.ts';
import { signInAs } from './visit.ts';

/** Opens another address below `/console`, without a new sign-in. */
const goTo = async (page: Page, to: string) =>
  page.evaluate(`history.pushState(null, '', '/console${to}'); dispatchEvent(new PopStateEvent('popstate'))`);

let policyId = '';

/** The sign-in, the navigation, the language and the colours. */
export const shellJourneys: readonly Journey[] = [
  {
    title: 'signs in, and stores no token in the browser',
    person: operator,
    quick: true,
    run: async (page) => {
      await expect(page.getByText('Ana Silva').count()).resolves.toBeGreaterThan(0);
      const stored = await page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      expect(stored).toBe('[{},{},""]');
      expect(page.url()).not.toMatch(/code=|state=/);
    },
  },
  {
    title: 'returns to the address that a person opened before the sign-in',
    person: auditor,
    path: '/returns/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN?tab=money',
    run: async (page) => {
      expect(page.url()).toMatch(/\/console\/returns\/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN\?tab=money$/);
      await page.getByRole('alert').getByText('return_not_found').waitFor();
    },
  },
  {
    title: 'signs in without a prompt after a reload, and signs out',
    person: operator,
    run: async (page) => {
      await page.reload();
      await page.locator('header.top').waitFor();
      await page.locator('.account summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out.').waitFor();
    },
  },
  {
    title: 'shows an auditor only the screens of the role, and an author all',
    person: auditor,
    run: async (page, { context }) => {
      const seen = await page.locator('header.top nav').getByRole('link').allTextContents();
      await context.clearCookies();
      await page.reload();
      await signInAs(page, author);
      const all = await page.locator('header.top nav').getByRole('link').allTextContents();
      expect(all.length).toBeGreaterThan(seen.length);
      expect(all).toEqual(expect.arrayContaining(seen));
    },
  },
  {
    title: 'sees no button of an administrator at the address of an administrator',
    person: auditor,
    before: async () => {
      policyId = await makePolicy('For administrators', 'A person decides.');
      await beginDraftOf(policyId);
      return '/health';
    },
    run: async (page) => {
      for (const screen of ['health', 'inbox', 'endpoints', 'figures', 'station']) {
        await goTo(page, `/${screen}`);
        const people = screen === 'station' ? 'people who work on returns' : 'administrators';
        await page.getByText(`This screen is for ${people}.`).waitFor();
        expect([screen, await page.locator('main button').count()]).toEqual([screen, 0]);
        await page.locator('main').getByRole('link', { name: 'Returns', exact: true }).waitFor();
      }
      for (const tab of ['backtest', 'shadow', 'publish']) {
        await goTo(page, `/policies/${policyId}?tab=${tab}`);
        await page.getByText('Version 1').first().waitFor();
        expect([tab, await page.locator('main button').count()]).toEqual([tab, 0]);
      }
    },
  },
  {
    title: 'sends no request for an address with a path step in place of an order',
    person: auditor,
    run: async (page) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(new URL(request.url()).pathname));
      await goTo(page, '/order?platform=..&orderId=..');
      await page.getByRole('alert').getByText('/platform').first().waitFor();
      expect(sent.filter((path) => !path.startsWith('/v1/') && !path.startsWith('/console/'))).toEqual([]);
    },
  },
  {
    title: 'speaks the Portuguese of the browser, and the language that a person chooses',
    person: operator,
    visit: { locale: 'pt-BR' },
    quick: true,
    run: async (page) => {
      expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
      await page.getByRole('link', { name: 'Devoluções' }).waitFor();
      await page.getByPlaceholder('RMA, pedido, rastreio').waitFor();
      await page.locator('.account summary').click();
      await page.getByLabel('Idioma').selectOption('en');
      await page.getByRole('link', { name: 'Returns', exact: true }).first().waitFor();
      await page.getByPlaceholder('RMA, order, tracking').waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    },
  },
  {
    title: 'loads Portuguese texts of screens only when a person chooses Portuguese',
    person: operator,
    run: async (page) => {
      const loaded = `performance.getEntriesByType('resource').filter(({ name }) => /portuguese/.test(name)).length`;
      const search = page.getByRole('searchbox');
      await search.fill('R-1');
      expect(await page.evaluate(loaded)).toBe(0);
      await page.locator('.account summary').click();
      await page.getByLabel('Language').selectOption('pt-PT');
      await page.getByPlaceholder('RMA, encomenda, seguimento').waitFor();
      expect([await page.evaluate(loaded), await search.inputValue()]).toEqual([1, 'R-1']);
    },
  },
  {
    title: 'keeps the page when the sign-in has ended, and signs in again in a window',
    person: operator,
    run: async (page, { context }) => {
      // The gateway rejects every token from now on, until a new sign-in.
      let isEnded = true;
      await page.route('**/v1/**', async (route) =>
        isEnded ? route.fulfill({ status: 401, json: { message: 'Unauthorized' } }) : route.continue(),
      );
      const { pathname } = new URL(page.url());
      await goTo(page, '/returns/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN');
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.waitFor();
      isEnded = false;
      const opened = context.waitForEvent('page');
      await dialog.getByRole('button', { name: 'Sign in again' }).click();
      await opened;
      await page.getByRole('alert').getByText('return_not_found').waitFor();
      expect([pathname, new URL(page.url()).pathname]).toEqual([
        '/console',
        '/console/returns/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN',
      ]);
    },
  },
  {
    title: 'signs in again although the issuer separates its window, and rejects another person',
    person: operator,
    run: async (page, { context }) => {
      let isEnded = true;
      await page.route('**/v1/**', async (route) =>
        isEnded ? route.fulfill({ status: 401, json: { message: 'Unauthorized' } }) : route.continue(),
      );
      await context.route('**/sign-in/*', async (route) => {
        if (route.request().method() !== 'GET') return route.continue();
        const response = await route.fetch();
        const headers = { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' };
        return route.fulfill({ response, headers });
      });
      await goTo(page, '/returns/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN');
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      const signInOf = async (id: Journey['person']) => {
        await context.clearCookies();
        const opened = context.waitForEvent('page');
        await dialog.getByRole('button', { name: 'Sign in again' }).click();
        const popup = await opened;
        const button = popup.getByRole('button', {
          name: stack().console.users.find((user) => user.id === id)?.name ?? '',
        });
        await button.waitFor();
        // The response of another tab of the console.
        await page.evaluate("new BroadcastChannel('returns-sign-in').postMessage('?code=other&state=window-other')");
        await button.click();
      };
      await signInOf(auditor);
      await dialog.getByRole('alert').getByText('Another person signed in.').waitFor();
      isEnded = false;
      await signInOf(operator);
      await page.getByRole('alert').getByText('return_not_found').waitFor();
    },
  },
  {
    title: 'opens the screen that a person chose last, although another one loads later',
    person: operator,
    run: async (page) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route('**/assets/policies-*', async (route) => {
        await released;
        return route.continue();
      });
      await page.getByRole('link', { name: 'Policies' }).click();
      await page.getByRole('link', { name: 'Station' }).click();
      await page.getByRole('heading', { name: 'Station' }).waitFor();
      const loaded = page.waitForResponse(/policies-/);
      release();
      await (await loaded).finished();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      await page.getByLabel('Scan or type').fill('R-1');
      expect(await page.getByRole('heading', { name: 'Station' }).count()).toBe(1);
    },
  },
  {
    title: 'says that the browser is offline, and reads again when it is not',
    person: operator,
    run: async (page, { context, open }) => {
      await open('/returns/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN');
      await page.getByText('return_not_found').waitFor();
      await context.setOffline(true);
      await goTo(page, '/returns/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSM');
      await page.getByText('You are offline.').waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      // The read is repeated when the connection is back.
      await context.setOffline(false);
      await page.getByText('return_not_found').waitFor();
    },
  },
  {
    title: 'says why a request failed in the language of the person',
    person: operator,
    visit: { locale: 'pt-BR' },
    path: '/returns/ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN',
    run: async (page) => {
      const notice = page.getByRole('alert');
      await notice.getByText('Não existe ou foi removido.').waitFor();
      // What the API says is marked as English, for screen readers.
      expect(await notice.locator('p[lang="en"]').count()).toBe(1);
    },
  },
  {
    title: 'loads a screen that was opened offline as soon as the connection is back',
    person: operator,
    run: async (page, { context }) => {
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Policies' }).click();
      await page.getByRole('alert').getByText('You are offline.').waitFor();
      expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);
      await context.setOffline(false);
      await page.getByRole('heading', { name: 'Policies' }).waitFor();
    },
  },
  {
    title: 'works in connected mode as in standalone mode',
    person: operator,
    visit: { mode: 'connected' },
    before: async () => {
      await requestReturn();
      return '/';
    },
    run: async (page) => {
      expect(page.url().startsWith(webUrl('connected') || 'none')).toBe(true);
      await page.getByRole('table').waitFor();
    },
  },
];
