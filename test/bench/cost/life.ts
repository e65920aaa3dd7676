import { randomUUID } from 'node:crypto';
import type { Api } from '../../support/api.ts';

/** The requests of the API, and the bytes of its answers. */
export type Sent = { requests: number; bytes: number };

/** Takes one return from its order to its end, with the reads of a shop, and counts requests and bytes. */
export const liveOnce = async (service: Api, sent: Sent): Promise<void> => {
  const count = async (answer: ReturnType<Api['get']>) => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`a request of the measured return answers ${status} ${JSON.stringify(body)}`);
    sent.requests += 1;
    sent.bytes += Buffer.byteLength(JSON.stringify(body));
    return body;
  };
  const order = { platform: 'web', orderId: randomUUID() };
  const lines = [{ lineId: '1', sku: 'SHIRT-M', quantity: 2, unitPrice: { amount: 1999, currency: 'EUR' } }];
  const facts = { currency: 'EUR', observedAt: new Date().toISOString(), lines };
  await count(service.put(`/orders/web/${order.orderId}`, facts));
  const wanted = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }];
  const created = await count(service.post('/returns', { order, lines: wanted }));
  const path = `/returns/${created.returnId}`;
  const units = created.lines.map(({ lineId }) => ({ lineId, quantity: 1 }));
  await count(service.post(`${path}/approve`));
  const trackingNumber = `JJD${order.orderId.slice(0, 8)}`;
  await count(service.post(`${path}/parcels`, { carrier: 'dhl', trackingNumber }));
  await count(service.get(path));
  await count(service.post(`${path}/receipts`, { lines: units }));
  const inspected = units.map((one) => ({ ...one, outcome: 'accept', disposition: 'restock' }));
  await count(service.post(`${path}/inspections`, { lines: inspected }));
  const { hash: quoteHash } = await count(service.post('/quotes', { returnId: created.returnId }));
  const { refunds } = await count(service.post(`${path}/refunds`, { quoteHash }));
  for (const status of ['submitted', 'succeeded'])
    await count(service.post(`${path}/refunds/${refunds[0]?.refundId}/result`, { status }));
  await count(service.post(`${path}/complete`));
  await count(service.get(path));
  await count(service.get(`${path}/history`));
  await count(service.get(`/returns?platform=web&orderId=${order.orderId}`));
};
