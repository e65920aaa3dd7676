import type { Event } from '../../history/entry.ts';
import type { Instant } from '../../model/order.ts';
import type { Return } from '../../model/return.ts';
import { endedStatuses } from '../../rules/states.ts';

/**
 * Moves the time to send the goods of a withdrawal, when new facts of its order make it later or known: the goods may
 * arrive after the declaration. An earlier time changes nothing, because the customer may rely on the present one.
 *
 * @param sendBy by the law and the present facts; undefined while a delivery is unknown
 */
export const moveSendBy = ({ status, terms }: Return, sendBy: Instant | undefined): Event | undefined => {
  const { withdrawal } = terms;
  const isOver = endedStatuses.has(status) && status !== 'expired';
  if (withdrawal === undefined || isOver || sendBy === undefined) return undefined;
  return withdrawal.sendBy !== undefined && withdrawal.sendBy >= sendBy
    ? undefined
    : { type: 'return.refreshed', data: { sendBy } };
};
