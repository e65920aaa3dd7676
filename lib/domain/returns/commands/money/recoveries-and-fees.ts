import { roundHalfUp } from '../../../money/proration.ts';
import type { Result } from '../../failure.ts';
import { fail } from '../../../../runtime/result.ts';
import { refundable } from '../../goods/quantities.ts';
import type { Money } from '../../model/order.ts';
import type { Deduction, FeeType, Recovery, RefundedLine } from '../../model/refund.ts';
import type { Line, Return } from '../../model/return.ts';
import { bookings, settledBookings } from '../../money/bookings.ts';
import { appliedDifference, difference } from '../../money/differences.ts';
import { excessFees, feesOf, openFeeAmount, takeFees } from '../../money/deductions.ts';
import { feesTaken, recoveryDue } from '../../money/recovery.ts';
import { retainableAmount } from '../../money/rounding.ts';
import { unassigned } from '../../money/unassigned.ts';
import { vatField, vatOfRecovery } from '../../money/vat.ts';
import { requireOrderCurrency } from '../../input-checks.ts';
import { checkBelowLimit } from '../../rules/limits.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

type RecoveryLines = Pick<Recovery, 'lines' | 'fees' | 'exchange'>;

/**
 * Returns the share of `part` of `whole` in an amount. Shares that are taken one after another add up to the whole
 * amount.
 */
const roundedPart = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : amount - Number(roundHalfUp(BigInt(amount) * BigInt(whole - part), BigInt(whole)));

/** Paid units of a line that are not due, and the money paid beyond what is due, in minor units. */
type Overpayment = { readonly units: number; readonly money: number };

const overpaymentOf = (state: Return, line: Line): Overpayment => {
  const paid = settledBookings(state)
    .flatMap(({ returnLines }) => returnLines)
    .filter(({ lineId }) => lineId === line.id);
  const beyond = line.quantities.refunded - refundable(line);
  const units = Math.max(0, Math.min(sum(paid.map(({ quantity }) => quantity)), beyond));
  const money = Math.max(0, line.amounts.refunded.amount - line.amounts.maxRefundable.amount);
  // Money that is still in transit covers the other units.
  return { units, money: units === 0 ? 0 : roundedPart(money, units, beyond) };
};

/** Returns the highest number of these units that `money` covers. */
const unitsCoveredBy = ({ units, money: total }: Overpayment, money: number): number => {
  if (total === 0) return units;
  const about = Math.min(units, Number((BigInt(Math.max(0, money)) * BigInt(units)) / BigInt(total)));
  return roundedPart(total, about, units) > money ? about - 1 : about;
};

/** Returns the tax in money recovered for an order line. Earlier lines of the return took their part before. */
const taxOf = (state: Return, orderLineId: string, gross: number, earlier: readonly RefundedLine[]): number => {
  const own = (lines: readonly RefundedLine[]) => lines.filter((line) => line.orderLineId === orderLineId);
  const booked = own(bookings(state).flatMap(({ breakdown }) => breakdown.lines));
  const left = (of: 'gross' | 'tax') =>
    sum(booked.map((line) => line[of].amount)) - sum(own(earlier).map((line) => line[of].amount));
  return roundedPart(Math.max(0, left('tax')), gross, Math.max(gross, left('gross')));
};

/**
 * Returns the open fees that the goods can bear. `recoveryDue` includes them already, so the last recovery takes them.
 */
const feesLeft = (state: Return, beyond: readonly Deduction[]): readonly Deduction[] => {
  const applied = feesTaken(bookings(state)) + sum(beyond.map(({ amount }) => amount.amount));
  return takeFees(state, Math.max(0, retainableAmount(state.lines) - applied));
};

/** Returns the difference of dearer exchanges that this money pays, as a negative amount. */
const differencePaid = (state: Return, money: number): number =>
  Math.max(Math.min(0, difference(state) - appliedDifference(state)), 0 - money);

const optionalExchange = (amount: Money): Pick<Recovery, 'exchange'> =>
  amount.amount === 0 ? {} : { exchange: amount };

/**
 * Returns the units, fees and differences that a recovery settles. It pays differences first. Line by line, it takes whole
 * units that were paid and are not due, as far as the money goes. The recovery that settles the rest of the debt takes all of these units. It also takes
 * the fees that were or still must be taken, and the differences of exchanges of the shop.
 */
