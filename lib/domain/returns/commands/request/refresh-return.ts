import type { Event } from '../../history/entry.ts';
import type { Instant } from '../../model/order.ts';
import type { Return } from '../../model/return.ts';
import type { StatedPaymentsLeft } from '../../money/payments.ts';
import { endedStatuses } from '../../rules/states.ts';

/**
 * Moves the time to send the goods of a withdrawal, when new facts of its order make it later or known: the goods may
 * arrive after the declaration. An earlier time changes nothing, because the customer may rely on the present one.
 *
 * @param sendBy by the law and the present facts; undefined while a delivery is unknown
 */
const movedSendBy = ({ status, terms }: Return, sendBy: Instant | undefined): { readonly sendBy?: Instant } => {
  const { withdrawal } = terms;
  const isOver = endedStatuses.has(status) && status !== 'expired';
  if (withdrawal === undefined || isOver || sendBy === undefined) return {};
  return withdrawal.sendBy !== undefined && withdrawal.sendBy >= sendBy ? {} : { sendBy };
};

/** What new facts of its order may change in a return. */
type NewFacts = { readonly sendBy: Instant | undefined; readonly paymentsLeft: StatedPaymentsLeft | undefined };

/** Returns the event for what new facts of its order change in a return; undefined if nothing. */
export const refreshReturn = (state: Return, { sendBy, paymentsLeft }: NewFacts): Event | undefined => {
  const isSame = (paymentsLeft ?? undefined) === state.paymentsLeft;
  const data = { ...movedSendBy(state, sendBy), ...(!isSame && paymentsLeft !== undefined && { paymentsLeft }) };
  return Object.keys(data).length === 0 ? undefined : { type: 'return.refreshed', data };
};
