import { live, ungranted } from '../../returns/goods/quantities.ts';
import type { Instant, Order, OrderLine } from '../../returns/model/order.ts';
import type { Line, Return } from '../../returns/model/return.ts';
import { amountsOfParts } from '../../returns/money/amounts.ts';
import { emptyLedger, type Ledger } from '../../returns/money/order-ledger.ts';
import { paidTotal, soldLine } from '../../returns/money/sold-lines.ts';
import { sum, sumBigInts } from '../../returns/units-by-line.ts';
import { countedDays, type CustomerCount, type Facts } from '../facts.ts';
import { statesDefect } from '../law/rights.ts';
import { isBefore, isWithinDays, latestInstant } from '../time/calendar.ts';

/** An order with its ledger. */
type KnownOrder = { readonly order: Order; readonly ledger: Ledger };

/** An earlier return of a customer, with its order while the facts of the order are stored. */
export type EarlierReturn = { readonly state: Return; readonly known: KnownOrder | undefined };

/** A request later than this after the delivery is outside the period of withdrawal in the EU (2011/83/EU, article 9). */
const lateAfterDays = 14;

type ReturnedLine = { readonly line: Line; readonly of: OrderLine };

/**
 * Returns the lines that may count. A withdrawal and goods with a stated defect are left out, because they use a right.
 * Without the facts of the order there are none.
 */
const countedLines = ({ state, known }: EarlierReturn): readonly ReturnedLine[] => {
  if (known === undefined || state.basis === 'withdrawal' || state.terms.withdrawal !== undefined) return [];
  const byId = new Map(known.order.facts.lines.map((line) => [line.lineId, line]));
  return state.lines.flatMap((line) => {
    const of = byId.get(line.orderLineId);
    return of === undefined || live(line.quantities) === 0 || statesDefect(state, of) ? [] : [{ line, of }];
  });
};

/** Returns whether the lines hold two variants of one product, such as two sizes. */
const isBracketed = (lines: readonly ReturnedLine[]): boolean =>
  [...Map.groupBy(lines, ({ of }) => of.productId)].some(
    ([product, variants]) =>
      product !== undefined && new Set(variants.flatMap(({ of: { sku } }) => sku ?? [])).size > 1,
  );

const isLate = ({ deliveries = [] }: OrderLine, requestedAt: Instant): boolean => {
  const delivered = latestInstant(deliveries.map(({ at }) => at));
  if (delivered === undefined || !isBefore(delivered, requestedAt)) return false;
  return !isWithinDays(delivered, lateAfterDays, requestedAt);
};

/** Returns whether an inspection that stands found goods worth less than new ones. */
const isUsed = ({ inspections }: Line): boolean =>
  inspections.some(({ deductionBps, quantity, corrected = 0 }) => deductionBps > 0 && quantity > corrected);

/** Returns whether goods were missing from a parcel that arrived, and the shop did not grant them. */
const isEmptyBox = ({ lines }: Return): boolean =>
  lines.some(({ missing }) => missing.some((units) => units.cause === 'not_in_parcel' && ungranted(units) > 0));

type Sums = { readonly returned: bigint; readonly bought: bigint };

/** Returns what was paid for one order, and for the goods of it that came back and were accepted. */
const sumsOf = (ofOrder: readonly EarlierReturn[], { order, ledger }: KnownOrder): Sums => {
  const units = new Map<string, number>();
  for (const { line } of ofOrder.flatMap(countedLines)) {
    const { accepted, repaired = 0 } = line.quantities;
    units.set(line.orderLineId, (units.get(line.orderLineId) ?? 0) + accepted - repaired);
  }
  const sold = order.facts.lines.map((line) => soldLine(ledger, line));
  const parts = sold.map((line) => ({ line, units: units.get(line.lineId) ?? 0 }));
  return {
    returned: BigInt(sum(amountsOfParts(parts, emptyLedger).map(({ gross }) => gross.amount))),
    bought: sumBigInts(sold.map(paidTotal)),
  };
};

/** Sums over the orders in one currency that are known by a return. Without such an order there are none. */
const valuesOf = (returns: readonly EarlierReturn[], currency: string) => {
  const byOrder = Map.groupBy(returns, ({ state: { order } }) => JSON.stringify([order.platform, order.orderId]));
  const sums = [...byOrder.values()].flatMap((ofOrder) => {
    const known = ofOrder[0]?.known;
    return known?.order.facts.currency === currency ? [sumsOf(ofOrder, known)] : [];
  });
  const bought = sumBigInts(sums.map((of) => of.bought));
  if (bought === 0n) return {};
  const returned = sumBigInts(sums.map((of) => of.returned));
  return {
    valueReturned: Number(returned),
    valueBought: Number(bought),
    // Rounded down, in favour of the customer.
    returnedShare: Number((returned * 10_000n) / bought),
  };
};

const conductIn = (returns: readonly EarlierReturn[], currency: string) => {
  const counted = returns.map((earlier) => ({ state: earlier.state, lines: countedLines(earlier) }));
  return {
    bracketedReturns: counted.filter(({ lines }) => isBracketed(lines)).length,
    lateUsedReturns: counted.filter(({ state, lines }) =>
      lines.some(({ line, of }) => isLate(of, state.requestedAt) && isUsed(line)),
    ).length,
    emptyBoxReturns: returns.filter(({ state }) => isEmptyBox(state)).length,
    ...valuesOf(returns, currency),
  };
};

/**
 * Returns the facts about the conduct of a customer, for each number of days before a request.
 *
 * @param earlier returns of one customer that were created before the request
 * @param currency of the present order: amounts in other currencies are left out
 */
export const conductOf = (
  earlier: readonly EarlierReturn[],
  requestedAt: Instant,
  currency: string,
): Pick<Facts['customer'], CustomerCount> =>
  Object.fromEntries(
    countedDays.flatMap((days) => {
      const within = earlier.filter(({ state }) => isWithinDays(state.createdAt, days, requestedAt));
      return Object.entries(conductIn(within, currency)).map(([name, value]) => [`${name}Last${days}Days`, value]);
    }),
  );
