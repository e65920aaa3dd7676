import { randomUUID } from 'node:crypto';
import { signed } from '../../shops/platforms/bigcommerce-store.ts';
import { startSender, type Node } from '../../shops/platforms/standard-sender.ts';
import { ofEachWay, orderPlatform, type Shop, type SentEvent } from './shop.ts';

const platform = 'standard';
const key = Buffer.alloc(32, 1);

/** Opens a sender without an adapter of its own. It sends the examples of the contract. */
export const openStandard = async (): Promise<Shop> => {
  const sender = await startSender();
  const { order: orderNode, returns } = sender.example;
  return {
    platform,
    sources: ofEachWay(platform, { ...sender.documented, apiUrl: `${sender.origin}/api` }),
    proofs: ['webhook-signature'],
    life: (mode) => {
      const makeEvent = (changes: Node): SentEvent => {
        sender.answers.set('/api/returns/R-1042', { ...sender.example, returns: [{ ...returns[0], ...changes }] });
        const body = Buffer.from(JSON.stringify({ ...sender.delivery, timestamp: new Date().toISOString() }));
        return { by: 'http', path: `${platform}/${mode}`, headers: signed(body, key, { id: randomUUID() }), body };
      };
      const order = { platform: orderPlatform(platform, mode), orderId: 'O-77' };
      const closed = { status: 'completed', closedAt: '2026-11-12T10:00:00Z' };
      return [
        {
          happens: () => makeEvent({ status: 'requested', units: [], refunds: [] }),
          order: { ...order, facts: { number: '77', completeness: 'full', lines: orderNode['lines'] } },
          return: {
            status: 'requested',
            lines: [{ quantities: { requested: 2 }, reason: { code: 'fit.too_small', note: 'the sleeves' } }],
          },
        },
        {
          happens: () => makeEvent({}),
          order,
          return: {
            status: 'partially_received',
            lines: [{ quantities: { approved: 2, received: 1, accepted: 1 } }],
            parcels: [{ carrier: 'DHL', trackingNumber: 'JD0001' }],
            refunds: [{ amount: { amount: 1990, currency: 'EUR' }, external: { externalId: 'F-9' } }],
          },
        },
        {
          happens: () => {
            const found = [{ outcome: 'accept', disposition: 'restock', quantity: 1 }];
            return makeEvent({ ...closed, units: [{ orderLineId: '1', received: 1, missing: 1, found }] });
          },
          order,
          return: { status: 'completed', lines: [{ quantities: { received: 1, missing: 1, accepted: 1 } }] },
        },
      ];
    },
    close: sender.close,
  };
};
