import type { ReceivedLine } from '../../history/goods-events.ts';
import type { Unexpected } from '../../model/goods.ts';
import { returnable } from '../../money/ledger.ts';
import { orderLineOf } from '../../money/order-line-of.ts';
import { held, lost, outstanding } from '../../goods/quantities.ts';
import type { Line } from '../../model/return.ts';
import type { Situation } from '../../situation.ts';

/** What units that came are: those of the return, and those that it does not take. */
type Arrival = { readonly received: readonly ReceivedLine[]; readonly surplus: readonly Unexpected[] };

/** Units of a line for which something was given without them: they are the return's own, whatever others have taken. */
const givenAhead = (line: Line, { parcels }: Situation['state']): number =>
  Math.max(0, line.quantities.refunded + line.quantities.exchanged - held(line, parcels));

/**
 * Parts units that came into those that the return still takes and the rest. A unit that was given up is late: it is
 * taken again while the order has as many left; lines of the return that are of one line of the order share these.
 *
 * @param units units by line id
 * @param ids ids for the rest of each line
 */
export const arrival = (
  { state, order, ledger }: Situation,
  units: ReadonlyMap<string, number>,
  ids: readonly string[],
): Arrival => {
  const isOver = state.status === 'rejected' || state.status === 'cancelled';
  const received: ReceivedLine[] = [];
  const surplus: Unexpected[] = [];
  const shared = new Map<string, number>();
  for (const line of state.lines) {
    const came = units.get(line.id) ?? 0;
    const { orderLineId } = line;
    const free = shared.get(orderLineId) ?? returnable(ledger, orderLineOf(order, line));
    const due = isOver ? 0 : Math.min(came, outstanding(line.quantities));
    const own = givenAhead(line, state);
    const late = isOver ? 0 : Math.min(came - due, lost(line), own + free);
    shared.set(orderLineId, free - Math.max(0, late - own));
    const quantity = due + late;
    if (quantity > 0) {
      const accepted = state.terms.inspection === 'skipped' ? quantity : 0;
      received.push({ lineId: line.id, quantity, late, accepted });
    }
    if (came > quantity) {
      const id = ids[surplus.length];
      if (id === undefined) throw new Error('fewer ids than lines');
      surplus.push({ id, ...(line.sku === undefined ? {} : { sku: line.sku }), quantity: came - quantity });
    }
  }
  return { received, surplus };
};
