import type { OrderFacts, OrderLine, ShopFailure } from '../../platform.ts';
import { sum } from '../../../../runtime/sum.ts';

/*
 * One rule for all platforms. An unreadable part of an order is left out and named, and the other parts are read as
 * usual. A named discrepancy makes the order partial, so its refunds need an admin.
 */

/** A part of an order that is unreadable or not reported. */
export type OrderDiscrepancy = NonNullable<OrderFacts['discrepancies']>[number];

/** The contract's limits. */
const maxDiscrepancies = 50;
const maxDetail = 500;

/** Names a discrepancy. `detail` is an id or a field's name. It holds no text that a customer wrote. */
export const discrepancy = (code: string, detail?: string): OrderDiscrepancy => ({
  code,
  ...(detail !== undefined && detail !== '' && { detail: detail.slice(0, maxDetail).toWellFormed() }),
});

type Parts = Pick<OrderFacts, 'lines' | 'shipping' | 'charges'>;

const lineTotal = ({ unitPrice, quantity, discountTotal, taxTotal, taxIncluded }: OrderLine): number =>
  unitPrice.amount * quantity - (discountTotal?.amount ?? 0) + (taxIncluded === true ? 0 : (taxTotal?.amount ?? 0));

/** Returns the parts of an order in minor units: goods, shipping and charges, tax included. */
const partsOf = ({ lines, shipping, charges = [] }: Parts): readonly number[] => [
  ...lines.map(lineTotal),
  ...(shipping === undefined ? [] : [shipping.paid.amount]),
  ...charges.map(({ paid }) => paid.amount),
];

/** Returns the sum of the parts. */
export const chargedTotal = (facts: Parts): number => sum(partsOf(facts));

/** Whether the parts of an order add up to a total. Each part was rounded, and the total once. */
export const addsUpTo = (facts: Parts, total: number): boolean =>
  Math.abs(chargedTotal(facts) - total) <= partsOf(facts).length;

type ReportedTotals = {
  /** The total charge as reported, in minor units. Several if the platform may mean either. */
  readonly totals: readonly (number | undefined)[];
  readonly found: readonly OrderDiscrepancy[];
};

const totalDiscrepancy = (facts: Parts, totals: ReportedTotals['totals']): OrderDiscrepancy | undefined => {
  const reported = totals.filter((total) => total !== undefined);
  const [first] = reported;
  if (first === undefined) return discrepancy('order_total_unreadable');
  if (reported.some((total) => addsUpTo(facts, total))) return undefined;
  return discrepancy('order_total_differs', `the parts come to ${chargedTotal(facts)}, the order to ${first}`);
};

/** Returns lines without duplicate ids. The service rejects an order with a repeated id as inconsistent. */
const distinct = (lines: readonly OrderLine[]) => {
  const known = new Map<string, OrderLine>();
  const found: OrderDiscrepancy[] = [];
  for (const line of lines) {
    if (known.has(line.lineId)) found.push(discrepancy('order_line_duplicated', line.lineId));
    else known.set(line.lineId, line);
  }
  return { lines: [...known.values()], found };
};

/** Limits deliveries to the sold units, the latest first. Units may be sent again. */
const deliveriesWithin = ({ quantity, deliveries }: OrderLine): OrderLine['deliveries'] => {
  if (deliveries === undefined || sum(deliveries.map((delivery) => delivery.quantity)) <= quantity) return deliveries;
  let left = quantity;
  return deliveries
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .flatMap(({ at, quantity: units }) => {
      const taken = Math.min(units, left);
      left -= taken;
      return taken > 0 ? [{ quantity: taken, at }] : [];
    });
};

/**
 * Returns a line that the service accepts, and its contradictions.
 * Some shops report tax on free goods, or a discount above the price. One such line would fail the whole order.
 */
const consistentLine = (line: OrderLine): { line: OrderLine; found: readonly OrderDiscrepancy[] } => {
  const { unitPrice, quantity, taxIncluded, taxTotal, discountTotal } = line;
  const listed = unitPrice.amount * quantity;
  const discount = Math.min(discountTotal?.amount ?? 0, listed);
  const goods = listed - discount;
  const isDiscountAbove = (discountTotal?.amount ?? 0) > listed;
  const isTaxAbove = taxIncluded === true && (taxTotal?.amount ?? 0) > goods;
  const deliveries = deliveriesWithin(line);
  const { taxes, ...untaxed } = line;
  return {
    line: {
      ...untaxed,
      // The lines of a tax that is limited would add up to more than it.
      ...(taxes !== undefined && !isTaxAbove && { taxes }),
      ...(deliveries !== undefined && { deliveries }),
      ...(isDiscountAbove && { discountTotal: { ...unitPrice, amount: discount } }),
      ...(isTaxAbove && { taxTotal: { ...unitPrice, amount: goods } }),
    },
    found: [
      ...(isDiscountAbove ? [discrepancy('order_line_inconsistent', `${line.lineId}: discountTotal`)] : []),
      ...(isTaxAbove ? [discrepancy('order_line_inconsistent', `${line.lineId}: taxTotal`)] : []),
    ],
  };
};

/** Adds discrepancies to an order. */
export const withDiscrepancies = (facts: OrderFacts, found: readonly OrderDiscrepancy[]): OrderFacts => {
  const known = [...(facts.discrepancies ?? []), ...found];
  const byText = new Map(known.map((reported) => [JSON.stringify(reported), reported]));
  return {
    ...facts,
    completeness: byText.size === 0 ? (facts.completeness ?? 'full') : 'partial',
    discrepancies: [...byText.values()].slice(0, maxDiscrepancies),
  };
};

/** Marks an order with an unreadable return or refund, if any. More may be refunded than is known. */
export const withUnread = (facts: OrderFacts, unread: ShopFailure | undefined): OrderFacts => {
  const [code = '', ...detail] = unread?.reason.split(':') ?? [];
  return unread === undefined ? facts : withDiscrepancies(facts, [discrepancy(code, detail.join(':'))]);
};

/**
 * Sets the completeness of an order.
 * It is `partial` if a part is unreadable or contradicts itself, or if its parts do not add up to the total charge. A
 * difference of more than rounding means that we misread a price.
 */
export const withCompleteness = (
  facts: Omit<OrderFacts, 'completeness' | 'discrepancies'>,
  { totals, found }: ReportedTotals,
): OrderFacts => {
  const once = distinct(facts.lines);
  const read = once.lines.map(consistentLine);
  const order = { ...facts, lines: read.map(({ line }) => line) };
  const contradictions = read.flatMap((checked) => checked.found);
  const differs = totalDiscrepancy(order, totals);
  const checked = withDiscrepancies(order, [
    ...found,
    ...once.found,
    ...contradictions,
    ...(differs === undefined ? [] : [differs]),
  ]);
  // What was paid for an unknown part may be unknown too.
  const isUncertain = checked.completeness === 'partial' && checked.paymentsComplete === true;
  return isUncertain ? { ...checked, paymentsComplete: false } : checked;
};

/** Returns discrepancies for missing fields of lines that an exact refund needs. */
export const lineDiscrepancies = (lines: readonly OrderLine[], ...needed: readonly (keyof OrderLine)[]) =>
  lines.flatMap((line) =>
    needed
      .filter((field) => line[field] === undefined)
      .map((field) => discrepancy('order_line_incomplete', `${line.lineId}: ${field}`)),
  );
