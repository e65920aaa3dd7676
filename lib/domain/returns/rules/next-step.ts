import { outstanding, uninspected, undecided, parcelDirection } from '../goods/quantities.ts';
import type { Return } from '../model/return.ts';
import { awaitsResult, moneyOf, unsettledRefunds } from '../money/refund-status.ts';
import { sum } from '../units-by-line.ts';
import { blockerOf, unwaivableBlockerOf } from './guards/guards.ts';
import { type Command, endedStatuses } from './states.ts';

/** The party that has to act: `staff` decides on requests and exchanges, `finance` moves money. */
export type Party = 'customer' | 'staff' | 'warehouse' | 'finance' | 'platform';

/** The next command on a return, and the party that has to act. */
export type NextStep = { readonly action: Command; readonly by: Party };

/** Counts the units that wait for a decision, a receipt or an inspection. */
export const openUnitCount = ({ lines }: Pick<Return, 'lines'>): number =>
  sum(lines.map(({ quantities: units }) => undecided(units) + Math.max(0, outstanding(units)) + uninspected(units)));

/** A step, its party, and its condition beyond what the return allows. */
type Rule = {
  readonly action: Command;
  readonly by: (state: Return) => Party;
  readonly when?: (state: Return) => boolean;
};

const isOpen = ({ status }: Return): boolean => !endedStatuses.has(status);

const hasFailedPayment = ({ refunds }: Return): boolean =>
  refunds.some(({ external, status }) => external === undefined && (status === 'failed' || status === 'unknown'));

/** Whether a refund waits for a payment or its result. A paid refund may be reversed, but it needs no action. */
const hasOpenPayment = (state: Return): boolean => unsettledRefunds(state).some(awaitsResult);

const hasUnbookedMoney = (state: Return): boolean =>
  moneyOf(state).due > sum(unsettledRefunds(state).map(({ amount }) => amount.amount));

/** Whether a refund came back. Only then is money of an ended return unsettled. */
const hasReversedRefund = ({ refunds }: Return): boolean => refunds.some(({ status }) => status === 'reversed');

/** Whether a parcel is needed: the customer has not sent goods, or refused or repaired goods have to go back. */
const needsParcel = (state: Return): boolean =>
  state.status === 'approved' || blockerOf(state, 'complete')?.code === 'units_not_sent_back';

/** In order: the first rule that applies decides. A customer waits for money, so it comes before the goods. */
const rules: readonly Rule[] = [
  { action: 'provideInfo', by: () => 'customer' },
  { action: 'approve', by: ({ managedBy }) => (managedBy === 'platform' ? 'platform' : 'staff') },
  { action: 'recordRefundResult', by: () => 'finance', when: hasFailedPayment },
  {
    action: 'refund',
    by: () => 'finance',
    when: (state) => (isOpen(state) || hasReversedRefund(state)) && hasUnbookedMoney(state),
  },
  { action: 'inspect', by: () => 'warehouse' },
  {
    action: 'addParcel',
    by: (state) => (parcelDirection(state) === 'inbound' ? 'customer' : 'warehouse'),
    when: needsParcel,
  },
  {
    action: 'receive',
    by: () => 'warehouse',
    when: (state) => isOpen(state) && state.lines.some(({ quantities }) => outstanding(quantities) > 0),
  },
  { action: 'recordRefundResult', by: () => 'finance', when: hasOpenPayment },
  { action: 'exchangeResult', by: () => 'staff' },
  { action: 'recordRecovery', by: () => 'finance' },
  { action: 'complete', by: () => 'staff' },
];

/**
 * Returns the next step of a return: a command that the return allows now. An ended return has one only while goods or
 * money are unsettled.
 */
export const nextStep = (state: Return): NextStep | undefined => {
  const rule = rules.find(
    ({ action, when = () => true }) => when(state) && unwaivableBlockerOf(state, action) === undefined,
  );
  return rule && { action: rule.action, by: rule.by(state) };
};
