import { uninspected } from '../goods/quantities.ts';
import type { Instant } from '../model/order.ts';
import type { Unversioned } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { owed } from '../money/recovery.ts';
import { hasProtectedUndecided } from './floor.ts';
import { ended } from './states.ts';

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

const after = (start: Instant | undefined, days: number | null): Instant | undefined =>
  start === undefined || days === null ? undefined : addDays(start, days);

/** When the first goods came, as far as the statuses tell. */
const receiptOf = ({ partiallyReceivedAt, receivedAt, inspectedAt }: Unversioned): Instant | undefined =>
  partiallyReceivedAt ?? receivedAt ?? inspectedAt;

/** Whether goods were to come at all: what a customer may keep nobody waits for. */
const comesBack = ({ lines }: Unversioned): boolean =>
  lines.some(({ quantities }) => quantities.approved > quantities.returnless);

/**
 * The deadlines of a return. Where a law counts from the request the money is due from then on, whatever was asked or
 * answered in between (Directive 2011/83/EU, article 13); otherwise from receipt.
 */
export const deadlinesOf = (state: Unversioned): Deadlines => {
  const { terms, requestedAt, approvedAt, infoRequestedAt } = state;
  const { shipByDays, answerByDays, inspectByDays, refundDueDays } = terms.deadlines;
  const receipt = receiptOf(state);
  const all = {
    shipBy: comesBack(state) ? after(approvedAt, shipByDays) : undefined,
    answerBy: after(infoRequestedAt, answerByDays),
    inspectBy: after(receipt, inspectByDays),
    refundDueBy: after(refundDueFrom(terms) === 'request' ? requestedAt : receipt, refundDueDays),
  };
  return Object.fromEntries(Object.entries(all).filter(([, instant]) => instant !== undefined));
};

/** Which deadlines somebody still has to meet. */
const isOpen: { readonly [Name in keyof Deadlines]-?: (state: Unversioned) => boolean } = {
  shipBy: ({ status }) => status === 'approved',
  answerBy: ({ status }) => status === 'info_requested',
  inspectBy: ({ status, lines }) => !ended.has(status) && lines.some(({ quantities }) => uninspected(quantities) > 0),
  refundDueBy: (state) => !ended.has(state.status) && owed(state) > 0,
};

/** The first deadline that somebody still has to meet; undefined when there is none. */
export const dueAt = (state: Unversioned): Instant | undefined => {
  const open = Object.entries(deadlinesOf(state)).filter(([name]) => isOpen[name as keyof Deadlines](state));
  return open.map(([, instant]) => instant).toSorted()[0];
};

/** By when money is owed that nobody has paid; undefined where none is, or nobody set a deadline for it. */
export const openRefundDueBy = (state: Unversioned): Instant | undefined =>
  isOpen.refundDueBy(state) ? deadlinesOf(state).refundDueBy : undefined;

/** As many days before a refund is due it is told of. */
export const refundDueSoonDays = 3;

/**
 * When a return expires that nothing moves; undefined where nobody set a deadline for it, and where a law protects units
 * that wait for a decision: no answer of the customer is a condition of them.
 */
export const expiresAt = (state: Unversioned): Instant | undefined => {
  if (hasProtectedUndecided(state)) return undefined;
  const { shipBy, answerBy } = deadlinesOf(state);
  return state.status === 'info_requested' ? answerBy : shipBy;
};
