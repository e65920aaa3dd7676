import type { OwnStack } from '../../support/own-stack.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import type { Signed } from '../support.ts';
import type { Shop, SentEvent } from './shop.ts';

const platform = 'shopify';

const toSentEvent = ({ headers, body }: Signed): SentEvent => ({ by: 'http', path: platform, headers, body });

/** Opens the stack's own Shopify shop: a return and its refund. */
export const openShopify = ({ shop }: Pick<OwnStack, 'shop'>): Shop => ({
  platform,
  proofs: ['x-shopify-hmac-sha256'],
  life: (mode) => {
    const orderId = shop.orderIds[modes.indexOf(mode)] ?? '';
    const order = { platform, orderId };
    let returnGid = '';
    return [
      {
        happens: () => {
          const webhook = shop.webhook(orderId, { quantity: 1, customerNote: 'too small' });
          ({ returnGid } = webhook);
          return toSentEvent(webhook);
        },
        order: { ...order, facts: { source: 'shopify', completeness: 'full' } },
        return: {
          status: 'requested',
          initiatedBy: 'customer',
          lines: [{ quantities: { requested: 1 }, reason: { note: 'too small' } }],
        },
      },
      {
        happens: () => toSentEvent(shop.move(returnGid, { do: 'approve' })),
        order,
        return: { status: 'approved' },
      },
      {
        happens: () => toSentEvent(shop.move(returnGid, { do: 'dispose', type: 'RESTOCKED', quantity: 1 })),
        order,
        return: { lines: [{ quantities: { received: 1, accepted: 1 } }] },
      },
      {
        happens: () => toSentEvent(shop.refund(orderId, returnGid, { amount: '10.00', subtotal: '10.00' })),
        order,
        return: { refunds: [{ status: 'succeeded', amount: { amount: 1000 } }] },
      },
      {
        happens: () => toSentEvent(shop.move(returnGid, { do: 'close' })),
        order,
        return: { status: 'completed' },
      },
    ];
  },
  close: async () => undefined,
});
