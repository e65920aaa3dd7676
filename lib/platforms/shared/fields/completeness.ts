import type { OrderFacts, OrderLine, ShopFailure } from '../../platform.ts';
import { sum } from '../../../runtime/sum.ts';

/*
 * One rule for all platforms: a part of an order that cannot be read is left out and named, and the others are read all
 * the same. What is named makes the order partial, so that its refunds need an admin.
 */

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

const lineTotal = ({ unitPrice, quantity, discountTotal, taxTotal, taxIncluded }: OrderLine): number =>
  unitPrice.amount * quantity - (discountTotal?.amount ?? 0) + (taxIncluded === true ? 0 : (taxTotal?.amount ?? 0));

/** What the parts of an order come to in minor units: goods, shipping and charges, tax inside. */
const partsOf = ({ lines, shipping, charges = [] }: Parts): readonly number[] => [
  ...lines.map(lineTotal),
  ...(shipping === undefined ? [] : [shipping.paid.amount]),
  ...charges.map(({ paid }) => paid.amount),
];

/** The sum of them. */
export const chargedTotal = (facts: Parts): number => sum(partsOf(facts));

/** Whether the parts of an order come to a total. Each part was rounded by itself, the total once. */
export const addsUpTo = (facts: Parts, total: number): boolean =>
  Math.abs(chargedTotal(facts) - total) <= partsOf(facts).length;

type ReportedTotals = {
  /** What the platform says was charged in all, in minor units; several where it may mean either. */
  readonly totals: readonly (number | undefined)[];
  readonly found: readonly OrderDiscrepancy[];
};

const totalDiscrepancy = (facts: Parts, totals: ReportedTotals['totals']): OrderDiscrepancy | undefined => {
  const told = totals.filter((total) => total !== undefined);
  const [first] = told;
  if (first === undefined) return discrepancy('order_total_unreadable');
  if (told.some((total) => addsUpTo(facts, total))) return undefined;
  return discrepancy('order_total_differs', `the parts come to ${chargedTotal(facts)}, the order to ${first}`);
};

/** Lines by their ids, each once: the service takes an order with one id twice for inconsistent. */
const distinct = (lines: readonly OrderLine[]) => {
  const known = new Map<string, OrderLine>();
  const found: OrderDiscrepancy[] = [];
  for (const line of lines) {
    if (known.has(line.lineId)) found.push(discrepancy('order_line_duplicated', line.lineId));
    else known.set(line.lineId, line);
  }
  return { lines: [...known.values()], found };
};

/** An order that lacks some more. */
const withDiscrepancies = (facts: OrderFacts, found: readonly OrderDiscrepancy[]): OrderFacts => {
  const known = [...(facts.discrepancies ?? []), ...found];
  const byText = new Map(known.map((one) => [JSON.stringify(one), one]));
  return {
    ...facts,
    completeness: byText.size === 0 ? (facts.completeness ?? 'full') : 'partial',
    discrepancies: [...byText.values()].slice(0, maxDiscrepancies),
  };
};

/** An order of which a return or a refund could not be read, if so: what it has given back may be more than is known. */
export const withUnread = (facts: OrderFacts, unread: ShopFailure | undefined): OrderFacts => {
  const [code = '', ...detail] = unread?.reason.split(':') ?? [];
  return unread === undefined ? facts : withDiscrepancies(facts, [discrepancy(code, detail.join(':'))]);
};

/**
 * An order with what is known of its completeness: it is `partial` where a part could not be read, or where its parts
 * do not come to what was charged. A sum that is off by more than rounding means that we misread a price.
 */
export const withCompleteness = (
  facts: Omit<OrderFacts, 'completeness' | 'discrepancies'>,
  { totals, found }: ReportedTotals,
): OrderFacts => {
  const once = distinct(facts.lines);
  const order = { ...facts, lines: once.lines };
  const differs = totalDiscrepancy(order, totals);
  return withDiscrepancies(order, [...found, ...once.found, ...(differs === undefined ? [] : [differs])]);
};

/** What a line lacks that a refund needs to be exact. */
export const lineDiscrepancies = (lines: readonly OrderLine[], ...needed: readonly (keyof OrderLine)[]) =>
  lines.flatMap((line) =>
    needed
      .filter((field) => line[field] === undefined)
      .map((field) => discrepancy('order_line_incomplete', `${line.lineId}: ${field}`)),
  );
