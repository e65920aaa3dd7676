import { beginDraft } from '../support/policies.ts';
import { author, operator } from '../support/users.ts';
import { expect } from 'vitest';
import { openCommand, previewAndSend, waitForStatus } from './act.ts';
import type { Journey } from './journeys.ts';
import { inspectedReturn, makePolicy, saveDraftOf, shippedReturn } from './shop.ts';

const visit = { locale: 'pt-PT' } as const;

/** What the service says in English, in the language of a person who chose Portuguese. */
export const portugueseJourneys: readonly Journey[] = [
  {
    title: 'reads in Portuguese what lint finds, and what an operator means',
    person: author,
    visit,
    before: async () => {
      const policyId = await makePolicy('Contradita', 'Uma pessoa decide.');
      await saveDraftOf(policyId, 'Uma pessoa decide.', beginDraft);
      return `/policies/${policyId}?tab=draft`;
    },
    run: async (page) => {
      const json = page.getByLabel('Documento da política em JSON');
      const rule = {
        id: 'window',
        phase: 'window',
        text: 'Até 14 dias depois da entrega.',
        window: { anchor: 'delivered', days: 30 },
        when: { fact: 'order.value', op: 'lte', value: 5000 },
      };
      const document = JSON.parse(await json.inputValue()) as { readonly rules: readonly object[] };
      await json.fill(JSON.stringify({ ...document, rules: [...document.rules, rule] }));
      await page.getByRole('button', { name: 'Guardar o rascunho' }).click();
      await page.getByText('Indica 14, mas a regra tem 30.').waitFor();
      await page.getByText(/Compara valores de qualquer moeda/).waitFor();
      await page.locator('summary').getByText('valor da encomenda é no máximo').click();
      await page.getByText('Abaixo ou antes do valor, ou o próprio valor.').waitFor();
    },
  },
  {
    title: 'reads in Portuguese, at the field, how much a refund may be',
    person: operator,
    visit,
    before: async () => `/returns/${(await inspectedReturn()).returnId}`,
    run: async (page) => {
      await openCommand(page, 'Lançar um reembolso');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Valor', exact: true }).click();
      await dialog.getByLabel('Valor', { exact: true }).fill('9999');
      const field = dialog.locator('.field').filter({ has: page.getByLabel('Valor', { exact: true }) });
      await field.getByText(/^No máximo .*€\.$/).waitFor();
    },
  },
  {
    title: 'takes a parcel that arrived to a paid refund in Portuguese, with at most 65 words to confirm',
    person: operator,
    visit,
    before: async () => `/returns/${(await shippedReturn()).returnId}`,
    run: async (page) => {
      await openCommand(page, 'Recebido, em ordem, reembolsar');
      const dialog = page.getByRole('dialog');
      const changes = dialog.locator('.changes');
      await changes.getByText('Reembolsos lançados 24,50 €', { exact: true }).waitFor();
      const text = await changes.innerText();
      expect(text.split(/\s+/).length).toBeLessThanOrEqual(65);
      expect(text.match(/Hat/g)).toHaveLength(1);
      await dialog.locator('[type="submit"]').click();
      await waitForStatus(page, 'Inspecionada');
      await page
        .getByText(/ao cliente · Lançado /)
        .first()
        .waitFor();
      const next = page.locator('.action-bar').getByRole('button', { name: /^Registar resultado/ });
      const more = page.locator('.more-actions summary');
      expect((await next.boundingBox())?.height).toBe((await more.boundingBox())?.height);
      await next.click();
      await previewAndSend(page, 'O que muda');
      await waitForStatus(page, 'Reembolsada');
      await page
        .getByText(/ao cliente · Saldado /)
        .first()
        .waitFor();
    },
  },
  {
    title: 'says in Portuguese that one unit of an order can be returned',
    person: operator,
    visit,
    before: async () => {
      const { order } = await shippedReturn();
      return `/order?platform=${order.platform}&orderId=${order.orderId}`;
    },
    run: async (page) => {
      await page.getByText('1 pode ser devolvida', { exact: true }).waitFor();
    },
  },
];
