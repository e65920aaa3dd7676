import { unitsGoingBack } from '../../goods/parcels.ts';
import { outstanding, refusedUngranted, isUndisposed, uninspected, owedRepairs } from '../../goods/quantities.ts';
import type { Event, EventOf } from '../../history/entry.ts';
import type { TextReference } from '../../model/actor.ts';
import type { FeeType, Refund } from '../../model/refund.ts';
import type { Line, Quantities, Return } from '../../model/return.ts';
import { feesOf, openFeeAmount } from '../../money/deductions.ts';
import { openExchanges } from '../../money/exchanges.ts';
import { owed, recoveryDue } from '../../money/recovery.ts';
import { nextRefundStatuses } from '../../money/refund-status.ts';
import { sum } from '../../units-by-line.ts';
import type { Blocker, Guard } from '../blocker.ts';

/** The reason code of a fee that is waived because no goods are left to pay it. */
const notCoverable = 'not_coverable';

/** Refund statuses with an open result. */
const openStatuses: ReadonlySet<Refund['status']> = new Set(['pending', 'submitted', 'unknown', 'failed']);

const noUnits =
  (units: (quantities: Quantities) => number, blocker: Blocker): Guard =>
  ({ lines }) =>
    lines.some(({ quantities }) => units(quantities) > 0) ? blocker : undefined;

/** Counts refused units that are not granted and go back to the customer. */
const unitsToSendBack = (line: Line): number => {
  const found = line.inspections.filter(
    ({ outcome, disposition }) => outcome === 'refuse' && disposition === 'return_to_customer',
  );
  return Math.min(sum(found.map(({ quantity }) => quantity)), refusedUngranted(line));
};

const unitsSentBack: Guard = ({ lines, parcels }) =>
  lines.some((line) => unitsToSendBack(line) > unitsGoingBack(line.id, parcels) || owedRepairs(line, parcels) > 0)
    ? {
        code: 'units_not_sent_back',
        detail: 'Units have no parcel back to the customer. Send them, or refund or exchange them.',
      }
    : undefined;

const unexpectedDisposed: Guard = ({ unexpected }) =>
  unexpected.some(isUndisposed)
    ? { code: 'unexpected_without_disposition', detail: 'An unexpected item has no disposition. Set it with inspect.' }
    : undefined;

const noOpenRefund: Guard = ({ refunds }) => {
  const open = refunds.find(({ status }) => openStatuses.has(status));
  if (open === undefined) return undefined;
  const next = nextRefundStatuses[open.status].join(', ');
  return { code: 'open_refund', detail: `The refund ${open.id} is ${open.status}. Record its result: ${next}.` };
};

const noOpenExchange: Guard = (state) =>
  openExchanges(state).length > 0 ? { code: 'open_exchange', detail: 'An exchange is not finished.' } : undefined;

const noRecovery: Guard = (state) =>
  recoveryDue(state) > 0
    ? { code: 'recovery_due', detail: 'The customer owes money. Record the recovery, or write it off.' }
    : undefined;

const noMoneyOwed: Guard = (state) => {
  const open = owed(state);
  if (open <= 0) return undefined;
  const money = `${open} ${state.lines[0]?.amounts.gross.currency ?? ''} in minor units`;
  const errors = [
    { path: '/waive/reason', code: 'required', message: `must give the reason why ${money} are not paid` },
  ];
  const detail = `The customer is owed ${money}. Refund the money, or send waive.reason.`;
  return { code: 'unsettled', detail, errors };
};

/** The conditions to complete a return (contract section 4). */
export const completionGuards: readonly Guard[] = [
  noUnits(outstanding, { code: 'units_outstanding', detail: 'Units are outstanding.' }),
  noUnits(uninspected, { code: 'units_uninspected', detail: 'Received units are not inspected.' }),
  unitsSentBack,
  unexpectedDisposed,
  noOpenRefund,
  noOpenExchange,
  noRecovery,
  noMoneyOwed,
];

/**
 * Returns the open fees that no goods are left to pay. A fee that the goods pay stays: without it, the goods would be
 * owed. A promotion stays, because later returns count on it.
 */
const uncollectableFees = (state: Return): readonly FeeType[] => {
  const open = feesOf(state).filter((fee) => fee.type !== 'promotion' && openFeeAmount(fee) > 0);
  const most = Math.max(0, owed(state));
  const waivers = [...state.waivers];
  const waived: FeeType[] = [];
  // Refunds take the first fees first, so the last ones are given up first.
  for (const { type } of open.toReversed()) {
    const waiver = { type, reason: notCoverable };
    if (owed({ ...state, waivers: [...waivers, waiver] }) > most) continue;
    waivers.push(waiver);
    waived.unshift(type);
  }
  return waived;
};

/** Returns the events that complete a return. They waive the fees that no refund can take any more. */
export const completionEvents = (
  state: Return,
  waiver: { readonly reason: TextReference } | undefined,
): readonly [Event, ...Event[]] => {
  const waived = uncollectableFees(state).map(
    (type): EventOf<'fee.waived'> => ({ type: 'fee.waived', data: { type, reason: notCoverable } }),
  );
  const completed: Event = { type: 'return.completed', data: waiver === undefined ? {} : { waiver } };
  const [first, ...others]: readonly Event[] = [...waived, completed];
  return [first ?? completed, ...others];
};

/**
 * Returns whether money is owed, so that only a waiver completes the return.
 * Refunds cannot exceed what was paid for the order: at that point nothing is left to settle.
 *
 * @param left what refunds may still give of the order, in minor units
 */
export const isUnsettled = (state: Return, left: number): boolean =>
  left > 0 && completionGuards.some((guard) => guard(state)?.code === 'unsettled');
