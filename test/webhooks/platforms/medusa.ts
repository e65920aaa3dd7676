import { randomUUID } from 'node:crypto';
import { signed } from '../../shops/platforms/bigcommerce-store.ts';
import {
  itemNode,
  orderNode,
  paymentNode,
  refundNode,
  returnNode,
  startMedusa,
  type Node,
} from '../../shops/platforms/medusa-shop.ts';
import type { Shop, SentEvent } from './shop.ts';

const platform = 'medusa';
const key = Buffer.alloc(32, 5);

/** Opens a Medusa shop whose subscriber forwards events: a return and its refund. */
export const openMedusa = async (): Promise<Shop> => {
  const medusa = await startMedusa();
  const access = { secretApiKey: 'sk_0123456789abcdef', apiUrl: medusa.url };
  return {
    platform,
    sources: { nordic: { webhookSecrets: [`whsec_${key.toString('base64')}`], ...access } },
    proofs: ['webhook-signature'],
    life: (mode) => {
      const [orderId, returnId] = [`order_01JC-${mode}`, `return_01JC-${mode}`];
      const makeEvent = (type: string): SentEvent => {
        const data = { order_id: orderId, return_id: returnId };
        const body = Buffer.from(JSON.stringify({ type, timestamp: new Date().toISOString(), data }));
        return { by: 'http', path: `${platform}/nordic`, headers: signed(body, key, { id: randomUUID() }), body };
      };
      /** Replaces the state of the shop. */
      const hold = (back: Node, refunds: Node[] = []) => {
        const payment = paymentNode({ refunds, payment_collection: { id: 'paycol_1', order: { id: orderId } } });
        const order = orderNode({ id: orderId, payment_collections: [{ id: 'paycol_1', payments: [payment] }] });
        const items = [itemNode({ return_id: returnId, received_quantity: back['received_at'] ? 2 : 0 })];
        const returned = returnNode({ id: returnId, order_id: orderId, items, ...back });
        medusa.hold({ orders: [order], returns: [returned], payments: [payment] });
      };
      const order = { platform, orderId };
      return [
        {
          happens: () => {
            hold({});
            return makeEvent('order.return_requested');
          },
          order: { ...order, facts: { number: '1042', currency: 'EUR', lines: [{ sku: 'SHIRT-M-BLACK' }] } },
          return: {
            status: 'approved',
            lines: [{ quantities: { approved: 2, received: 0 }, reason: { code: 'fit.other', note: 'the sleeves' } }],
          },
        },
        {
          happens: () => {
            const refund = refundNode({ id: `ref_01JC-${mode}` });
            hold({ status: 'received', received_at: '2026-11-11T09:00:00.000Z' }, [refund]);
            return makeEvent('order.return_received');
          },
          order,
          return: {
            status: 'completed',
            lines: [{ quantities: { received: 2, accepted: 2 } }],
            refunds: [{ amount: { amount: 1990, currency: 'EUR' }, external: { externalId: `ref_01JC-${mode}` } }],
          },
        },
      ];
    },
    close: medusa.close,
  };
};
