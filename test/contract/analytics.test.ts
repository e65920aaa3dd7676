import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { api, type Api } from '../support/api.ts';
import { contractModes } from '../support/contract-api.ts';
import { lambda } from '../support/lambda.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { approvedReturn, registerOrder, returnOf, shopOrder } from '../support/scenario.ts';

type Summary = Output<'getSummary'>;
type Analytics = Output<'getAnalytics'>;

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack({
    modes: contractModes(import.meta.filename),
    returnTerms: { deadlines: { shipByDays: 0 } },
  });
});
afterAll(async () => stack.close());

const today = () => new Date().toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Counts changed returns, as the table's stream does. */
const countChanges = async (...returnIds: readonly string[]) => {
  const Records = returnIds.map((id) => ({
    eventName: 'MODIFY',
    dynamodb: { Keys: { pk: { S: `RETURN#${id}` }, sk: { S: 'SNAPSHOT' } } },
  }));
  const { reply, error } = await lambda('standalone', stack.info)('countReturns', { Records });
  expect(error).toBeUndefined();
  return reply;
};

describe.each(contractModes(import.meta.filename))('%s statistics', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = api(mode, stack.info);
  });
  const getSummary = async () => (await service.get('/summary')).body as unknown as Summary;
  const getAnalytics = async (query: string) => (await service.get(`/analytics?${query}`)).body as unknown as Analytics;

  /** Creates a return with the given quantity of a SKU that no other test uses. */
  const returned = async (sku: string, quantity: number, more: object = {}) => {
    const lines = shopOrder().lines.map((line) => ({ ...line, sku, quantity: 5, deliveries: [] }));
    const order = await registerOrder(service, { lines });
    const { status, body } = await service.post('/returns', returnOf(order, quantity, more));
    expect(status).toBe(201);
    return body.returnId;
  };

  it('aggregate the counted returns, and change with them', async () => {
    const [sku, channel] = [`SKU-${randomUUID()}`, `channel-${randomUUID()}`];
    const before = await getSummary();
    const [one, two] = [await returned(sku, 2, { channel }), await returned(sku, 1, { channel })];
    expect(await countChanges(one, two, one)).toEqual({ counted: 2 });
    const after = await getSummary();
    expect(after).toMatchObject({
      returns: before.returns + 2,
      open: before.open + 2,
      requested: {
        today: before.requested.today + 2,
        last7Days: before.requested.last7Days + 2,
        last30Days: before.requested.last30Days + 2,
      },
    });
    expect(after.freshness.counted).toBe(after.freshness.changed);

    const path = `/returns/${one}`;
    await service.post(`${path}/approve`);
    const stale = await getSummary();
    expect(stale.freshness.changed).not.toBe(stale.freshness.counted);
    const units = { lineId: (await service.get(path)).body.lines[0]?.lineId, quantity: 2 };
    await service.post(`${path}/receipts`, { lines: [units] });
    const inspected = await service.post(`${path}/inspections`, {
      lines: [{ ...units, outcome: 'accept', disposition: 'restock' }],
    });
    expect(inspected).toMatchObject({ status: 200, body: { status: 'inspected' } });
    expect(await countChanges(one)).toEqual({ counted: 1 });
    const item = {
      returns: 2,
      units: { requested: 3, approved: 2, received: 2, accepted: 2 },
      refunded: [],
      due: [{ amount: 2000, currency: 'EUR' }],
    };
    const bySku = await getAnalytics('groupBy=sku&limit=200');
    expect(bySku.items).toContainEqual({ value: sku, ...item });
    const byChannel = await getAnalytics('groupBy=channel&limit=200');
    expect(byChannel.items).toContainEqual({ value: channel, ...item });
    const { statuses, refundStatuses, due } = await getSummary();
    expect(statuses.map(({ status }) => status)).toEqual(expect.arrayContaining(['requested', 'inspected']));
    expect(refundStatuses.map(({ refundStatus }) => refundStatus)).toContain('due');
    expect(due).toMatchObject([{ currency: 'EUR' }]);
    await service.post(`/returns/${two}/cancel`);
    await countChanges(two);
    expect((await getSummary()).open).toBe(before.open + 1);
  });

  it('group returns by day, month, status and reason, and sort the groups', async () => {
    const id = await returned(`SKU-${randomUUID()}`, 3);
    await countChanges(id);
    const byDay = await getAnalytics('groupBy=day');
    expect(byDay).toMatchObject({ groupBy: 'day', requestedFrom: daysAgo(29), requestedTo: today() });
    expect(byDay.items.at(-1)).toMatchObject({ value: today() });
    const byMonth = await getAnalytics('groupBy=month');
    expect(byMonth.items).toMatchObject([{ value: today().slice(0, 7), returns: byDay.items.at(-1)?.returns }]);
    const byReason = await getAnalytics('groupBy=reason');
    expect(byReason.items).toMatchObject([{ value: 'fit.too_small', returns: byDay.items.at(-1)?.returns }]);
    // Whole months, and days around them.
    const long = await getAnalytics(`groupBy=status&requestedFrom=${daysAgo(400)}`);
    expect(long.items.reduce((sum, { returns }) => sum + returns, 0)).toBe(byDay.items.at(-1)?.returns);
    const [first, ...others] = (await getAnalytics('groupBy=sku&sort=units')).items;
    expect(first?.units.requested).toBeGreaterThanOrEqual(Math.max(...others.map(({ units }) => units.requested)));
    const cut = await getAnalytics('groupBy=sku&sort=units&limit=1');
    expect(cut.items).toEqual([first]);
    expect(cut.rest?.values).toBe(others.length);
    expect(cut.rest?.returns).toBe(others.reduce((sum, { returns }) => sum + returns, 0));
    expect(await getAnalytics(`groupBy=sku&requestedTo=${daysAgo(1)}`)).toMatchObject({ items: [] });
  });

  it('count overdue returns, and find returns that the stream lost', async () => {
    const { overdue, returns } = await getSummary();
    const { id } = await approvedReturn(service, 1);
    const { reply } = await lambda('standalone', stack.info)('recountReturns', { from: '2026-01-01' });
    expect(reply).toMatchObject({ counted: 1, complete: true });
    expect(await countChanges(id)).toEqual({ counted: 0 });
    expect(await getSummary()).toMatchObject({
      returns: returns + 1,
      overdue: { count: overdue.count + 1, atLeast: false },
    });
  });

  it.each([
    ['a missing dimension', '', '/groupBy', 'required'],
    ['an unknown dimension', 'groupBy=customer', '/groupBy', 'enum'],
    ['an invalid day', 'groupBy=sku&requestedFrom=2026-02-30', '/requestedFrom', 'format'],
    ['a reversed range', 'groupBy=sku&requestedFrom=2026-02-02&requestedTo=2026-02-01', '/requestedFrom', 'maximum'],
    ['too many days', 'groupBy=day&requestedFrom=2026-01-01&requestedTo=2026-04-03', '/requestedFrom', 'minimum'],
    ['too many months', 'groupBy=sku&requestedFrom=2019-12-31&requestedTo=2024-12-31', '/requestedFrom', 'minimum'],
  ])('return 400 for %s', async (_, query, path, code) => {
    expect(await service.get(`/analytics?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path, code }] },
    });
  });

  it('report the allowed days in an error, and need an admin', async () => {
    const { body } = await service.get('/analytics?groupBy=day&requestedFrom=2026-01-01&requestedTo=2026-04-03');
    expect(body.errors[0]?.message).toBe('must be 2026-01-02 or later with this requestedTo');
    const edge = '/analytics?groupBy=day&requestedFrom=2026-01-02&requestedTo=2026-04-03';
    expect(await service.get(edge)).toMatchObject({ status: 200, body: { items: [] } });
    for (const path of ['/summary', edge])
      expect(await service.get(path, { client: 'returns-writer' })).toMatchObject({ status: 403 });
  });
});
