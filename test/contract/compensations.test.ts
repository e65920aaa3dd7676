import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { contractModes, contractWithTerms } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { approvedReturnOf, orderPath, returnOf, shopOrder } from '../support/scenario.ts';

const contract = contractWithTerms({ refundTiming: 'approved' });

type OrderRef = { readonly platform: string; readonly orderId: string };

const paid = () => ({ status: 'succeeded', providerRef: randomUUID(), occurredAt: '2026-11-20T08:00:00Z' });
const payment = (id: string, amount: number, method = 'card') => ({ id, method, paid: eur(amount) });

describe.each(contractModes(import.meta.filename))('%s compensate', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  /** Creates an approved return of shirts at 10.00 each. */
  const shirtsBack = async (quantity = 2, facts: object = {}) => {
    const created = await approvedReturnOf(service, (order) => returnOf(order, quantity), facts);
    return { ...created, order: created.order as OrderRef, lineId: created.lines[0] ?? '' };
  };
  const compensate = async (id: string, body: object, client?: string) =>
    service.post(
      `/returns/${id}/compensations`,
      { reason: 'goodwill', ...body },
      client === undefined ? {} : { client },
    );
  const read = async (id: string) => (await service.get(`/returns/${id}`)).body;
  const quoteOf = async (id: string) => (await service.post('/quotes', { returnId: id })).body;
  const worthOf = async (order: OrderRef, quantity: number) =>
    (await service.post('/quotes', { request: returnOf(order, quantity) })).body;

  it('pays a part of the price of units that the customer keeps, which are worth the rest later', async () => {
    const { id, order, lineId } = await shirtsBack();
    const reduced = await compensate(id, { type: 'price_reduction', lineId, amount: eur(1500), result: paid() });
    expect(reduced).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        refundStatus: 'partially_refunded',
        recoveryDue: eur(0),
        lines: [{ quantities: { requested: 2, refunded: 0 } }],
        refunds: [
          {
            status: 'succeeded',
            method: 'original_payment',
            amount: eur(1500),
            returnLines: [],
            breakdown: {
              lines: [],
              reductions: [{ lineId, orderLineId: '11', quantity: 2, gross: eur(1500), reason: 'goodwill' }],
            },
          },
        ],
      },
    });
    expect(await quoteOf(id)).toMatchObject({ total: eur(500) });
    const kept = await service.post(`/returns/${id}/cancel`);
    expect(kept).toMatchObject({
      status: 200,
      body: { status: 'cancelled', refundStatus: 'none', recoveryDue: eur(0), discrepancies: [] },
    });
    const { body: returnable } = await service.get(`${orderPath(order)}/returnable`);
    expect(returnable.lines).toMatchObject([{ lineId: '11', held: 0, refunded: 0, returnable: 3 }, {}]);
    // The units that no price reduction is for are worth their price. They count first.
    expect(await worthOf(order, 1)).toMatchObject({ total: eur(1000) });
    expect(await worthOf(order, 3)).toMatchObject({ total: eur(1500) });
  });

  it('pays the rest when units come after all', async () => {
    const { id, lineId } = await shirtsBack(1);
    await compensate(id, { type: 'price_reduction', lineId, quantity: 1, amount: eur(150), result: paid() });
    const refunded = await service.post(`/returns/${id}/refunds`, { result: paid() });
    expect(refunded).toMatchObject({
      status: 200,
      body: {
        refundStatus: 'refunded',
        recoveryDue: eur(0),
        refunds: [
          { amount: eur(150) },
          { amount: eur(850), breakdown: { deductions: [{ type: 'paid_before', amount: eur(150) }] } },
        ],
      },
    });
  });

  it('pays the return postage on top of a paid return', async () => {
    const { id, order } = await shirtsBack(2);
    await service.post(`/returns/${id}/refunds`, { result: paid() });
    const answer = await compensate(id, { type: 'return_postage', amount: eur(490), result: paid() });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        refundStatus: 'refunded',
        recoveryDue: eur(0),
        refunds: [
          { amount: eur(2000) },
          {
            status: 'succeeded',
            amount: eur(490),
            returnLines: [],
            breakdown: { extras: [{ type: 'return_postage', amount: eur(490), reason: 'goodwill' }] },
          },
        ],
        discrepancies: [],
      },
    });
    expect(await worthOf(order, 1)).toMatchObject({ total: eur(1000) });
  });

  it('pays a bonus as credit, and reports its result later', async () => {
    const { id } = await shirtsBack(1);
    const { body } = await compensate(id, { type: 'bonus', amount: eur(100) });
    expect(body).toMatchObject({
      refundStatus: 'pending',
      refunds: [{ status: 'pending', method: 'store_credit', amount: eur(100) }],
    });
    const result = await service.post(`/returns/${id}/refunds/${body.refunds[0]?.refundId}/result`, paid());
    expect(result).toMatchObject({ status: 200, body: { refunds: [{ status: 'succeeded' }] } });
    expect(await quoteOf(id)).toMatchObject({ total: eur(1000) });
  });

  it('books once for a key, and nothing in a dry run', async () => {
    const { id, lineId } = await shirtsBack(1);
    const body = { type: 'price_reduction', lineId, amount: eur(100), reason: 'goodwill' };
    const dry = await service.post(`/returns/${id}/compensations?dryRun=true`, body);
    expect(dry).toMatchObject({ status: 200, body: { refunds: [{ amount: eur(100) }] } });
    expect(await read(id)).toMatchObject({ refunds: [] });
    const key = randomUUID();
    for (const again of [1, 2])
      expect([again, (await service.post(`/returns/${id}/compensations`, body, { key })).body.refunds]).toMatchObject([
        again,
        [{ amount: eur(100) }],
      ]);
    expect((await read(id)).refunds).toHaveLength(1);
  });

  it.each([
    ['a price reduction without a line', {}, 400, 'invalid_request', '/lineId'],
    ['more units than the line has', { lineId: true, quantity: 3 }, 400, 'invalid_request', '/quantity'],
    ['more than the price', { lineId: true, amount: eur(2001) }, 422, 'refund_exceeds_ceiling', '/amount/amount'],
    [
      'another currency',
      { lineId: true, amount: { amount: 1, currency: 'USD' } },
      422,
      'currency_mismatch',
      '/amount/currency',
    ],
    ['a line beside a postage', { type: 'return_postage', lineId: true }, 400, 'invalid_request', '/lineId'],
    ['units beside a postage', { type: 'return_postage', quantity: 1 }, 400, 'invalid_request', '/quantity'],
    ['a bonus in money', { type: 'bonus', method: 'bank_transfer' }, 422, 'resolution_not_allowed', '/method'],
    ['an unknown type', { type: 'gift' }, 400, 'invalid_request', '/type'],
  ] as const)('rejects %s, and names the field', async (_, content, status, code, path) => {
    const { id, lineId } = await shirtsBack();
    const { lineId: hasLine, ...others } = content as { lineId?: boolean };
    const body = { type: 'price_reduction', amount: eur(100), ...others, ...(hasLine === true && { lineId }) };
    expect(await compensate(id, body)).toMatchObject({ status, body: { code, errors: [{ path }] } });
  });

  it('needs an admin for a payment on top that no rule allows writers', async () => {
    const { id, lineId } = await shirtsBack();
    for (const type of ['return_postage', 'compensation', 'bonus'])
      expect(await compensate(id, { type, amount: eur(100) }, 'returns-writer')).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      });
    const reduced = await compensate(id, { type: 'price_reduction', lineId, amount: eur(100) }, 'returns-writer');
    expect(reduced.status).toBe(200);
  });
});

