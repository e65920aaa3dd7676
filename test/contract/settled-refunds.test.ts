import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { contractModes, contractWithTerms } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { approvedReturnOf, orderPath, returnOf } from '../support/scenario.ts';

const contract = contractWithTerms({ refundTiming: 'approved', refundApprovalLimit: { EUR: 2500 } });

/* A refund that was begun here and paid in the shop. */

describe.each(contractModes(import.meta.filename))('%s recordRefund of a refund that was begun here', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  /** Begins the refund of two shirts, and returns what the shop reports once it has paid it. */
  const begin = async () => {
    const { id, order } = await approvedReturnOf(service, (of) => returnOf(of, 2));
    const { body } = await service.post(`/returns/${id}/refunds`, {});
    const paid = {
      amount: eur(2000),
      occurredAt: new Date().toISOString(),
      lines: [{ orderLineId: '11', quantity: 2 }],
    };
    return { id, order, paid, refundId: body.refunds[0]?.refundId ?? '' };
  };
  const record = async (order: object, body: object, externalId: string) =>
    service.put(`${orderPath(order as { platform: string; orderId: string })}/refunds/${externalId}`, body);
  const read = async (id: string) => (await service.get(`/returns/${id}`)).body;

  it.each([
    ['with its return', (id: string) => ({ returnId: id })],
    ['without a return', () => ({})],
    ['without a return and units', () => ({ lines: undefined })],
  ])('settles it once, however often the shop reports it %s', async (_, more) => {
    const { id, order, paid, refundId } = await begin();
    const externalId = randomUUID();
    const facts = { ...paid, ...more(id) };
    const all = await Promise.all(Array.from({ length: 3 }, async () => record(order, facts, externalId)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const { body } of all)
      expect(body).toMatchObject({ refundId, status: 'succeeded', external: { externalId }, discrepancies: [] });
    const after = await read(id);
    expect(after).toMatchObject({
      refundStatus: 'refunded',
      version: 4,
      refunds: [{ refundId, status: 'succeeded', external: { platform: 'shopify', externalId }, amount: eur(2000) }],
      discrepancies: [],
    });
    const { body: history } = await service.get(`/returns/${id}/history`);
    expect(history.items.at(-1)).toMatchObject({ type: 'refund.succeeded' });
    expect((await service.get(`/returns/${id}/history/verification`)).body).toMatchObject({ valid: true });
  });

  it('counts it against the limit of the service, also when the shop has paid it', async () => {
    const { id, order, paid } = await begin();
    await record(order, { ...paid, returnId: id }, randomUUID());
    const { body } = await service.post('/returns', returnOf(order, 1));
    await service.post(`/returns/${body.returnId}/approve`);
    expect(await service.post(`/returns/${body.returnId}/refunds`, {}, { client: 'returns-writer' })).toMatchObject({
      status: 403,
      body: { code: 'refund_above_limit' },
    });
  });

  it('books a second one of the shop, and keeps its discrepancies', async () => {
    const { id, order, paid } = await begin();
    await record(order, { ...paid, returnId: id }, randomUUID());
    const second = await record(order, { ...paid, returnId: id }, randomUUID());
    expect(second).toMatchObject({
      status: 201,
      body: { discrepancies: expect.arrayContaining([expect.objectContaining({ code: 'refund_exceeds_return' })]) },
    });
    expect((await read(id)).refunds).toHaveLength(2);
  });
});
