import { sentByCustomer } from '../../goods/parcels.ts';
import {
  lost,
  maxInspections,
  openUnits,
  outstanding,
  isUndisposed,
  uninspected,
  unreturned,
  parcelDirection,
  sendableUnits,
} from '../../goods/quantities.ts';
import type { Refund } from '../../model/refund.ts';
import type { Return } from '../../model/return.ts';
import { exchangeable, liveExchanges, openExchanges } from '../../money/exchanges.ts';
import { recoveryDue } from '../../money/recovery.ts';
import { awaitsResult } from '../../money/refund-status.ts';
import { liveRefunds } from '../../money/bookings.ts';
import { type Blocker, type Guard, serviceRules } from '../blocker.ts';
import { openRefundDueBy } from '../deadlines.ts';
import { requireRefundTime } from '../refund-sums.ts';
import { belowLimit } from '../limits.ts';
import { allowsCommand, type Command } from '../states.ts';
import { sum } from '../../units-by-line.ts';
import { completionGuards } from './completion-guards.ts';

const unitsToExchange: Guard = ({ lines }) =>
  lines.some((line) => exchangeable(line) > 0)
    ? undefined
    : { code: 'nothing_to_exchange', detail: 'The return has no units to exchange.' };

const openExchange: Guard = (state) =>
  openExchanges(state).length > 0 ? undefined : { code: 'no_open_exchange', detail: 'No exchange awaits a result.' };

const noOrderedExchange: Guard = (state) =>
  liveExchanges(state).some(({ status }) => status !== 'requested')
    ? { code: 'ordered_exchange', detail: 'A return with an ordered exchange cannot be cancelled.' }
    : undefined;

const noExchange: Guard = (state) =>
  liveExchanges(state).length > 0
    ? { code: 'open_exchange', detail: 'A return with an exchange cannot expire.' }
    : undefined;

/** Discrepancies of external refunds. They need a review before more is paid. */
const excessCodes: ReadonlySet<string> = new Set([
  'refund_exceeds_paid',
  'refund_exceeds_return',
  'refund_exceeds_line',
  'shipping_refund_exceeds_paid',
  'charges_refund_exceeds_paid',
  'quantity_exceeds_order',
]);
const noExcess: Guard = ({ discrepancies }) =>
  discrepancies.some(({ code }) => excessCodes.has(code))
    ? { code: 'discrepancy', detail: 'A refund outside this service exceeds what was agreed.' }
    : undefined;

const openRefund: Guard = ({ refunds }) =>
  refunds.some(awaitsResult)
    ? undefined
    : { code: 'no_open_refund', detail: 'No refund of the return awaits a result.' };

const refundDue: Guard = (state) =>
  openRefundDueBy(state) === undefined
    ? { code: 'no_refund_due', detail: 'The return has no open refund with a due date.' }
    : undefined;

const recoveryIsDue: Guard = (state) =>
  recoveryDue(state) > 0 ? undefined : { code: 'no_recovery_due', detail: 'The customer owes nothing.' };

/** The guards of commands on money and exchanges. */
const moneyGuards = {
  refund: [requireRefundTime, noExcess],
  compensate: [noExcess],
  recordRefundResult: [openRefund],
  remindRefund: [refundDue],
  recordRecovery: [recoveryIsDue],
  writeOffRecovery: [recoveryIsDue],
  exchange: [unitsToExchange, belowLimit('exchanges')],
  exchangeResult: [openExchange],
} as const;

const unitsToSend: Guard = (state) =>
  Math.max(...sendableUnits(state.lines, state.parcels, parcelDirection(state)).values()) > 0
    ? undefined
    : { code: 'nothing_to_send', detail: 'The return has no units to send.' };

const someParcel: Guard = ({ parcels }) =>
  parcels.length > 0 ? undefined : { code: 'no_parcel', detail: 'The return has no parcels.' };

const outstandingUnits: Guard = ({ lines }) =>
  lines.some(({ quantities }) => outstanding(quantities) > 0)
    ? undefined
    : { code: 'nothing_outstanding', detail: 'The return has no outstanding units.' };

