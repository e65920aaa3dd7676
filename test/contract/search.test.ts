import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import type { Answer } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { plant } from '../support/emitted/record.ts';
import { inSoak } from '../support/samples.ts';
import { orderPath, registerOrder, returnOf, shopOrder } from '../support/scenario.ts';
import { auditor, operator, userToken, webApi } from '../support/users.ts';

const found = ({ body }: Answer) => body as unknown as Output<'findReturns'>;
const searched = ({ body }: Answer) => body as unknown as Output<'searchCustomers'>;
const idsOf = (answer: Answer) => searched(answer).items.map(({ returnId }) => returnId);

/** A name that no other test has. It is planted, so that it must be in no log, answer or error. */
const uniqueName = (): string => {
  const word = `Plánted${randomUUID().replaceAll('-', '')}`;
  plant([word]);
  return word;
};

/** A name that no other test has, and that answers show to those who ask for it. */
const shownName = (): string => `Shówn${randomUUID().replaceAll('-', '')}`;

describe.each(contractModes(import.meta.filename))('%s search', (mode) => {
  const service = contractApi(mode);
  const find = async (reference: string) => service.post('/returns/find', { reference }, { key: null });
  const search = async (body: object, options: object = {}) =>
    service.post('/returns/search', body, { key: null, ...options });

  describe('findReturns', () => {
    it('finds a return by each of its numbers, and says which one matched', async () => {
      const [number, tracking, external] = [`N-${randomUUID()}`, `T ${randomUUID()}`, `E-${randomUUID()}`];
      const customerId = `c-${randomUUID()}`;
      const order = await registerOrder(service, { number: `#${number}`, customer: { id: customerId } });
      const summaryOfOrder = {
        ...order,
        number: `#${number}`,
        placedAt: '2026-09-28T10:00:00Z',
        quantity: 4,
        customerId,
      };
      const externalRefs = [{ platform: 'shopify', id: external }];
      const { body } = await service.post('/returns', returnOf(order, 1, { externalRefs }));
      const { returnId, rmaNumber } = body as unknown as Output<'getReturn'>;
      await service.post(`/returns/${returnId}/approve`);
      await service.post(`/returns/${returnId}/parcels`, { carrier: 'dhl', trackingNumber: tracking });
      const [summary] = (
        (await service.get(`/returns?rmaNumber=${rmaNumber}`)).body as unknown as Output<'listReturns'>
      ).items;
      for (const [matchedBy, text] of [
        ['return', returnId],
        ['return', returnId.toLowerCase()],
        ['rma', rmaNumber],
        ['rma', ` ${rmaNumber.slice(0, 4)} ${rmaNumber.slice(4).toLowerCase()}`],
        ['order', number],
        ['order', number.toUpperCase()],
        ['order', `  #${number}\n`],
        ['order', order.orderId],
        ['order', `shopify:${order.orderId}`],
        ['tracking', tracking],
        ['tracking', tracking.toLowerCase().replace(' ', '')],
        ['external', external],
        ['external', `shopify:${external}`],
      ] as const)
        expect({ text, ...found(await find(text)) }).toEqual({
          text,
          items: [{ matchedBy, return: summary }],
          orders: matchedBy === 'order' ? [summaryOfOrder] : [],
          more: false,
        });
    });

    it('finds an order without a return, and names the customers of orders and returns', async () => {
      const [number, name] = [randomUUID(), shownName()];
      const order = await registerOrder(service, { number, customer: { name } });
      expect(found(await find(number))).toMatchObject({ items: [], orders: [{ ...order, number }], more: false });
      expect(JSON.stringify((await find(number)).body)).not.toContain(name);
      const { returnId } = (await service.post('/returns', returnOf(order))).body;
      const named = await service.post('/returns/find', { reference: number, include: 'customer' }, { key: null });
      expect(found(named)).toMatchObject({
        items: [{ matchedBy: 'order', return: { returnId, customer: { name } } }],
        orders: [{ ...order, customer: { name } }],
      });
    });

    it('finds open returns by a SKU if no number is equal, and says how many it compared', async () => {
      const sku = `Sku ${randomUUID()}`;
      const lines = [{ lineId: '11', sku, quantity: 3, unitPrice: { amount: 1000, currency: 'EUR' } }];
      const order = await registerOrder(service, { lines });
      const [open, ended] = [
        (await service.post('/returns', returnOf(order))).body.returnId,
        (await service.post('/returns', returnOf(order))).body.returnId,
      ];
      await service.post(`/returns/${ended}/cancel`);
      const { items, orders, compared = 0 } = found(await find(sku.toUpperCase().replace(' ', '')));
      expect(items).toMatchObject([{ matchedBy: 'sku', return: { returnId: open, skus: [sku] } }]);
      expect(orders).toEqual([]);
      expect(compared).toBeGreaterThan(0);
      expect(compared).toBeLessThanOrEqual(1000);
      // An order with this number comes first, and nothing is compared.
      await registerOrder(service, { number: sku });
      expect(found(await find(sku))).toEqual({
        items: [],
        orders: [expect.objectContaining({ number: sku })],
        more: false,
      });
    });

    it.each(inSoak('returns at most 50 returns, and reports that there are more'))('%s', async () => {
      const number = `many-${randomUUID()}`;
      for (let orders = 0; orders < 17; orders += 1) {
        const order = await registerOrder(service, { number });
        for (let created = 0; created < 3; created += 1) await service.post('/returns', returnOf(order));
      }
      const { items, more } = found(await find(number));
      expect(items).toHaveLength(50);
      expect(more).toBe(true);
      const ids = items.map((item) => item.return.returnId);
      expect(ids).toEqual(ids.toSorted().toReversed());
    });

    it.each([
      [400, ''],
      [400, ' \t '],
      [200, '#'],
      [200, 'x'.repeat(250)],
      [400, 'x'.repeat(251)],
      [400, '\ud800'],
    ])('returns %i for the reference %j', async (status, reference) => {
      const body = status === 200 ? { items: [] } : { code: 'invalid_request' };
      expect(await find(reference)).toMatchObject({ status, body });
    });
  });

  describe('searchCustomers', () => {
    it('finds the returns of a customer by the whole name or address, newest first, without personal data', async () => {
      const name = uniqueName();
      const customer = { id: `c-${randomUUID()}`, name: `${name}  Straße`, email: `${name}@Example.COM` };
      const first = await registerOrder(service, { customer });
      const guest = await registerOrder(service, { customer: { name: `${name} STRASSE` } });
      const orders = [first, guest, first];
      const ids: string[] = [];
      for (const order of orders) ids.unshift((await service.post('/returns', returnOf(order))).body.returnId);
      const all = await search({ name: ` ${name.normalize('NFD').toUpperCase()} strasse ` });
      expect(idsOf(all)).toEqual(ids);
      expect(JSON.stringify(all.body)).not.toMatch(/planted/i);
      expect(idsOf(await search({ email: `${name.toLowerCase()}@example.com` }))).toEqual([ids[0], ids[2]]);
      expect(idsOf(await search({ name }))).toEqual([]);
      expect(idsOf(await search({ name: customer.email }))).toEqual([]);
      expect(idsOf(await search({ name: `${name.replace('á', 'a')} straße` }))).toEqual(ids);

      const page = searched(await search({ name: customer.name, limit: 2 }));
      expect(page.items.map(({ returnId }) => returnId)).toEqual(ids.slice(0, 2));
      const rest = await search({ name: customer.name, limit: 2, cursor: page.nextCursor });
      expect([idsOf(rest), searched(rest).nextCursor]).toEqual([ids.slice(2), null]);
      expect(await search({ email: customer.email, cursor: page.nextCursor })).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      });
    });

    it('finds the orders of a customer, also without a return, the newest first and on the first page', async () => {
      const name = shownName();
      const customer = { id: `c-${randomUUID()}`, name };
      const placed = ['2026-09-01', '2026-09-03', '2026-09-02'].map((day) => `${day}T10:00:00Z`);
      const [first, last, guest] = [
        await registerOrder(service, { customer, placedAt: placed[0] }),
        await registerOrder(service, { customer, placedAt: placed[1] }),
        await registerOrder(service, { customer: { name }, placedAt: placed[2] }),
      ];
      const sold = await registerOrder(service, { customer, placedAt: placed[0] });
      const facts = { customer: { id: `c-${randomUUID()}`, name: uniqueName() }, observedAt: '2026-11-05T00:00:00Z' };
      await service.put(orderPath(sold), shopOrder(facts));
      await service.post('/returns', returnOf(first));
      await service.post('/returns', returnOf(guest));
      const answer = await search({ name, limit: 1 });
      const { orders, moreOrders, nextCursor, items } = searched(answer);
      expect(orders).toEqual([last, guest, first].map((ref) => expect.objectContaining(ref)));
      expect([moreOrders, items.length]).toEqual([false, 1]);
      expect(JSON.stringify(answer.body)).not.toContain(name);
      const rest = searched(await search({ name, limit: 1, cursor: nextCursor, include: 'customer' }));
      expect(rest).toMatchObject({ items: [{ customer: { name } }], orders: [], moreOrders: false });
      const named = searched(await search({ name, include: 'customer' }));
      expect(named.orders).toMatchObject([{ customer: { name } }, { customer: { name } }, { customer: { name } }]);
    });

    it('finds only the present name of a customer', async () => {
      const [before, after] = [uniqueName(), uniqueName()];
      const customer = { id: `c-${randomUUID()}`, name: before };
      const order = await registerOrder(service, { customer });
      const { returnId } = (await service.post('/returns', returnOf(order))).body;
      const facts = { customer: { ...customer, name: after }, observedAt: '2026-11-05T00:00:00Z' };
      await service.put(orderPath(order), shopOrder(facts));
      expect(idsOf(await search({ name: before }))).toEqual([]);
      expect(idsOf(await search({ name: after }))).toEqual([returnId]);
    });

    it('needs exactly one text, and repeats it in no error', async () => {
      const name = uniqueName();
      for (const body of [{}, { name, email: name }, { name: ' ' }, { name: name.repeat(9) }]) {
        const answer = await search(body);
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
        expect(JSON.stringify(answer.body)).not.toContain(name);
      }
    });

    it('needs a scope of its own, which the operator has and the auditor has not', async () => {
      const body = { email: `${randomUUID()}@example.com` };
      expect((await search(body, { client: 'returns-partner' })).status).toBe(403);
      const asUser = async (user: string) =>
        webApi(mode).post('/returns/search', body, { key: null, token: await userToken(user) });
      expect((await asUser(auditor)).status).toBe(403);
      expect(await asUser(operator)).toMatchObject({
        status: 200,
        body: { items: [], orders: [], moreOrders: false, nextCursor: null },
      });
    });
  });
});
