import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Answer, Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { eur } from '../support/orders.ts';
import { createReturn, orderPath, registerOrder, returnOf, shirts, shopOrder } from '../support/scenario.ts';

/** A limit of the contract (section 1). The maximum succeeds, and one more fails with its path. */
type Limit = readonly [
  what: string,
  maximum: number,
  fieldError: readonly [path: string, code: string],
  send: (service: Api, count: number) => Promise<Answer>,
];

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const entries = (count: number) => Object.fromEntries(many(count, (index) => [`key-${index}`, '']));
const ref = () => ({ platform: 'web', id: randomUUID() });

/** Sends a request for a return with `change`, of an order with enough shirts. */
const create = async (service: Api, change: object, quantity = 200) => {
  const [shirt] = shopOrder().lines;
  const order = await registerOrder(service, { lines: [{ ...shirt, quantity }] });
  return service.post('/returns', returnOf(order, 1, change));
};
const register = async (service: Api, facts: object) =>
  service.put(orderPath({ platform: 'web', orderId: randomUUID() }), shopOrder(facts));
const line = (change: object = {}) => ({ lineId: '1', quantity: 1, unitPrice: eur(1), ...change });

const command = async (service: Api, name: string, body: object) => {
  const { id } = await createReturn(service);
  return service.post(`/returns/${id}/${name}`, body);
};
const patch = async (service: Api, ...patches: readonly object[]) => {
  const { id, answer } = await createReturn(service);
  let last = answer;
  for (const body of patches)
    last = await service.patch(`/returns/${id}`, body, { headers: { 'if-match': `"${last.body.version}"` } });
  return last;
};
const refund = async (service: Api, facts: object, quantity = 3) => {
  const [shirt] = shopOrder().lines;
  const order = await registerOrder(service, { lines: [{ ...shirt, quantity }] });
  const refundFacts = { amount: eur(1), occurredAt: '2026-11-20T08:00:00Z', ...facts };
  return service.put(`${orderPath(order)}/refunds/1`, refundFacts);
};
/** Approves a return of 200 lines, and names `count` of them. */
const approveLines = async (service: Api, count: number) => {
  const { body } = await create(service, { lines: many(200, () => shirts(1)) });
  const named = many(count, (index) => ({ lineId: body.lines[index % 200]?.lineId, quantity: 1 }));
  return service.post(`/returns/${body.returnId}/approve`, { lines: named });
};

