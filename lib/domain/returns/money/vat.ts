import { proportion } from '../../money/proration.ts';
import type { Money, Order, TaxLine } from '../model/order.ts';
import type { Refund, RefundedLine, VatPart } from '../model/refund.ts';
import { sum } from '../units-by-line.ts';
import { findOrderLine } from './amounts.ts';
import { type Ledger, ledgerLine, type Taxed } from './order-ledger.ts';

/*
 * The tax in each part of a refund, for its credit note. It follows from the order, the ledger before the refund, and
 * the parts of the refund. Each share is taken of a running total. So any split of an order adds up to its tax.
 */

type Facts = { readonly order: Pick<Order, 'facts'>; readonly ledger: Ledger };

/** The price reductions of a return that its refunds count as paid before. */
export type CountedReductions = Taxed & {
  /** The parts that paid them. */
  readonly parts: readonly VatPart[];
  /** What earlier refunds counted as paid before, in minor units. */
  readonly before: number;
  /** The tax of those that the ledger does not have, by order line. */
  readonly taxes: ReadonlyMap<string, number>;
};

/** The part of an amount that `part` of `whole` has, in minor units, rounded half up. It has the sign of `part`. */
const shareOf = (amount: number, part: number, whole: number): number => {
  if (whole <= 0) return 0;
  const share = proportion(amount, Math.min(Math.abs(part), whole), whole);
  return part < 0 ? 0 - share : share;
};

/**
 * Splits a running total of a tax over its tax lines. The share of a line never falls when the total rises, and it is
 * the whole line once the total is all of the tax. So one line at a time is split off.
 */
const splitTax = (lines: readonly TaxLine[], total: number): readonly number[] => {
  let of = sum(lines.map(({ amount }) => amount.amount));
  let left = total;
  return lines.map(({ amount }) => {
    const share = of === 0 ? 0 : Number((BigInt(amount.amount) * BigInt(left)) / BigInt(of));
    left -= share;
    of -= amount.amount;
    return share;
  });
};

/**
 * Returns the tax of a part by tax line; none when the part has more tax than the lines. A platform that removes units
 * from its order lowers them.
 *
 * @param before the tax of earlier parts
 */
const taxesOf = (lines: readonly TaxLine[], before: number, tax: number): readonly TaxLine[] => {
  if (lines.length === 0) return [];
  if (before + tax > sum(lines.map(({ amount }) => amount.amount))) return [];
  const [from, to] = [splitTax(lines, before), splitTax(lines, before + tax)];
  return lines.map((line, index) => ({
    ...line,
    amount: { ...line.amount, amount: (to[index] ?? 0) - (from[index] ?? 0) },
  }));
};

type Head = Omit<VatPart, 'net' | 'tax' | 'taxes'>;

const partOf = (head: Head, { gross, tax }: Taxed, currency: string, taxes: readonly TaxLine[] = []): VatPart => ({
  ...head,
  net: { amount: gross - tax, currency },
  tax: { amount: tax, currency },
  ...(taxes.length > 0 && { taxes }),
});

/**
 * Returns the parts of goods or of reduced prices. Their tax is known already.
 *
 * @param open the tax of earlier reductions that the ledger does not have, by order line
 */
const goodsParts = (
  { order, ledger }: Facts,
  part: 'goods' | 'reduction',
  lines: readonly RefundedLine[],
  given: Map<string, number>,
  open?: ReadonlyMap<string, number>,
): readonly VatPart[] =>
  lines.map(({ orderLineId, quantity, gross, tax }) => {
    const { granted, reduced } = ledgerLine(ledger, orderLineId);
    const before = given.get(orderLineId) ?? granted.tax + (reduced?.tax ?? 0) + (open?.get(orderLineId) ?? 0);
    given.set(orderLineId, before + tax.amount);
    const taxes = taxesOf(findOrderLine(order, orderLineId)?.taxes ?? [], before, tax.amount);
    return partOf({ part, orderLineId, quantity }, { gross: gross.amount, tax: tax.amount }, gross.currency, taxes);
  });

/** Returns tax lines below zero. */
const negated = (lines: readonly TaxLine[]): readonly TaxLine[] =>
  lines.map((line) => ({ ...line, amount: { ...line.amount, amount: 0 - line.amount.amount } }));

/** Returns the tax lines of goods by rate and category; none when a part has only its tax. */
const taxesOfParts = (goods: readonly VatPart[]): readonly TaxLine[] => {
  if (goods.some(({ tax, taxes }) => tax.amount !== 0 && taxes === undefined)) return [];
  const byRate = Map.groupBy(
    goods.flatMap(({ taxes = [] }) => taxes),
    ({ rate, category }) => `${rate}|${category}`,
  );
  return [...byRate.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, amount: { ...first.amount, amount: sum([first, ...others].map(({ amount }) => amount.amount)) } }],
  );
};

