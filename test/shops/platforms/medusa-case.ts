import { afterAll } from 'vitest';
import { orderId, orderNode, paymentNode, returnId, returnNode, startMedusa, type Node } from './medusa-shop.ts';
import { startPlatformSecret } from './platform-secret.ts';
import { receiver, translator } from '../../../lib/shops/platforms/medusa/platform.ts';

export const key = Buffer.alloc(32, 5);

/** Starts a Medusa shop `nordic` with one return, its secret and the translator of its deliveries. */
export const openMedusa = async () => {
  const shop = await startMedusa();
  const store = await startPlatformSecret();
  const entry = {
    webhookSecrets: [`whsec_${key.toString('base64')}`],
    secretApiKey: 'sk_0123456789abcdef',
    apiUrl: shop.url,
  };
  store.put({ nordic: entry });
  afterAll(async () => {
    await shop.close();
    await store.close();
  });
  const hold = (returns: Node[], order: Node = orderNode(), payments: Node[] = [paymentNode()]) =>
    shop.hold({ orders: [order], returns, payments });
  hold([returnNode()]);
  const soon = () => Date.now() + 20_000;
  const run = (topic: string, data: Node) => {
    const body = { type: topic, timestamp: '2026-11-10T09:00:02Z', data };
    return translator.prepare({ source: 'nordic', topic, body }, soon());
  };
  const requested = () => run('order.return_requested', { order_id: orderId, return_id: returnId });
  const fetchSnapshot = async (outcome = requested()) => {
    const prepared = await outcome;
    if (prepared.kind !== 'snapshot') throw new Error(prepared.reason);
    return prepared;
  };
  const fetchRemoteReturn = async (...nodes: Node[]) => {
    hold(nodes);
    const [first] = (await fetchSnapshot()).returns;
    return first?.remote;
  };
  return { shop, store, entry, receiver, translator, hold, soon, run, requested, fetchSnapshot, fetchRemoteReturn };
};

export const withRefunds = (refunds: Node[], changes: Node = {}) =>
  orderNode({ payment_collections: [{ payments: [paymentNode({ refunds })] }], ...changes });
