import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../json.ts';
import { objectsOf } from '../read/fields.ts';
import type { SeenRefund } from '../follow/seen.ts';
import { instant } from '../read/instants.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../ask/shop-failure.ts';
import { idIn, textIn } from './fields.ts';
import { fractionOf, rounded } from './fraction.ts';
import { paymentsOf } from './order.ts';

/** What moves no money by itself: somebody pays by other means. */
const byHand = 'pp_system_default';

/**
 * The money that was given back on an order. A shop may refund more digits than the currency has, where it works out what
 * it owes; the provider rounds them.
 */
export const refundsOf = (order: JsonObject): Result<readonly SeenRefund[], ShopFailure> => {
  const refunds: SeenRefund[] = [];
  for (const { refunds: nodes, currency_code: code, provider_id: provider } of paymentsOf(order)) {
    for (const { id, amount: told, created_at: createdAt } of objectsOf(nodes)) {
      const externalId = idIn(id);
      const read = fractionOf(told);
      const amount = read && rounded(read, textIn(code)?.toUpperCase() ?? '');
      const occurredAt = instant(createdAt);
      if (externalId === undefined || amount === undefined || occurredAt === undefined)
        return permanent('refund_unreadable');
      if (amount.amount === 0) continue;
      const method = provider === byHand ? 'manual' : 'original_payment';
      refunds.push({ platform: 'medusa', orderId: String(order['id']), externalId, amount, method, occurredAt });
    }
  }
  return ok(refunds.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt)));
};