describe.each(contractModes(import.meta.filename))('%s refund of an order with all its payments', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  const hatsBack = async (payments: readonly object[]) => {
    const request = (order: object) => ({
      order,
      lines: [{ orderLineId: '12', quantity: 1, reason: { code: 'fit.too_small', note: 'marker-note: small' } }],
    });
    const { id, order } = await approvedReturnOf(service, request, { payments, paymentsComplete: true });
    return { id, order: order as OrderRef };
  };
  const refund = async (id: string, body: object = {}, client?: string) =>
    service.post(`/returns/${id}/refunds`, body, client === undefined ? {} : { client });
  const exceeds = (maximum: number) => ({
    status: 422,
    body: {
      code: 'refund_exceeds_payments',
      errors: [{ path: '/amount/amount', code: 'maximum', message: `must be at most ${maximum}` }],
    },
  });

  it('returns 422 above a deposit, pays a part, and the rest after a later payment', async () => {
    const deposit = [payment('deposit', 500)];
    const { id, order } = await hatsBack(deposit);
    expect(await service.post('/quotes', { returnId: id })).toMatchObject(exceeds(500));
    expect(await refund(id)).toMatchObject(exceeds(500));
    expect(await service.post('/quotes', { returnId: id, amount: eur(500) })).toMatchObject({
      body: { total: eur(500), steps: [{ rule: 'partial', amount: eur(500) }] },
    });
    const part = await refund(id, { amount: eur(500), result: paid() });
    expect(part).toMatchObject({
      status: 200,
      body: {
        refundStatus: 'refunded',
        paymentsLeft: eur(0),
        refunds: [
          {
            amount: eur(500),
            returnLines: [],
            breakdown: { lines: [], other: eur(500) },
            tenders: [{ paymentId: 'deposit', method: 'card', amount: eur(500) }],
          },
        ],
      },
    });
    const later = { payments: [...deposit, payment('rest', 1500, 'bank')], paymentsComplete: true };
    const registered = await service.put(orderPath(order), shopOrder({ ...later, observedAt: '2026-11-03T00:00:00Z' }));
    expect(registered.status).toBe(200);
    expect((await service.get(`/returns/${id}`)).body).toMatchObject({
      paymentsLeft: eur(1500),
      refundStatus: 'partially_refunded',
    });
    expect(await refund(id, { result: paid() })).toMatchObject({
      status: 200,
      body: {
        refundStatus: 'refunded',
        refunds: [{}, { amount: eur(1500), tenders: [{ paymentId: 'rest', method: 'bank', amount: eur(1500) }] }],
        discrepancies: [],
      },
    });
  });

  it('splits a refund over the payments in proportion to what each has left', async () => {
    const { id } = await hatsBack([payment('card', 1500), payment('gift', 500, 'gift_card')]);
    const { body } = await refund(id, { amount: eur(333) });
    expect(body.refunds.at(-1)).toMatchObject({
      tenders: [
        { paymentId: 'card', method: 'card', amount: eur(249) },
        { paymentId: 'gift', method: 'gift_card', amount: eur(84) },
      ],
    });
    expect((await refund(id)).body.refunds.at(-1)).toMatchObject({
      amount: eur(1667),
      tenders: [
        { paymentId: 'card', amount: eur(1251) },
        { paymentId: 'gift', amount: eur(416) },
      ],
    });
  });

  it('rejects `amount` beside units, and above the goods', async () => {
    const { id } = await hatsBack([payment('card', 9000)]);
    expect(await refund(id, { amount: eur(100), shipping: eur(0) })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/shipping' }] },
    });
    expect(await refund(id, { amount: eur(2001) })).toMatchObject({
      status: 422,
      body: { code: 'refund_exceeds_ceiling', errors: [{ path: '/amount/amount', message: 'must be at most 2000' }] },
    });
  });

  it('exceeds the payments by an override of an admin, which is a discrepancy', async () => {
    const { id } = await hatsBack([payment('deposit', 500)]);
    const paymentOverride = { reason: 'goodwill' };
    expect(await refund(id, { paymentOverride }, 'returns-writer')).toMatchObject({
      status: 403,
      body: { code: 'override_requires_admin', errors: [{ path: '/paymentOverride' }] },
    });
    expect(await refund(id, { paymentOverride })).toMatchObject({
      status: 200,
      body: { refunds: [{ amount: eur(2000) }], discrepancies: [{ code: 'refund_exceeds_payments' }] },
    });
  });
});