/** Returns the parts that fees lower the price of the goods by. They have the tax of the goods, in proportion. */
const feeParts = ({ deductions }: Refund['breakdown'], goods: readonly VatPart[]): readonly VatPart[] => {
  if (deductions.length === 0) return [];
  const tax = sum(goods.map((part) => part.tax.amount));
  const gross = tax + sum(goods.map(({ net }) => net.amount));
  const lines = taxesOfParts(goods);
  let taken = 0;
  return deductions.flatMap(({ type, amount: { amount, currency } }): VatPart[] => {
    if (type === 'paid_before' || amount === 0) return [];
    const [from, to] = [shareOf(tax, taken, gross), shareOf(tax, taken + amount, gross)];
    const taxes = amount < 0 || taken < 0 ? [] : taxesOf(lines, from, to - from);
    taken += amount;
    return [partOf({ part: 'fee', type }, { gross: 0 - amount, tax: from - to }, currency, negated(taxes))];
  });
};

const nothingCounted: CountedReductions = { gross: 0, tax: 0, parts: [], before: 0, taxes: new Map() };

/** Returns the part that was paid before. Only the tax of price reductions is known of it. */
const paidBeforeParts = (
  { deductions }: Refund['breakdown'],
  { gross, tax, parts, before }: CountedReductions,
): readonly VatPart[] =>
  deductions
    .filter(({ type }) => type === 'paid_before')
    .map(({ amount: { amount, currency } }) => {
      const [from, to] = [shareOf(tax, before, gross), shareOf(tax, before + amount, gross)];
      const taxes = negated(taxesOf(taxesOfParts(parts), from, to - from));
      return partOf({ part: 'paid_before' }, { gross: 0 - amount, tax: from - to }, currency, taxes);
    });

/** An amount that was paid for an order besides goods. */
type Paid = { readonly paid: Money; readonly tax?: Money; readonly taxes?: readonly TaxLine[] };

/** Returns the part of such an amount. `before` is what was given back of it before. */
const paidPart = (head: Head, { paid, tax, taxes = [] }: Paid, before: number, gross: number): readonly VatPart[] => {
  if (gross === 0) return [];
  const whole = tax?.amount ?? 0;
  const [from, to] = [shareOf(whole, before, paid.amount), shareOf(whole, before + gross, paid.amount)];
  return [partOf(head, { gross, tax: to - from }, paid.currency, taxesOf(taxes, from, to - from))];
};

const shippingParts = ({ order, ledger }: Facts, { shipping }: Refund['breakdown']): readonly VatPart[] =>
  paidPart(
    { part: 'shipping' },
    order.facts.shipping ?? { paid: { ...shipping, amount: 0 } },
    ledger.given.shipping,
    shipping.amount,
  );

/** Returns the parts of charges. A refund gives the charges back in their order. */
const chargeParts = ({ order, ledger }: Facts, { charges }: Refund['breakdown']): readonly VatPart[] => {
  if (charges === undefined) return [];
  let before = ledger.given.charges ?? 0;
  let left = charges.amount;
  const parts = (order.facts.charges ?? []).flatMap((charge) => {
    const given = Math.min(before, charge.paid.amount);
    before -= given;
    const gross = Math.min(left, charge.paid.amount - given);
    left -= gross;
    const { type, name } = charge;
    return paidPart({ part: 'charge', type, ...(name !== undefined && { name }) }, charge, given, gross);
  });
  return [...parts, ...paidPart({ part: 'charge' }, { paid: charges }, 0, left)];
};

/** Whether the facts of an order have any tax. */
const isTaxed = ({ facts: { lines, shipping, charges = [] } }: Pick<Order, 'facts'>): boolean =>
  shipping?.tax !== undefined ||
  lines.some(({ taxTotal }) => taxTotal !== undefined) ||
  charges.some(({ tax }) => tax !== undefined);

/**
 * Returns the parts of a refund with their net amount and their tax; none for an order without tax. A fee lowers the
 * price of the goods. Money of no goods, payments on top and differences of exchanges have no part: no tax of the order
 * is in them.
 */
export const vatOf = (facts: Facts, breakdown: Refund['breakdown'], counted = nothingCounted): readonly VatPart[] => {
  if (!isTaxed(facts.order)) return [];
  const given = new Map<string, number>();
  const goods = goodsParts(facts, 'goods', breakdown.lines, given);
  return [
    ...goods,
    ...feeParts(breakdown, goods),
    ...paidBeforeParts(breakdown, counted),
    ...goodsParts(facts, 'reduction', breakdown.reductions ?? [], given, counted.taxes),
    ...shippingParts(facts, breakdown),
    ...chargeParts(facts, breakdown),
  ];
};

/** Returns the parts of goods that a recovery takes back, above zero; none for an order without tax. */
export const vatOfRecovery = ({ order, ledger }: Facts, lines: readonly RefundedLine[]): readonly VatPart[] => {
  if (!isTaxed(order)) return [];
  const left = new Map<string, number>();
  for (const { orderLineId, tax } of lines) {
    const { granted, reduced } = ledgerLine(ledger, orderLineId);
    left.set(orderLineId, (left.get(orderLineId) ?? granted.tax + (reduced?.tax ?? 0)) - tax.amount);
  }
  return goodsParts({ order, ledger }, 'goods', lines, left);
};

/** Returns the parts as a field of a refund; no field without any. */
export const vatField = (parts: readonly VatPart[]): Pick<Refund, 'vat'> => (parts.length === 0 ? {} : { vat: parts });
