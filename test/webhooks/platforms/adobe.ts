import { randomUUID } from 'node:crypto';
import {
  delivered,
  event,
  memo,
  order as orderRow,
  rma,
  rmaItem,
  startAdobe,
} from '../../shops/platforms/adobe-shop.ts';
import { ofEachWay, orderPlatform, type Shop, type SentEvent } from './shop.ts';

const platform = 'adobe';

/** Opens an Adobe Commerce shop that sends by I/O Events: a return, and a credit memo without a return. */
export const openAdobe = async (): Promise<Shop> => {
  const adobe = await startAdobe();
  return {
    platform,
    sources: ofEachWay(platform, adobe.entry),
    proofs: ['x-adobe-digital-signature-1', 'x-adobe-digital-signature-2'],
    life: (mode) => {
      const makeEvent = (name: string, value: Record<string, unknown>): SentEvent => {
        const id = randomUUID();
        const sent = delivered(event(name, value, { event_id: id, eventid: id }));
        return { by: 'http', path: `${platform}/${mode}`, ...sent };
      };
      const order = { platform: orderPlatform(platform, mode), orderId: '000000123' };
      return [
        {
          happens: () => {
            adobe.rows.orders = [orderRow()];
            adobe.rows.returns = [rma()];
            return makeEvent('rma_save_commit_after', { entity_id: 4, order_id: 12 });
          },
          order: { ...order, facts: { currency: 'EUR', country: 'DE', lines: [{ lineId: '31', sku: 'SHIRT-M' }] } },
          return: {
            status: 'requested',
            initiatedBy: 'customer',
            lines: [{ quantities: { requested: 2 }, reason: { code: 'fit.other', source: { label: 'Wrong Size' } } }],
          },
        },
        {
          happens: () => {
            const items = [rmaItem({ status: 'approved', qty_authorized: 2, qty_returned: 2, qty_approved: 2 })];
            adobe.rows.returns = [rma({ status: 'processed_closed', items })];
            return makeEvent('rma_save_commit_after', { entity_id: 4, order_id: 12 });
          },
          order,
          return: { status: 'completed', lines: [{ quantities: { received: 2, accepted: 2 } }] },
        },
        {
          happens: () => {
            adobe.rows.creditmemos = [memo()];
            return makeEvent('sales_order_creditmemo_save_commit_after', { entity_id: '77', order_id: 12 });
          },
          order,
          refund: {
            externalId: '77',
            facts: {
              amount: { amount: 2500, currency: 'EUR' },
              method: 'original_payment',
              providerRef: 'txn-1',
              occurredAt: '2026-11-10T10:00:00.000Z',
              shipping: { amount: 500, currency: 'EUR' },
            },
          },
        },
      ];
    },
    close: adobe.close,
  };
};
