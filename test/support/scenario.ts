import { randomUUID } from 'node:crypto';
import type { Answer, Api } from './api.ts';
import { eur } from './orders.ts';

const delivered = '2026-10-01T10:00:00Z';

/**
 * Returns the facts of an order with three shirts at 10.00 and one hat at 25.00, and a confidential customer. It was
 * delivered too long ago for a statutory right of return.
 */
export const shopOrder = (facts: object = {}) => ({
  number: '#1001',
  placedAt: '2026-09-28T10:00:00Z',
  currency: 'EUR',
  country: 'DE',
  customer: { id: `customer-${randomUUID()}`, email: 'marker-ada@example.com', name: 'Ada Marker' },
  lines: [
    {
      lineId: '11',
      sku: 'SHIRT-M',
      quantity: 3,
      unitPrice: eur(1000),
      taxTotal: eur(479),
      taxIncluded: true,
      deliveries: [{ quantity: 3, at: delivered }],
    },
    {
      lineId: '12',
      sku: 'HAT',
      quantity: 1,
      unitPrice: eur(2500),
      discountTotal: eur(500),
      deliveries: [{ quantity: 1, at: delivered }],
    },
  ],
  observedAt: '2026-11-02T00:00:00Z',
  ...facts,
});

export const orderPath = ({ platform, orderId }: { platform: string; orderId: string }) =>
  `/orders/${platform}/${orderId}`;

/** Registers a new order and returns its path. */
export const registerOrder = async (api: Api, facts: object = {}) => {
  const order = { platform: 'shopify', orderId: randomUUID() };
  const answer = await api.put(orderPath(order), shopOrder(facts));
  if (answer.status !== 201) throw new Error(`order not registered: ${JSON.stringify(answer)}`);
  return order;
};

export const shirts = (quantity: number, line: object = {}) => ({
  orderLineId: '11',
  quantity,
  reason: { code: 'fit.too_small', note: 'marker-note: tight at the chest' },
  ...line,
});

/** Returns a request to return `quantity` shirts of an order. */
export const returnOf = (order: object, quantity = 1, request: object = {}) => ({
  order,
  lines: [shirts(quantity)],
  ...request,
});

/** Returns the content of an import: an approved return of an order that is not registered. */
export const importOf = () => ({
  ...returnOf({ platform: 'web', orderId: randomUUID(), facts: shopOrder() }),
  status: 'approved',
  requestedAt: '2025-01-02T08:00:00Z',
});

/** Creates a return of a new order. */
export const createReturn = async (api: Api, quantity = 1): Promise<{ order: object; answer: Answer; id: string }> => {
  const order = await registerOrder(api);
  const answer = await api.post('/returns', returnOf(order, quantity));
  if (answer.status !== 201) throw new Error(`return not created: ${JSON.stringify(answer)}`);
  return { order, answer, id: answer.body.returnId };
};

/** Creates a return of shirts of a new order, and approves it. */
export const approvedReturn = async (
  api: Api,
  quantity = 3,
): Promise<{ order: object; id: string; path: string; lineId: string }> => {
  const { order, id, answer } = await createReturn(api, quantity);
  const path = `/returns/${id}`;
  const approved = await api.post(`${path}/approve`);
  if (approved.status !== 200) throw new Error(`return not approved: ${JSON.stringify(approved)}`);
  return { order, id, path, lineId: answer.body.lines[0]?.lineId ?? '' };
};

/** Creates a return of a new order with these facts, and approves it. */
export const approvedReturnOf = async (api: Api, request: (order: object) => object, facts: object = {}) => {
  const order = await registerOrder(api, facts);
  const { body } = await api.post('/returns', request(order));
  // A statutory withdrawal is approved at once.
  const answer =
    (body as { status?: string }).status === 'approved'
      ? { status: 200, body }
      : await api.post(`/returns/${body.returnId}/approve`);
  if (answer.status !== 200) throw new Error(`return not approved: ${JSON.stringify(answer)}`);
  return { order, id: body.returnId, lines: answer.body.lines.map((line) => line.lineId) };
};

/** Creates a return of two shirts with a refund of 20.00 and a later rejection: all of it must be recovered. */
export const overpaidReturn = async (api: Api) => {
  const order = await registerOrder(api);
  const { body } = await api.post('/returns', returnOf(order, 2));
  const paid = { amount: eur(2000), occurredAt: '2026-11-20T08:00:00Z', returnId: body.returnId };
  await api.put(`${orderPath(order)}/refunds/1`, { ...paid, lines: [{ orderLineId: '11', quantity: 2 }] });
  const answer = await api.post(`/returns/${body.returnId}/reject`, { code: 'final_sale' });
  if (answer.status !== 200) throw new Error(`return not rejected: ${JSON.stringify(answer)}`);
  return { order, id: body.returnId };
};
