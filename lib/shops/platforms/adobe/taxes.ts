import type { Money } from '../../../contract/scalars.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import { rateOf, type TaxLine, taxLine, taxesOf } from '../shared/fields/tax-lines.ts';
import { amountOf, extensionOf, roundedMoney } from './amounts.ts';

/**
 * Returns the tax of an item, or of the shipping, at each rate of the order's tax details.
 * https://developer.adobe.com/commerce/webapi/rest/
 */
const appliedTo = (order: JsonObject, of: (detail: JsonObject) => boolean, tax: Money) =>
  objectsOf(extensionOf(order)['item_applied_taxes'])
    .filter(of)
    .flatMap((detail) => objectsOf(detail['applied_taxes']))
    .map(({ amount, percent }) => {
      const read = amountOf(amount);
      return taxLine(read === undefined ? undefined : roundedMoney(read, tax.currency), rateOf(percent));
    });

/** Returns the tax of an item by rate. Without exact details, its `tax_percent` is the rate of all of its tax. */
export const taxesOfItem = (item: JsonObject, order: JsonObject, tax: Money): TaxLine[] | undefined => {
  const id = idOf(item['item_id']);
  const applied = appliedTo(order, (detail) => detail['type'] === 'product' && idOf(detail['item_id']) === id, tax);
  return taxesOf(applied, tax) ?? taxesOf([taxLine(tax, rateOf(item['tax_percent']))], tax);
};

/** Returns the tax of the shipping by rate. */
export const taxesOfShipping = (order: JsonObject, tax: Money): TaxLine[] | undefined =>
  taxesOf(
    appliedTo(order, ({ type }) => type === 'shipping', tax),
    tax,
  );
