import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, returnOf } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s reopen', (mode) => {
  const service = contractApi(mode);
  const why = { reason: 'marker-note: by mistake' };

  it.each([
    ['rejected', [['reject', { code: 'final_sale' }]], 'requested', { approved: 0, rejected: 0, cancelled: 0 }],
    ['cancelled before its decision', [['cancel']], 'requested', { approved: 0, rejected: 0, cancelled: 0 }],
    ['cancelled', [['approve'], ['cancel']], 'approved', { approved: 3, rejected: 0, cancelled: 0 }],
    ['expired', [['approve'], ['expire']], 'approved', { approved: 3, rejected: 0, missing: 0 }],
    [
      'expired without an answer',
      [['request-info', { message: 'worn?' }], ['expire']],
      'requested',
      { approved: 0, rejected: 0, missing: 0 },
    ],
  ] as const)('restores a return that was %s, and holds its units again', async (_, before, status, quantities) => {
    const { id, order } = await createReturn(service, 3);
    for (const [command, body] of before) await service.post(`/returns/${id}/${command}`, body);
    expect(await service.post(`/returns/${id}/reopen`, why)).toMatchObject({
      status: 200,
      body: {
        status,
        lines: [{ quantities, missing: [], amounts: { gross: { amount: 3000 }, maxRefundable: { amount: 3000 } } }],
      },
    });
    expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 422 });
  });

  it('leaves partially cancelled units cancelled', async () => {
    const { id, answer } = await createReturn(service, 3);
    const lines = [{ lineId: answer.body.lines[0]?.lineId, quantity: 1 }];
    await service.post(`/returns/${id}/approve`);
    await service.post(`/returns/${id}/cancel`, { lines });
    await service.post(`/returns/${id}/cancel`);
    expect(await service.post(`/returns/${id}/reopen`, why)).toMatchObject({
      body: { status: 'approved', lines: [{ quantities: { approved: 3, cancelled: 1 } }] },
    });
  });

  it('fails when another return has the units', async () => {
    const { id, order } = await createReturn(service, 3);
    await service.post(`/returns/${id}/cancel`);
    await service.post('/returns', returnOf(order, 1));
    expect(await service.post(`/returns/${id}/reopen`, why)).toMatchObject({
      status: 422,
      body: {
        code: 'quantity_exceeds_returnable',
        errors: [{ path: '/lines', message: expect.stringContaining('2') }],
      },
    });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { status: 'cancelled', version: 2 } });
  });

  it('is in the history, with its reason for readers only', async () => {
    const { id } = await createReturn(service);
    await service.post(`/returns/${id}/reject`, { code: 'final_sale', note: 'marker-note: the first' });
    const answer = await service.post(`/returns/${id}/reopen`, why);
    await service.post(`/returns/${id}/reject`, { code: 'final_sale', note: 'marker-note: the second' });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items[2]).toMatchObject({
      type: 'return.reopened',
      from: 'rejected',
      to: 'requested',
      data: { status: 'requested', lines: [{ quantities: { rejected: -1 } }] },
    });
    expect(JSON.stringify([answer.body, history.body])).not.toContain('marker');
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({ reopening: why, rejection: { note: 'marker-note: the second' } });
  });

  it('needs an admin and an ended return', async () => {
    const { id } = await createReturn(service);
    const rejected = await service.post(`/returns/${id}/reopen`, why);
    expect(rejected).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(rejected.body.allowedActions).toContainEqual({
      action: 'reopen',
      scope: 'returns:admin',
      allowed: false,
      blockedBy: 'invalid_transition',
    });
    await service.post(`/returns/${id}/cancel`);
    expect(await service.post(`/returns/${id}/reopen`, why, { client: 'returns-writer' })).toMatchObject({
      status: 403,
    });
    expect(await service.post(`/returns/${id}/reopen`, {})).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/reason', code: 'required' }] },
    });
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await service.post(`/returns/${id}/reopen`, why, stale)).toMatchObject({ status: 412 });
  });
});
