import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { createReturn, overpaidReturn } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s recoveries', (mode) => {
  const service = contractApi(mode);

  it('record the money that the customer paid back, up to the amount due', async () => {
    const { id } = await overpaidReturn(service);
    const path = `/returns/${id}/recoveries`;
    const read = await service.get(`/returns/${id}`);
    expect(read.body).toMatchObject({ refundStatus: 'recovery_due', recoveryDue: eur(2000), recoveries: [] });
    expect(read.body.allowedActions).toContainEqual({
      action: 'recordRecovery',
      scope: 'returns:write',
      allowed: true,
    });
    const part = { amount: eur(700), reference: 'bank-1' };
    expect((await service.post(`${path}?dryRun=true`, part, { key: null })).body).toMatchObject({ version: 4 });
    const writer = { client: 'returns-writer' };
    expect(await service.post(path, part, writer)).toMatchObject({
      status: 200,
      body: {
        version: 4,
        recoveryDue: eur(1300),
        recoveries: [{ id: expect.stringMatching(/^rcv_/), type: 'recovered', amount: eur(700), reference: 'bank-1' }],
      },
    });
    expect(await service.post(path, { amount: eur(1301) })).toMatchObject({
      status: 422,
      body: { code: 'recovery_exceeds_due', errors: [{ path: '/amount/amount', message: 'must be at most 1300' }] },
    });
    expect(await service.post(path, { amount: { amount: 1, currency: 'USD' } })).toMatchObject({
      status: 422,
      body: { code: 'currency_mismatch', errors: [{ path: '/amount/currency' }] },
    });
    expect(await service.post(path, { amount: eur(1300) })).toMatchObject({
      body: { recoveryDue: eur(0), refundStatus: 'none' },
    });
    expect((await service.get(`/returns/${id}/history`)).body.items.slice(3)).toMatchObject([
      { type: 'recovery.recorded', from: 'rejected', to: 'rejected' },
      { type: 'recovery.recorded' },
    ]);
  });

  it('let an admin write off the rest', async () => {
    const { id } = await overpaidReturn(service);
    await service.post(`/returns/${id}/recoveries`, { amount: eur(1) });
    const path = `/returns/${id}/recoveries/write-off`;
    expect(await service.post(path, { reason: 'goodwill' }, { client: 'returns-writer' })).toMatchObject({
      status: 403,
    });
    expect(await service.post(path, { reason: 'goodwill' }, { headers: { 'if-match': '"3"' } })).toMatchObject({
      status: 412,
    });
    expect((await service.post(`${path}?dryRun=true`, { reason: 'goodwill' }, { key: null })).status).toBe(200);
    expect(await service.post(path, { reason: 'goodwill' })).toMatchObject({
      status: 200,
      body: {
        recoveryDue: eur(0),
        recoveries: [{}, { type: 'written_off', amount: eur(1999), reason: 'goodwill' }],
      },
    });
  });

  it('fail when nothing is due', async () => {
    const { id } = await createReturn(service);
    const answers = [
      await service.post(`/returns/${id}/recoveries`, { amount: eur(1) }),
      await service.post(`/returns/${id}/recoveries/write-off`, { reason: 'goodwill' }),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'invalid_transition']);
    expect(answers[0]?.body.allowedActions).toContainEqual(
      expect.objectContaining({ action: 'writeOffRecovery', blockedBy: 'no_recovery_due' }),
    );
  });
});
