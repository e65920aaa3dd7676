import type { Blocker, Guard } from '../blocker.ts';
import { openExchanges } from '../../money/exchanges.ts';
import { undisposed } from '../../goods/goods.ts';
import { goingBack } from '../../goods/parcels.ts';
import { outstanding, refusedForGood, uninspected } from '../../goods/quantities.ts';
import { recoveryDue } from '../../money/recovery.ts';
import type { Refund } from '../../model/refund.ts';
import type { Line, Quantities } from '../../model/return.ts';
import { owed } from '../../money/owed.ts';
import { sum } from '../../sum.ts';

/** Statuses of a refund of which nobody knows yet how it ends. */
const openStatuses: ReadonlySet<Refund['status']> = new Set(['pending', 'submitted', 'unknown', 'failed']);

const none =
  (units: (quantities: Quantities) => number, blocker: Blocker): Guard =>
  ({ lines }) =>
    lines.some(({ quantities }) => units(quantities) > 0) ? blocker : undefined;

/** Units that were refused, are not honoured, and that the customer shall have back. */
const toSendBack = (line: Line): number => {
  const found = line.inspections.filter(
    ({ outcome, disposition }) => outcome === 'refuse' && disposition === 'return_to_customer',
  );
  return Math.min(sum(found.map(({ quantity }) => quantity)), refusedForGood(line));
};

const refusedSentBack: Guard = ({ lines, parcels }) =>
  lines.some((line) => toSendBack(line) > goingBack(line.id, parcels))
    ? { code: 'refused_not_sent_back', detail: 'Units that were refused wait for a parcel to the customer.' }
    : undefined;

const unexpectedDisposed: Guard = ({ unexpected }) =>
  unexpected.some(undisposed)
    ? { code: 'unexpected_without_disposition', detail: 'Nobody has said what becomes of an unexpected item.' }
    : undefined;

const noOpenRefund: Guard = ({ refunds }) =>
  refunds.some(({ status }) => openStatuses.has(status))
    ? { code: 'open_refund', detail: 'A refund has not come to an end.' }
    : undefined;

const noOpenExchange: Guard = (state) =>
  openExchanges(state).length > 0
    ? { code: 'open_exchange', detail: 'An exchange has not come to an end.' }
    : undefined;

const noRecovery: Guard = (state) =>
  recoveryDue(state) > 0
    ? { code: 'recovery_due', detail: 'More was refunded than the goods that came are worth.' }
    : undefined;

const settled: Guard = (state) => {
  const open = owed(state);
  if (open <= 0) return undefined;
  const money = `${open} ${state.lines[0]?.amounts.gross.currency ?? ''} in minor units`;
  const errors = [{ path: '/waive/reason', code: 'required', message: `must say why ${money} are not paid` }];
  const detail = `The customer is owed ${money}. Refund the money, or send waive.reason.`;
  return { code: 'unsettled', detail, errors };
};

/** What must have come to an end before a return is completed (contract section 4). */
export const completionGuards: readonly Guard[] = [
  none(outstanding, { code: 'units_outstanding', detail: 'Units are still to come.' }),
  none(uninspected, { code: 'units_uninspected', detail: 'Nobody has looked at all units that came.' }),
  refusedSentBack,
  unexpectedDisposed,
  noOpenRefund,
  noOpenExchange,
  noRecovery,
  settled,
];
