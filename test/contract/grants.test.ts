import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { expectManners } from '../support/manners.ts';
import { approvedReturn, returnOf } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s grants', (mode) => {
  const service = contractApi(mode);
  const reason = 'goodwill';

  /** A return with two refused units and one missing unit. */
  const settledReturn = async () => {
    const created = await approvedReturn(service);
    const { path, lineId } = created;
    await service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 2 }] });
    await service.post(`${path}/receipts/close`);
    const refused = { lineId, quantity: 2, outcome: 'refuse', disposition: 'quarantine' };
    await service.post(`${path}/inspections`, { lines: [refused] });
    return created;
  };

  it('make missing and refused units refundable', async () => {
    const { path, lineId, order } = await settledReturn();
    const one = { lineId, quantity: 1 };
    const lines = [
      { ...one, of: 'missing' },
      { ...one, of: 'refused' },
    ];
    const granted = await expectManners(service, path, 'grants', { lines, reason });
    expect(granted.body).toMatchObject({
      status: 'inspected',
      lines: [
        {
          quantities: { missing: 1, refused: 2, granted: 2 },
          missing: [{ quantity: 1, cause: 'not_in_parcel', granted: 1 }],
          amounts: { maxRefundable: { amount: 2000 } },
        },
      ],
    });
    expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 422 });
    expect((await service.get(`${path}/history`)).body.items.at(-1)).toMatchObject({
      type: 'items.granted',
      from: 'inspected',
      to: 'inspected',
      data: { reason, lines },
    });
    expect(await service.post(`${path}/grants`, { lines, reason })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/0/quantity', code: 'maximum', message: 'must be at most 0' }] },
    });
  });

  it('need an admin, which the allowed actions show', async () => {
    const { path, lineId } = await settledReturn();
    const body = { lines: [{ lineId, quantity: 1, of: 'missing' }], reason };
    expect(await service.post(`${path}/grants`, body, { client: 'returns-writer' })).toMatchObject({ status: 403 });
    const { body: read } = await service.get(path);
    expect(read.allowedActions).toContainEqual({ action: 'grant', scope: 'returns:admin', allowed: true });
  });

  it('fail for a unit that another return has taken', async () => {
    const { path, lineId, order } = await settledReturn();
    expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 201 });
    const body = { lines: [{ lineId, quantity: 1, of: 'missing' }], reason };
    expect(await service.post(`${path}/grants`, body)).toMatchObject({
      status: 422,
      body: { code: 'quantity_exceeds_returnable', errors: [{ path: '/lines', code: 'maximum' }] },
    });
  });

  it('fail for lines of another return, and for a duplicate line', async () => {
    const { path, lineId } = await settledReturn();
    const elsewhere = [{ lineId: 'rln_00000000000000000000000000', quantity: 1, of: 'missing' }];
    expect(await service.post(`${path}/grants`, { lines: elsewhere, reason })).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found', errors: [{ path: '/lines/0/lineId' }] },
    });
    const one = { lineId, quantity: 1, of: 'refused' };
    expect(await service.post(`${path}/grants`, { lines: [one, one], reason })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/1/lineId', code: 'duplicate' }] },
    });
  });

  it('fail while no unit is missing or refused', async () => {
    const { path, lineId } = await approvedReturn(service);
    const body = { lines: [{ lineId, quantity: 1, of: 'missing' }], reason };
    expect(await service.post(`${path}/grants`, body)).toMatchObject({
      status: 409,
      body: {
        detail: 'The return has no missing or refused units to grant.',
        allowedActions: expect.arrayContaining([
          { action: 'grant', scope: 'returns:admin', allowed: false, blockedBy: 'nothing_to_grant' },
        ]),
      },
    });
  });
});
