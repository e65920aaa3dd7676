import type { Fault } from '../model/field-error.ts';
import type { Order } from '../model/order.ts';
import { ledgerLine, returnable, taken, type Ledger } from './ledger.ts';

/**
 * Order lines of which more units are held than there are. A unit that was refunded without a return belongs to no
 * other return: a return may hold it all the same. What is refunded without being held is a fact.
 */
export const overdrawn = (order: Order, before: Ledger, next: Ledger): readonly Fault[] =>
  order.facts.lines.flatMap((line) => {
    const { lineId } = line;
    const held = ledgerLine(next, lineId).held - ledgerLine(before, lineId).held;
    const more = Math.min(held, taken(next, lineId) - taken(before, lineId));
    const free = returnable(before, line);
    return more > free
      ? [{ path: '/lines', code: 'maximum', message: `must take at most ${free} more units of ${lineId}` }]
      : [];
  });
