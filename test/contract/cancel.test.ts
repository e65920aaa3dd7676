import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, orderPath, registerOrder, returnOf, shirts } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s cancel', (mode) => {
  const service = contractApi(mode);
  const why = { code: 'customer_request', note: 'marker-note: she keeps it' };

  it('cancels a whole request, and releases all units', async () => {
    const { id, order } = await createReturn(service, 3);
    expect(await service.post(`/returns/${id}/cancel`, why)).toMatchObject({
      status: 200,
      body: {
        status: 'cancelled',
        version: 2,
        cancellation: { code: 'customer_request' },
        cancelledAt: expect.any(String),
        lines: [{ quantities: { requested: 3, approved: 0, cancelled: 3 }, amounts: { gross: { amount: 0 } } }],
      },
    });
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
  });

  it('cancels units of an approved return, which continues with the rest', async () => {
    const { id, order, answer } = await createReturn(service, 3);
    const [line] = answer.body.lines;
    await service.post(`/returns/${id}/approve`);
    const lines = [{ lineId: line?.lineId, quantity: 1 }];
    expect(await service.post(`/returns/${id}/cancel`, { lines })).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        lines: [{ quantities: { approved: 3, cancelled: 1 }, amounts: { gross: { amount: 2000 } } }],
      },
    });
    expect(await service.post('/returns', returnOf(order, 2))).toMatchObject({ status: 422 });
    expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 201 });
    expect(await service.post(`/returns/${id}/cancel`)).toMatchObject({ body: { status: 'cancelled', version: 4 } });
  });

  it('leaves the rest of a request open for approval', async () => {
    const { id, answer } = await createReturn(service, 3);
    const [line] = answer.body.lines;
    await service.post(`/returns/${id}/cancel`, { lines: [{ lineId: line?.lineId, quantity: 1 }] });
    const tooMany = await service.post(`/returns/${id}/approve`, { lines: [{ lineId: line?.lineId, quantity: 3 }] });
    expect(tooMany).toMatchObject({ status: 400, body: { errors: [{ message: 'must be at most 2' }] } });
    expect(await service.post(`/returns/${id}/approve`)).toMatchObject({
      body: {
        status: 'approved',
        lines: [{ quantities: { requested: 3, approved: 2, cancelled: 1, rejected: 0 } }],
      },
    });
  });

  it('shows each note to readers only, and the last one with the return', async () => {
    const { id, answer } = await createReturn(service, 2);
    const [line] = answer.body.lines;
    const part = { ...why, note: 'marker-note: the first one', lines: [{ lineId: line?.lineId, quantity: 1 }] };
    const first = await service.post(`/returns/${id}/cancel`, part, { client: 'returns-writer' });
    expect(JSON.stringify(first.body)).not.toContain('marker');
    await service.post(`/returns/${id}/cancel`, why);
    const read = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(read.body).toMatchObject({ cancellation: why });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items).toMatchObject([
      {},
      { type: 'return.cancelled', from: 'requested', to: 'requested' },
      { type: 'return.cancelled', from: 'requested', to: 'cancelled' },
    ]);
    expect(JSON.stringify(history.body)).not.toContain('marker');
  });

  it('fails for more units than are left, and for lines of another return', async () => {
    const { id, answer } = await createReturn(service, 2);
    const [line] = answer.body.lines;
    expect(
      await service.post(`/returns/${id}/cancel`, { lines: [{ lineId: line?.lineId, quantity: 3 }] }),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/0/quantity', message: 'must be at most 2' }] },
    });
    const unknownLine = { lines: [{ lineId: 'rln_00000000000000000000000000', quantity: 1 }] };
    expect(await service.post(`/returns/${id}/cancel`, unknownLine)).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found' },
    });
  });

  it('fails for a rejected or cancelled return, and for an outdated version', async () => {
    const { id } = await createReturn(service);
    const stale = { headers: { 'if-match': '"9"' } };
    expect(await service.post(`/returns/${id}/cancel`, {}, stale)).toMatchObject({ status: 412 });
    await service.post(`/returns/${id}/cancel`);
    expect(await service.post(`/returns/${id}/cancel`)).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          { action: 'cancel', scope: 'returns:write', allowed: false, blockedBy: 'invalid_transition' },
        ]),
      },
    });
  });

  it('fails for a return with a refund, and leaves it unchanged', async () => {
    const { id, order } = await createReturn(service);
    const path = `${orderPath(order as { platform: string; orderId: string })}/refunds/${randomUUID()}`;
    const amount = { amount: 1000, currency: 'EUR' };
    await service.put(path, { amount, occurredAt: '2026-11-20T08:00:00Z', returnId: id });
    expect(await service.post(`/returns/${id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', detail: 'A return with a refund cannot be cancelled.' },
    });
  });

  it('never releases a unit twice', async () => {
    const order = await registerOrder(service);
    const { body } = await service.post('/returns', { order, lines: [shirts(2), shirts(1)] });
    const [first] = body.lines;
    const part = { lines: [{ lineId: first?.lineId, quantity: 1 }] };
    const both = await Promise.all([1, 2, 3].map(async () => service.post(`/returns/${body.returnId}/cancel`, part)));
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '200', '400']);
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 422 });
    expect(await service.post('/returns', returnOf(order, 2))).toMatchObject({ status: 201 });
  });
});
