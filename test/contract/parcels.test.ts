import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { expectManners } from '../support/manners.ts';
import { approvedReturn, approvedReturnOf, returnOf, shirts } from '../support/scenario.ts';
import { lister } from '../support/lister.ts';

const unknownLine = 'rln_00000000000000000000000000';

describe.each(contractModes(import.meta.filename))('%s parcels', (mode) => {
  const service = contractApi(mode);
  const tracking = { carrier: 'dhl', trackingNumber: '00340434161094', trackingUrl: 'https://carrier.example/1' };

  /** Returns a return with a parcel, and a function that changes it at its current version. */
  const packed = async (from: Api, quantity = 3, parcel: object = {}) => {
    const created = await approvedReturn(from, quantity);
    const { body } = await from.post(`${created.path}/parcels`, parcel);
    const at = `${created.path}/parcels/${body.parcels[0]?.parcelId}`;
    const patch = async (changes: object) => {
      const { headers } = await from.get(created.path);
      return from.patch(at, changes, { headers: { 'if-match': headers.get('etag') ?? '' } });
    };
    return { ...created, at, patch };
  };

  it('contain all outstanding units that are in no other parcel', async () => {
    const { path, lineId } = await approvedReturn(service);
    const first = await expectManners(service, path, 'parcels', { ...tracking, contents: [{ lineId, quantity: 1 }] });
    expect(first.body).toMatchObject({
      status: 'approved',
      parcels: [
        {
          parcelId: expect.stringMatching(/^pcl_/),
          direction: 'inbound',
          carrier: 'dhl',
          status: 'label_created',
          contents: [{ lineId, quantity: 1 }],
          events: [{ status: 'label_created' }],
        },
      ],
    });
    // Writers must not see the customer's address.
    expect(JSON.stringify(first.body)).not.toContain(tracking.trackingNumber);
    expect((await service.get(path)).body).toMatchObject({ parcels: [tracking] });
    expect(JSON.stringify((await service.get(`${path}/history`)).body)).not.toContain(tracking.trackingNumber);
    const second = await service.post(`${path}/parcels`, { status: 'in_transit' });
    expect(second.body).toMatchObject({
      status: 'in_transit',
      inTransitAt: expect.any(String),
      parcels: [{}, { contents: [{ lineId, quantity: 2 }] }],
    });
    expect(await service.post(`${path}/parcels`)).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          { action: 'addParcel', scope: 'returns:write', allowed: false, blockedBy: 'nothing_to_send' },
        ]),
      },
    });
    expect((await service.get(`${path}/history`)).body.items.slice(2)).toMatchObject([
      { type: 'parcel.added', from: 'approved', to: 'approved', data: { parcel: { direction: 'inbound' } } },
      { type: 'parcel.added', from: 'approved', to: 'in_transit' },
    ]);
  });

  it('send repaired units back before the return completes', async () => {
    const repair = shirts(2, { resolution: 'repair' });
    const { id, lines } = await approvedReturnOf(service, (order) => ({ order, lines: [repair] }));
    const [path, lineId] = [`/returns/${id}`, lines[0]];
    await service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 2 }] });
    const inspected = await service.post(`${path}/inspections`, {
      lines: [{ lineId, quantity: 2, outcome: 'accept' }],
    });
    expect(inspected.body).toMatchObject({
      status: 'inspected',
      lines: [{ inspections: [{ disposition: 'repair' }] }],
    });
    const complete = async () => service.post(`${path}/complete`);
    expect(await complete()).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect((await service.post(`${path}/parcels`, { status: 'in_transit' })).body).toMatchObject({
      lines: [{ quantities: { accepted: 2, repaired: 2 } }],
      parcels: [{ direction: 'outbound', contents: [{ lineId, quantity: 2, repaired: 2 }] }],
    });
    expect(await complete()).toMatchObject({ status: 200, body: { status: 'completed' } });
  });

  it('fail for too many units, for lines of another return, and for refused units before receipt', async () => {
    const { path, lineId } = await approvedReturn(service);
    const add = async (body: object) => service.post(`${path}/parcels`, body);
    expect(await add({ contents: [{ lineId, quantity: 4 }] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/contents/0/quantity', code: 'maximum', message: 'must be at most 3' }] },
    });
    expect(await add({ contents: [{ lineId: unknownLine, quantity: 1 }] })).toMatchObject({
      status: 404,
      body: { code: 'return_line_not_found', errors: [{ path: '/contents/0/lineId' }] },
    });
    expect(await add({ direction: 'outbound' })).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_transition',
        detail: 'While the return is approved, its parcels must have the direction inbound.',
      },
    });
  });

  it('follow status updates, and add no entry when nothing changes', async () => {
    const { path, patch } = await packed(service, 2, tracking);
    const moved = await patch({ status: 'in_transit', carrier: 'ups', trackingUrl: null });
    expect(moved.body).toMatchObject({ status: 'in_transit', version: 4 });
    const [parcel] = (await service.get(path)).body.parcels;
    expect(parcel).toMatchObject({
      carrier: 'ups',
      trackingNumber: tracking.trackingNumber,
      status: 'in_transit',
      events: [{ status: 'label_created' }, { status: 'in_transit' }],
    });
    expect(parcel).not.toHaveProperty('trackingUrl');
    const same = { status: 'in_transit', trackingNumber: tracking.trackingNumber, trackingUrl: null };
    expect(await patch(same)).toMatchObject({
      status: 200,
      body: { version: 4 },
    });
    const { items } = (await service.get(`${path}/history`)).body;
    expect(items.slice(3)).toMatchObject([
      {
        type: 'parcel.updated',
        from: 'approved',
        to: 'in_transit',
        data: { changes: { carrier: 'ups', trackingUrl: null }, moved: { status: 'in_transit' } },
      },
    ]);
  });

  it('need If-Match, and store nothing in a dry run', async () => {
    const { path, at } = await packed(service);
    expect(await service.patch(at, { carrier: 'ups' })).toMatchObject({ status: 428 });
    const stale = { headers: { 'if-match': '"2"' } };
    expect(await service.patch(at, { carrier: 'ups' }, stale)).toMatchObject({ status: 412 });
    const present = { headers: { 'if-match': '"3"' } };
    expect(await service.patch(at, { carrier: 'ups' }, { ...present, client: 'returns-reader' })).toMatchObject({
      status: 403,
    });
    expect(await service.patch(`${at}?dryRun=true`, { carrier: 'ups' }, present)).toMatchObject({
      status: 200,
      body: { version: 4, parcels: [{ carrier: 'ups' }] },
    });
    expect(await service.get(path)).toMatchObject({ body: { version: 3 } });
  });

  it('can be found after a loss, and otherwise never go back in status', async () => {
    const { patch, lineId } = await packed(service);
    expect(await patch({ status: 'lost' })).toMatchObject({ body: { status: 'in_transit' } });
    expect(await patch({ status: 'in_transit' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', detail: 'A parcel cannot change from lost to in_transit.' },
    });
    expect(await patch({ status: 'delivered' })).toMatchObject({ body: { status: 'in_transit' } });
    expect(await patch({ status: 'lost' })).toMatchObject({ status: 409 });
    expect(await patch({ contents: [{ lineId, quantity: 1 }] })).toMatchObject({
      status: 409,
      body: { detail: 'The contents of a parcel cannot change while it is delivered.' },
    });
    expect(await patch({ labelUrl: 'https://carrier.example/label' })).toMatchObject({ status: 200 });
  });

  it('are packed again up to the units left', async () => {
    const { patch, lineId } = await packed(service, 3);
    expect(await patch({ contents: [{ lineId, quantity: 2 }] })).toMatchObject({
      body: { parcels: [{ contents: [{ lineId, quantity: 2 }] }] },
    });
    expect(await patch({ contents: [{ lineId, quantity: 4 }] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/contents/0/quantity', message: 'must be at most 3' }] },
    });
  });

  it('return 404 for a parcel of another return', async () => {
    const { path } = await packed(service);
    const headers = { 'if-match': '"3"' };
    const elsewhere = `${path}/parcels/pcl_00000000000000000000000000`;
    expect(await service.patch(elsewhere, { carrier: 'ups' }, { headers })).toMatchObject({
      status: 404,
      body: { code: 'parcel_not_found', errors: [{ path: '/parcelId', code: 'unknown' }] },
    });
  });

  it('send refused units back, which releases them for another return', async () => {
    const { path, lineId, order } = await approvedReturn(service);
    await service.post(`${path}/receipts`, { lines: [{ lineId, quantity: 3 }] });
    const refused = { lineId, quantity: 2, outcome: 'refuse', disposition: 'return_to_customer' };
    await service.post(`${path}/inspections`, { lines: [refused, { lineId, quantity: 1, outcome: 'accept' }] });
    expect(await service.post(`${path}/parcels`, { direction: 'inbound' })).toMatchObject({ status: 409 });
    const sent = await service.post(`${path}/parcels`, { status: 'in_transit' });
    expect(sent.body).toMatchObject({
      status: 'inspected',
      parcels: [{ direction: 'outbound', contents: [{ lineId, quantity: 2 }] }],
    });
    expect(await service.post('/returns', returnOf(order, 3))).toMatchObject({ status: 422 });
    expect(await service.post('/returns', returnOf(order, 2))).toMatchObject({ status: 201 });
    const headers = { 'if-match': sent.headers.get('etag') ?? '' };
    const back = await service.patch(
      `${path}/parcels/${sent.body.parcels[0]?.parcelId}`,
      { status: 'cancelled' },
      { headers },
    );
    expect(back).toMatchObject({ status: 422, body: { code: 'quantity_exceeds_returnable' } });
  });

  it('are found by their tracking number while they have it', async () => {
    const { id, path } = await approvedReturn(service);
    const [number, other] = [`JD-${id}`, `JX-${id}`];
    const packed = await service.post(`${path}/parcels`, { trackingNumber: number });
    const ifMatch = { headers: { 'if-match': packed.headers.get('etag') ?? '' } };
    const found = async (trackingNumber: string) => lister(service).readAll({ trackingNumber });
    expect(await found(number)).toEqual([id]);
    expect(await found(` ${number.toLowerCase().replace('-', '- ')} `)).toEqual([id]);
    const { rmaNumber } = (await service.get(path)).body as unknown as Output<'getReturn'>;
    expect(await lister(service).readAll({ trackingNumber: number, rmaNumber })).toEqual([id]);
    expect(await lister(service).readAll({ trackingNumber: other, rmaNumber })).toEqual([]);
    const parcelPath = `${path}/parcels/${packed.body.parcels[0]?.parcelId}`;
    const lower = await service.patch(parcelPath, { trackingNumber: number.toLowerCase() }, ifMatch);
    expect([lower.status, await found(number)]).toEqual([200, [id]]);
    const later = { headers: { 'if-match': lower.headers.get('etag') ?? '' } };
    await service.patch(parcelPath, { trackingNumber: other }, later);
    expect([await found(number), await found(other)]).toEqual([[], [id]]);
  });
});
