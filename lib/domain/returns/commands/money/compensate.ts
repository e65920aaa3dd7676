import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { requireOrderCurrency } from '../../input-checks.ts';
import type { Instant, Money } from '../../model/order.ts';
import type { ExtraType, PriceReduction, Refund } from '../../model/refund.ts';
import { orderLineOf } from '../../money/amounts.ts';
import { checkPayments } from '../../money/paid-limit.ts';
import { reductionsOf } from '../../money/reductions.ts';
import { extraLeft, extraRules, reducibleAmount } from '../../rules/compensations.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { checkTransition, findLine } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import {
  type BookedResult,
  checkAllowed,
  checkLimit,
  checkResult,
  type NewRefundIds,
  refundEvents,
  refundMethod,
} from './book-refund.ts';
import { includedTax } from './book-lines.ts';

/** Money that is no refund of units: a part of the price of units to keep, or a payment on top. */
export type Compensate = {
  readonly type: 'price_reduction' | ExtraType;
  readonly amount: Money;
  /** The reduced units, for a price reduction. Without a quantity all units of the line. */
  readonly lineId?: string;
  readonly quantity?: number;
  readonly reason: string;
  readonly method?: Refund['method'];
  readonly result?: BookedResult;
};

type Parts = Pick<Refund, 'method' | 'amount' | 'returnLines' | 'breakdown'>;

const failField = (path: string, code: string, message: string, detail: string) =>
  fail({ code: 'invalid_request', detail, errors: [{ path, code, message }] });

const failAmount = (maximum: number, detail: string) =>
  fail({
    code: 'refund_exceeds_ceiling',
    detail,
    errors: [{ path: '/amount/amount', code: 'maximum', message: `must be at most ${maximum}` }],
  });

/** Returns the parts of a payment without units. */
const withoutUnits = (amount: Money, method: Refund['method'], breakdown: Partial<Refund['breakdown']>): Parts => {
  const zero = { ...amount, amount: 0 };
  return {
    method,
    amount,
    returnLines: [],
    breakdown: { lines: [], deductions: [], shipping: zero, other: zero, ...breakdown },
  };
};

const reductionOf = (situation: Situation, command: Compensate): Result<Parts> => {
  const { amount, lineId } = command;
  if (lineId === undefined)
    return failField('/lineId', 'required', 'is required', 'A price reduction needs the line with the units.');
  const found = findLine(situation.state, lineId);
  if (!found.ok) return found;
  const line = found.value;
  const { requested } = line.quantities;
  const quantity = command.quantity ?? requested;
  if (quantity > requested)
    return failField('/quantity', 'maximum', `must be at most ${requested}`, 'The line has fewer units.');
  const maximum = reducibleAmount(situation, line, quantity);
  if (amount.amount > maximum) return failAmount(maximum, 'The amount exceeds what is left of the price of the units.');
  const payments = checkPayments(situation, amount.amount);
  if (!payments.ok) return payments;
  const method = refundMethod(situation.state.isGift, command.method);
  if (!method.ok) return method;
  // A share of the running total, so that many small reductions have the tax of one.
  const before = reductionsOf(situation.state).filter(({ orderLineId }) => orderLineId === line.orderLineId);
  const total = BigInt(sum(before.map(({ gross }) => gross.amount)) + amount.amount);
  const included = Number(includedTax(orderLineOf(situation.order, line), total));
  const tax = Math.max(0, included - sum(before.map((reduction) => reduction.tax.amount)));
  const reduction: PriceReduction = {
    lineId,
    orderLineId: line.orderLineId,
    quantity,
    gross: amount,
    tax: { ...amount, amount: Math.min(tax, amount.amount) },
    reason: command.reason,
  };
  return ok(withoutUnits(amount, method.value, { reductions: [reduction] }));
};

const extraOf = (situation: Situation, command: Compensate, type: ExtraType): Result<Parts> => {
  const { amount, reason, lineId, quantity, method: wanted } = command;
  const { state, admin } = situation;
  const unwanted = lineId === undefined ? (quantity === undefined ? undefined : '/quantity') : '/lineId';
  if (unwanted !== undefined)
    return failField(unwanted, 'not_allowed', 'must be absent', 'A payment on top is for the whole return.');
  const { isForWriters, methods } = extraRules[type];
  if (!admin && !isForWriters(state)) {
    const errors = [{ path: '/type', code: 'not_allowed', message: 'must be a type that returns:write may pay' }];
    return fail({ code: 'insufficient_scope', detail: `This ${type} needs the scope returns:admin.`, errors });
  }
  const method = wanted ?? methods?.[0] ?? 'original_payment';
  if (methods?.includes(method) === false) {
    const errors = [{ path: '/method', code: 'not_allowed', message: `must be ${methods.join(' or ')} for a ${type}` }];
    return fail({ code: 'resolution_not_allowed', detail: `A ${type} is not paid by this method.`, errors });
  }
  const left = extraLeft(state, type);
  if (!admin && left !== undefined && amount.amount > left)
    return failAmount(left, `The terms leave ${left} minor units for a ${type}. More needs returns:admin.`);
  return ok(withoutUnits(amount, method, { extras: [{ type, amount, reason }] }));
};

/**
 * Decides on money that is no refund of units. A price reduction is a part of the price of units that the customer
 * keeps. If they come back after all, the shop owes only the rest. A payment on top is never owed back. No money moves
 * here, as for a refund.
 *
 * @param latest the latest accepted time of the result: now plus the allowed clock skew
 */
export const compensate = (
  situation: Situation,
  command: Compensate,
  ids: NewRefundIds,
  latest: Instant = situation.now,
): Result<Outcome> => {
  const checked = checkResult(command.result, latest);
  if (!checked.ok) return checked;
  const admission = checkTransition(situation, 'compensate');
  if (!admission.ok) return admission;
  const fit = checkAllowed(situation);
  if (!fit.ok) return fit;
  const currencies = requireOrderCurrency(situation.order.facts.currency, [['/amount', command.amount]]);
  if (!currencies.ok) return currencies;
  const parts =
    command.type === 'price_reduction' ? reductionOf(situation, command) : extraOf(situation, command, command.type);
  if (!parts.ok) return parts;
  const limited = checkLimit(situation, command.amount.amount);
  if (!limited.ok) return limited;
  return toOutcome(situation, refundEvents(situation, ids, parts.value, command.result));
};
