import { beforeAll, describe, expect, it } from 'vitest';
import { contractApi } from '../support/contract-api.ts';
import { auto, decided, ofCustomer, returned, shop, window } from '../support/decided-shop.ts';
import { eur } from '../support/orders.ts';
import { orderPath, shirts, shopOrder } from '../support/scenario.ts';

const charge = { id: 'ended', phase: 'fee', text: 'A promotion ends with its goods.', fee: { type: 'promotion' } };

/** Three shirts at 10.00 for the price of two. */
const shirtLine = shopOrder().lines.filter(({ lineId }) => lineId === '11');
const lines = shirtLine.map((line) => ({
  ...line,
  quantity: 3,
  unitPrice: eur(1000),
  discountTotal: eur(1000),
  taxTotal: undefined,
  finalSale: false,
  deliveries: [{ quantity: 3, at: new Date(Date.now() - 86_400_000).toISOString() }],
}));
const promotions = [
  { id: '3for2', name: '3 for 2', lines: [{ orderLineId: '11', discount: eur(1000) }], condition: { units: 3 } },
];

// A service has at most 100 policies, and the connected mode calls the same one.
describe('promotions', () => {
  const service = contractApi('standalone');
  const { publish, order } = shop(service);
  beforeAll(() => publish([window(30), charge, auto]));

  it('charge the discount of the units that stay, and pay it back with the last ones', async () => {
    const ref = await order({ lines, promotions });
    expect(await service.get(orderPath(ref))).toMatchObject({ status: 200, body: { promotions } });
    const [paid, statuses]: [number[], number[]] = [[], []];
    for (let unit = 0; unit < 3; unit += 1) {
      const request = ofCustomer(ref, [shirts(1)]);
      const promised = await service.post('/quotes', { request }, { key: null, client: 'returns-reader' });
      const created = await service.post('/returns', request);
      const { returnId, lines: own } = returned(created);
      const units = own.map(({ lineId }) => ({ lineId, quantity: 1 }));
      await service.post(`/returns/${returnId}/receipts`, { lines: units });
      const accepted = await service.post(`/returns/${returnId}/inspections`, {
        lines: units.map((line) => ({ ...line, outcome: 'accept' })),
      });
      expect(returned(accepted)).not.toHaveProperty('promotion');
      const quote = await service.post('/quotes', { returnId }, { key: null, client: 'returns-reader' });
      const { total, steps } = quote.body as unknown as { total: { amount: number }; steps: { rule: string }[] };
      expect(promised.body).toMatchObject({ total, decision: { fees: [{ type: 'promotion', rule: 'ended' }] } });
      expect(steps.map(({ rule }) => rule)).toContain('promotion');
      paid.push(total.amount);
      const refunded = await service.post(`/returns/${returnId}/refunds`, {});
      statuses.push(refunded.status);
      const [booked] = returned(refunded).refunds ?? [];
      if (booked !== undefined)
        await service.post(`/returns/${returnId}/refunds/${booked.refundId}/result`, { status: 'succeeded' });
      expect(await service.post(`/returns/${returnId}/complete`)).toMatchObject({ status: 200 });
      expect(await decided(service, created)).toMatchObject({ reproduced: true });
    }
    expect(paid).toEqual([0, 1000, 1000]);
    // The fee is as much as the first unit is worth: no refund is left.
    expect(statuses).toEqual([422, 200, 200]);
  });

  it('are not charged where a law protects the goods', async () => {
    const request = ofCustomer(await order({ country: 'DE', lines, promotions }), [shirts(1)]);
    const quote = await service.post('/quotes', { request }, { key: null, client: 'returns-reader' });
    expect(quote.body).toMatchObject({
      steps: [{ rule: 'goods' }, { rule: 'shipping' }, { rule: 'promotion', amount: eur(0), removed: {} }],
      total: eur(667),
      decision: {
        fees: [],
        explanation: [
          'The return is approved.',
          expect.stringMatching(/^You can return/),
          expect.stringMatching(/^The law removes the deduction of a discount/),
        ],
      },
    });
  });

  it('return 422 for a line that the order lacks', async () => {
    const ref = await order({ lines });
    const unknown = [{ ...promotions[0], lines: [{ orderLineId: '99', discount: eur(1) }] }];
    const body = shopOrder({ lines, promotions: unknown, observedAt: new Date().toISOString() });
    expect(await service.put(orderPath(ref), body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/promotions/0/lines/0/orderLineId', code: 'unknown' }] },
    });
  });
});
