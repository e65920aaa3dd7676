import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { exporting } from '../../lib/contract/jobs/examples.ts';
import { auditor, author, operator } from '../support/users.ts';
import { actionsOf, countActions, sendCommand, waitForStatus } from './act.ts';
import type { Journey } from './journeys.ts';
import { api } from '../support/api.ts';
import { beginDraft, publishedPolicy } from '../support/policies.ts';
import {
  countReturns,
  declareWithdrawal,
  inspectedReturn,
  makeEndpoint,
  makePolicy,
  requestReturn,
  saveDraftOf,
} from './shop.ts';

let number = '';
let name = '';
let draftedId = '';

/** Policies, histories, withdrawals and the operation of the service. */
export const officeJourneys: readonly Journey[] = [
  {
    title: 'writes a policy, checks it and publishes it',
    person: author,
    quick: true,
    path: '/policies',
    run: async (page) => {
      await page.getByRole('button', { name: 'New policy' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/^Name/).fill(`Shoes ${randomUUID().slice(0, 8)}`);
      await dialog.getByLabel('Start with').selectOption('minimal');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('link', { name: 'Publish' }).click();
      // It decides for no order of other tests, which share the service.
      await page.getByLabel('Decides from').fill('2099-01-01T00:00');
      await page.getByText('The check is done. Nothing is published yet.').waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('The version is published.').first().waitFor();
    },
  },
  {
    title: 'merges a draft with the one that another person saved meanwhile',
    person: author,
    before: async () => {
      draftedId = await makePolicy('Merged', 'A person decides.');
      await saveDraftOf(draftedId, 'The first text.', beginDraft);
      return `/policies/${draftedId}?tab=draft`;
    },
    run: async (page) => {
      await page.getByText('Approval', { exact: true }).first().waitFor();
      const text = page.getByLabel('Document of the policy as JSON');
      await text.fill((await text.inputValue()).replace('The first text.', 'My text.'));
      await saveDraftOf(draftedId, 'Their text.', { headers: { 'if-match': '"1"' } });
      await page.getByRole('button', { name: 'Save the draft' }).click();
      const dialog = page.getByRole('dialog', { name: 'Another person saved the draft' });
      await dialog.getByRole('group', { name: 'Rule all' }).waitFor();
      await dialog.getByRole('button', { name: 'Keep all of mine' }).click();
      await dialog.getByRole('button', { name: 'Continue with the merged draft' }).click();
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await page.getByText('All changes are saved.').waitFor();
      expect(await text.inputValue()).toContain('My text.');
      await page
        .getByText(/Saved by Bruno Costa/)
        .first()
        .waitFor();
    },
  },
  {
    title: 'sees examples of a fact, a text that contradicts its rule, and the effect beside the rules',
    person: author,
    before: async () => {
      draftedId = await makePolicy('Contradicted', 'A person decides.');
      await saveDraftOf(draftedId, 'The first text.', beginDraft);
      return `/policies/${draftedId}?tab=draft`;
    },
    run: async (page) => {
      const json = page.getByLabel('Document of the policy as JSON');
      const rule = {
        id: 'window',
        phase: 'window',
        text: 'Within 14 days of delivery.',
        window: { anchor: 'delivered', days: 30 },
        when: { fact: 'order.currency', op: 'eq', value: 'EUR' },
      };
      const document = JSON.parse(await json.inputValue()) as { readonly rules: readonly object[] };
      await json.fill(JSON.stringify({ ...document, rules: [...document.rules, rule] }));
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await page.getByText('names 14 days, but the rule has 30 days').waitFor();
      await page.locator('summary').getByText('currency of the order is EUR').click();
      await page.getByText('For example EUR, JPY, GBP.').waitFor();
      await page.locator('summary').getByText('Backtest', { exact: true }).click();
      await page.getByRole('button', { name: 'Start a backtest' }).click();
      await page.getByText('Compared decisions').first().waitFor();
      await expect(json.inputValue()).resolves.toContain('Within 14 days');
    },
  },
  {
    title: 'reads what customers may rely on in another language, and copies a format',
    person: operator,
    before: async () => {
      const channel = `channel-${randomUUID()}`;
      const window = { anchor: 'delivered', days: 45, graceDays: 2 };
      const document = {
        selectors: { countries: ['US'], channels: [channel] },
        categories: ['shoes'],
        rules: [
          { id: 'window', phase: 'window', text: '45 days', window },
          { id: 'all', phase: 'approval', text: 'A person decides.', approval: 'manual' },
          {
            id: 'shoes',
            phase: 'exclusion',
            text: 'No shoes',
            deny: 'excluded',
            when: { fact: 'line.categories', op: 'hasAny', value: ['shoes'] },
          },
        ],
      };
      await publishedPolicy(api('standalone'), document, `For customers ${channel}`);
      name = channel;
      return '/policies';
    },
    run: async (page) => {
      await page.getByRole('link', { name: 'What customers may rely on' }).click();
      await page.getByLabel(/^Country/).fill('us');
      await page.getByLabel('Channel').fill(name);
      await page.getByLabel('Channel').press('Enter');
      await page.getByText('You can return items within 45 days of the delivery of the item.').first().waitFor();
      await page.getByText('Return windows: the shop does not disclose days after the end.').waitFor();
      const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'schema.org' }) });
      await section.getByText('"merchantReturnDays": 45').waitFor();
      await section.getByText('Only for: product category “shoes”.').waitFor();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await section.getByRole('button', { name: 'Copy' }).first().click();
      await section.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(JSON.parse(copied)).toMatchObject({ '@type': 'MerchantReturnPolicy', merchantReturnDays: 45 });
      await page.getByRole('heading', { name: 'Shopify' }).waitFor();
      await page.getByLabel('Language').last().selectOption('Deutsch');
      await page.getByText('45 Tage').first().waitFor();
      expect(new URL(page.url()).searchParams.get('country')).toBe('US');
    },
  },
  {
    title: 'archives a policy after seeing what that does',
    person: author,
    before: async () => `/policies/${await makePolicy('Archived', 'A person decides.')}`,
    run: async (page) => {
      await page.getByRole('button', { name: 'Archive' }).click();
      const dialog = page.getByRole('dialog', { name: 'Archive the policy: Archived' });
      await dialog.getByText('Decides nothing').waitFor();
      await dialog.getByRole('button', { name: 'Archive' }).click();
      await page.getByText('The policy is archived.').waitFor();
      await page.getByText('Decides nothing').waitFor();
    },
  },
  {
    title: 'goes from a return to its decision, to the policy by its name, and to the order',
    person: operator,
    before: async () => {
      name = `Shoes ${randomUUID().slice(0, 8)}`;
      const seller = randomUUID();
      await makePolicy(name, 'A person decides.', seller);
      const created = await requestReturn({ seller });
      number = created.number;
      return `/returns/${created.returnId}`;
    },
    run: async (page) => {
      await page.getByRole('link', { name: `${name}, version 1` }).waitFor();
      await page.getByRole('link', { name: 'Facts and rules of the decision' }).click();
      await page.getByRole('heading', { name: 'The policy left the decision to a person.' }).waitFor();
      const order = page.getByRole('link', { name: number });
      await order.waitFor();
      await page.getByRole('link', { name: `${name}, version 1` }).waitFor();
      expect(await page.locator('main').innerText()).not.toMatch(/\b(ret|pol)_/);
      await page.getByRole('link', { name: `${name}, version 1` }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.goBack();
      await order.click();
      await page.getByRole('heading', { level: 1, name: `Order ${number}` }).waitFor();
    },
  },
  {
    title: 'reads policies as an auditor, and changes none',
    person: auditor,
    before: async () => `/policies/${await makePolicy('For auditors', 'A person decides.')}`,
    run: async (page) => {
      await page.getByText('Version 1').first().waitFor();
      expect(await page.getByRole('button', { name: /^(Archive|Save the draft|Publish)$/ }).count()).toBe(0);
    },
  },
  {
    title: 'checks the chain of a history, and sees the return as it was',
    person: auditor,
    before: async () => `/history?returnId=${(await inspectedReturn()).returnId}`,
    run: async (page) => {
      await page.getByRole('button', { name: 'Check the chain' }).click();
      await page.getByText('The chain is valid.').waitFor();
      const slider = page.getByRole('slider');
      await slider.focus();
      await page.keyboard.press('Home');
      await page.getByText('This is the first entry: the return began here.').waitFor();
    },
  },
  {
    title: 'opens the history of a return',
    person: operator,
    before: async () => `/returns/${(await requestReturn()).returnId}`,
    run: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Check the history' }).click();
      await page.waitForURL(/\/history\?returnId=/);
    },
  },
  {
    title: 'sees a declaration of withdrawal with its receipt',
    person: operator,
    before: async () => `/withdrawals/${await declareWithdrawal({ name: 'Ada Example', contract: 'Order 1001' })}`,
    run: async (page) => {
      await page.getByText('Ada Example').first().waitFor();
      await page.getByText('Receipt due').first().waitFor();
    },
  },
  {
    title: 'matches a declaration to an order, after a preview of its effect',
    person: operator,
    before: async () => {
      ({ number } = await requestReturn());
      return `/withdrawals/${await declareWithdrawal({ name: 'Ada Example', contract: 'the jumper' })}`;
    },
    run: async (page) => {
      await page.getByRole('button', { name: /^Match/ }).click();
      const dialog = page.getByRole('dialog');
      // The declaration names no number, so the person searches. Enter searches, and sends nothing.
      await dialog.getByText('No order is found.').waitFor();
      await dialog.getByLabel(/^Order number/).fill(number);
      await dialog.getByLabel(/^Order number/).press('Enter');
      await dialog.getByText('Beatriz Almeida').waitFor();
      await dialog.getByRole('radio', { name: `Choose order ${number}` }).check();
      await dialog.getByRole('button', { name: /^Match/ }).click();
      await dialog.waitFor({ state: 'detached' });
      // The period of the right has ended, so a rule answers.
      await waitForStatus(page, 'Answered');
    },
  },
  {
    title: 'finds a declaration by name, contract and days left, and matches it in three clicks without typing',
    person: operator,
    quick: true,
    before: async () => {
      const family = randomUUID().replaceAll(/[-0-9]/g, '');
      const [customer, email] = [`Zélia ${family}`, `${family}@example.com`];
      ({ number } = await requestReturn({ texts: { customer }, email }));
      await requestReturn({ texts: { customer } });
      name = `${family} zelia`;
      await declareWithdrawal({ name, email, contract: `My order ${number}, please` });
      return '/withdrawals?status=declared';
    },
    run: async (page) => {
      const row = page.getByRole('row').filter({ hasText: name });
      expect(await row.innerText()).toMatch(new RegExp(`My order ${number}, please\\s+in (13|14) days`));
      await countActions(page);
      await row.getByRole('link', { name }).click();
      await page.getByRole('button', { name: 'Match to an order' }).click();
      const dialog = page.getByRole('dialog');
      const candidate = dialog.getByRole('row').filter({ hasText: number });
      for (const agreed of ['Number', 'E-mail', 'Name']) await candidate.getByText(agreed, { exact: true }).waitFor();
      // The order with the same name alone is offered too, after it, and not chosen.
      expect(
        await dialog.getByRole('radio').evaluateAll((all) => all.map((radio) => radio.matches(':checked'))),
      ).toEqual([true, false]);
      await dialog.getByRole('button', { name: 'Match to an order' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await actionsOf(page)).toBe(3);
      await waitForStatus(page, 'Answered');
    },
  },
  {
    title: 'creates an endpoint, and shows its secret once',
    person: author,
    path: '/endpoints',
    run: async (page) => {
      await page.getByRole('button', { name: 'Create an endpoint' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/^URL/).fill(`https://hooks.example.com/${randomUUID()}`);
      await dialog.getByRole('button', { name: /^(Send|Create)/ }).click();
      await page.getByText('Store it now. It is shown only once.').waitFor();
      const secret = (await page.getByRole('dialog').textContent())?.match(/whsec_[\w+/=]+/)?.[0] ?? 'none';
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const stored = String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'));
      expect([secret.startsWith('whsec_'), stored.includes(secret), (await page.content()).includes(secret)]).toEqual([
        true,
        false,
        false,
      ]);
    },
  },
  {
    title: 'opens an endpoint with its deliveries',
    person: author,
    before: async () => `/endpoints/${await makeEndpoint()}`,
    run: async (page) => {
      await page.getByText('https://hooks.example.com/returns').first().waitFor();
      await page.getByText('No delivery matches these filters.').waitFor();
    },
  },
  {
    title: 'looks for deliveries of shops by their status',
    person: author,
    path: '/inbox',
    run: async (page) => {
      await page.getByLabel('Status').selectOption({ index: 1 });
      await page.waitForURL(/status=/);
      await page.locator('main .loading').waitFor({ state: 'detached' });
    },
  },
  {
    title: 'reads figures with a table for each chart',
    person: author,
    before: async () => {
      await inspectedReturn();
      await countReturns();
      return '/figures';
    },
    run: async (page) => {
      await page.getByRole('heading', { name: 'Returns by status' }).waitFor();
      await page.getByRole('region', { name: 'Returns by status' }).getByRole('table').waitFor();
      await page.getByRole('button', { name: 'Export returns' }).waitFor();
      // Without a choice it shows the last 30 days, with a row for each day of the chart that has returns.
      const course = page.getByRole('region', { name: /^Returns\. Requested from \d+ \w{3} \d{4} to / });
      await course
        .getByRole('rowheader', { name: /^\d+ \w{3} \d{4}$/ })
        .first()
        .waitFor();
      await page.getByRole('img', { name: /^Returns\. Requested from / }).waitFor();
      await expect(page.getByLabel('First day (UTC)').inputValue()).resolves.toMatch(/^\d{4}-\d{2}-\d{2}$/);
    },
  },
  {
    title: 'sees the health of the service',
    person: author,
    path: '/health',
    run: async (page) => {
      await page.getByText('The service answers and reaches its dependencies.').waitFor();
    },
  },
  {
    title: 'reads a running job when its hidden tab is visible again',
    person: author,
    run: async (page) => {
      const { jobId } = exporting;
      let isDone = false;
      let count = 0;
      await page.route(`**/v1/jobs/${jobId}`, async (route) => {
        count += 1;
        return route.fulfill({ json: { ...exporting, status: isDone ? 'done' : 'running' } });
      });
      const setHidden = async (isHidden: boolean) =>
        page.evaluate(
          `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
           document.dispatchEvent(new Event('visibilitychange'))`,
        );
      await page.clock.install();
      await setHidden(true);
      await page.evaluate(
        `history.pushState(null, '', '/console/health/${jobId}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await waitForStatus(page, 'Running');
      // The pauses reach their maximum.
      await page.clock.runFor(120_000);
      expect(count).toBe(1);
      isDone = true;
      await setHidden(false);
      await waitForStatus(page, 'Done');
    },
  },
  {
    title: 'approves a return with a slow network and a slow processor',
    person: operator,
    before: async () => `/returns/${(await requestReturn()).returnId}`,
    run: async (page, { context }) => {
      const session = await context.newCDPSession(page);
      // A network of the third generation, as browsers emulate it.
      const network = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
      await session.send('Network.emulateNetworkConditions', network);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
      await page.reload();
      await sendCommand(page, 'Approve');
      await waitForStatus(page, 'Approved');
    },
  },
];