const recoveryLines = (state: Return, amount: Money): RecoveryLines => {
  const isLast = amount.amount === recoveryDue(state);
  const exchanged = isLast ? difference(state) - appliedDifference(state) : differencePaid(state, amount.amount);
  let money = amount.amount + Math.min(0, exchanged) + Math.max(0, -unassigned(state));
  const lines: RecoveryLines['lines'][number][] = [];
  for (const line of state.lines) {
    const over = overpaymentOf(state, line);
    const quantity = isLast ? over.units : unitsCoveredBy(over, money);
    if (quantity === 0) continue;
    const gross = roundedPart(over.money, quantity, over.units);
    const { orderLineId } = line;
    const tax = taxOf(state, orderLineId, gross, lines);
    const share = { gross: { ...amount, amount: gross }, tax: { ...amount, amount: tax } };
    lines.push({ lineId: line.id, orderLineId, quantity, ...share });
    money -= gross;
  }
  const beyond = isLast ? excessFees(state) : [];
  return {
    lines,
    fees: isLast ? [...beyond, ...feesLeft(state, beyond)] : [],
    ...optionalExchange({ ...amount, amount: exchanged }),
  };
};

/** The reason code of a write-off. */
type WriteOffRecovery = { readonly reason: string };

/**
 * Decides to write off the whole amount that the customer owes.
 *
 * @param id the id of the new write-off
 */
export const writeOffRecovery = (situation: Situation, { reason }: WriteOffRecovery, id: string): Result<Outcome> => {
  const { state, order, now } = situation;
  const admission = checkTransition(situation, 'writeOffRecovery');
  if (!admission.ok) return admission;
  const amount = { amount: recoveryDue(state), currency: order.facts.currency };
  const exchange = optionalExchange({ ...amount, amount: differencePaid(state, amount.amount) });
  const recovery = { id, type: 'written_off' as const, amount, lines: [], fees: [], ...exchange, reason, at: now };
  return toOutcome(situation, [{ type: 'recovery.written_off', data: { recovery } }]);
};

/** A fee to waive, and its reason code. */
type WaiveFee = { readonly type: FeeType; readonly reason: string };

/** Decides to waive the part of a fee that no refund has applied. A waived fee stays waived. */
export const waiveFee = (situation: Situation, { type, reason }: WaiveFee): Result<Outcome> => {
  const admission = checkTransition(situation, 'waiveFee');
  if (!admission.ok) return admission;
  const fee = feesOf(situation.state).find((candidate) => candidate.type === type);
  if (fee === undefined || openFeeAmount(fee) === 0) {
    const errors = [{ path: '/type', code: 'not_open', message: 'must be a fee that is not yet applied or waived' }];
    return fail({ code: 'fee_not_open', detail: 'The fee has no open amount to waive.', errors });
  }
  return toOutcome(situation, [{ type: 'fee.waived', data: { type, reason } }]);
};

/** Money recovered from the customer. */
export type RecordRecovery = { readonly amount: Money; readonly reference?: string };

/**
 * Decides on money recovered from the customer, at most the amount due.
 *
 * @param id the id of the new recovery
 */
export const recordRecovery = (
  situation: Situation,
  { amount, reference }: RecordRecovery,
  id: string,
): Result<Outcome> => {
  const { state, order, ledger, now } = situation;
  const admission = checkTransition(situation, 'recordRecovery');
  if (!admission.ok) return admission;
  const currencies = requireOrderCurrency(order.facts.currency, [['/amount', amount]]);
  if (!currencies.ok) return currencies;
  const due = recoveryDue(state);
  if (amount.amount > due) {
    const errors = [{ path: '/amount/amount', code: 'maximum', message: `must be at most ${due}` }];
    return fail({ code: 'recovery_exceeds_due', detail: 'The amount exceeds what the customer owes.', errors });
  }
  const space = checkBelowLimit(state, 'recoveries');
  if (!space.ok) return space;
  const optionalReference = reference === undefined ? {} : { reference };
  const taken = recoveryLines(state, amount);
  const recovery = {
    id,
    type: 'recovered' as const,
    amount,
    ...taken,
    ...vatField(vatOfRecovery({ order, ledger }, taken.lines)),
    ...optionalReference,
    at: now,
  };
  return toOutcome(situation, [{ type: 'recovery.recorded', data: { recovery } }]);
};
