import { mostEvidence } from './evidence.ts';
import { exchangeable, mostExchanges } from './exchanges.ts';
import { undisposed } from './goods.ts';
import { lost, outstanding, uninspected, unreturned } from './quantities.ts';
import { recoveryDue } from './recovery.ts';
import { isRefundTime } from './refund-ceiling.ts';
import { isOpen } from './refund-progress.ts';
import { liveRefunds } from './refund.ts';
import type { Return } from './return.ts';
import { directionOf, sendable } from './sendable.ts';
import { admits, type Command } from './states.ts';

type Exchanging = 'nothing_to_exchange' | 'too_many_exchanges' | 'no_open_exchange' | 'ordered_exchange';

/** What stands in the way of a command, as a code for machines and in words. */
export type Blocker = {
  readonly code:
    | 'invalid_transition'
    | 'live_refund'
    | 'nothing_to_send'
    | 'no_parcel'
    | 'nothing_outstanding'
    | 'nothing_to_inspect'
    | 'nothing_to_grant'
    | Exchanging
    | 'too_much_evidence'
    | 'refund_timing'
    | 'discrepancy'
    | 'no_open_refund'
    | 'no_recovery_due';
  readonly detail: string;
};

type Guard = (state: Return) => Blocker | undefined;

const noLiveRefund: Guard = (state) =>
  liveRefunds(state).length > 0
    ? { code: 'live_refund', detail: 'A return with a refund cannot be cancelled.' }
    : undefined;

const somethingToSend: Guard = (state) =>
  Math.max(...sendable(state.lines, state.parcels, directionOf(state)).values()) > 0
    ? undefined
    : { code: 'nothing_to_send', detail: 'The return has no units that wait for a parcel.' };

const someParcel: Guard = ({ parcels }) =>
  parcels.length > 0 ? undefined : { code: 'no_parcel', detail: 'The return has no parcels.' };

const somethingOutstanding: Guard = ({ lines }) =>
  lines.some(({ quantities }) => outstanding(quantities) > 0)
    ? undefined
    : { code: 'nothing_outstanding', detail: 'The return waits for no units.' };

const somethingToInspect: Guard = ({ lines, unexpected }) =>
  lines.some(({ quantities }) => uninspected(quantities) > 0) || unexpected.some(undisposed)
    ? undefined
    : { code: 'nothing_to_inspect', detail: 'All that came was inspected.' };

const somethingToGrant: Guard = ({ lines, parcels }) =>
  lines.some((line) => lost(line) + unreturned(line, parcels) > 0)
    ? undefined
    : { code: 'nothing_to_grant', detail: 'The return has no missing or refused units to honour.' };

const hasExchange = ({ exchanges }: Return, ...statuses: readonly string[]): boolean =>
  exchanges.some(({ status }) => statuses.includes(status));

const unitsToExchange: Guard = ({ lines }) =>
  lines.some((line) => exchangeable(line) > 0)
    ? undefined
    : { code: 'nothing_to_exchange', detail: 'Something was given for every unit, or none is due.' };

const roomForExchange: Guard = ({ exchanges }) =>
  exchanges.length >= mostExchanges
    ? { code: 'too_many_exchanges', detail: `A return takes ${mostExchanges} exchanges.` }
    : undefined;

const openExchange: Guard = (state) =>
  hasExchange(state, 'requested', 'ordered')
    ? undefined
    : { code: 'no_open_exchange', detail: 'No exchange waits for its result.' };

const noOrderedExchange: Guard = (state) =>
  hasExchange(state, 'ordered', 'fulfilled')
    ? { code: 'ordered_exchange', detail: 'A return whose exchange is ordered cannot be cancelled.' }
    : undefined;

const roomForEvidence: Guard = ({ evidence }) =>
  evidence.length >= mostEvidence
    ? { code: 'too_much_evidence', detail: `A return takes ${mostEvidence} attachments.` }
    : undefined;

const refundTime: Guard = (state) =>
  isRefundTime(state)
    ? undefined
    : { code: 'refund_timing', detail: `By its terms money goes back once it is ${state.terms.refundTiming}.` };

/** Refunds from outside that went beyond what was agreed: somebody has to look at them before more is paid. */
const excesses: ReadonlySet<string> = new Set([
  'refund_exceeds_paid',
  'refund_exceeds_return',
  'shipping_refund_exceeds_paid',
  'quantity_exceeds_order',
]);
const noExcess: Guard = ({ discrepancies }) =>
  discrepancies.some(({ code }) => excesses.has(code))
    ? { code: 'discrepancy', detail: 'More was refunded outside than was agreed.' }
    : undefined;

const openRefund: Guard = ({ refunds }) =>
  refunds.some(isOpen) ? undefined : { code: 'no_open_refund', detail: 'No refund of it waits for a result.' };

const someDue: Guard = (state) =>
  recoveryDue(state) > 0 ? undefined : { code: 'no_recovery_due', detail: 'The customer has nothing to give back.' };

/** What a command wants of a return beyond its status, as far as the return alone can tell. */
const guards: Readonly<Partial<Record<Command, readonly Guard[]>>> = {
  refund: [refundTime, noExcess],
  recordRefundResult: [openRefund],
  recordRecovery: [someDue],
  writeOffRecovery: [someDue],
  addParcel: [somethingToSend],
  updateParcel: [someParcel],
  closeReceipt: [somethingOutstanding],
  inspect: [somethingToInspect],
  grant: [somethingToGrant],
  exchange: [unitsToExchange, roomForExchange],
  exchangeResult: [openExchange],
  cancel: [noLiveRefund, noOrderedExchange],
  addAttachment: [roomForEvidence],
};

/** Why a return does not take a command as it is now; undefined when it does. */
export const blockerOf = (state: Return, command: Command): Blocker | undefined => {
  if (!admits(state.status, command))
    return { code: 'invalid_transition', detail: `A return that is ${state.status} does not take ${command}.` };
  for (const guard of guards[command] ?? []) {
    const blocker = guard(state);
    if (blocker !== undefined) return blocker;
  }
  return undefined;
};
