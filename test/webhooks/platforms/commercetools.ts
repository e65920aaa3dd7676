import { randomUUID } from 'node:crypto';
import { item, orderNode, paidBy, payment, refund, startProject } from '../../shops/platforms/commercetools-project.ts';
import type { Shop, SentEvent } from './shop.ts';

const platform = 'commercetools';
const projectKey = 'acme-project';

/** Opens a commercetools project that sends by a queue or a bus: a return info and its refund. */
export const openCommercetools = async (): Promise<Shop> => {
  const project = await startProject(projectKey);
  return {
    platform,
    sources: { [projectKey]: project.entry() },
    proofs: [],
    life: () => {
      const orderId = randomUUID();
      const makeEvent = (by: 'queue' | 'bus', type: string, changes: Record<string, unknown>): SentEvent => {
        project.state.order = orderNode({ id: orderId, ...changes });
        const resource = { typeId: 'order', id: orderId };
        const message = { notificationType: 'Message', projectKey, id: randomUUID(), type, resource };
        return by === 'queue'
          ? { by, message }
          : { by, message: { source: `aws.partner/commercetools.com/${projectKey}/returns`, detail: message } };
      };
      const order = { platform, orderId };
      return [
        {
          happens: () =>
            makeEvent('queue', 'ReturnInfoAdded', { returnInfo: [{ items: [item('line-2', 'Advised')] }] }),
          order: { ...order, facts: { number: 'O-1001', currency: 'EUR', country: 'DE' } },
          return: { status: 'approved', lines: [{ quantities: { received: 0 } }] },
        },
        {
          happens: () => {
            const arrived = item('line-2', 'BackInStock', { paymentState: 'Refunded' });
            const money = paidBy(payment([refund('tx-1', 3_000)]));
            return makeEvent('bus', 'ReturnInfoSet', {
              returnInfo: [{ items: [arrived], returnTrackingId: 'T-1' }],
              ...money,
            });
          },
          order,
          return: {
            status: 'completed',
            lines: [{ quantities: { received: 1, accepted: 1 } }],
            refunds: [{ amount: { amount: 3_000, currency: 'EUR' }, external: { externalId: 'pay-1:tx-1' } }],
          },
        },
      ];
    },
    close: () => project.server[Symbol.asyncDispose](),
  };
};