describe.each(contractModes(import.meta.filename))('%s recordRefund of kept units', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  const record = async (order: OrderRef, body: object) =>
    service.put(`${orderPath(order)}/refunds/${randomUUID()}`, { occurredAt: '2026-11-20T08:00:00Z', ...body });
  const returnable = async (order: OrderRef) => (await service.get(`${orderPath(order)}/returnable`)).body.lines;

  it('leaves the units returnable for the rest of their price, and takes payments on top as agreed', async () => {
    const { id, order, lines } = await approvedReturnOf(service, (of) => returnOf(of, 1));
    const facts = {
      amount: eur(640),
      returnId: id,
      lines: [{ orderLineId: '11', quantity: 1, amount: eur(150), kept: true }],
      extras: [{ type: 'return_postage', amount: eur(490) }],
    };
    expect(await record(order as OrderRef, facts)).toMatchObject({
      status: 201,
      body: {
        returnLines: [],
        breakdown: {
          lines: [],
          reductions: [{ orderLineId: '11', lineId: lines[0], quantity: 1, gross: eur(150), tax: eur(24) }],
          extras: [{ type: 'return_postage', amount: eur(490) }],
          other: eur(0),
        },
        discrepancies: [],
      },
    });
    expect((await service.post('/quotes', { returnId: id })).body).toMatchObject({ total: eur(850) });
  });

  it('is a price reduction without a return when the amount is below the worth of the units', async () => {
    const { order } = await approvedReturnOf(service, (of) => returnOf(of, 1));
    const facts = { amount: eur(150), lines: [{ orderLineId: '12', quantity: 1, amount: eur(150) }] };
    expect(await record(order as OrderRef, facts)).toMatchObject({
      status: 201,
      body: { breakdown: { lines: [], reductions: [{ orderLineId: '12', gross: eur(150) }] }, discrepancies: [] },
    });
    expect(await returnable(order as OrderRef)).toMatchObject([{}, { lineId: '12', refunded: 0, returnable: 1 }]);
  });

  it.each([
    ['kept units without an amount', { lines: [{ orderLineId: '11', quantity: 1, kept: true }] }, '/lines/0/amount'],
    ['payments on top above the refund', { extras: [{ type: 'bonus', amount: eur(2000) }] }, '/amount'],
  ])('rejects %s, and names the field', async (_, facts, path) => {
    const { order } = await approvedReturnOf(service, (of) => returnOf(of, 1));
    const { status, body } = await record(order, { amount: eur(1000), ...facts });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
  });
});
