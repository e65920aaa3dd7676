import { undecided, uninspected } from '../goods/quantities.ts';
import type { Instant } from '../model/order.ts';
import type { UnversionedReturn } from '../model/return.ts';
import type { RefundClock, Terms } from '../model/terms.ts';
import { difference } from '../money/differences.ts';
import { isExchangedAtShop } from '../money/exchanges.ts';
import { owed } from '../money/recovery.ts';
import { isPaidFor } from '../money/refund-ceiling.ts';
import { hasUndecidedProtectedUnits } from './floor.ts';
import { endOfLocalDays } from './local-day.ts';
import { endedStatuses } from './states.ts';

const dayMs = 24 * 3600 * 1000;

/** Adds days of 24 hours to an instant. */
export const addDays = (instant: Instant, days: number): Instant =>
  new Date(Date.parse(instant) + days * dayMs).toISOString();

/** Returns from when on the time to pay counts. */
export const refundDueFrom = ({ floor, deadlines }: Pick<Terms, 'floor' | 'deadlines'>): 'request' | 'receipt' =>
  deadlines.refundDueFrom ?? (floor === null ? 'receipt' : 'request');

/** The deadlines of a return, from its terms and its history. */
export type Deadlines = {
  /** The customer must send the goods. */
  readonly shipBy?: Instant;
  /** The customer must answer the last question. */
  readonly answerBy?: Instant;
  /** The shop must inspect the goods. */
  readonly inspectBy?: Instant;
  /** The shop must pay. */
  readonly refundDueBy?: Instant;
};

const addDaysIfSet = (start: Instant | undefined, days: number | null): Instant | undefined =>
  start === undefined || days === null ? undefined : addDays(start, days);

/** Returns when the first goods arrived, from the status times. */
const firstReceiptAt = ({ partiallyReceivedAt, receivedAt, inspectedAt }: UnversionedReturn): Instant | undefined =>
  partiallyReceivedAt ?? receivedAt ?? inspectedAt;

/** Returns whether goods were expected. A returnless unit is not. */
const expectsGoods = ({ lines }: UnversionedReturn): boolean =>
  lines.some(({ quantities }) => quantities.approved > quantities.returnless);

/** Returns whether goods are expected, or a decision on them is open. */
const mayExpectGoods = (state: UnversionedReturn): boolean =>
  expectsGoods(state) || state.lines.some(({ quantities }) => undecided(quantities) > 0);

/** Returns the earlier of the receipt and the sending of goods; undefined while neither is known. */
const goodsOrProofAt = (state: UnversionedReturn): Instant | undefined =>
  [firstReceiptAt(state), state.inTransitAt].filter((at) => at !== undefined).toSorted()[0];

/**
 * Returns when the refund of a withdrawal is due; undefined while the shop may wait for the goods or proof of sending.
 * A parcel in transit is the proof. See Directive 2011/83/EU, article 13(3). In the United Kingdom the time is the end of
 * 14 days after the day of the goods or of the proof (Consumer Contracts Regulations 2013, regulation 34(5)).
 */
const withdrawalDueBy = (
  state: UnversionedReturn,
  { payment, due, days, timeZone }: RefundClock,
): Instant | undefined => {
  if (payment === 'at_once' || !mayExpectGoods(state)) return due;
  const proofAt = goodsOrProofAt(state);
  if (proofAt === undefined) return undefined;
  if (payment === 'from_goods') return endOfLocalDays(proofAt, days, timeZone);
  return proofAt > due ? proofAt : due;
};

const refundDueBy = (state: UnversionedReturn): Instant | undefined => {
  const { terms, lines, requestedAt } = state;
  if (isExchangedAtShop(state) || !(lines.some(isPaidFor) || difference(state) > 0)) return undefined;
  const { refundClock, refundDueDays } = terms.deadlines;
  if (refundClock !== undefined) return withdrawalDueBy(state, refundClock);
  const start = refundDueFrom(terms) === 'request' ? requestedAt : firstReceiptAt(state);
  return addDaysIfSet(start, refundDueDays);
};

/**
 * Returns the deadlines of a return. When a law counts from the request, questions and answers do not extend the time
 * to pay. See Directive 2011/83/EU, article 13. Otherwise the time counts from receipt.
 */
export const deadlinesOf = (state: UnversionedReturn): Deadlines => {
  const { terms, approvedAt, infoRequestedAt } = state;
  const { shipByDays, answerByDays, inspectByDays } = terms.deadlines;
  const shipBy = terms.withdrawal === undefined ? addDaysIfSet(approvedAt, shipByDays) : terms.withdrawal.sendBy;
  const deadlines = {
    shipBy: expectsGoods(state) ? shipBy : undefined,
    answerBy: addDaysIfSet(infoRequestedAt, answerByDays),
    inspectBy: addDaysIfSet(firstReceiptAt(state), inspectByDays),
    refundDueBy: refundDueBy(state),
  };
  return Object.fromEntries(Object.entries(deadlines).filter(([, instant]) => instant !== undefined));
};

/** Returns for each deadline whether it is still open. */
const isOpenDeadline: { readonly [Name in keyof Deadlines]-?: (state: UnversionedReturn) => boolean } = {
  shipBy: ({ status }) => status === 'approved',
  answerBy: ({ status }) => status === 'info_requested',
  inspectBy: ({ status, lines }) =>
    !endedStatuses.has(status) && lines.some(({ quantities }) => uninspected(quantities) > 0),
  refundDueBy: (state) => !endedStatuses.has(state.status) && owed(state) > 0,
};

const firstOpen = (state: UnversionedReturn, isWanted: (name: keyof Deadlines) => boolean): Instant | undefined =>
  (Object.entries(deadlinesOf(state)) as [keyof Deadlines, Instant][])
    .filter(([name]) => isWanted(name) && isOpenDeadline[name](state))
    .map(([, instant]) => instant)
    .toSorted()[0];

/** Returns the first open deadline; undefined when there is none. */
export const dueAt = (state: UnversionedReturn): Instant | undefined => firstOpen(state, () => true);

/** Returns the first open deadline of the shop, to inspect or to pay; undefined when there is none. */
export const shopDueAt = (state: UnversionedReturn): Instant | undefined =>
  firstOpen(state, (name) => name === 'inspectBy' || name === 'refundDueBy');

/**
 * Returns the due date of money that is owed and unpaid. It is undefined when no money is owed or no deadline is set.
 */
export const openRefundDueBy = (state: UnversionedReturn): Instant | undefined =>
  isOpenDeadline.refundDueBy(state) ? deadlinesOf(state).refundDueBy : undefined;

/** The number of days between the first reminder and the due date of a refund. */
export const refundDueSoonDays = 3;

/**
 * Returns when an inactive return expires. Undefined when no deadline is set, or when a law protects undecided units.
 * Their protection does not depend on an answer of the customer.
 */
export const expiresAt = (state: UnversionedReturn): Instant | undefined => {
  if (hasUndecidedProtectedUnits(state)) return undefined;
  const { shipBy, answerBy } = deadlinesOf(state);
  return state.status === 'info_requested' ? answerBy : shipBy;
};
