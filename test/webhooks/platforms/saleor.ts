import { saleorSignature } from '../../../lib/tools/signing/sign-delivery.ts';
import { newPair } from '../../shops/platforms/saleor-keys.ts';
import {
  event,
  fulfillment,
  globalId,
  grant,
  order as orderNode,
  shirt,
  startSaleor,
  transaction,
  uuid,
} from '../../shops/platforms/saleor-shop.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import type { Shop, SentEvent } from './shop.ts';

const platform = 'saleor';

/** Opens a Saleor: a returned fulfillment and its refund. The header names it by the host of its API. */
export const openSaleor = async (): Promise<Shop> => {
  const { publicKey, privateKey } = newPair();
  const saleor = await startSaleor({ publicKey });
  const { apiUrl } = saleor.entry;
  return {
    platform,
    sources: { [new URL(apiUrl).host]: saleor.entry },
    proofs: ['saleor-signature'],
    life: (mode) => {
      const number = modes.indexOf(mode) + 1;
      const orderId = globalId('Order', uuid(number));
      const makeEvent = (name: string): SentEvent => {
        const content = { issuedAt: new Date().toISOString(), order: { id: orderId } };
        const body = Buffer.from(JSON.stringify(content));
        const headers = {
          'content-type': 'application/json',
          'saleor-event': name,
          'saleor-domain': new URL(apiUrl).host,
          'saleor-api-url': apiUrl,
          'saleor-signature': saleorSignature(body, privateKey),
        };
        return { by: 'http', path: platform, headers, body };
      };
      const back = fulfillment(2, 'RETURNED', [[shirt, 1]]);
      const fulfillments = [fulfillment(1, 'FULFILLED', [[shirt, 1]]), back];
      const order = { platform, orderId };
      return [
        {
          happens: () => {
            saleor.put(orderNode(number, { fulfillments }));
            return makeEvent('fulfillment_created');
          },
          order: { ...order, facts: { number: String(number), completeness: 'full', market: 'default-channel' } },
          return: { status: 'received', initiatedBy: 'agent', lines: [{ quantities: { received: 1, accepted: 0 } }] },
        },
        {
          happens: () => {
            const success = event(1, 'REFUND_SUCCESS', 18);
            const grantedRefunds = [grant(1, 18, [[shirt, 1]], [success])];
            saleor.put(orderNode(number, { fulfillments, transactions: [transaction(success)], grantedRefunds }));
            return makeEvent('order_refunded');
          },
          order,
          // Saleor's process ends with the refund. Our return ends only after an inspection.
          return: { status: 'received', refunds: [{ amount: { amount: 1800, currency: 'EUR' } }] },
        },
      ];
    },
    close: saleor.close,
  };
};
