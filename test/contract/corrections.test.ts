import { describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { createReturn, orderPath } from '../support/scenario.ts';

const approved = async (service: Api, quantity = 3) => {
  const { id, order, answer } = await createReturn(service, quantity);
  await service.post(`/returns/${id}/approve`);
  const lineId = answer.body.lines[0]?.lineId ?? '';
  const correct = async (differences: object, options?: object) =>
    service.post(
      `/returns/${id}/corrections`,
      { reason: 'marker-note: miscounted', lines: [{ lineId, ...differences }] },
      options,
    );
  return { id, order: order as { platform: string; orderId: string }, lineId, correct };
};

describe.each(contractModes(import.meta.filename))('%s correct', (mode) => {
  const service = contractApi(mode);

  it('changes recorded units by differences, and the status follows', async () => {
    const { correct } = await approved(service);
    expect(await correct({ received: 2, accepted: 1 })).toMatchObject({
      status: 200,
      body: {
        status: 'partially_received',
        lines: [
          {
            quantities: { received: 2, accepted: 1, refused: 0 },
            inspections: [{ quantity: 1, outcome: 'accept', disposition: 'quarantine', deductionBps: 0 }],
          },
        ],
      },
    });
    expect(await correct({ received: -1, missing: 2 })).toMatchObject({
      body: {
        status: 'inspected',
        lines: [
          {
            quantities: { received: 1, missing: 2, accepted: 1 },
            missing: [{ quantity: 2, cause: 'not_in_parcel', granted: 0 }],
            amounts: { maxRefundable: { amount: 1000 } },
          },
        ],
      },
    });
  });

  it('marks inspections that it reverses', async () => {
    const { correct } = await approved(service);
    await correct({ received: 3, accepted: 3 });
    expect(await correct({ accepted: -2, refused: 1 })).toMatchObject({
      body: {
        status: 'received',
        lines: [
          {
            quantities: { received: 3, accepted: 1, refused: 1 },
            inspections: [
              { quantity: 1, corrected: 2, outcome: 'accept' },
              { quantity: 1, outcome: 'refuse' },
            ],
          },
        ],
      },
    });
  });

  it.each([
    ['fewer received units than zero', { received: -1 }, '/lines/0/received', 'minimum'],
    ['fewer missing units than zero', { missing: -1 }, '/lines/0/missing', 'minimum'],
    ['fewer accepted units than zero', { accepted: -1 }, '/lines/0/accepted', 'minimum'],
    ['fewer refused units than zero', { refused: -1 }, '/lines/0/refused', 'minimum'],
    ['more units than were approved', { received: 3, missing: 1 }, '/lines/0', 'maximum'],
    ['more inspected units than were received', { received: 1, accepted: 1, refused: 1 }, '/lines/0', 'maximum'],
    ['an empty difference', {}, '/lines/0', 'min_properties'],
    ['a difference of zero', { received: 0 }, '/lines/0', 'unchanged'],
  ])('returns 400 for %s', async (_, differences, path, code) => {
    const { id, correct } = await approved(service);
    expect(await correct(differences)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
    expect(await service.get(`/returns/${id}`)).toMatchObject({ body: { version: 2 } });
  });

  it('fails for a duplicate line, and for a line of another return', async () => {
    const { id, lineId } = await approved(service);
    const twice = [
      { lineId, received: 1 },
      { lineId, received: 1 },
    ];
    expect(await service.post(`/returns/${id}/corrections`, { reason: 'a', lines: twice })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/1/lineId', code: 'duplicate' }] },
    });
    const unknownLine = [{ lineId: 'rln_00000000000000000000000000', received: 1 }];
    expect(await service.post(`/returns/${id}/corrections`, { reason: 'a', lines: unknownLine })).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found', errors: [{ path: '/lines/0/lineId' }] },
    });
  });

  it('does not change refunded units', async () => {
    const { id, order, correct } = await approved(service, 1);
    await correct({ received: 1 });
    await service.put(`${orderPath(order)}/refunds/1`, {
      amount: { amount: 1000, currency: 'EUR' },
      occurredAt: '2026-11-20T08:00:00Z',
      returnId: id,
      lines: [{ orderLineId: '11', quantity: 1 }],
    });
    expect(await correct({ refused: 1 })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/0', message: 'must not remove units that were refunded' }] },
    });
  });

  it('reopens an expired return when a unit arrived after all, and keeps its history valid', async () => {
    const { id, correct } = await approved(service, 2);
    await service.post(`/returns/${id}/expire`);
    expect(await correct({ missing: -1, received: 1 })).toMatchObject({
      body: {
        status: 'received',
        lines: [{ quantities: { missing: 1, received: 1 }, missing: [{ quantity: 1, cause: 'never_sent' }] }],
      },
    });
    expect(await correct({ accepted: 1 })).toMatchObject({ body: { status: 'inspected' } });
    expect(await service.get(`/returns/${id}/history/verification`)).toMatchObject({ body: { valid: true } });
  });

  it('needs an admin, adds an entry of its own, and shows its reason to readers only', async () => {
    const { id, correct } = await approved(service);
    expect(await correct({ received: 1 }, { client: 'returns-writer' })).toMatchObject({ status: 403 });
    expect(await correct({ received: 1 }, { headers: { 'if-match': '"1"' } })).toMatchObject({ status: 412 });
    const answer = await correct({ received: 1 });
    const history = await service.get(`/returns/${id}/history`);
    expect(history.body.items[2]).toMatchObject({
      type: 'return.corrected',
      from: 'approved',
      to: 'partially_received',
      data: { lines: [{ quantities: { received: 1 } }] },
    });
    expect(JSON.stringify([answer.body, history.body])).not.toContain('marker');
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toMatchObject({ correction: { reason: 'marker-note: miscounted' } });
  });
});
