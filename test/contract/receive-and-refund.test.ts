import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { approvedReturn } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s receiveAndRefund', (mode) => {
  const service = contractApi(mode);

  it('returns 200 with all units accepted, the parcel delivered and the refund booked', async () => {
    const { path } = await approvedReturn(service, 2);
    await service.post(`${path}/parcels`, { status: 'in_transit' });
    expect(await service.post(`${path}/receipts/refund`, { total: eur(2000) })).toMatchObject({
      status: 200,
      body: {
        status: 'inspected',
        lines: [{ quantities: { received: 2, accepted: 2, refunded: 2 }, inspections: [{ disposition: 'restock' }] }],
        parcels: [{ status: 'delivered', contents: [{ quantity: 2 }] }],
        refunds: [{ status: 'pending', amount: eur(2000), method: 'original_payment' }],
      },
    });
    const { body } = await service.get(`${path}/history`);
    expect((body.items as readonly { type: string }[]).map(({ type }) => type)).toEqual([
      'return.requested',
      'return.approved',
      'parcel.added',
      'parcel.updated',
      'items.received',
      'inspection.recorded',
      'refund.requested',
    ]);
  });

  it('books a payment that was made before, once for a key', async () => {
    const { path } = await approvedReturn(service, 1);
    const paid = { method: 'bank_transfer', result: { status: 'succeeded', providerRef: 'pay-1' } };
    const key = `visit-${path}`;
    const first = await service.post(`${path}/receipts/refund`, paid, { key });
    expect(first).toMatchObject({ status: 200, body: { refunds: [{ status: 'succeeded', providerRef: 'pay-1' }] } });
    expect(await service.post(`${path}/receipts/refund`, paid, { key })).toMatchObject({ body: first.body });
    expect(await service.post(`${path}/receipts/refund`, paid)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
  });

  it('stores nothing when the amount is not the expected one', async () => {
    const { path } = await approvedReturn(service, 2);
    const before = await service.get(path);
    expect(await service.post(`${path}/receipts/refund`, { total: eur(1999) })).toMatchObject({
      status: 409,
      body: {
        code: 'quote_stale',
        errors: [{ path: '/total', code: 'stale', message: 'must be 2000 EUR in minor units' }],
      },
    });
    expect((await service.get(path)).body).toEqual(before.body);
  });

  it('stores nothing in a dry run, which shows the amount', async () => {
    const { path } = await approvedReturn(service, 2);
    const shown = await service.post(`${path}/receipts/refund?dryRun=true`);
    expect(shown).toMatchObject({ status: 200, body: { refunds: [{ amount: eur(2000) }] } });
    expect(await service.get(path)).toMatchObject({ body: { status: 'approved', refunds: [] } });
  });
});
