import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { contractModes, contractWithTerms } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { approvedReturnOf, createReturn, returnOf, shopOrder } from '../support/scenario.ts';

const fees = { returnShipping: 490, restockingBps: 1000 };
const contract = contractWithTerms({ refundTiming: 'approved', shipping: 'proportional', fees });

/** The three shirts, delivered yesterday. */
const lately = () => {
  const at = new Date(Date.now() - 24 * 3600 * 1000).toISOString();
  return shopOrder().lines.map(({ quantity, ...line }) => ({ ...line, quantity, deliveries: [{ quantity, at }] }));
};

describe.each(contractModes(import.meta.filename))('%s quotes and fees', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  /** Three shirts at 10.00 and a hat at 20.00, shipped for 5.00 to a country without a law against fees. */
  const facts = { country: 'US', shipping: { paid: eur(500) } };
  const shirtsBack = async (quantity = 3, more: object = {}) =>
    approvedReturnOf(service, (order) => returnOf(order, quantity), { ...facts, ...more });
  const quote = async (body: object) => service.post('/quotes', body, { key: null, client: 'returns-reader' });

  it('show every step to the amount, which a refund with the hash then pays', async () => {
    const { id, lines } = await shirtsBack();
    const { status, body } = await quote({ returnId: id });
    expect(status).toBe(200);
    expect(body).toEqual({
      returnId: id,
      steps: [
        { rule: 'goods', lineId: lines[0], amount: eur(3000), detail: expect.any(String) },
        { rule: 'restocking', amount: eur(-300), detail: expect.any(String) },
        { rule: 'return_shipping', amount: eur(-490), detail: expect.any(String) },
        { rule: 'shipping', amount: eur(300), detail: expect.any(String) },
      ],
      total: eur(2510),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await service.get(`/returns/${id}`)).body).toMatchObject({ version: 2, refunds: [] });
    const booked = await service.post(`/returns/${id}/refunds`, { quoteHash: body.hash });
    expect(booked.body).toMatchObject({
      refunds: [
        {
          amount: eur(2510),
          breakdown: {
            deductions: [
              { type: 'restocking', amount: eur(300) },
              { type: 'return_shipping', amount: eur(490) },
            ],
            shipping: eur(300),
          },
        },
      ],
      fees: [
        { type: 'restocking', amount: eur(300), applied: eur(300), waived: eur(0) },
        { type: 'return_shipping', amount: eur(490), applied: eur(490), waived: eur(0) },
      ],
    });
  });

  it('are outdated after a relevant change, but not after a new tag', async () => {
    const { id, lines } = await shirtsBack();
    const part = { lines: [{ lineId: lines[0], quantity: 1 }] };
    const { hash } = (await quote({ returnId: id, ...part })).body;
    await service.patch(`/returns/${id}`, { tags: ['vip'] }, { headers: { 'if-match': '"2"' } });
    const refund = { ...part, quoteHash: hash };
    expect(await service.post(`/returns/${id}/refunds`, refund)).toMatchObject({ status: 200 });
    expect(await service.post(`/returns/${id}/refunds`, refund)).toMatchObject({
      status: 409,
      body: { code: 'quote_stale', errors: [{ path: '/quoteHash' }] },
    });
  });

  it('take as much of the fees as possible from the first refund, and the rest from the next', async () => {
    const { id, lines } = await shirtsBack(3, { shipping: { paid: eur(0) } });
    const one = { lines: [{ lineId: lines[0], quantity: 1 }] };
    expect((await service.post(`/returns/${id}/refunds`, one)).body.refunds).toMatchObject([{ amount: eur(210) }]);
    expect((await service.post(`/returns/${id}/refunds`)).body.refunds).toMatchObject([{}, { amount: eur(2000) }]);
  });

  it('fail for more units than are refundable, and for an unknown return', async () => {
    const { id, lines } = await shirtsBack(1);
    expect(await quote({ returnId: id, lines: [{ lineId: lines[0], quantity: 2 }] })).toMatchObject({
      status: 422,
      body: { code: 'refund_exceeds_ceiling', errors: [{ path: '/lines/0/quantity' }] },
    });
    expect(await quote({ returnId: 'ret_00000000000000000000000000' })).toMatchObject({ status: 404 });
    expect(await service.post('/quotes', { returnId: id }, { client: 'returns-writer' })).toMatchObject({
      status: 403,
    });
  });

  it('are zero for an undecided return', async () => {
    const { id } = await createReturn(service);
    expect((await quote({ returnId: id })).body).toMatchObject({ total: eur(0) });
  });

  it('let an admin waive the part of a fee that no refund took', async () => {
    const { id } = await shirtsBack();
    const path = `/returns/${id}/fees/restocking/waive`;
    const why = { reason: 'goodwill' };
    expect(await service.post(path, why, { client: 'returns-writer' })).toMatchObject({ status: 403 });
    const trial = await service.post(`${path}?dryRun=true`, why, { key: null });
    const waived = { type: 'restocking', amount: eur(300), applied: eur(0), waived: eur(300), reason: 'goodwill' };
    expect(trial.body).toMatchObject({ fees: [waived, {}] });
    expect(await service.post(path, why)).toMatchObject({ status: 200, body: { version: 3, fees: [waived, {}] } });
    expect(await service.post(path, why)).toMatchObject({
      status: 422,
      body: { code: 'fee_not_open', errors: [{ path: '/type' }] },
    });
    expect((await service.get(`/returns/${id}/history`)).body.items[2]).toMatchObject({
      type: 'fee.waived',
      data: { type: 'restocking', reason: 'goodwill' },
    });
    expect((await quote({ returnId: id })).body.total).toEqual(eur(2810));
    await service.post(`/returns/${id}/refunds`);
    expect(await service.post(`/returns/${id}/fees/return_shipping/waive`, why)).toMatchObject({ status: 422 });
    expect(await service.post(`/returns/${id}/fees/parking/waive`, why)).toMatchObject({ status: 400 });
  });

  it('charge a consumer in the EU only the fees that the law allows', async () => {
    const { id } = await shirtsBack(3, { country: 'DE', lines: lately() });
    const { steps, total } = (await quote({ returnId: id })).body;
    expect(steps).toMatchObject([
      { rule: 'goods' },
      { rule: 'return_shipping', amount: eur(-490) },
      { rule: 'shipping' },
      {
        rule: 'restocking',
        amount: eur(0),
        removed: { amount: eur(300), law: 'EU 2011/83' },
        detail: 'The law removes the processing fee of €3.00 (EU 2011/83).',
      },
    ]);
    expect(total).toEqual(eur(3000 - 490 + 300));
  });

  it('name every fee where the law allows none', async () => {
    const { id } = await shirtsBack(3, { country: 'BR', lines: lately() });
    const { steps } = (await quote({ returnId: id })).body;
    expect(steps.flatMap(({ rule, removed }) => (removed === undefined ? [] : [[rule, removed.amount]]))).toEqual([
      ['restocking', eur(300)],
      ['return_shipping', eur(490)],
    ]);
  });
});
