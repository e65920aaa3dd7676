import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s approve with an override', (mode) => {
  const service = contractApi(mode);
  const override = { reason: 'marker-note: a loyal customer' };

  it('marks the return, and shows the reason to readers only', async () => {
    const { id, answer } = await createReturn(service);
    const lineId = answer.body.lines[0]?.lineId;
    const approved = await service.post(`/returns/${id}/approve`, { lines: [{ lineId, quantity: 1, override }] });
    expect(approved).toMatchObject({
      status: 200,
      body: { status: 'approved', decision: { overridden: true, overrides: [{ lineId }] } },
    });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items[1]).toMatchObject({ type: 'return.approved', data: { overrides: [{ lineId }] } });
    expect(JSON.stringify([approved.body, history.body])).not.toContain('marker');
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({ decision: { overrides: [{ lineId, ...override }] } });
  });

  it('needs an admin', async () => {
    const { id, answer } = await createReturn(service);
    const lines = [{ lineId: answer.body.lines[0]?.lineId, quantity: 1, override }];
    const writer = { client: 'returns-writer' };
    expect(await service.post(`/returns/${id}/approve`, { lines }, writer)).toMatchObject({
      status: 403,
      body: { code: 'override_requires_admin', errors: [{ path: '/lines/0/override' }] },
    });
    expect(await service.post(`/returns/${id}/approve`, {}, writer)).toMatchObject({
      body: { status: 'approved', decision: { overridden: false, overrides: [] } },
    });
  });
});
