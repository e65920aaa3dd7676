import type { Money, OrderFacts, TaxLine } from '../../model/order.ts';
import type { FieldError } from '../../model/status.ts';
import { sum } from '../../units-by-line.ts';

type Taxes = readonly TaxLine[] | undefined;

const totalOf = (taxes: readonly TaxLine[]): number => sum(taxes.map(({ amount }) => amount.amount));

/** Whether the tax is split by rate, but its total is another one. */
export const differFromTotal = (taxes: Taxes, total: Money | undefined): boolean =>
  taxes !== undefined && totalOf(taxes) !== total?.amount;

/** Returns the error of tax lines that are not the parts of a total. A refund splits each of them exactly. */
const errorsOf = (taxes: Taxes, total: Money | undefined, at: string, name: 'tax' | 'taxTotal'): FieldError[] => {
  if (taxes === undefined) return [];
  const parts = totalOf(taxes);
  if (total === undefined)
    return [{ path: `${at}/${name}`, code: 'required', message: `must be the total of \`taxes\`, ${parts}` }];
  if (parts === total.amount) return [];
  const message = `must add up to \`${name}\`, ${total.amount}, but the amounts add up to ${parts}`;
  return [{ path: `${at}/taxes`, code: 'total', message }];
};

/** Lists the parts of an order whose tax lines do not add up to their tax. */
export const taxErrors = ({ lines, shipping, charges = [] }: OrderFacts): FieldError[] => [
  ...lines.flatMap(({ taxes, taxTotal }, index) => errorsOf(taxes, taxTotal, `/lines/${index}`, 'taxTotal')),
  ...charges.flatMap(({ taxes, tax }, index) => errorsOf(taxes, tax, `/charges/${index}`, 'tax')),
  ...errorsOf(shipping?.taxes, shipping?.tax, '/shipping', 'tax'),
];
