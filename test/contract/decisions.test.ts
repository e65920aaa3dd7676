import { randomUUID } from 'node:crypto';
import { decodeTime } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { partitionIndexOf } from '../../lib/runtime/hash.ts';
import { decisionKey } from '../../lib/store/engine/keys.ts';
import { pack, unpack } from '../../lib/store/engine/pack.ts';
import { decisionPartitionCount } from '../../lib/store/policies/decisions.ts';
import type { Answer, Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import {
  auto,
  daysAgo,
  decided,
  hat,
  manual,
  noFinalSale,
  ofCustomer,
  often,
  returned,
  shop,
  shopWith,
  window,
} from '../support/decided-shop.ts';
import { beginDraft, versionIn } from '../support/policies.ts';
import { ownCode, reasonFacts } from '../support/reasons.ts';
import { orderPath, shirts, shopOrder } from '../support/scenario.ts';
import { openTable } from '../support/table.ts';

const table = openTable();
afterAll(() => table.close());

const quoted = ({ body }: Answer) => body as unknown as Output<'quoteReturn'>;

describe.each(contractModes(import.meta.filename))('%s decisions', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contractApi(mode);
  });

  it('approve a return in the same write when a policy allows it, with an explanation', async () => {
    const { publish, order } = shop(service);
    const { policyId } = await publish([window(30), noFinalSale, auto]);
    const answer = await service.post('/returns', ofCustomer(await order({})));
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: 'approved',
        decision: { policyVersion: `${policyId}/1`, verdict: 'approved', overridden: false },
      },
    });
    expect(await decided(service, answer)).toMatchObject({
      policyId,
      policyVersion: `${policyId}/1`,
      returnId: returned(answer).returnId,
      verdict: 'approved',
      approval: 'auto',
      lines: [{ orderLineId: '11', verdict: 'eligible', codes: [], missing: [] }],
      trace: [
        { phase: 'facts' },
        { phase: 'integrity' },
        {
          phase: 'exclusion',
          rule: 'final-sale',
          text: noFinalSale.text,
          line: 0,
          result: 'not_matched',
          inputs: { 'line.finalSale': false },
        },
        { phase: 'window', rule: 'window', result: 'matched', effect: { expired: false } },
        { phase: 'approval', rule: 'auto', result: 'matched', effect: { approval: 'auto' } },
      ],
      counterfactuals: [],
      reproduced: true,
    });
    const history = await service.get(`/returns/${returned(answer).returnId}/history`);
    expect(history.body.items).toMatchObject([{ policyVersion: `${policyId}/1` }, { type: 'return.approved' }]);
  });

  it('are not reproduced when their stored digest is another one', async () => {
    const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
    const answer = await service.post('/returns', ofCustomer(await order({})));
    const { decisionId } = await decided(service, answer);
    const day = new Date(decodeTime(decisionId.slice('dec_'.length))).toISOString().slice(0, 10);
    const { pk, sk } = decisionKey(day, partitionIndexOf(decisionId, decisionPartitionCount), decisionId);
    const stored = (await table.partition(pk)).find((item) => item.sk === sk);
    if (stored === undefined) throw new Error(`there is no ${decisionId}`);
    await table.put({ ...stored, value: pack({ ...(unpack(stored.value) as object), digest: 'another' }) });
    expect(await decided(service, answer)).toMatchObject({ decisionId, reproduced: false });
  });

  it("reject a customer's return when a policy denies it, with counterfactuals", async () => {
    const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
    const answer = await service.post('/returns', ofCustomer(await order({ hat: { finalSale: true } }), [hat]));
    expect(answer).toMatchObject({
      status: 201,
      body: {
        status: 'rejected',
        rejection: { code: 'final_sale' },
        lines: [{ eligibility: { verdict: 'ineligible', code: 'final_sale' }, quantities: { rejected: 1 } }],
      },
    });
    const decision = await decided(service, answer);
    expect(decision.counterfactuals).toEqual([
      {
        line: 0,
        changes: [{ fact: 'line.finalSale', is: true, op: 'eq', value: false }],
        verdict: 'eligible',
      },
    ]);
    expect(decision.explanation).toEqual([
      'The return is declined.',
      'You cannot return 1 × HAT. What was sold for good stays sold.',
    ]);
  });

  it('are explained in the requested language, with titles and without rule ids', async () => {
    const { publish, order } = shop(service);
    const texts = { de: 'Reduzierte Ware nehmen wir nicht zurück.' };
    await publish([window(30), { ...noFinalSale, texts }, auto]);
    const ref = await order({ hat: { title: 'Toothbrush', finalSale: true } });
    const request = ofCustomer(ref, [shirts(1), hat]);
    const quoteIn = async (language?: string) => {
      const headers = language === undefined ? {} : { 'accept-language': language };
      return service.post('/quotes', { request }, { key: null, headers });
    };
    const [german, portuguese, english] = [await quoteIn('de-CH'), await quoteIn('ja, pt-BR;q=0.7'), await quoteIn()];
    const languagesOf = ({ headers }: Answer) => [headers.get('content-language'), headers.get('vary')];
    expect([german, portuguese, english].map(languagesOf)).toEqual(
      ['de', 'pt', 'en'].map((language) => [language, 'Accept-Language']),
    );
    expect(quoted(german).decision?.explanation[2]).toBe(
      'Sie können 1 × Toothbrush nicht zurückgeben. Reduzierte Ware nehmen wir nicht zurück.',
    );
    expect(quoted(portuguese).decision?.explanation[2]).toBe(
      'Não é possível devolver 1 × Toothbrush. A política de devoluções da loja não permite esta devolução.',
    );
    expect(quoted(english).steps[0]?.detail).toBe('1 × SHIRT-M at the price paid, with discounts and tax.');
    expect(quoted(german).total).toEqual(quoted(english).total);
    const created = await service.post('/returns', request);
    const path = `/decisions/${returned(created).decision?.decisionId}`;
    const french = await service.get(path, { headers: { 'accept-language': 'fr' } });
    expect(languagesOf(french)).toEqual(['fr', 'Accept-Language']);
    const { explanation, reproduced } = french.body as unknown as Output<'getDecision'>;
    expect(explanation[2]).toMatch(/^Vous ne pouvez pas retourner 1 × Toothbrush\. /);
    expect(explanation.join(' ')).not.toMatch(/final-sale|HAT|\[/);
    expect(reproduced).toBe(true);
  });

  it('approve the lines that qualify, and reject the others', async () => {
    const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
    const answer = await service.post(
      '/returns',
      ofCustomer(await order({ hat: { finalSale: true } }), [shirts(2), hat]),
    );
    expect(answer.body).toMatchObject({
      status: 'approved',
      lines: [{ quantities: { approved: 2, rejected: 0 } }, { quantities: { approved: 0, rejected: 1 } }],
    });
  });

  it("only advise the shop's staff, who may override them with a reason", async () => {
    const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
    const request = ofCustomer(await order({ hat: { finalSale: true } }), [hat], { initiatedBy: 'agent' });
    const answer = await service.post('/returns', request);
    expect(answer.body).toMatchObject({ status: 'requested', decision: { verdict: 'rejected', overridden: false } });
    expect(answer.body.allowedActions).toContainEqual({
      action: 'approve',
      scope: 'returns:admin',
      allowed: true,
      overrides: ['not_eligible'],
    });
    const { returnId: id, lines } = returned(answer);
    expect(await service.post(`/returns/${id}/approve`)).toMatchObject({
      status: 422,
      body: { code: 'not_eligible', errors: [{ path: '/lines/0/override/reason', code: 'final_sale' }] },
    });
    const named = { lineId: lines[0]?.lineId, quantity: 1 };
    expect(await service.post(`/returns/${id}/approve`, { lines: [named] })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/lines/0/override/reason', code: 'final_sale' }] },
    });
    const override = { reason: 'a good customer' };
    expect(await service.post(`/returns/${id}/approve`, { lines: [{ ...named, override }] })).toMatchObject({
      status: 200,
      body: { status: 'approved', decision: { verdict: 'rejected', overridden: true } },
    });
  });

  it('need a review when a fact is missing, and name the fact', async () => {
    const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
    const answer = await service.post('/returns', ofCustomer(await order({ hat: { deliveries: undefined } }), [hat]));
    expect(answer.body).toMatchObject({ status: 'requested', decision: { verdict: 'needs_review' } });
    expect((await decided(service, answer)).lines).toMatchObject([
      { verdict: 'needs_review', code: 'needs_review', missing: ['line.deliveredAt'] },
    ]);
  });

  it('never go below the statutory right', async () => {
    const { publish, order } = shop(service);
    await publish([window(1), noFinalSale, manual]);
    const answer = await service.post('/returns', ofCustomer(await order({ country: 'DE', delivered: 5 })));
    expect(answer.body).toMatchObject({ status: 'approved', decision: { verdict: 'approved' } });
    expect((await decided(service, answer)).lines).toMatchObject([{ verdict: 'eligible', right: 'EU 2011/83' }]);
    const late = await service.post('/returns', ofCustomer(await order({ country: 'DE', delivered: 30 })));
    expect(late.body).toMatchObject({ status: 'rejected', rejection: { code: 'window_expired' } });
  });

  it('use the policy version at the time of the order, or a better later one when configured', async () => {
    const { publish, order } = shop(service);
    const { path, policyId } = await publish([window(2), auto]);
    const placed = { placedAt: new Date().toISOString() };
    const rules = [window(30), auto];
    const draft = await service.put(`${path}/draft`, { document: { ...(await documentOf(path)), rules } }, beginDraft);
    expect(draft.status).toBe(201);
    expect((await service.post(`${path}/publish`)).status).toBe(200);
    const before = await service.post('/returns', ofCustomer(await order(placed)));
    expect(before.body).toMatchObject({ status: 'rejected', decision: { policyVersion: `${policyId}/1` } });
    const after = await service.post('/returns', ofCustomer(await order({ placedAt: new Date().toISOString() })));
    expect(after.body).toMatchObject({ status: 'approved', decision: { policyVersion: `${policyId}/2` } });
    const favorable = { ...(await documentOf(path)), rules, favorable: true };
    await service.put(`${path}/draft`, { document: favorable }, beginDraft);
    await service.post(`${path}/publish`);
    const better = await service.post('/returns', ofCustomer(await order(placed)));
    expect(better.body).toMatchObject({ status: 'approved', decision: { policyVersion: `${policyId}/3` } });
  });

  const documentOf = async (path: string) => versionIn(await service.get(`${path}/versions/1`)).document as object;

  it('include no fee and no term that the law forbids', async () => {
    const { publish, order } = shop(service);
    const fee = { id: 'fee', phase: 'fee', text: 'A tenth is kept.', fee: { type: 'restocking', bps: 1000 } };
    await publish([window(30), fee, auto]);
    const request = ofCustomer(await order({ country: 'DE' }));
    const { body } = await service.post('/quotes', { request }, { key: null, client: 'returns-reader' });
    const removedFees = [{ type: 'restocking', rule: 'fee', bps: 1000, law: 'EU 2011/83' }];
    expect(body).toMatchObject({ total: eur(2000), decision: { verdict: 'approved', fees: [], removedFees } });
    expect(JSON.stringify(body)).toContain('The law removes the processing fee of 10% (EU 2011/83).');
    expect(JSON.stringify(body)).not.toContain('A processing fee');
  });

  it('are predicted by a quote, including the amount, and match it', async () => {
    const { publish, order } = shop(service);
    const fee = { id: 'fee', phase: 'fee', text: 'A tenth is kept.', fee: { type: 'restocking', bps: 1000 } };
    const { path, policyId } = await publish([window(30), noFinalSale, fee, auto]);
    const request = ofCustomer(await order({}));
    const quote = await service.post('/quotes', { request }, { key: null, client: 'returns-reader' });
    expect(quote).toMatchObject({
      status: 200,
      body: {
        steps: [
          { rule: 'goods', orderLineId: '11', amount: eur(2000) },
          { rule: 'restocking', amount: eur(-200) },
          { rule: 'shipping', amount: eur(0) },
        ],
        total: eur(1800),
        decision: { verdict: 'approved', policyVersion: `${policyId}/1`, fees: [{ type: 'restocking', bps: 1000 }] },
      },
    });
    const { eligibilityToken } = quoted(quote);
    const rules = [{ ...auto, approval: 'reject', deny: 'closed' }];
    await service.put(`${path}/draft`, { document: { ...(await documentOf(path)), rules } }, beginDraft);
    await service.post(`${path}/archive`);
    const other = { ...request, lines: [shirts(1)], eligibilityToken };
    expect(await service.post('/returns', other)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/eligibilityToken', code: 'token' }] },
    });
    const created = await service.post('/returns', { ...request, eligibilityToken });
    expect(created.body).toMatchObject({
      status: 'approved',
      decision: { policyVersion: `${policyId}/1`, verdict: 'approved' },
    });
    expect(returned(created).decision).not.toHaveProperty('changedSinceQuote');
    const { factsHash, digest } = await decided(service, created);
    expect({ factsHash, digest }).toEqual({
      factsHash: quoted(quote).decision?.factsHash,
      digest: quoted(quote).decision?.digest,
    });
  });

  it('name the facts that differ from those of the quote', async () => {
    const { order } = await shopWith(service, [window(30), noFinalSale, auto]);
    const ref = await order({ hat: { deliveries: undefined } });
    const request = ofCustomer(ref, [hat]);
    const quote = quoted(await service.post('/quotes', { request }, { key: null }));
    expect(quote.decision).toMatchObject({ verdict: 'needs_review' });
    const lines = shopOrder().lines.map((line) => ({
      ...line,
      finalSale: false,
      deliveries: [{ quantity: line.quantity, at: daysAgo(1) }],
    }));
    await service.put(orderPath(ref), shopOrder({ lines, observedAt: new Date().toISOString() }));
    const created = await service.post('/returns', { ...request, eligibilityToken: quote.eligibilityToken });
    expect(created.body).toMatchObject({
      status: 'approved',
      decision: { verdict: 'approved', changedSinceQuote: expect.arrayContaining(['order', 'lines']) },
    });
  });

  it('let the customer keep goods when a policy says so', async () => {
    const { publish, order } = shop(service);
    const returnless = { id: 'keep', phase: 'logistics', text: 'Cheap goods stay.', returnless: true };
    await publish([window(30), returnless, auto]);
    const answer = await service.post('/returns', ofCustomer(await order({})));
    expect(answer.body).toMatchObject({ status: 'approved', lines: [{ quantities: { approved: 2, returnless: 2 } }] });
    const paid = await service.post(`/returns/${answer.body.returnId}/refunds`);
    expect(paid.body).toMatchObject({ refunds: [{ amount: eur(2000), status: 'pending' }] });
  });

  it("count the customer's returns when a policy uses that number", async () => {
    const { publish, order } = shop(service);
    await publish([window(30), often, auto]);
    const customer = { id: `customer-${randomUUID()}` };
    const first = await service.post('/returns', ofCustomer(await order({ customer })));
    expect(first.body).toMatchObject({ status: 'approved' });
    const request = ofCustomer(await order({ customer }));
    const quote = await service.post('/quotes', { request }, { key: null });
    expect(quote.body).toMatchObject({ decision: { verdict: 'rejected' }, total: eur(0) });
    const second = await service.post('/returns', request);
    expect(second.body).toMatchObject({ status: 'rejected', rejection: { code: 'limit_reached' } });
    const decision = await decided(service, second);
    expect(JSON.stringify(decision)).not.toContain(customer.id);
  });

  it('include in a quote the payment after the required evidence', async () => {
    const code = ownCode();
    const demanding = { ...reasonFacts, evidenceRequired: true };
    await service.put(`/reasons/${code}`, demanding, { headers: { 'if-none-match': '*' } });
    const { order } = await shopWith(service, [window(30), auto]);
    const request = ofCustomer(await order({}), [shirts(1), { ...hat, reason: { code } }]);
    const quote = await service.post('/quotes', { request }, { key: null });
    expect(quote).toMatchObject({ status: 200, body: { total: eur(3000) } });
    expect((await service.post('/returns', request)).body).toMatchObject({ status: 'requested' });
  });

  it('neither cancel nor mark as missing the units that the customer keeps', async () => {
    const { publish, order } = shop(service);
    const rule = { phase: 'logistics', text: 'Cheap goods stay.' };
    await publish([
      window(30),
      { ...rule, id: 'keep', returnless: true },
      { ...rule, id: 'soon', shipByDays: 0 },
      auto,
    ]);
    const { body } = await service.post('/returns', ofCustomer(await order({})));
    expect(body).not.toHaveProperty('deadlines.shipBy');
    for (const action of ['cancel', 'expire']) {
      expect(body.allowedActions).toContainEqual(
        expect.objectContaining({ action, allowed: false, blockedBy: 'nothing_outstanding' }),
      );
      expect(await service.post(`/returns/${body.returnId}/${action}`)).toMatchObject({
        status: 409,
        body: { code: 'invalid_transition' },
      });
    }
  });

  it('do not exist when no policy applies to the order', async () => {
    const { order } = shop(service);
    const answer = await service.post('/returns', ofCustomer(await order({})));
    expect(answer.body).toMatchObject({ status: 'requested' });
    expect(answer.body).not.toHaveProperty('decision');
    const quote = await service.post('/quotes', { request: ofCustomer(await order({})) }, { key: null });
    expect(quote).toMatchObject({ status: 200, body: { total: eur(2000) } });
    expect(quote.body).not.toHaveProperty('eligibilityToken');
  });

  it('return 404 for an unknown id, and 400 for a quote with both inputs or neither', async () => {
    expect(await service.get('/decisions/dec_01KAJ3V9Z8QW4T6R2M5N7P0XYB')).toMatchObject({
      status: 404,
      body: { code: 'decision_not_found', errors: [{ path: '/decisionId' }] },
    });
    const { order } = shop(service);
    const request = ofCustomer(await order({}));
    const both = { request, returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' };
    for (const body of [both, { request, shipping: eur(1) }, { shipping: eur(1) }])
      expect(await service.post('/quotes', body, { key: null })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: '' }] },
      });
    const lines = [shirts(1, { orderLineId: '99' })];
    expect(await service.post('/quotes', { request: { ...request, lines } }, { key: null })).toMatchObject({
      status: 404,
      body: { code: 'order_line_not_found', errors: [{ path: '/request/lines/0/orderLineId' }] },
    });
    const nowhere = { ...request, order: { platform: 'shopify', orderId: randomUUID() } };
    expect(await service.post('/quotes', { request: nowhere }, { key: null })).toMatchObject({
      status: 404,
      body: { code: 'order_not_found', errors: [{ path: '/request/order' }] },
    });
  });
});