/** Returnless units are not open, because they are paid. */
const someOpenUnits: Guard = (state) =>
  openUnits(state).length > 0
    ? undefined
    : { code: 'nothing_outstanding', detail: 'The return has no outstanding units.' };

const unitsToInspect: Guard = ({ lines, unexpected }) =>
  lines.some(({ quantities }) => uninspected(quantities) > 0) || unexpected.some(isUndisposed)
    ? undefined
    : { code: 'nothing_to_inspect', detail: 'The return has no units to inspect.' };

/** Each line with outstanding units gets an inspection, unless the terms skip it. */
const spaceForInspections: Guard = ({ lines, terms }) => {
  const stored = sum(lines.map(({ inspections }) => inspections.length));
  const added =
    terms.inspection === 'skipped' ? 0 : lines.filter(({ quantities }) => outstanding(quantities) > 0).length;
  return stored + added > maxInspections
    ? { code: 'too_many_inspections', detail: `A return has at most ${maxInspections} inspections.` }
    : undefined;
};

const unitsToGrant: Guard = ({ lines, parcels }) =>
  lines.some((line) => lost(line) + unreturned(line, parcels) > 0)
    ? undefined
    : { code: 'nothing_to_grant', detail: 'The return has no missing or refused units to grant.' };

/** The guards of commands on goods. */
const goodsGuards = {
  addParcel: [unitsToSend],
  updateParcel: [someParcel],
  receiveAndRefund: [outstandingUnits, noExcess, spaceForInspections, belowLimit('refunds')],
  closeReceipt: [outstandingUnits],
  inspect: [unitsToInspect],
  grant: [unitsToGrant],
} as const;

/** Whether a refund pays for units or shipping. A compensation leaves the units to the customer. */
const paysForReturn = ({ amount, breakdown: { reductions = [], extras = [] } }: Refund): boolean =>
  amount.amount > sum(reductions.map(({ gross }) => gross.amount)) + sum(extras.map((extra) => extra.amount.amount));

const noLiveRefund =
  (done: string): Guard =>
  (state) =>
    liveRefunds(state).some(paysForReturn)
      ? { code: 'live_refund', detail: `A return with a refund cannot ${done}.` }
      : undefined;

const noParcelMoved: Guard = ({ parcels }) =>
  sentByCustomer(parcels).length > 0
    ? { code: 'parcel_moved', detail: 'A return cannot expire after the customer sent goods.' }
    : undefined;

/** The guards of each command beyond the status, as far as the return alone decides them. */
const guards: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  requestInfo: [belowLimit('messages')],
  provideInfo: [belowLimit('messages')],
  complete: completionGuards,
  ...goodsGuards,
  ...moneyGuards,
  cancel: [someOpenUnits, noLiveRefund('be cancelled'), noOrderedExchange],
  expire: [someOpenUnits, noParcelMoved, noLiveRefund('expire'), noExchange],
  addNote: [belowLimit('notes')],
  addAttachment: [belowLimit('evidence')],
};

/** Returns the service rules that a command breaks. */
export const brokenRules = (state: Return, command: Command): readonly Blocker[] =>
  (guards[command] ?? []).flatMap((guard) => guard(state) ?? []).filter(({ code }) => serviceRules.has(code));

/**
 * Returns the blocker of a command in the current state; undefined when the return allows it.
 *
 * @param isWaived whether the command itself waives a blocker
 */
export const blockerOf = (
  state: Return,
  command: Command,
  isWaived: (blocker: Blocker) => boolean = () => false,
): Blocker | undefined => {
  if (!allowsCommand(state.status, command))
    return { code: 'invalid_transition', detail: `A return in status ${state.status} does not allow ${command}.` };
  for (const guard of guards[command] ?? []) {
    const blocker = guard(state);
    if (blocker !== undefined && !isWaived(blocker)) return blocker;
  }
  return undefined;
};

/** The blockers that a command waives when it gives a reason. */
const isWaivable: Readonly<Partial<Record<Command, (blocker: Blocker) => boolean>>> = {
  complete: ({ code }) => code === 'unsettled',
};

/** Returns why no request of a command succeeds now, whatever it overrides. */
export const unwaivableBlockerOf = (state: Return, command: Command): Blocker | undefined =>
  blockerOf(state, command, isWaivable[command]);
