import type { EventOf } from './entry.ts';
import { decided, type Decision } from './failure.ts';
import { admitted } from './admitted.ts';
import type { Ledger } from './ledger.ts';
import type { Order } from './order.ts';
import type { Return } from './return.ts';
import { settleLines } from './settle-lines.ts';

/** Why a return is refused, its free text already sealed. */
export type Reject = Exclude<Return['rejection'], undefined>;

/**
 * Decides on a rejection of the whole return.
 *
 * @returns the event, and the order's ledger with all units released
 */
export const reject = (
  state: Return,
  order: Order,
  ledger: Ledger,
  rejection: Reject,
): Decision<{ events: readonly [EventOf<'return.rejected'>]; ledger: Ledger }> => {
  const admission = admitted(state, 'reject');
  if (!admission.ok) return admission;
  const { lines, ledger: released } = settleLines(state, order, ledger, new Map());
  return decided({ events: [{ type: 'return.rejected', data: { rejection, lines } }], ledger: released });
};
