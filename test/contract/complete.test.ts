import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, orderPath } from '../support/scenario.ts';

/** Returns an approved return of one unit after a correction. */
const approved = async (service: Api, differences: object) => {
  const { id, order, answer } = await createReturn(service);
  await service.post(`/returns/${id}/approve`);
  const lines = [{ lineId: answer.body.lines[0]?.lineId, ...differences }];
  await service.post(`/returns/${id}/corrections`, { reason: 'counted', lines });
  return { id, path: `${orderPath(order as { platform: string; orderId: string })}/refunds/1` };
};

const refund = (returnId: string, amount: number) => ({
  amount: { amount, currency: 'EUR' },
  occurredAt: '2026-11-20T08:00:00Z',
  returnId,
});

describe.each(contractModes(import.meta.filename))('%s complete', (mode) => {
  const service = contractApi(mode);
  const accepted = { received: 1, accepted: 1 };
  const waive = { reason: 'marker-note: she wants no money' };
  const blocked = (blockedBy: string) => ({
    status: 409,
    body: {
      code: 'invalid_transition',
      allowedActions: expect.arrayContaining([
        { action: 'complete', scope: 'returns:write', allowed: false, blockedBy },
      ]),
    },
  });

  it('completes a return that was refunded in full', async () => {
    const { id, path } = await approved(service, accepted);
    await service.put(path, refund(id, 1000));
    expect(await service.post(`/returns/${id}/complete`)).toMatchObject({
      status: 200,
      body: { status: 'completed', completedAt: expect.any(String), refundStatus: 'refunded' },
    });
    expect(await service.post(`/returns/${id}/reopen`, { reason: 'not yet' })).toMatchObject({
      body: { status: 'inspected' },
    });
  });

  it('completes a return without received units and without money owed', async () => {
    const { id } = await approved(service, { missing: 1 });
    expect(await service.post(`/returns/${id}/complete`)).toMatchObject({ body: { status: 'completed' } });
  });

  it('needs the owed money to be paid, or waived with a reason', async () => {
    const { id, path } = await approved(service, accepted);
    await service.put(path, refund(id, 400));
    const unsettled = await service.post(`/returns/${id}/complete`);
    expect(unsettled).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    // Complete is allowed, because a waiver overrides its blocker.
    const allowed = { action: 'complete', scope: 'returns:write', allowed: true, overrides: ['unsettled'] };
    expect(unsettled.body).toMatchObject({ allowedActions: expect.arrayContaining([allowed]) });
    expect(unsettled.body.errors).toEqual([
      {
        path: '/waive/reason',
        code: 'required',
        message: 'must give the reason why 600 EUR in minor units are not paid',
      },
    ]);
    const answer = await service.post(`/returns/${id}/complete`, { waive });
    expect(answer).toMatchObject({ status: 200, body: { status: 'completed', waiver: {} } });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items.at(-1)).toMatchObject({ type: 'return.completed', from: 'inspected', to: 'completed' });
    expect(JSON.stringify([answer.body, history.body])).not.toContain('marker');
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({ waiver: waive });
  });

  it('waits for the recovery of an excess refund, which a waiver does not override', async () => {
    const { id, path } = await approved(service, { missing: 1 });
    await service.put(path, refund(id, 1000));
    expect(await service.post(`/returns/${id}/complete`, { waive })).toMatchObject(blocked('recovery_due'));
  });

  it('waits for outstanding units and their inspection', async () => {
    const { id, answer } = await createReturn(service);
    await service.post(`/returns/${id}/approve`);
    expect(await service.post(`/returns/${id}/complete`, { waive })).toMatchObject(blocked('units_outstanding'));
    const lines = [{ lineId: answer.body.lines[0]?.lineId, received: 1 }];
    await service.post(`/returns/${id}/corrections`, { reason: 'it came', lines });
    expect(await service.post(`/returns/${id}/complete`, { waive })).toMatchObject(blocked('invalid_transition'));
  });

  it('fails for a waiver without a reason, and for an outdated version', async () => {
    const { id } = await approved(service, accepted);
    expect(await service.post(`/returns/${id}/complete`, { waive: {} })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/waive/reason', code: 'required' }] },
    });
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await service.post(`/returns/${id}/complete`, { waive }, stale)).toMatchObject({ status: 412 });
  });
});
