import { isSameName } from '../../../../domain/withdrawals/same-name.ts';
import { ok } from '../../../../runtime/result.ts';
import type { Effect } from '../../effect.ts';
import { type OrderCancellation, permanentFailure, type RemoteSnapshot } from '../../platform.ts';
import { blocked, mayStillArrive } from './plan.ts';

/** How long a shop may take to cancel an order after it has accepted the request, in ms. */
const settleMs = 600_000;

/** Whether no unit was sent. An unknown number counts as sent: the order may be on its way. */
const isUnsent = ({ order }: RemoteSnapshot): boolean =>
  order.lines.every(({ fulfilledQuantity }) => fulfilledQuantity === 0);

/** Whether the customer at the shop has a name; true without a name. */
const isOfCustomer = ({ order }: RemoteSnapshot, name: string | undefined): boolean =>
  name === undefined || isSameName(order.customer?.name ?? '', name);

/**
 * Makes the effect that cancels a whole order which was withdrawn before its shipment. The state is compared first. So a
 * repeat does not cancel twice, and an order that left the shop meanwhile stays. So does one whose customer has another
 * name, unless a person matched the withdrawal.
 *
 * A shop may cancel an order later than it answers. So a request is followed by reads, and sent again after ten minutes.
 *
 * @param isOrderId whether an id can be that of an order. Any other may be another path of the API of the shop.
 */
export const cancelOrderEffect = (
  { fetchState, cancel }: OrderCancellation,
  isOrderId: (orderId: string) => boolean = () => true,
): Effect => ({
  guard: 'platform',
  settleMs,
  see: async (source, wanted, deadline) => {
    const { orderId, customerName } = wanted;
    if (!isOrderId(orderId)) return permanentFailure('shop_order_not_found');
    const state = await fetchState(source, orderId, deadline);
    if (!state.ok) return state;
    const { isCancelled, snapshot } = state.value;
    if (isCancelled) return ok({ kind: 'done' });
    if (!isUnsent(snapshot)) return ok(blocked('order_shipped'));
    if (!isOfCustomer(snapshot, customerName)) return ok(blocked('name_differs'));
    if (mayStillArrive(wanted, settleMs, Date.now())) return ok({ kind: 'pending' });
    return ok({
      kind: 'open',
      send: async (until) => {
        const sent = await cancel(source, orderId, until);
        if (!sent.ok) return sent;
        const after = await fetchState(source, orderId, until);
        if (!after.ok || after.value.isCancelled) return after.ok ? ok({}) : after;
        return { ok: false, failure: { kind: 'retryable', reason: 'cancellation_pending', mayHaveEffect: true } };
      },
    });
  },
});
