import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, returnOf } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s reject', (mode) => {
  const service = contractApi(mode);
  const rejection = { code: 'final_sale', note: 'marker-note: sorry, it was on sale' };

  it('rejects the whole return with its reason, and releases all units', async () => {
    const { id, order } = await createReturn(service, 3);
    expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 422 });
    expect(await service.post(`/returns/${id}/reject`, rejection)).toMatchObject({
      status: 200,
      body: {
        status: 'rejected',
        version: 2,
        rejection: { code: 'final_sale' },
        rejectedAt: expect.any(String),
        lines: [{ quantities: { requested: 3, approved: 0, rejected: 3 }, amounts: { gross: { amount: 0 } } }],
      },
    });
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
  });

  it('shows the note to readers only, next to the notes of the request', async () => {
    const { id } = await createReturn(service);
    const answer = await service.post(`/returns/${id}/reject`, rejection, { client: 'returns-writer' });
    expect(JSON.stringify(answer.body)).not.toContain('marker');
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({ rejection, lines: [{ reason: { note: 'marker-note: tight at the chest' } }] });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items).toMatchObject([{}, { type: 'return.rejected', from: 'requested', to: 'rejected' }]);
    expect(JSON.stringify(history.body)).not.toContain('marker');
  });

  it('returns the first response to a repeat, although its note is encrypted again', async () => {
    const { id } = await createReturn(service);
    const key = randomUUID();
    const first = await service.post(`/returns/${id}/reject`, rejection, { key });
    const again = await service.post(`/returns/${id}/reject`, rejection, { key });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('fails for an approved return, and for an outdated version', async () => {
    const { id } = await createReturn(service);
    const stale = { headers: { 'if-match': '"9"' } };
    expect(await service.post(`/returns/${id}/reject`, rejection, stale)).toMatchObject({ status: 412 });
    await service.post(`/returns/${id}/approve`);
    expect(await service.post(`/returns/${id}/reject`, rejection)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
  });

  it('lets one of a concurrent approval and rejection succeed', async () => {
    const { id } = await createReturn(service);
    const both = await Promise.all([
      service.post(`/returns/${id}/approve`),
      service.post(`/returns/${id}/reject`, rejection),
    ]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
  });

  it('needs a code', async () => {
    const { id } = await createReturn(service);
    const answer = await service.post(`/returns/${id}/reject`, { note: 'no' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/code', code: 'required' }] } });
  });
});
