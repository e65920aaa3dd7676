import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../lib/edge/backend/standalone.ts';
import { api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { backendCall } from '../support/backend-call.ts';
import { useEngine } from '../support/use-engine.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';
import { lister } from '../support/lister.ts';
import { registerOrder, returnOf, shopOrder } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';

const standalone = api('standalone');

useEngine(stack().aws.dynamodb);
afterAll(restoreEnvironment);

/** Creates a return whose goods must be sent within so many days after the approval. */
const createWith = async (shipByDays: number, request: object): Promise<string> => {
  // A container reads the terms once.
  stubEnvironment({ RETURN_TERMS: JSON.stringify({ deadlines: { shipByDays } }) });
  const created = await backend.createReturn(request as Parameters<typeof backend.createReturn>[0], backendCall());
  if (!created.ok) throw new Error(created.failure.code);
  return created.value.body.returnId;
};

/** Creates returns of one customer with their own SKU: two overdue, one due later, one undecided. */
const prepare = async () => {
  const [sku, customer] = [`SHIRT-${randomUUID()}`, { id: `customer-${randomUUID()}` }];
  const [shirt] = shopOrder().lines;
  const order = await registerOrder(standalone, { customer, lines: [{ ...shirt, sku, quantity: 10 }] });
  const make = async (shipByDays: number) => createWith(shipByDays, returnOf(order));
  const [later, sooner, due, undecided] = [await make(0), await make(0), await make(30), await make(0)];
  // The deadline runs from the approval, so the younger return is due first.
  for (const id of [sooner, later, due]) {
    const { body } = await standalone.post(`/returns/${id}/approve`);
    // A return with an exchange does not expire. Otherwise a schedule of the stack would expire it during a test.
    const newItem = { sku: 'SHIRT-L', quantity: 1, price: { amount: 1999, currency: 'EUR' } };
    const exchange = { lineId: body.lines[0]?.lineId, quantity: 1, newItem };
    expect(await standalone.post(`/returns/${id}/exchanges`, exchange)).toMatchObject({ status: 200 });
  }
  return {
    sku,
    customerId: customer.id,
    order: order as { platform: string; orderId: string },
    later,
    sooner,
    due,
    undecided,
  };
};

describe.each(contractModes(import.meta.filename))('%s listReturns', (mode) => {
  const { list, readAll } = lister(contractApi(mode));

  it('returns overdue returns, the earliest deadline first', async () => {
    const { sku, later, sooner } = await prepare();
    const overdue = { sku, overdue: 'true' };
    expect(await readAll(overdue)).toEqual([sooner, later]);
    expect(await readAll({ ...overdue, sort: 'dueAt', limit: '1' })).toEqual([sooner, later]);
    expect(await readAll({ ...overdue, status: 'approved' })).toEqual([sooner, later]);
    expect(await readAll({ ...overdue, status: 'requested' })).toEqual([]);
    const { items } = (await list({ ...overdue, limit: '200' })).body;
    expect(items).toMatchObject([{ dueAt: expect.any(String) }, { dueAt: expect.any(String) }]);
  });

  it('filters by overdue with any other filter and sort', async () => {
    const { sku, customerId, order, later, sooner, due, undecided } = await prepare();
    for (const query of [{ customerId }, { ...order }, { sku, sort: 'createdAt' }]) {
      expect(await readAll({ ...query, overdue: 'true' })).toEqual([sooner, later]);
      expect(await readAll({ ...query, overdue: 'false' })).toEqual([undecided, due]);
    }
    expect(await readAll({ sku, sort: 'updatedAt', overdue: 'true' })).toEqual([later, sooner]);
    expect(await readAll({ sku, overdue: 'false' })).toEqual([undecided, due]);
  });

  it('returns returns with a deadline before a time, the earliest first', async () => {
    const { sku, customerId, later, sooner, due, undecided } = await prepare();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    // An undecided return also has a deadline: the law requires its refund two weeks after the request.
    const all = [sooner, later, undecided, due];
    expect(await readAll({ sku, dueBefore: inDays(40) })).toEqual(all);
    expect(await readAll({ sku, dueBefore: inDays(40), sort: 'dueAt', limit: '1' })).toEqual(all);
    expect(await readAll({ sku, dueBefore: inDays(20) })).toEqual([sooner, later, undecided]);
    expect(await readAll({ sku, dueBefore: inDays(40), overdue: 'true' })).toEqual([sooner, later]);
    expect(await readAll({ sku, dueBefore: inDays(40), overdue: 'false' })).toEqual([undecided, due]);
    expect(await readAll({ sku, sort: 'dueAt', limit: '1' })).toEqual(all);
    expect(await readAll({ sku, sort: 'dueAt', overdue: 'false', limit: '1' })).toEqual([undecided, due]);
    expect(await readAll({ sku, dueBefore: inDays(-1) })).toEqual([]);
    expect(await readAll({ customerId, dueBefore: inDays(20) })).toEqual([undecided, sooner, later]);
  });

  it('omits a return whose deadline was met', async () => {
    const { sku, later, sooner } = await prepare();
    await standalone.post(`/returns/${later}/cancel`);
    expect(await readAll({ sku, overdue: 'true' })).toEqual([sooner]);
    await standalone.post(`/returns/${later}/reopen`, { reason: 'marker: mistaken' });
    expect(await readAll({ sku, overdue: 'true' })).toEqual([sooner, later]);
  });

  it('binds a cursor to the sort of its list', async () => {
    const { sku } = await prepare();
    const query = { sku, overdue: 'true', limit: '1' };
    const cursor = String((await list(query)).body.nextCursor);
    expect(await list({ ...query, sort: 'dueAt', cursor })).toMatchObject({ status: 200 });
    expect(await list({ ...query, sort: 'createdAt', cursor })).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor' },
    });
  });
});
