import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import type { SeenRefund } from '../shared/sync/seen.ts';
import { instant } from '../shared/fields/instants.ts';
import type { ShopFailure } from '../platform.ts';
import { eachPart, type EachRead } from '../shared/http/each-part.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { idIn, textIn } from './fields.ts';
import { fractionOf, rounded } from './fraction.ts';
import { paymentsOf } from './order.ts';

/** What moves no money by itself: somebody pays by other means. */
const byHand = 'pp_system_default';

const refundOf = (order: JsonObject, refund: JsonObject, payment: JsonObject): Result<SeenRefund, ShopFailure> => {
  const externalId = idIn(refund['id']);
  const read = fractionOf(refund['amount']);
  const amount = read && rounded(read, textIn(payment['currency_code'])?.toUpperCase() ?? '');
  const occurredAt = instant(refund['created_at']);
  if (externalId === undefined || amount === undefined || occurredAt === undefined)
    return permanent('refund_unreadable');
  const method = payment['provider_id'] === byHand ? 'manual' : 'original_payment';
  return ok({ platform: 'medusa', orderId: String(order['id']), externalId, amount, method, occurredAt });
};

/**
 * The money that was given back on an order. A shop may refund more digits than the currency has, where it works out what
 * it owes; the provider rounds them.
 */
export const refundsOf = (order: JsonObject): Result<EachRead<SeenRefund>, ShopFailure> => {
  const nodes = paymentsOf(order).flatMap((payment) =>
    objectsOf(payment['refunds']).map((refund) => ({ refund, payment })),
  );
  const refunds = eachPart(nodes, ({ refund, payment }) => refundOf(order, refund, payment));
  if (!refunds.ok) return refunds;
  const moved = refunds.value.read.filter(({ amount }) => amount.amount > 0);
  return ok({ ...refunds.value, read: moved.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt)) });
};
