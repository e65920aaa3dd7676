import { roundHalfUp } from '../../money/proration.ts';
import type { Order, Promotion } from '../model/order.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { sum, sumBigInts } from '../units-by-line.ts';
import { findOrderLine, worthAfter } from './amounts.ts';
import { feesOf } from './deductions.ts';
import { type Ledger, ledgerLine, type PromotionShare } from './order-ledger.ts';
import { coveredUnits, partOfWorth } from './refund-ceiling.ts';
import { entriesOf } from './return-entries.ts';
import { paidTotal, soldLine } from './sold-lines.ts';

/*
 * The discount of a promotion whose condition no longer holds. The shop takes it back on the units that the customer
 * keeps. The returns of an order take it together: each one takes what the earlier ones left, or pays back what they took
 * too much. So the last one leaves exactly what the kept units cost, and when all units are back nothing is taken.
 */

/** The units of a line of a promotion, with the discount and the price before it of all sold units. */
type KeptLine = { readonly kept: bigint; readonly sold: bigint; readonly discount: bigint; readonly price: bigint };

const partOf = (amount: bigint, { kept, sold }: KeptLine): bigint =>
  sold === 0n ? 0n : roundHalfUp(amount * kept, sold);

const holds = ({ condition }: Promotion, lines: readonly KeptLine[]): boolean => {
  if ('units' in condition) return sumBigInts(lines.map(({ kept }) => kept)) >= BigInt(condition.units);
  if ('allLines' in condition) return lines.every(({ kept, sold }) => kept === sold);
  return sumBigInts(lines.map((line) => partOf(line.price, line))) >= BigInt(condition.value.amount);
};

/** Returns the discount of the units that the customer keeps; 0 while the condition holds for them. */
const discountOfKept = (promotion: Promotion, lines: readonly KeptLine[]): bigint =>
  holds(promotion, lines) ? 0n : sumBigInts(lines.map((line) => partOf(line.discount, line)));

/** Counts the units of a line that the customer no longer has, and that have no refund and no new item yet. */
const unpaidUnits = (line: Line, terms: Terms): number =>
  Math.max(0, coveredUnits(line, terms) - line.quantities.refunded - line.quantities.exchanged);

/** Returns the units of a return that the customer no longer has, by order line. */
const linesOf = ({ lines, terms }: UnversionedReturn): PromotionShare['lines'] =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(lines, ({ orderLineId }) => orderLineId),
      ([orderLineId, own]) => [
        orderLineId,
        {
          units: sum(own.map((line) => coveredUnits(line, terms))),
          open: sum(own.map((line) => Number(partOfWorth(line, BigInt(unpaidUnits(line, terms)))))),
        },
      ],
    ),
  );

const noUnits = { units: 0, open: 0 };
const noGrants = { units: 0, gross: 0, tax: 0 };

/** Returns the units of an order line. Any text may be its id. */
const unitsIn = (lines: PromotionShare['lines'], orderLineId: string): PromotionShare['lines'][string] =>
  (Object.hasOwn(lines, orderLineId) ? lines[orderLineId] : undefined) ?? noUnits;

/** What the returns of an order took of one of its lines. */
type TakenLine = {
  readonly own: number;
  /** Units of the return that it was granted. A lost one counts as refunded without a return. */
  readonly ownGranted: number;
  readonly others: PromotionShare['lines'][string];
};

/** A line of a promotion. Its units are valued too high by `excess`, which is less than a minor unit for each. */
type ValuedLine = KeptLine & { readonly lineId: string; readonly excess: number };

/**
 * Returns a line of a promotion. A unit that is worth no more than its fees gets no refund, so the next unit is valued in
 * its place: both may be rounded up.
 */
const valuedLine = (
  order: Order,
  ledger: Ledger,
  { orderLineId, discount: { amount } }: Promotion['lines'][number],
  { own, ownGranted, others }: TakenLine,
): readonly ValuedLine[] => {
  const line = findOrderLine(order, orderLineId);
  if (line === undefined) return [];
  const { refundedAlone, granted } = ledgerLine(ledger, orderLineId);
  const sold = soldLine(ledger, line);
  const paid = paidTotal(sold);
  const ofSold = (kept: number): KeptLine => ({
    kept: BigInt(Math.max(0, Math.min(kept, sold.quantity))),
    sold: BigInt(sold.quantity),
    discount: BigInt(amount),
    price: paid + BigInt(amount),
  });
  const gone = refundedAlone + own + others.units;
  const valued = granted.units - ownGranted + own;
  const unpaid = Math.max(0, gone - valued);
  // Reductions of its price are no rounding.
  const worthOfUnits = (units: number): number =>
    Number(worthAfter(sold, noGrants, Math.max(0, Math.min(units, sold.quantity))).gross);
  const difference = worthOfUnits(valued) - worthOfUnits(gone) + others.open;
  const excess = Math.max(0 - unpaid, Math.min(unpaid, difference));
  return [{ lineId: orderLineId, ...ofSold(sold.quantity - gone), excess }];
};

