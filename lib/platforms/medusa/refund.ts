import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../json.ts';
import type { SeenRefund } from '../follow/seen.ts';
import type { ShopFailure } from '../platform.ts';
import { instant } from '../text.ts';
import { unreadable } from './api.ts';
import { idIn, objectsIn, textIn } from './exact-json.ts';
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
    for (const { id, amount: told, created_at: createdAt } of objectsIn(nodes)) {
      const externalId = idIn(id);
      const read = fractionOf(told);
      const amount = read && rounded(read, textIn(code)?.toUpperCase() ?? '');
      const occurredAt = instant(textIn(createdAt) ?? null);
      if (externalId === undefined || amount === undefined || occurredAt === undefined)
        return unreadable('refund_unreadable');
      if (amount.amount === 0) continue;
      const method = provider === byHand ? 'manual' : 'original_payment';
      refunds.push({ platform: 'medusa', orderId: String(order['id']), externalId, amount, method, occurredAt });
    }
  }
  return ok(refunds.toSorted((a, b) => a.occurredAt.localeCompare(b.occurredAt)));
};
