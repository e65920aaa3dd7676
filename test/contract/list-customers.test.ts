import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { api, type Api } from '../support/api.ts';
import { contractModes } from '../support/contract-api.ts';
import { sharedStack } from '../support/own-stack.ts';
import { registerOrder, returnOf } from '../support/scenario.ts';
import { inSoak } from '../support/samples.ts';

const stack = await sharedStack();

describe.each(contractModes(import.meta.filename))('%s listReturns with include=customer', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = api(mode, stack.info);
  });

  /** Creates a return of a new order. */
  const create = async (facts: object, request: object = {}): Promise<string> => {
    const order = await registerOrder(service, facts);
    return (await service.post('/returns', returnOf(order, 1, request))).body.returnId;
  };
  const list = async (query: Record<string, string>, client = 'returns-reader') =>
    service.get(`/returns?${new URLSearchParams(query).toString()}`, { client });
  const itemsOf = async (query: Record<string, string>) =>
    ((await list(query)).body as unknown as Output<'listReturns'>).items;

  const people = () => {
    const number = randomUUID();
    const named = (name: string) => ({ id: `customer-${randomUUID()}`, name, email: `marker-${name}@example.com` });
    return { number, ada: named('ada'), bo: named('bo') };
  };

  it('shows the name and address of each customer, and no other personal data', async () => {
    const { number, ada, bo } = people();
    const ids = [await create({ number, customer: ada }), await create({ number, customer: bo })];
    ids.push(await create({ number, customer: ada }));
    const items = await itemsOf({ orderNumber: number, include: 'customer' });
    expect(items.map(({ returnId, customerId, customer }) => ({ returnId, customerId, customer }))).toEqual(
      [ada, bo, ada]
        .map(({ id, name, email }, index) => ({ returnId: ids[index], customerId: id, customer: { name, email } }))
        .toReversed(),
    );
    expect(JSON.stringify(items)).not.toContain('marker-note');
  });

  it('shows a customer without an id at the shop, and none of an order without a customer', async () => {
    const { number } = people();
    const [without, nameless] = [
      await create({ number, customer: undefined }),
      await create({ number, customer: { name: 'marker Cy' } }),
    ];
    const items = await itemsOf({ orderNumber: number, include: 'customer' });
    expect(items).toMatchObject([{ returnId: nameless, customer: { name: 'marker Cy' } }, { returnId: without }]);
    expect(items[1]).not.toHaveProperty('customer');
    expect(items.filter((item) => 'customerId' in item)).toEqual([]);
  });

  it('shows no customer of a gift', async () => {
    const { number, ada } = people();
    const gift = await create({ number, customer: ada }, { isGift: true });
    const own = await create({ number, customer: ada });
    const items = await itemsOf({ orderNumber: number, include: 'customer' });
    expect(items.map(({ returnId, customer }) => [returnId, customer?.name])).toEqual([
      [own, 'ada'],
      [gift, undefined],
    ]);
    expect(items[1]).not.toHaveProperty('customer');
    expect(items[1]).not.toHaveProperty('customerId');
  });

  it('shows names on every page, and accepts a cursor of the list without names', async () => {
    const { number, ada, bo } = people();
    for (const customer of [ada, bo]) await create({ number, customer });
    const query = { orderNumber: number, limit: '1' };
    const { body } = await list(query);
    const cursor = String(body.nextCursor);
    expect(await itemsOf({ ...query, cursor, include: 'customer' })).toMatchObject([{ customer: { name: 'ada' } }]);
  });

  it('shows no names without the parameter, in any list', async () => {
    const { number, ada } = people();
    await create({ number, customer: ada });
    for (const query of [{ orderNumber: number }, { customerId: ada.id }, { open: 'true', limit: '5' }])
      expect(JSON.stringify((await list(query)).body)).not.toMatch(/marker|"customer"/);
  });

  it.each(inSoak('shows an erased customer as erased'))('%s', async () => {
    const { number, ada, bo } = people();
    const [erased, other] = [await create({ number, customer: ada }), await create({ number, customer: bo })];
    const started = await service.post('/erasures', { platform: 'shopify', customerId: ada.id });
    expect(started.status).toBe(201);
    await expect
      .poll(async () => (await service.get(`/jobs/${started.body.jobId}`)).body)
      .toMatchObject({ status: 'done' });
    const items = await itemsOf({ orderNumber: number, include: 'customer' });
    expect(items).toMatchObject([{ returnId: other, customer: { name: 'bo' } }, { returnId: erased }]);
    expect(items[1]?.customer).toEqual({ erased: true });
    expect(JSON.stringify(items)).not.toContain('marker-ada');
  });
});