/**
 * What a return takes back of the promotions of its order, in minor units: the discount of the units that stay, less what
 * other returns take or waived. It is negative when they take too much. `rounding` is a part of it: what the goods of all
 * returns are valued too high by, less the parts of other returns. So the returns agree on one total.
 */
type OwnPromotion = { readonly amount: number; readonly rounding: number };

const sharesOf = ({ promotions = {} }: Ledger): Readonly<Record<string, PromotionShare>> => promotions;

/**
 * Returns what a return takes back of the promotions of its order; undefined when the order has none.
 *
 * @param settled the rounding of its last goods, which stays once all of them are paid
 */
export const promotionOf = (
  state: UnversionedReturn,
  order: Order,
  ledger: Ledger,
  settled = sharesOf(ledger)[state.id]?.rounding ?? 0,
): OwnPromotion | undefined => {
  const { promotions } = order.facts;
  if (promotions === undefined) return undefined;
  const others = Object.entries(sharesOf(ledger)).flatMap(([returnId, share]) =>
    returnId === state.id ? [] : [share],
  );
  const own = linesOf(state);
  const takenOf = (orderLineId: string): TakenLine => {
    const ofOthers = others.map(({ lines }) => unitsIn(lines, orderLineId));
    const { granted, refundedAlone } = ledgerLine(entriesOf(state), orderLineId);
    return {
      own: unitsIn(own, orderLineId).units,
      ownGranted: granted.units - refundedAlone,
      others: { units: sum(ofOthers.map(({ units }) => units)), open: sum(ofOthers.map(({ open }) => open)) },
    };
  };
  const lines = promotions.map((promotion) =>
    promotion.lines.flatMap((line) => valuedLine(order, ledger, line, takenOf(line.orderLineId))),
  );
  const discount = sumBigInts(promotions.map((promotion, index) => discountOfKept(promotion, lines[index] ?? [])));
  const waived = sum(others.map((share) => share.waived ?? 0));
  const isOpen = state.lines.some((line) => unpaidUnits(line, state.terms) > 0);
  // Two promotions may name the same line.
  const excess = new Map(lines.flat().map((line) => [line.lineId, line.excess]));
  const roundingOfOthers = sum(others.map((share) => share.rounding ?? 0));
  const isEmpty = Object.values(own).every(({ units }) => units === 0);
  const paidRounding = isEmpty ? 0 : settled;
  const rounding = isOpen ? sum([...excess.values()]) - roundingOfOthers : paidRounding;
  const taken = sum(others.map((share) => share.amount)) - roundingOfOthers;
  const amount = Math.max(0, Number(discount) - waived) + rounding - taken;
  return { amount, rounding };
};

/** A return, and the ledger of its order with its entries. */
type Booked<State> = { readonly state: State; readonly ledger: Ledger };

/**
 * Books the part of a return in the promotions of its order, after a change of the return.
 *
 * @param before undefined for a new return
 * @returns the ledger, and what the return takes back; undefined when the order has no promotions
 */
export const bookPromotion = (
  order: Order,
  before: Booked<UnversionedReturn | undefined>,
  { state, ledger }: Booked<UnversionedReturn>,
): { readonly ledger: Ledger; readonly promotion: number | undefined } => {
  const settled = before.state && promotionOf(before.state, order, before.ledger)?.rounding;
  const own = promotionOf(state, order, ledger, settled);
  if (own === undefined) return { ledger, promotion: undefined };
  const { amount: promotion, rounding } = own;
  const fee = feesOf({ ...state, promotion }).find(({ type }) => type === 'promotion');
  const waived = fee?.waived.amount ?? 0;
  const share: PromotionShare = {
    amount: (fee?.amount.amount ?? 0) - waived,
    ...(waived === 0 ? {} : { waived }),
    ...(rounding === 0 ? {} : { rounding }),
    lines: linesOf(state),
  };
  return { ledger: { ...ledger, promotions: { ...ledger.promotions, [state.id]: share } }, promotion };
};
