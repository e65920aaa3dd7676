import type { OrderFacts, OrderLine } from '../platform.ts';

/** What of an order could not be read, or is not told. */
export type OrderDiscrepancy = NonNullable<OrderFacts['discrepancies']>[number];

/** The contract's limits. */
const maxDiscrepancies = 50;
const maxDetail = 500;

/** Names a discrepancy. `detail` says where, by an id or a field's name; it holds no text that a customer wrote. */
export const discrepancy = (code: string, detail?: string): OrderDiscrepancy => ({
  code,
  ...(detail !== undefined && detail !== '' && { detail: detail.slice(0, maxDetail).toWellFormed() }),
});

type Parts = Pick<OrderFacts, 'lines' | 'shipping' | 'charges'>;

const paidFor = ({ unitPrice, quantity, discountTotal, taxTotal, taxIncluded }: OrderLine): number =>
  unitPrice.amount * quantity - (discountTotal?.amount ?? 0) + (taxIncluded === true ? 0 : (taxTotal?.amount ?? 0));

/** What the parts of an order come to in minor units: goods, shipping and charges, tax inside. */
const partsOf = ({ lines, shipping, charges = [] }: Parts): readonly number[] => [
  ...lines.map(paidFor),
  ...(shipping === undefined ? [] : [shipping.paid.amount]),
  ...charges.map(({ paid }) => paid.amount),
];

/** How far the parts of an order are from a total. Each part was rounded by itself, the total once. */
const misses = (parts: readonly number[], total: number): boolean =>
  Math.abs(parts.reduce((sum, part) => sum + part, 0) - total) > parts.length;

/** Whether the parts of an order come to a total. */
export const comesTo = (facts: Parts, total: number): boolean => !misses(partsOf(facts), total);

type Told = {
  /** What the platform says was charged in all, in minor units; several where it may mean either. */
  readonly totals: readonly (number | undefined)[];
  readonly found: readonly OrderDiscrepancy[];
};

const totalDiscrepancy = (facts: Parts, totals: Told['totals']): OrderDiscrepancy | undefined => {
  const told = totals.filter((total) => total !== undefined);
  const [first] = told;
  if (first === undefined) return discrepancy('order_total_unreadable');
  if (told.some((total) => comesTo(facts, total))) return undefined;
  const sum = partsOf(facts).reduce((all, part) => all + part, 0);
  return discrepancy('order_total_differs', `the parts come to ${sum}, the order to ${first}`);
};

/**
 * An order with what is known of its completeness: it is `partial` where a part could not be read, or where its parts
 * do not come to what was charged. A sum that is off by more than rounding means that we misread a price.
 */
export const withCompleteness = (
  facts: Omit<OrderFacts, 'completeness' | 'discrepancies'>,
  { totals, found }: Told,
): OrderFacts => {
  const differs = totalDiscrepancy(facts, totals);
  const discrepancies = [...found, ...(differs === undefined ? [] : [differs])];
  return {
    ...facts,
    completeness: discrepancies.length === 0 ? 'full' : 'partial',
    discrepancies: discrepancies.slice(0, maxDiscrepancies),
  };
};

/** What a line lacks that a refund needs to be exact. */
export const lineDiscrepancies = (lines: readonly OrderLine[], ...needed: readonly (keyof OrderLine)[]) =>
  lines.flatMap((line) =>
    needed
      .filter((field) => line[field] === undefined)
      .map((field) => discrepancy('order_line_incomplete', `${line.lineId}: ${field}`)),
  );
