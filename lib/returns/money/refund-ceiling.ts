import { roundHalfUp } from '../../money/proration.ts';
import { entitled, outstanding, refundable, undecided, uninspected } from '../goods/quantities.ts';
import type { Exchange } from '../model/refund.ts';
import type { Line, Return, UnversionedReturn } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { sumBigInts, sum } from '../units-by-line.ts';
import { liveExchanges } from './exchanges.ts';
import type { Ledger } from './ledger.ts';
import { liveRefunds } from './refund.ts';

/** What the shop pays beside the new item of an exchange, in minor units; where nobody says its price, all of the credit. */
export const exchangePayout = ({ balance, credit }: Pick<Exchange, 'balance' | 'credit'>): number =>
  balance === undefined ? credit.amount : Math.max(0, -balance.amount);

/** What commands of the service paid for a return, in minor units: refunds from outside are not among it. */
export const ownPayments = ({ refunds, exchanges }: Pick<UnversionedReturn, 'refunds' | 'exchanges'>): number => {
  const own = liveRefunds({ refunds }).filter(({ external }) => external === undefined);
  return sum([...own.map(({ amount }) => amount.amount), ...liveExchanges({ exchanges }).map(exchangePayout)]);
};

/**
 * What may still be paid for a return without an admin, in minor units; undefined where there is no limit. The limit
 * counts all returns of the order. Without the order's ledger it counts only this return, and the answer may be too high.
 */
export const approvalLimitLeft = (state: Return, ledger?: Ledger): number | undefined => {
  const { refundApprovalLimit } = state.terms;
  const currency = state.lines[0]?.amounts.gross.currency ?? '';
  const limit = Object.hasOwn(refundApprovalLimit, currency) ? refundApprovalLimit[currency] : undefined;
  if (limit === undefined) return undefined;
  return Math.max(0, limit - Math.max(ownPayments(state), ledger?.given.own ?? 0));
};

/** Whether these terms let money go back before it is known what came. */
const paysInAdvance = ({ refundTiming }: Terms): boolean =>
  refundTiming === 'approved' || refundTiming === 'in_transit';

/**
 * Units of a line that refunds may cover in all: those that the customer is entitled to be paid for, or, where money
 * goes back in advance, all that were approved and that nothing speaks against so far. What was exchanged is out of it.
 */
export const ceilingUnits = (line: Line, terms: Terms): number =>
  paysInAdvance(terms)
    ? Math.max(0, refundable(line) - undecided(line.quantities))
    : Math.max(0, entitled(line.quantities) - line.quantities.exchanged);

/** A part of what a line's refundable units are worth, in minor units: `parts` of `whole` for each of these units. */
export const partOfWorth = (line: Line, parts: bigint, whole = 1n): bigint => {
  const units = BigInt(refundable(line));
  return units === 0n ? 0n : roundHalfUp(BigInt(line.amounts.maxRefundable.amount) * parts, units * whole);
};

/** What the units are worth that refunds of a return may cover in all, in minor units. */
export const ceilingWorth = ({ lines, terms }: Pick<UnversionedReturn, 'lines' | 'terms'>): bigint =>
  sumBigInts(lines.map((line) => partOfWorth(line, BigInt(ceilingUnits(line, terms)))));

/** Whether money is owed for a line as far as nothing else was given: not where it is repaired or nothing is given. */
export const isPaidFor = ({ resolution }: Pick<Line, 'resolution'>): boolean =>
  resolution === 'refund' || resolution === 'store_credit' || resolution === 'exchange';

/** Units of a line that a refund may cover now. */
export const payableUnits = (line: Line, terms: Terms): number =>
  Math.max(0, ceilingUnits(line, terms) - line.quantities.refunded);

/** Units of a line that a refund may cover later, once they are received or inspected. */
export const payableLaterUnits = (line: Line, terms: Terms): number => {
  const { refunded } = line.quantities;
  const maximum = refundable(line) - undecided(line.quantities);
  return Math.max(0, maximum - Math.max(ceilingUnits(line, terms), refunded));
};

/** Whether money for units that a refund may cover later waits for an inspection. */
export const waitsForInspection = ({ lines, terms }: Pick<UnversionedReturn, 'lines' | 'terms'>): boolean =>
  terms.inspection === 'required' || lines.some(({ quantities }) => uninspected(quantities) > 0);

/** Whether nothing is on its way any more and all of it was looked at. */
const isAllInspected = ({ lines }: Pick<UnversionedReturn, 'lines'>): boolean =>
  lines.every(({ quantities }) => outstanding(quantities) === 0 && uninspected(quantities) === 0);

const refundableStatuses: Readonly<Record<Terms['refundTiming'], ReadonlySet<UnversionedReturn['status']>>> = {
  approved: new Set(['approved', 'in_transit', 'partially_received', 'received', 'inspected', 'completed']),
  in_transit: new Set(['in_transit', 'partially_received', 'received', 'inspected', 'completed']),
  received: new Set(['partially_received', 'received', 'inspected', 'completed']),
  inspected: new Set(['inspected', 'completed']),
};

/** Whether the terms of a return let money go back by now; where nothing is to come back, there is nothing to wait for. */
export const isRefundTime = (state: Pick<UnversionedReturn, 'status' | 'lines' | 'terms'>): boolean =>
  refundableStatuses[state.terms.refundTiming].has(state.status) ||
  (refundableStatuses.approved.has(state.status) && isAllInspected(state));
