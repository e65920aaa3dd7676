import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { registerOrder, returnOf } from '../support/scenario.ts';

describe.each(contractModes(import.meta.filename))('%s facts of a platform', (mode) => {
  const service = contractApi(mode);
  const observation = () => ({ platform: 'shopify', externalId: randomUUID(), occurredAt: '2026-11-20T08:00:00Z' });
  const managed = { managedBy: 'platform' };
  const create = async (request: object) =>
    service.post('/returns', returnOf(await registerOrder(service), 2, request));

  it('are accepted only from admins and listed clients, so that no writer approves an ineligible return', async () => {
    const order = await registerOrder(service);
    const claims = [
      { ...managed, observed: { ...observation(), status: 'approved' } },
      { observed: { ...observation(), status: 'approved' } },
      managed,
    ];
    for (const claim of claims) {
      const { status, body } = await service.post('/returns', returnOf(order, 1, claim), { client: 'returns-writer' });
      expect({ status, body }).toMatchObject({
        status: 403,
        body: {
          code: 'insufficient_scope',
          errors: Object.keys(claim)
            .map((name) => ({ path: `/${name}`, code: 'scope' }))
            .toReversed(),
        },
      });
    }
    const { body } = await create(managed);
    const path = `/returns/${body.returnId}/approve`;
    const writer = { client: 'returns-writer' };
    expect(await service.post(path, { observed: observation() }, writer)).toMatchObject({
      status: 403,
      body: { errors: [{ path: '/observed', code: 'scope' }] },
    });
    expect(await service.post(path, { observed: { ...observation(), platform: 'vtex' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/observed/platform', code: 'enum' }] },
    });
    expect(await service.get(`/returns/${body.returnId}`)).toMatchObject({ body: { status: 'requested' } });
  });

  it("store the shop's decision with the return", async () => {
    expect(await create({ ...managed, observed: { ...observation(), status: 'approved' } })).toMatchObject({
      status: 201,
      body: {
        status: 'approved',
        version: 2,
        approvedAt: expect.any(String),
        lines: [{ quantities: { approved: 2 } }],
      },
    });
    const order = await registerOrder(service);
    const rejected = returnOf(order, 3, { ...managed, observed: { ...observation(), status: 'rejected' } });
    expect(await service.post('/returns', rejected)).toMatchObject({
      status: 201,
      body: {
        status: 'rejected',
        rejection: { code: 'rejected_by_platform' },
        lines: [{ quantities: { rejected: 3 }, amounts: { maxRefundable: { amount: 0 } } }],
      },
    });
    // The rejected return holds no units.
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 201 });
  });

  it('are in the history with their platform and time', async () => {
    const { body } = await create(managed);
    const observed = observation();
    await service.post(`/returns/${body.returnId}/approve`, { observed });
    const history = await service.get(`/returns/${body.returnId}/history`);
    expect(history.body.items.map(({ data }: { data: { observed?: object } }) => data.observed)).toEqual([
      undefined,
      { ...observed, occurredAt: '2026-11-20T08:00:00.000Z' },
    ]);
  });

  it('report goods and the end of a return, and fail without a fact', async () => {
    const { body } = await create({ ...managed, observed: { ...observation(), status: 'approved' } });
    const path = `/returns/${body.returnId}`;
    for (const subpath of ['receipts', 'inspections'])
      expect(await service.post(`${path}/${subpath}`, { observed: observation() })).toMatchObject({
        status: subpath === 'receipts' ? 400 : 409,
      });
    const lines = [{ lineId: body.lines[0]?.lineId, quantity: 2 }];
    const came = await service.post(`${path}/receipts`, { lines, observed: observation() });
    expect(came).toMatchObject({ status: 200, body: { status: 'received' } });
    expect(await service.post(`${path}/inspections`, { observed: observation() })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines', code: 'required' }] },
    });
    const history = await service.get(`${path}/history`);
    expect(history.body.items.at(-1)).toMatchObject({ type: 'items.received', data: { observed: expect.any(Object) } });
  });

  it('report parcels, exchanges, grants and refunds', async () => {
    const { body } = await create({ ...managed, observed: { ...observation(), status: 'approved' } });
    const path = `/returns/${body.returnId}`;
    const lineId = body.lines[0]?.lineId;
    const one = { lineId, quantity: 1 };
    const report = async (subpath: string, what: object) => {
      const answer = await service.post(`${path}/${subpath}`, { ...what, observed: observation() });
      expect(answer).toMatchObject({ status: 200 });
      return answer.body;
    };
    const parcel = (await report('parcels', { contents: [one] })).parcels[0];
    expect(parcel).not.toHaveProperty('observed');
    const { headers } = await service.get(path);
    const moved = await service.patch(
      `${path}/parcels/${parcel?.parcelId}`,
      { status: 'in_transit', observed: observation() },
      { headers: { 'if-match': headers.get('etag') ?? '' } },
    );
    expect(moved).toMatchObject({ status: 200, body: { status: 'in_transit' } });
    const exchange = (await report('exchanges', { ...one, newItem: { sku: 'NEW', quantity: 1 } })).exchanges[0];
    await report(`exchanges/${exchange?.exchangeId}/result`, { status: 'ordered' });
    await report('receipts/close', {});
    await report('grants', { lines: [{ lineId, quantity: 2, of: 'missing' }], reason: 'goodwill' });
    const refund = (await service.post(`${path}/refunds`)).body.refunds[0];
    await report(`refunds/${refund?.refundId}/result`, { status: 'submitted' });
    const history = await service.get(`${path}/history`);
    const observedItems = history.body.items.filter(
      ({ data }: { data: { observed?: object } }) => data.observed !== undefined,
    );
    expect(observedItems.map(({ type }: { type: string }) => type)).toEqual([
      'return.requested',
      'parcel.added',
      'parcel.updated',
      'exchange.requested',
      'exchange.ordered',
      'items.missing',
      'items.granted',
      'refund.submitted',
    ]);
  });

  it('fail for a return that the service manages, and for a time in the future', async () => {
    const { body } = await create({});
    expect(
      await service.post(`/returns/${body.returnId}/reject`, { code: 'final_sale', observed: observation() }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/observed', code: 'unexpected' }] },
    });
    expect(await create({ observed: observation() })).toMatchObject({ status: 400 });
    const ahead = { ...observation(), occurredAt: new Date(Date.now() + 3_600_000).toISOString() };
    expect(await create({ ...managed, observed: ahead })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/observed/occurredAt', code: 'maximum' }] },
    });
  });
});
