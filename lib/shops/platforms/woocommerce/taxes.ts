import type { Money } from '../../../contract/scalars.ts';
import { minorOf } from '../../../domain/money/decimal.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import { rateOf, type TaxLine, taxLine, taxesOf } from '../shared/fields/tax-lines.ts';

/**
 * Returns the tax of lines, shipping or fees by rate.
 * Each part has an amount for each rate of the order, which is an empty text where the rate does not apply. The rates
 * are in the tax lines of the order, where orders of old versions have the rate 0.
 * https://woocommerce.github.io/woocommerce-rest-api-docs/#order-tax-lines-properties
 */
export const taxesByRate = (
  parts: readonly JsonObject[],
  { tax_lines: taxLines }: JsonObject,
  tax: Money,
): TaxLine[] | undefined => {
  const rates = new Map(objectsOf(taxLines).map(({ rate_id: id, rate_percent: percent }) => [id, rateOf(percent)]));
  const amounts = parts.flatMap(({ taxes }) => objectsOf(taxes)).filter(({ total }) => total !== '');
  const lines = amounts.map(({ id, total }) => {
    const amount = minorOf(total, tax.currency);
    return amount === undefined || amount < 0 ? undefined : taxLine({ ...tax, amount }, rates.get(id));
  });
  return taxesOf(lines, tax);
};
