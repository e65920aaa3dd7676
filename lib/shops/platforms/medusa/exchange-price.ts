import type { Money } from '../../../contract/scalars.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { objectOf, objectsOf } from '../shared/fields/fields.ts';
import { idIn, type OrderReading, unitsIn } from './order.ts';
import { fractionOf, paidFor, times } from './price.ts';

const itemPrice = (item: JsonObject, quantity: unknown, currency: string): number | undefined => {
  const price = fractionOf(item['unit_price']);
  const units = unitsIn(quantity);
  // The taxes and discounts of an item are those of all its units.
  if (price === undefined || units === undefined || units !== unitsIn(item['quantity'])) return undefined;
  const all = times(price, { numerator: BigInt(units), denominator: 1n });
  return paidFor({ price: all, taxIncluded: item['is_tax_inclusive'] === true, node: item }, currency).total?.amount;
};

/**
 * Returns the price of the new items of an exchange, with discounts and tax, without their shipping.
 * Medusa adds the items to the order when the exchange is confirmed. The price is undefined while one is missing there,
 * or has other units.
 * https://docs.medusajs.com/resources/commerce-modules/order/exchange
 */
export const exchangePrice = (exchange: unknown, { order, currency }: OrderReading): Money | undefined => {
  const items = new Map(objectsOf(order['items']).map((item) => [idIn(item['id']), item]));
  const additional = objectsOf(objectOf(exchange)['additional_items']);
  const prices = additional.flatMap(({ item_id: id, quantity }) => {
    const item = items.get(idIn(id));
    return (item && itemPrice(item, quantity, currency)) ?? [];
  });
  return prices.length > 0 && prices.length === additional.length ? { amount: sum(prices), currency } : undefined;
};
