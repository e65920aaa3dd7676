import { roundHalfUp } from '../../../money/proration.ts';
import { type Decision, refused } from '../../failure.ts';
import { refundable } from '../../goods/quantities.ts';
import type { Money } from '../../model/order.ts';
import type { Deduction, FeeType, Recovery, RefundedLine } from '../../model/refund.ts';
import type { Line, Return } from '../../model/return.ts';
import { bookings, settledBookings } from '../../money/bookings.ts';
import { feesBeyond, feesOf, openFee, takeFees } from '../../money/deductions.ts';
import { keptBack, keptFor, recoveryDue } from '../../money/recovery.ts';
import { unassigned } from '../../money/unassigned.ts';
import { inOneCurrency } from '../../one-currency.ts';
import { roomIn } from '../../rules/room.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';

type GivenBack = Pick<Recovery, 'lines' | 'fees'>;

/** The part of an amount that `part` of `whole` takes, so that parts one after another come to all of it. */
const partOf = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : amount - Number(roundHalfUp(BigInt(amount) * BigInt(whole - part), BigInt(whole)));

/** Units of a line that were paid for and are not due, and the money paid beyond what is due, in minor units. */
type Overpaid = { readonly units: number; readonly money: number };

const overpaid = (state: Return, line: Line): Overpaid => {
  const paid = settledBookings(state)
    .flatMap(({ returnLines }) => returnLines)
    .filter(({ lineId }) => lineId === line.id);
  const beyond = line.quantities.refunded - refundable(line);
  const units = Math.max(0, Math.min(sum(paid.map(({ quantity }) => quantity)), beyond));
  const money = Math.max(0, line.amounts.refunded.amount - line.amounts.maxRefundable.amount);
  // Money that is still on its way covers the other units.
  return { units, money: units === 0 ? 0 : partOf(money, units, beyond) };
};

/** The most of these units that `money` is enough for. */
const unitsFor = ({ units, money: all }: Overpaid, money: number): number => {
  if (all === 0) return units;
  const about = Math.min(units, Number((BigInt(Math.max(0, money)) * BigInt(units)) / BigInt(all)));
  return partOf(all, about, units) > money ? about - 1 : about;
};

/** The tax inside money that comes back for an order line, after earlier lines of the return took their part. */
const taxOf = (state: Return, orderLineId: string, gross: number, earlier: readonly RefundedLine[]): number => {
  const own = (lines: readonly RefundedLine[]) => lines.filter((line) => line.orderLineId === orderLineId);
  const booked = own(bookings(state).flatMap(({ breakdown }) => breakdown.lines));
  const left = (of: 'gross' | 'tax') =>
    sum(booked.map((line) => line[of].amount)) - sum(own(earlier).map((line) => line[of].amount));
  return partOf(Math.max(0, left('tax')), gross, Math.max(gross, left('gross')));
};

/** Open fees that the goods can bear: `recoveryDue` includes them already, so the last recovery takes them. */
const feesLeft = (state: Return, beyond: readonly Deduction[]): readonly Deduction[] => {
  const applied = keptBack(bookings(state)) + sum(beyond.map(({ amount }) => amount.amount));
  return takeFees(state, Math.max(0, keptFor(state.lines) - applied));
};

/**
 * What money that the customer gives back undoes: whole units that were paid for and not due, as far as it goes, one
 * line after another; with the last of what is due, all of them, and what fees took of them or still have to take.
 */
const givenBack = (state: Return, amount: Money): GivenBack => {
  const isLast = amount.amount === recoveryDue(state);
  let money = amount.amount + Math.max(0, -unassigned(state));
  const lines: GivenBack['lines'][number][] = [];
  for (const line of state.lines) {
    const over = overpaid(state, line);
    const quantity = isLast ? over.units : unitsFor(over, money);
    if (quantity === 0) continue;
    const gross = partOf(over.money, quantity, over.units);
    const { orderLineId } = line;
    const tax = taxOf(state, orderLineId, gross, lines);
    const share = { gross: { ...amount, amount: gross }, tax: { ...amount, amount: tax } };
    lines.push({ lineId: line.id, orderLineId, quantity, ...share });
    money -= gross;
  }
  const beyond = isLast ? feesBeyond(state) : [];
  return { lines, fees: isLast ? [...beyond, ...feesLeft(state, beyond)] : [] };
};

/** A code that says why nobody asks for the money any more. */
type WriteOffRecovery = { readonly reason: string };

/**
 * Decides to ask no more for all that the customer has to give back.
 *
 * @param id of the new write-off
 */
export const writeOffRecovery = (situation: Situation, { reason }: WriteOffRecovery, id: string): Decision<Outcome> => {
  const { state, order, now } = situation;
  const admission = admitted(situation, 'writeOffRecovery');
  if (!admission.ok) return admission;
  const amount = { amount: recoveryDue(state), currency: order.facts.currency };
  const recovery = { id, type: 'written_off' as const, amount, lines: [], fees: [], reason, at: now };
  return conclude(situation, [{ type: 'recovery.written_off', data: { recovery } }]);
};

/** A fee that is given up, and a code that says why. */
type WaiveFee = { readonly type: FeeType; readonly reason: string };

/** Decides to give up a fee, as far as no refund has taken it; it does not come back when the return goes on. */
export const waiveFee = (situation: Situation, { type, reason }: WaiveFee): Decision<Outcome> => {
  const admission = admitted(situation, 'waiveFee');
  if (!admission.ok) return admission;
  const fee = feesOf(situation.state).find((one) => one.type === type);
  if (fee === undefined || openFee(fee) === 0) {
    const errors = [{ path: '/type', code: 'not_open', message: 'must be a fee that is not taken and not waived' }];
    return refused({ code: 'fee_not_open', detail: 'Nothing of this fee is left to waive.', errors });
  }
  return conclude(situation, [{ type: 'fee.waived', data: { type, reason } }]);
};

/** Money that the customer gave back. */
export type RecordRecovery = { readonly amount: Money; readonly reference?: string };

/**
 * Decides on money that the customer gave back; never more than is due.
 *
 * @param id of the new recovery
 */
export const recordRecovery = (
  situation: Situation,
  { amount, reference }: RecordRecovery,
  id: string,
): Decision<Outcome> => {
  const { state, order, now } = situation;
  const admission = admitted(situation, 'recordRecovery');
  if (!admission.ok) return admission;
  const currencies = inOneCurrency(order.facts.currency, [['/amount', amount]]);
  if (!currencies.ok) return currencies;
  const due = recoveryDue(state);
  if (amount.amount > due) {
    const errors = [{ path: '/amount/amount', code: 'maximum', message: `must be at most ${due}` }];
    return refused({ code: 'recovery_exceeds_due', detail: 'More than the customer has to give back.', errors });
  }
  const space = roomIn(state, 'recoveries');
  if (!space.ok) return space;
  const told = reference === undefined ? {} : { reference };
  const recovery = { id, type: 'recovered' as const, amount, ...givenBack(state, amount), ...told, at: now };
  return conclude(situation, [{ type: 'recovery.recorded', data: { recovery } }]);
};
