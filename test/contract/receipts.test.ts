import { describe, expect, it } from 'vitest';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { expectManners } from '../support/manners.ts';
import { approvedReturn, createReturn, returnOf } from '../support/scenario.ts';

const unknownLine = 'rln_00000000000000000000000000';

describe.each(contractModes(import.meta.filename))('%s receipts', (mode) => {
  const service = contractApi(mode);

  it('record received units, in any number of receipts', async () => {
    const { path, lineId } = await approvedReturn(service);
    const first = await expectManners(service, path, 'receipts', { lines: [{ lineId, quantity: 2 }] });
    expect(first.body).toMatchObject({
      status: 'partially_received',
      partiallyReceivedAt: expect.any(String),
      lines: [{ quantities: { received: 2 }, amounts: { maxRefundable: { amount: 3000 } } }],
      unexpected: [],
    });
    const second = await service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 2 }] });
    expect(second.body).toMatchObject({
      status: 'received',
      lines: [{ quantities: { received: 3 } }],
      unexpected: [{ id: expect.stringMatching(/^unx_/), sku: 'SHIRT-M', quantity: 1 }],
    });
    expect((await service.get(`${path}/history`)).body.items.slice(2)).toMatchObject([
      {
        type: 'items.received',
        from: 'approved',
        to: 'partially_received',
        data: { lines: [{ lineId, quantity: 2 }] },
      },
      { type: 'items.received', from: 'partially_received', to: 'received' },
      { type: 'items.unexpected', from: 'received', to: 'received', data: { items: [{ quantity: 1 }] } },
    ]);
  });

  it('record a parcel with its contents, and mark it as delivered', async () => {
    const { path, lineId } = await approvedReturn(service);
    const { body } = await service.post(`${path}/parcels`, { contents: [{ lineId, quantity: 2 }] });
    const parcelId = body.parcels[0]?.parcelId;
    expect(await service.post(`${path}/receipts`, { parcelId })).toMatchObject({
      status: 200,
      body: {
        status: 'partially_received',
        parcels: [{ status: 'delivered', events: [{}, { status: 'delivered' }] }],
        lines: [{ quantities: { received: 2 } }],
      },
    });
  });

  it('record the actual contents of a parcel, and show its note to readers only', async () => {
    const { path } = await approvedReturn(service);
    const { body } = await service.post(`${path}/parcels`);
    const parcelId = body.parcels[0]?.parcelId;
    const brick = { sku: 'BRICK', quantity: 1, note: 'marker-note: a brick' };
    const answer = await service.post(
      `${path}/receipts`,
      { parcelId, unexpected: [brick] },
      { client: 'returns-writer' },
    );
    expect(answer.body).toMatchObject({
      status: 'in_transit',
      lines: [{ quantities: { received: 0 } }],
      unexpected: [{ parcelId, sku: 'BRICK', quantity: 1 }],
    });
    expect(JSON.stringify(answer.body)).not.toContain('marker');
    expect(await service.get(path, { client: 'returns-reader' })).toMatchObject({ body: { unexpected: [brick] } });
    expect(JSON.stringify((await service.get(`${path}/history`)).body)).not.toContain('marker');
  });

  it('fail for lines and parcels of another return, and for parcels that cannot arrive', async () => {
    const { path, lineId } = await approvedReturn(service);
    const receive = async (body: object) => service.post(`${path}/receipts`, body);
    expect(await receive({ lines: [{ lineId: unknownLine, quantity: 1 }] })).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found', errors: [{ path: '/lines/0/lineId' }] },
    });
    expect(await receive({ parcelId: 'pcl_00000000000000000000000000' })).toMatchObject({
      status: 404,
      body: { code: 'parcel_not_found', errors: [{ path: '/parcelId' }] },
    });
    const twice = [
      { lineId, quantity: 1 },
      { lineId, quantity: 1 },
    ];
    expect(await receive({ lines: twice })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/1/lineId', code: 'duplicate' }] },
    });
    expect(await receive({})).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const { body, headers } = await service.post(`${path}/parcels`);
    const parcelId = body.parcels[0]?.parcelId;
    const etag = { headers: { 'if-match': headers.get('etag') ?? '' } };
    await service.patch(`${path}/parcels/${parcelId}`, { status: 'cancelled' }, etag);
    expect(await receive({ parcelId })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/parcelId', message: 'must be an inbound parcel that is not cancelled' }] },
    });
  });

  it('wait for the decision, and accept no units after a rejection', async () => {
    const { id, answer } = await createReturn(service, 2);
    const lines = [{ lineId: answer.body.lines[0]?.lineId, quantity: 1 }];
    expect(await service.post(`/returns/${id}/receipts`, { lines })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    await service.post(`/returns/${id}/reject`, { code: 'final_sale' });
    expect(await service.post(`/returns/${id}/receipts`, { lines })).toMatchObject({
      status: 200,
      body: { status: 'rejected', unexpected: [{ quantity: 1 }], lines: [{ quantities: { received: 0 } }] },
    });
  });

  it('mark outstanding units as missing, and still record them when they arrive late', async () => {
    const { path, lineId, order } = await approvedReturn(service);
    const closed = await expectManners(service, path, 'receipts/close', { lines: [{ lineId, quantity: 1 }] });
    expect(closed.body).toMatchObject({
      status: 'partially_received',
      lines: [
        {
          quantities: { missing: 1 },
          missing: [{ quantity: 1, cause: 'never_sent', granted: 0 }],
          amounts: { gross: { amount: 3000 }, maxRefundable: { amount: 2000 } },
        },
      ],
    });
    await service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 1 }] });
    expect(await service.post(`${path}/receipts/close`)).toMatchObject({
      body: {
        status: 'received',
        lines: [{ missing: [{ cause: 'never_sent' }, { quantity: 1, cause: 'not_in_parcel' }] }],
      },
    });
    expect(await service.post('/returns', returnOf(order, 1))).toMatchObject({ status: 201 });
    const late = await service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 2 }] });
    expect(late.body).toMatchObject({
      lines: [{ quantities: { received: 2, missing: 1 }, amounts: { maxRefundable: { amount: 2000 } } }],
      unexpected: [{ quantity: 1 }],
    });
    expect((await service.get(`${path}/history`)).body.items.slice(-2)).toMatchObject([
      { type: 'items.received', data: { lines: [{ quantity: 1, late: 1, accepted: 0 }] } },
      { type: 'items.unexpected' },
    ]);
  });

  it('store the given causes of missing units', async () => {
    const { path, lineId } = await approvedReturn(service);
    const lines = [{ lineId, quantity: 1, cause: 'lost_in_transit' }];
    await service.post(`${path}/receipts/close`, { cause: 'never_sent', lines });
    expect(await service.post(`${path}/receipts/close`, { cause: 'lost_in_transit' })).toMatchObject({
      body: { status: 'inspected', lines: [{ missing: [{ quantity: 3, cause: 'lost_in_transit' }] }] },
    });
    expect((await service.get(`${path}/history`)).body.items.at(-1)).toMatchObject({
      type: 'items.missing',
      data: { lines: [{ lineId, quantity: 2, cause: 'lost_in_transit' }] },
    });
  });

  it('mark only outstanding units as missing', async () => {
    const { path, lineId } = await approvedReturn(service);
    expect(await service.post(`${path}/receipts/close`, { lines: [{ lineId, quantity: 4 }] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/lines/0/quantity', code: 'maximum', message: 'must be at most 3' }] },
    });
    expect(
      await service.post(`${path}/receipts/close`, { lines: [{ lineId: unknownLine, quantity: 1 }] }),
    ).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found' },
    });
    await service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 3 }] });
    expect(await service.post(`${path}/receipts/close`)).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          { action: 'closeReceipt', scope: 'returns:write', allowed: false, blockedBy: 'invalid_transition' },
          { action: 'receive', scope: 'returns:write', allowed: true },
          { action: 'inspect', scope: 'returns:write', allowed: true },
        ]),
      },
    });
  });

  it('record a unit once, for concurrent requests', async () => {
    const { path, lineId } = await approvedReturn(service, 1);
    const book = async () => service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 1 }] });
    await Promise.all([book(), book(), book()]);
    expect(await service.get(path)).toMatchObject({
      body: { lines: [{ quantities: { received: 1 } }], unexpected: [{ quantity: 1 }, { quantity: 1 }] },
    });
  });
});
