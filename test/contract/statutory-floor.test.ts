import { beforeAll, describe, expect, it } from 'vitest';
import { tokenOf, type Api } from '../support/api.ts';
import { contractModes, contractWithTerms } from '../support/contract-api.ts';
import { auto, daysAgo, decided, noFinalSale, ofCustomer, shop, window } from '../support/decided-shop.ts';
import { registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';

// The orders of the scenario were delivered before the period that the law protects.
const statutoryRules = { 'EU 2011/83': { window: { within: { days: 3650 } } } };
const contract = contractWithTerms({ statutoryRules });

type Deadlines = { readonly requestedAt: string; readonly deadlines: { readonly refundDueBy?: string } };

const [shirt, hat] = shopOrder().lines;
const dayMs = 24 * 3600 * 1000;

describe.each(contractModes(import.meta.filename))('%s statutory floor', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contract.api(mode);
  });

  const create = async (facts: object, ...lines: readonly object[]) => {
    const { status, body } = await service.post('/returns', {
      ...returnOf(await registerOrder(service, facts)),
      lines,
    });
    expect(status).toBe(201);
    return { path: `/returns/${body.returnId}`, body, ids: body.lines.map(({ lineId: id }) => id) };
  };
  const hats = { orderLineId: '12', quantity: 1, reason: { code: 'fit.other' } };

  it("protects a line from rejection for the deployment's period, next to an exempt line", async () => {
    const lines = [{ ...shirt, withdrawalExemption: 'custom_made' }, hat];
    const { path, ids } = await create({ lines }, shirts(2), hats);
    const approved = (first: number, second: number) => ({
      lines: [
        { lineId: ids[0], quantity: first },
        { lineId: ids[1], quantity: second },
      ],
    });
    const violation = { status: 422, body: { code: 'statutory_floor_violation' } };
    expect(await service.post(`${path}/reject`, { code: 'final_sale' })).toMatchObject(violation);
    expect(await service.post(`${path}/approve`, approved(2, 0))).toMatchObject(violation);
    expect(await service.post(`${path}/approve`, approved(0, 1))).toMatchObject({
      status: 200,
      body: { lines: [{ quantities: { rejected: 2 } }, { quantities: { approved: 1 } }] },
    });
  });

  it('does not apply to a return of exempt goods only', async () => {
    const { path } = await create({ lines: [{ ...shirt, withdrawalExemption: 'perishable' }, hat] }, shirts(1));
    expect(await service.post(`${path}/reject`, { code: 'final_sale' })).toMatchObject({ status: 200 });
  });

  it('starts the refund deadline at the request or at receipt, by the law', async () => {
    const { body } = await create({}, shirts(1));
    const { requestedAt, deadlines } = body as unknown as Deadlines;
    expect(Date.parse(deadlines.refundDueBy ?? '') - Date.parse(requestedAt)).toBe(14 * dayMs);
    const british = await create({ country: 'GB', lines: [{ ...shirt, deliveries: [] }] }, shirts(1));
    expect((british.body as unknown as Deadlines).deadlines).toEqual({});
    expect(await service.post(`${british.path}/reject`, { code: 'final_sale' })).toMatchObject({ status: 422 });
  });

  it('waits for the goods or proof of sending of a withdrawal, as after a declaration', async () => {
    const order = await registerOrder(service, { timeZone: 'Europe/Berlin' });
    const { body } = await service.post('/returns', { ...returnOf(order), basis: 'withdrawal', lines: [shirts(1)] });
    expect((body as unknown as Deadlines).deadlines).not.toHaveProperty('refundDueBy');
    const path = `/returns/${body.returnId}`;
    await service.post(`${path}/parcels`, { carrier: 'dhl', trackingNumber: body.returnId, status: 'in_transit' });
    const sent = (await service.get(path)).body as unknown as Deadlines;
    const due = Date.parse(sent.deadlines.refundDueBy ?? '');
    expect(due - Date.parse(sent.requestedAt)).toBeGreaterThan(14 * dayMs);
    expect(due % (3600 * 1000)).toBe(0);
  });

  it("approves a certain withdrawal at once, and needs an admin's override to refuse its units", async () => {
    const { path, body, ids } = await create({}, shirts(2));
    expect(body).toMatchObject({ status: 'approved' });
    const unit = { lineId: ids[0], quantity: 1 };
    await service.post(`${path}/receipts`, { lines: [{ ...unit, quantity: 2 }] });
    const report = { lines: [{ ...unit, outcome: 'refuse', disposition: 'destroy' }] };
    const overriding = { ...report, floorOverride: { reason: 'abuse' } };
    expect(await service.post(`${path}/inspections`, report)).toMatchObject({
      status: 422,
      body: { code: 'statutory_floor_violation' },
    });
    const writer = { token: await tokenOf('returns-writer', contract.info()) };
    expect(await service.post(`${path}/inspections`, overriding, writer)).toMatchObject({
      body: { code: 'override_requires_admin' },
    });
    expect(await service.post(`${path}/inspections`, overriding)).toMatchObject({
      status: 200,
      body: { discrepancies: [{ code: 'statutory_floor_violation' }] },
    });
  });

  it('counts from the time of the request on the platform', async () => {
    const occurredAt = new Date(Date.now() - 3 * dayMs).toISOString();
    const order = await registerOrder(service, {});
    const { body } = await service.post('/returns', {
      ...returnOf(order),
      managedBy: 'platform',
      observed: { platform: order.platform, externalId: 'r-1', occurredAt, status: 'requested' },
    });
    const { requestedAt, deadlines } = body as unknown as Deadlines;
    expect(requestedAt).toBe(occurredAt);
    expect(Date.parse(deadlines.refundDueBy ?? '')).toBe(Date.parse(occurredAt) + 14 * dayMs);
  });

  it('overrules a policy for a withdrawal of goods that are shipped and not delivered', async () => {
    const { publish, order } = shop(service);
    await publish([window(30), noFinalSale, auto]);
    const underWay = { finalSale: true, deliveries: [], shippedAt: daysAgo(1) };
    const requested = async (facts: object, basis: string) =>
      service.post('/returns', ofCustomer(await order({ country: 'DE', ...facts }), [hats], { basis }));
    const withdrawn = await requested({ hat: underWay }, 'withdrawal');
    expect(withdrawn).toMatchObject({ status: 201, body: { status: 'approved' } });
    expect(await decided(service, withdrawn)).toMatchObject({
      lines: [{ verdict: 'eligible', right: 'EU 2011/83' }],
      reproduced: true,
    });
    expect(await requested({ hat: underWay }, 'goodwill')).toMatchObject({
      body: { status: 'rejected', lines: [{ eligibility: { code: 'not_delivered' } }] },
    });
    // The exemption is unknown to the law, so staff decides.
    const typo = { ...underWay, withdrawalExemption: 'costum_made' };
    expect(await requested({ hat: typo }, 'withdrawal')).toMatchObject({
      body: { status: 'requested', lines: [{ eligibility: { code: 'statutory_right' } }] },
    });
  });

  it('stores the protected lines with the return, and marks the law as overridden', async () => {
    const { path } = await create({ lines: [{ ...shirt, withdrawalExemption: 'custom_made' }, hat] }, shirts(1), hats);
    const { body } = await service.get(`${path}/history`);
    expect(body.items[0]).toMatchObject({
      data: { terms: { floor: { law: 'EU 2011/83', lines: ['12'], overridden: true } } },
    });
  });
});
