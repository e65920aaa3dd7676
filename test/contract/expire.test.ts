import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, orderPath, returnOf } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s expire', (mode) => {
  const service = contractApi(mode);

  it('marks outstanding units as missing, and releases them', async () => {
    const { id, order } = await createReturn(service, 3);
    await service.post(`/returns/${id}/approve`);
    expect(await service.post(`/returns/${id}/expire`)).toMatchObject({
      status: 200,
      body: {
        status: 'expired',
        version: 3,
        expiredAt: expect.any(String),
        lines: [
          {
            quantities: { approved: 3, missing: 3, rejected: 0 },
            missing: [{ quantity: 3, cause: 'never_sent', granted: 0 }],
            amounts: { maxRefundable: { amount: 0 } },
          },
        ],
      },
    });
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items).toMatchObject([
      {},
      {},
      { type: 'return.expired', from: 'approved', to: 'expired', data: { lines: [{ quantities: { missing: 3 } }] } },
    ]);
  });

  it('rejects undecided units when no answer arrived', async () => {
    const { id, order } = await createReturn(service, 3);
    await service.post(`/returns/${id}/request-info`, { message: 'worn?' });
    expect(await service.post(`/returns/${id}/expire`)).toMatchObject({
      body: { status: 'expired', lines: [{ quantities: { approved: 0, rejected: 3, missing: 0 }, missing: [] }] },
    });
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
  });

  it('needs an admin before the deadline, and shows that', async () => {
    const { id } = await createReturn(service);
    const { body } = await service.post(`/returns/${id}/approve`);
    expect(body.allowedActions).toContainEqual({ action: 'expire', scope: 'returns:admin', allowed: true });
    expect(await service.post(`/returns/${id}/expire`, {}, { client: 'returns-writer' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', detail: 'Before the deadline, expire needs the scope returns:admin.' },
    });
  });

  it('fails for a return that awaits a decision, has a refund, or has another version', async () => {
    const { id, order } = await createReturn(service);
    expect(await service.post(`/returns/${id}/expire`)).toMatchObject({ status: 409 });
    await service.post(`/returns/${id}/approve`);
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await service.post(`/returns/${id}/expire`, {}, stale)).toMatchObject({ status: 412 });
    const path = `${orderPath(order as { platform: string; orderId: string })}/refunds/${randomUUID()}`;
    const amount = { amount: 1000, currency: 'EUR' };
    await service.put(path, { amount, occurredAt: '2026-11-20T08:00:00Z', returnId: id });
    const rejected = await service.post(`/returns/${id}/expire`);
    expect(rejected).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', detail: 'A return with a refund cannot expire.' },
    });
    expect(rejected.body.allowedActions).toContainEqual(
      expect.objectContaining({ action: 'expire', allowed: false, blockedBy: 'live_refund' }),
    );
  });
});
