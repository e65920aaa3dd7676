import { ok, type Result } from '../../../runtime/result.ts';
import { type OrderFacts, type ShopFailure, permanentFailure } from '../platform.ts';
import { discrepancy, lineDiscrepancies, withCompleteness } from '../shared/fields/completeness.ts';
import { minorUnits, total } from '../../../domain/money/decimal.ts';
import { clip, customerFacts, destinationFacts, instant, optional } from '../shared/fields/fields.ts';
import { taxesOf } from '../shared/fields/tax-lines.ts';
import { readExpectedShape } from '../shared/http/read-each.ts';
import { type OrderReading, presentment, readLeftLines, taxes, taxLines } from './lines.ts';
import type { MoneySet, OrderNode } from './queries.ts';
import { digitsOf } from './words.ts';

const shippingFacts = (
  { shippingLines, taxesIncluded, totalRefundedShippingSet }: OrderNode,
  currency: string,
): OrderFacts['shipping'] => {
  const nodes = shippingLines?.nodes ?? [];
  const price = total(
    nodes.map(({ discountedPriceSet }) => presentment(discountedPriceSet)),
    currency,
  );
  const tax = total(
    nodes.flatMap(({ taxLines }) => taxes(taxLines)),
    currency,
  );
  const standardCost = total(
    nodes.map(({ originalPriceSet }) => presentment(originalPriceSet)),
    currency,
  );
  const refunded = totalRefundedShippingSet === null ? undefined : minorUnits(presentment(totalRefundedShippingSet));
  if (shippingLines === null || price === undefined || tax === undefined) return undefined;
  // The price excludes tax if the order's prices do; `paid` is what the customer paid.
  const paid = { amount: price.amount + (taxesIncluded ? 0 : tax.amount), currency };
  const byRate = taxesOf(
    nodes.flatMap((node) => taxLines(node.taxLines)),
    tax,
  );
  return {
    paid,
    tax,
    ...optional('taxes', byRate),
    ...optional('standardCost', standardCost),
    ...optional('refunded', refunded),
  };
};

const dutyFacts = ({ originalTotalDutiesSet }: OrderNode): OrderFacts['charges'] => {
  const paid = originalTotalDutiesSet === null ? undefined : minorUnits(presentment(originalTotalDutiesSet));
  return paid !== undefined && paid.amount > 0 ? [{ type: 'duty', paid }] : undefined;
};

const saleTypes: Readonly<Record<string, OrderFacts['saleType']>> = { web: 'distance', pos: 'in_store' };

const amountIn = (set: MoneySet | null): number | undefined =>
  set === null ? undefined : minorUnits(presentment(set))?.amount;

/**
 * Returns the possible total charges before returns. A tip may be one of the lines, or none.
 *
 * @param removed what the removed units are worth. The total may still have them
 */
const totalsOf = (
  { totalPriceSet, totalTipReceivedSet }: OrderNode,
  removed: number,
): readonly (number | undefined)[] => {
  const [total, tip] = [amountIn(totalPriceSet), amountIn(totalTipReceivedSet) ?? 0];
  return total === undefined ? [] : [total, total - tip, total - removed, total - tip - removed];
};

/**
 * Returns the facts of an order.
 * Amounts are as charged to the customer (presentment money), ids are the digits of their gids. An inexact part is a
 * discrepancy, and makes the order `partial`.
 *
 * @returns the input of registerOrder, or the reason for a failure
 */
export const orderFacts = (reading: OrderReading): Result<OrderFacts, ShopFailure> =>
  readExpectedShape('order_unreadable', () => readOrder(reading));

const readOrder = (reading: OrderReading): Result<OrderFacts, ShopFailure> => {
  const { order, observedAt } = reading;
  const currency = order.presentmentCurrencyCode;
  const { lines, found, removed } = readLeftLines(reading);
  if (lines.length === 0) return permanentFailure(found[0]?.code ?? 'order_without_lines');
  if (lines.length > 500) return permanentFailure('order_too_large');
  const destination = destinationFacts(order.shippingAddress?.countryCodeV2, order.shippingAddress?.provinceCode);
  const shipping = shippingFacts(order, currency);
  const facts = {
    platform: 'shopify',
    orderId: digitsOf(order.id),
    currency,
    channel: 'shopify',
    lines,
    source: 'shopify',
    observedAt,
    ...optional('number', clip(order.name, 100)),
    ...optional('placedAt', instant(order.processedAt)),
    ...optional('country', destination?.country),
    ...optional('destination', destination),
    ...optional(
      'customer',
      customerFacts({
        id: order.customer === null ? undefined : digitsOf(order.customer.id) || undefined,
        email: order.email,
        names: [order.customer?.displayName],
      }),
    ),
    ...optional('saleType', saleTypes[order.sourceName ?? '']),
    ...optional('shipping', shipping),
    ...optional('charges', dutyFacts(order)),
  };
  return ok(
    withCompleteness(facts, {
      totals: totalsOf(order, removed),
      found: [
        ...reading.found,
        ...found,
        ...lineDiscrepancies(lines, 'taxTotal', 'discountTotal'),
        ...(shipping === undefined ? [discrepancy('order_shipping_unreadable')] : []),
      ],
    }),
  );
};
