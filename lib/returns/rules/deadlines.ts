import { uninspected } from '../goods/quantities.ts';
import type { Instant } from '../model/order.ts';
import type { UnversionedReturn } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { owed } from '../money/recovery.ts';
import { hasUndecidedProtectedUnits } from './floor.ts';
import { endedStatuses } from './states.ts';

const dayMs = 24 * 3600 * 1000;

/** The instant that many days of 24 hours later. The one file of the domain that may use `Date`. */
export const addDays = (instant: Instant, days: number): Instant =>
  new Date(Date.parse(instant) + days * dayMs).toISOString();

/** From when on the time to pay counts. */
export const refundDueFrom = ({ floor, deadlines }: Pick<Terms, 'floor' | 'deadlines'>): 'request' | 'receipt' =>
  deadlines.refundDueFrom ?? (floor === null ? 'receipt' : 'request');

/** By when somebody has to do something, as far as the return's terms and what has happened tell. */
export type Deadlines = {
  /** The customer, to send the goods. */
  readonly shipBy?: Instant;
  /** The customer, to answer the last question. */
  readonly answerBy?: Instant;
  /** The shop, to look at what came. */
  readonly inspectBy?: Instant;
  /** The shop, to pay. */
  readonly refundDueBy?: Instant;
};

const addDaysIfSet = (start: Instant | undefined, days: number | null): Instant | undefined =>
  start === undefined || days === null ? undefined : addDays(start, days);

/** When the first goods came, as far as the statuses tell. */
const firstReceiptAt = ({ partiallyReceivedAt, receivedAt, inspectedAt }: UnversionedReturn): Instant | undefined =>
  partiallyReceivedAt ?? receivedAt ?? inspectedAt;

/** Whether goods were to come at all: what a customer may keep nobody waits for. */
const expectsGoods = ({ lines }: UnversionedReturn): boolean =>
  lines.some(({ quantities }) => quantities.approved > quantities.returnless);

/**
 * The deadlines of a return. Where a law counts from the request the money is due from then on, whatever was asked or
 * answered in between (Directive 2011/83/EU, article 13); otherwise from receipt.
 */
export const deadlinesOf = (state: UnversionedReturn): Deadlines => {
  const { terms, requestedAt, approvedAt, infoRequestedAt } = state;
  const { shipByDays, answerByDays, inspectByDays, refundDueDays } = terms.deadlines;
  const receipt = firstReceiptAt(state);
  const all = {
    shipBy: expectsGoods(state) ? addDaysIfSet(approvedAt, shipByDays) : undefined,
    answerBy: addDaysIfSet(infoRequestedAt, answerByDays),
    inspectBy: addDaysIfSet(receipt, inspectByDays),
    refundDueBy: addDaysIfSet(refundDueFrom(terms) === 'request' ? requestedAt : receipt, refundDueDays),
  };
  return Object.fromEntries(Object.entries(all).filter(([, instant]) => instant !== undefined));
};

/** Which deadlines somebody still has to meet. */
const isOpenDeadline: { readonly [Name in keyof Deadlines]-?: (state: UnversionedReturn) => boolean } = {
  shipBy: ({ status }) => status === 'approved',
  answerBy: ({ status }) => status === 'info_requested',
  inspectBy: ({ status, lines }) =>
    !endedStatuses.has(status) && lines.some(({ quantities }) => uninspected(quantities) > 0),
  refundDueBy: (state) => !endedStatuses.has(state.status) && owed(state) > 0,
};

/** The first deadline that somebody still has to meet; undefined when there is none. */
export const dueAt = (state: UnversionedReturn): Instant | undefined => {
  const open = Object.entries(deadlinesOf(state)).filter(([name]) => isOpenDeadline[name as keyof Deadlines](state));
  return open.map(([, instant]) => instant).toSorted()[0];
};

/** By when money is owed that nobody has paid; undefined where none is, or nobody set a deadline for it. */
export const openRefundDueBy = (state: UnversionedReturn): Instant | undefined =>
  isOpenDeadline.refundDueBy(state) ? deadlinesOf(state).refundDueBy : undefined;

/** As many days before a refund is due it is told of. */
export const refundDueSoonDays = 3;

/**
 * When a return expires that nothing moves; undefined where nobody set a deadline for it, and where a law protects units
 * that wait for a decision: no answer of the customer is a condition of them.
 */
export const expiresAt = (state: UnversionedReturn): Instant | undefined => {
  if (hasUndecidedProtectedUnits(state)) return undefined;
  const { shipBy, answerBy } = deadlinesOf(state);
  return state.status === 'info_requested' ? answerBy : shipBy;
};
