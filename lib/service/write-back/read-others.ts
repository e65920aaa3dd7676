import type { Intent } from '../../domain/write-back/intent.ts';
import type { Wanted } from '../../shops/platforms/effect.ts';
import type { Session } from '../../store/engine/session.ts';
import { readRefundIds } from '../../store/orders/orders.ts';
import type { ServiceAccess } from './report-effect.ts';

/** The maximum of the contract. An order with more returns is left to people. */
const maxReturns = 200;

/**
 * Returns the returns and refunds at the shop that belong to other ones of ours, for an intent that makes one there. A
 * platform counts none of them as the effect of this intent. Undefined for other intents, and where not all are known.
 *
 * @param intents all intents of the order
 */
export const readOthers = async (
  { backend, call }: ServiceAccess,
  session: Session,
  { id, action, order, returnId }: Intent,
  intents: readonly Intent[],
): Promise<Wanted['others']> => {
  if (action !== 'approve' && action !== 'refund') return undefined;
  const [listed, refunds] = await Promise.all([
    backend.listReturns({ platform: order.platform, orderId: order.orderId, limit: maxReturns }, call()),
    readRefundIds(session, order),
  ]);
  if (!listed.ok || listed.value.body.nextCursor !== null) return undefined;
  const others = listed.value.body.items.filter((item) => item.returnId !== returnId);
  const paid = intents.flatMap((intent) =>
    intent.action === 'refund' && intent.id !== id && intent.externalId !== undefined ? [intent.externalId] : [],
  );
  return {
    returns: others.flatMap(({ externalRefs }) =>
      externalRefs.flatMap((ref) => (ref.platform === order.platform ? [ref.id] : [])),
    ),
    refunds: [...new Set([...refunds, ...paid])],
  };
};
