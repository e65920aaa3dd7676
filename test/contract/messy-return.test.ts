import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Answer, type Api } from '../support/api.ts';
import { eur } from '../support/orders.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { orderPath, shopOrder } from '../support/scenario.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({ returnTerms: { fees: { restockingBps: 1_000, restockingCap: 500 } } });
});
afterAll(async () => stack.close());

const delivered = (quantity: number) => [{ quantity, at: '2026-10-01T10:00:00Z' }];
const sold = [
  { lineId: 'shirt', sku: 'SHIRT-M', quantity: 2, unitPrice: eur(1999), deliveries: delivered(2) },
  { lineId: 'hat', sku: 'HAT', quantity: 1, unitPrice: eur(2500), discountTotal: eur(500), deliveries: delivered(1) },
  { lineId: 'lamp', sku: 'LAMP', quantity: 1, unitPrice: eur(4900), deliveries: delivered(1) },
];
const because = { reason: { code: 'preference.changed_mind' } };
const requestedLines = sold.map(({ lineId, quantity }) => ({ orderLineId: lineId, quantity, ...because }));

/** Creates a return of three lines in two parcels: one shirt is missing, the hat is worn, the lamp is refused. */
const begin = async (service: Api) => {
  const order = { platform: 'web', orderId: randomUUID() };
  await service.put(orderPath(order), shopOrder({ lines: sold }));
  const { body } = await service.post('/returns', { order, lines: requestedLines });
  const path = `/returns/${body.returnId}`;
  const command = async (subpath: string, content: object = {}): Promise<Answer['body']> => {
    const answer = await service.post(`${path}/${subpath}`, content);
    if (answer.status !== 200) throw new Error(`${subpath}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const [shirt = '', hat = '', lamp = ''] = body.lines.map(({ lineId: id }) => id);
  return { order, path, command, shirt, hat, lamp };
};

/** The standalone mode runs every request of the connected one. */
describe.each(['connected'] as const)('%s: return with missing, worn and refused units', (mode) => {
  it('is completed with every unit and every cent explained', async () => {
    const service = api(mode, stack.info);
    const { order, path, command, shirt, hat, lamp } = await begin(service);
    const units = (lineId: string, quantity = 1) => ({ lineId, quantity });
    await command('approve');

    await command('parcels', { contents: [units(shirt, 2), units(hat)] });
    const { parcels } = await command('parcels', { contents: [units(lamp)] });
    await command('receipts', { parcelId: parcels[0]?.parcelId, lines: [units(shirt), units(hat)] });
    expect(await command('receipts', { parcelId: parcels[1]?.parcelId })).toMatchObject({
      status: 'partially_received',
    });
    expect(await command('receipts/close')).toMatchObject({
      status: 'received',
      lines: [{ missing: [{ quantity: 1, cause: 'not_in_parcel', granted: 0 }] }, {}, {}],
    });
    const looked = [
      { ...units(shirt), outcome: 'accept', grade: 'A' },
      { ...units(hat), outcome: 'accept', deductionBps: 2_000, note: 'marker: worn' },
      { ...units(lamp), outcome: 'refuse', disposition: 'return_to_customer' },
    ];
    expect(await command('inspections', { lines: looked })).toMatchObject({
      status: 'inspected',
      refundStatus: 'due',
      fees: [
        { type: 'inspection', amount: eur(400) },
        { type: 'restocking', amount: eur(400) },
      ],
    });

    const { body: quote } = await service.post('/quotes', { returnId: path.split('/')[2], lines: [units(shirt)] });
    expect(quote).toMatchObject({
      steps: [
        { rule: 'goods', amount: eur(1999) },
        { rule: 'inspection', amount: eur(-400) },
        { rule: 'restocking', amount: eur(-400) },
        { rule: 'shipping', amount: eur(0) },
      ],
      total: eur(1199),
    });
    const first = await command('refunds', { lines: [units(shirt)], quoteHash: quote.hash });
    expect(first.refunds).toMatchObject([{ status: 'pending', amount: eur(1199) }]);
    const result = async (index: number, status: string, refunds = first.refunds) =>
      command(`refunds/${refunds[index]?.refundId}/result`, { status });
    await result(0, 'submitted');
    expect(await result(0, 'unknown')).toMatchObject({ refundStatus: 'unknown' });
    // It is unknown whether the refund was paid. So it is not submitted again, and its units stay reserved.
    const again = await service.post(`${path}/refunds/${first.refunds[0]?.refundId}/result`, { status: 'submitted' });
    expect(again).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await service.post(`${path}/refunds`, { lines: [units(shirt)] })).toMatchObject({ status: 422 });
    expect(await result(0, 'succeeded')).toMatchObject({ refundStatus: 'partially_refunded' });

    const { refunds } = await command('refunds');
    expect(refunds[1]).toMatchObject({ status: 'pending', amount: eur(2000) });
    for (const status of ['submitted', 'failed', 'submitted']) await result(1, status, refunds);
    expect(await result(1, 'succeeded', refunds)).toMatchObject({ refundStatus: 'refunded', recoveryDue: eur(0) });

    expect(await service.post(`${path}/complete`)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await command('parcels', { contents: [units(lamp)], status: 'in_transit' });
    expect(await command('complete')).toMatchObject({
      status: 'completed',
      lines: [
        { quantities: { approved: 2, received: 1, missing: 1, accepted: 1, refunded: 1 } },
        { quantities: { received: 1, accepted: 1, refunded: 1 } },
        { quantities: { received: 1, refused: 1, refunded: 0 } },
      ],
    });
    expect((await service.get(`${orderPath(order)}/returnable`)).body.lines).toMatchObject([
      { lineId: 'shirt', held: 1, returnable: 1 },
      { lineId: 'hat', held: 1, returnable: 0 },
      { lineId: 'lamp', held: 0, returnable: 1 },
    ]);
    expect((await service.get(`${path}/history/verification`)).body).toMatchObject({ valid: true });
  });
});
