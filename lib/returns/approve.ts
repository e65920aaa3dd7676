import { admitted } from './admitted.ts';
import type { EventOf } from './entry.ts';
import { decided, type Decision, type Fault } from './failure.ts';
import type { Ledger } from './ledger.ts';
import type { Order } from './order.ts';
import { undecided } from './quantities.ts';
import type { Return } from './return.ts';
import { settleLines } from './settle-lines.ts';
import { unitsByLine, type NamedUnits } from './units-by-line.ts';

/** Units to approve for each line; none given: all of them. */
export type Approve = { readonly lines?: NamedUnits };

/** What an approval must name beyond lines of the return: each that is undecided, and one unit at least. */
const missing = (open: ReadonlyMap<string, number>, units: ReadonlyMap<string, number>): Fault[] => {
  const faults = [...open]
    .filter(([id, left]) => left > 0 && !units.has(id))
    .map(([id]) => ({ path: '/lines', code: 'required', message: `must name line ${id}` }));
  if ([...units.values()].every((quantity) => quantity === 0)) {
    const message = 'must approve one unit at least; reject refuses a return';
    faults.push({ path: '/lines', code: 'minimum', message });
  }
  return faults;
};

/**
 * Decides on an approval. What is left open of a line is rejected, and its units are free for another return.
 *
 * @returns the event, and the order's ledger with the rejected units released
 */
export const approve = (
  state: Return,
  order: Order,
  ledger: Ledger,
  command: Approve,
): Decision<{ events: readonly [EventOf<'return.approved'>]; ledger: Ledger }> => {
  const admission = admitted(state, 'approve');
  if (!admission.ok) return admission;
  const open = new Map(state.lines.map((line) => [line.id, undecided(line.quantities)]));
  const units =
    command.lines === undefined ? decided(open) : unitsByLine(command.lines, open, (named) => missing(open, named));
  if (!units.ok) return units;
  const { lines, ledger: released } = settleLines(state, order, ledger, units.value);
  return decided({ events: [{ type: 'return.approved', data: { lines } }], ledger: released });
};
