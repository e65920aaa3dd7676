import type { OwnStack } from '../../support/own-stack.ts';
import { modes } from '../../support/stack.ts';
import type { Signed } from '../support.ts';
import type { Shop, Told } from './shop.ts';

const platform = 'shopify';

const told = ({ headers, body }: Signed): Told => ({ by: 'http', path: platform, headers, body });

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
          const asked = shop.webhook(orderId, { quantity: 1, customerNote: 'too small' });
          ({ returnGid } = asked);
          return told(asked);
        },
        order: { ...order, facts: { source: 'shopify', completeness: 'full' } },
        return: {
          status: 'requested',
          initiatedBy: 'customer',
          lines: [{ quantities: { requested: 1 }, reason: { note: 'too small' } }],
        },
      },
      {
        happens: () => told(shop.move(returnGid, { do: 'approve' })),
        order,
        return: { status: 'approved' },
      },
      {
        happens: () => told(shop.move(returnGid, { do: 'dispose', type: 'RESTOCKED', quantity: 1 })),
        order,
        return: { lines: [{ quantities: { received: 1, accepted: 1 } }] },
      },
      {
        happens: () => told(shop.refund(orderId, returnGid, { amount: '10.00', subtotal: '10.00' })),
        order,
        return: { refunds: [{ status: 'succeeded', amount: { amount: 1000 } }] },
      },
      {
        happens: () => told(shop.move(returnGid, { do: 'close' })),
        order,
        return: { status: 'completed' },
      },
    ];
  },
  close: async () => undefined,
});