const limits: readonly Limit[] = [
  [
    'lines of a return',
    200,
    ['/lines', 'max_items'],
    async (service, count) => create(service, { lines: many(count, () => shirts(1)) }, 201),
  ],
  [
    'units of a line of a return',
    100_000,
    ['/lines/0/quantity', 'maximum'],
    async (service, quantity) => create(service, { lines: [shirts(quantity)] }, 100_000),
  ],
  [
    'characters of a note',
    4_000,
    ['/lines/0/reason/note', 'max_length'],
    async (service, length) =>
      create(service, { lines: [shirts(1, { reason: { code: 'other', note: 'ä'.repeat(length) } })] }),
  ],
  ['tags', 50, ['/tags', 'max_items'], async (service, count) => create(service, { tags: many(count, String) })],
  [
    'characters of a tag',
    100,
    ['/tags/0', 'max_length'],
    async (service, length) => create(service, { tags: ['ä'.repeat(length)] }),
  ],
  [
    'entries of metadata',
    50,
    ['/metadata', 'max_properties'],
    async (service, count) => create(service, { metadata: entries(count) }),
  ],
  [
    'characters in metadata',
    500,
    ['/metadata/a', 'max_length'],
    async (service, length) => create(service, { metadata: { a: '💥'.repeat(length) } }),
  ],
  [
    'external references',
    20,
    ['/externalRefs', 'max_items'],
    async (service, count) => create(service, { externalRefs: many(count, ref) }),
  ],
  [
    'tags of a change',
    50,
    ['/tags', 'max_items'],
    async (service, count) => patch(service, { tags: many(count, String) }),
  ],
  [
    'entries of metadata in a change',
    50,
    ['/metadata', 'max_properties'],
    async (service, count) => patch(service, { metadata: entries(count) }),
  ],
  [
    'entries of metadata after a change',
    50,
    ['/metadata', 'max_properties'],
    async (service, count) => patch(service, { metadata: { first: '' } }, { metadata: entries(count - 1) }),
  ],
  [
    'characters in metadata of a change',
    500,
    ['/metadata/a', 'max_length'],
    async (service, length) => patch(service, { metadata: { a: 'x'.repeat(length) } }),
  ],
  [
    'external references of a change',
    20,
    ['/externalRefs', 'max_items'],
    async (service, count) => patch(service, { externalRefs: many(count, ref) }),
  ],
  ['lines of an approval', 200, ['/lines', 'max_items'], approveLines],
  [
    'characters of the note of a rejection',
    4_000,
    ['/note', 'max_length'],
    async (service, length) => command(service, 'reject', { code: 'final_sale', note: 'ä'.repeat(length) }),
  ],
  [
    'characters of the code of a rejection',
    100,
    ['/code', 'max_length'],
    async (service, length) => command(service, 'reject', { code: 'x'.repeat(length) }),
  ],
  [
    'characters of the note of a cancellation',
    4_000,
    ['/note', 'max_length'],
    async (service, length) => command(service, 'cancel', { note: 'ä'.repeat(length) }),
  ],
  [
    'lines of an order',
    500,
    ['/lines', 'max_items'],
    async (service, count) => register(service, { lines: many(count, (index) => line({ lineId: String(index) })) }),
  ],
  [
    'units of a line of an order',
    100_000,
    ['/lines/0/quantity', 'maximum'],
    async (service, quantity) => register(service, { lines: [line({ quantity })] }),
  ],
  [
    'the price of a unit',
    1e12,
    ['/lines/0/unitPrice/amount', 'maximum'],
    async (service, amount) => register(service, { lines: [line({ unitPrice: eur(amount) })] }),
  ],
  [
    'the worth of a line of an order',
    1e12,
    ['/lines/0', 'maximum'],
    async (service, total) => register(service, { lines: [line({ unitPrice: eur(total - 1), taxTotal: eur(1) })] }),
  ],
  [
    'tax lines of a line of an order',
    10,
    ['/lines/0/taxes', 'max_items'],
    async (service, count) =>
      register(service, { lines: [line({ taxTotal: eur(count), taxes: many(count, () => ({ amount: eur(1) })) })] }),
  ],
  [
    'the amount of a payment',
    1e12,
    ['/payments/0/paid/amount', 'maximum'],
    async (service, amount) =>
      register(service, { lines: [line()], payments: [{ id: '1', method: 'card', paid: eur(amount) }] }),
  ],
  [
    'the amount of a refund',
    1e12,
    ['/amount/amount', 'maximum'],
    async (service, amount) => refund(service, { amount: eur(amount) }),
  ],
  [
    'units of a refund',
    100_000,
    ['/lines/0/quantity', 'maximum'],
    async (service, quantity) => refund(service, { lines: [{ orderLineId: '11', quantity }] }, 100_000),
  ],
];

describe.each(contractModes(import.meta.filename))('%s limits', (mode) => {
  const service = contractApi(mode);

  it.each(limits)('accept %s: %s, and not one more', async (_, maximum, [path, code], send) => {
    const accepted = await send(service, maximum);
    expect(accepted.body.errors).toBeUndefined();
    expect(accepted.status).toBeLessThan(300);
    const rejected = await send(service, maximum + 1);
    expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    // A nullable value has more field errors, at the same path or above it.
    expect(rejected.body.errors.filter((error) => !path.startsWith(error.path))).toEqual([]);
    expect(rejected.body.errors).toContainEqual({ path, code, message: expect.any(String) });
  });
});
