import type { Money } from '../../../contract/scalars.ts';
import { type DecimalMoney, minorUnits, total } from '../../../domain/money/decimal.ts';
import { sum } from '../../../runtime/sum.ts';
import type { MoneySet, OrderNode } from './queries.ts';
import type { ExchangeLineNode } from './return-queries.ts';

type Line = NonNullable<ExchangeLineNode['lineItems']>[number];

const presentment = ({ presentmentMoney }: MoneySet): DecimalMoney => presentmentMoney;

const linePrice = (
  { quantity, originalUnitPriceSet, discountAllocations, taxLines }: Line,
  { taxesIncluded, presentmentCurrencyCode: currency }: Pick<OrderNode, 'taxesIncluded' | 'presentmentCurrencyCode'>,
): number | undefined => {
  const unit = minorUnits(presentment(originalUnitPriceSet));
  const discount = total(
    (discountAllocations ?? []).map((item) => presentment(item.allocatedAmountSet)),
    currency,
  );
  const tax = total(
    (taxLines ?? []).map((item) => presentment(item.priceSet)),
    currency,
  );
  if (unit?.currency !== currency || discount === undefined || tax === undefined) return undefined;
  return unit.amount * quantity - discount.amount + (taxesIncluded ? 0 : tax.amount);
};

/**
 * Returns the price of a new item in an exchange, with discounts and tax, as charged to the customer. It is undefined
 * when an amount is unreadable, or when units of the item were removed: its amounts are those of all ordered units.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/objects/ExchangeLineItem
 */
export const exchangePrice = (
  { processedQuantity, unprocessedQuantity, lineItems }: ExchangeLineNode,
  order: Pick<OrderNode, 'taxesIncluded' | 'presentmentCurrencyCode'>,
): Money | undefined => {
  const lines = lineItems ?? [];
  const prices = lines.flatMap((line) => linePrice(line, order) ?? []);
  const isWhole = sum(lines.map(({ quantity }) => quantity)) === processedQuantity + unprocessedQuantity;
  const amount = sum(prices);
  return lines.length > 0 && prices.length === lines.length && isWhole && amount >= 0
    ? { amount, currency: order.presentmentCurrencyCode }
    : undefined;
};
