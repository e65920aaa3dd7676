import { admitted } from './admitted.ts';
import type { Event } from './entry.ts';
import { decided, refused, type Decision, type Fault } from './failure.ts';
import type { Ledger } from './ledger.ts';
import type { Order } from './order.ts';
import type { Return } from './return.ts';
import { settleLines } from './settle-lines.ts';

/** Units to approve for each line; none given: all of them. */
export type Approve = { readonly lines?: readonly { readonly lineId: string; readonly quantity: number }[] };

const invalid = (errors: readonly Fault[]) =>
  refused({ code: 'invalid_request', detail: 'The quantities do not fit the return.', errors });

/** The units to approve by line id: each line of the return exactly once, at most what was asked for, one at least. */
const unitsByLine = (state: Return, { lines }: Approve): Decision<ReadonlyMap<string, number>> => {
  if (lines === undefined) return decided(new Map(state.lines.map((line) => [line.id, line.quantities.requested])));
  const requested = new Map(state.lines.map((line) => [line.id, line.quantities.requested]));
  const units = new Map<string, number>();
  const unknown: Fault[] = [];
  const errors: Fault[] = [];
  lines.forEach(({ lineId, quantity }, index) => {
    const most = requested.get(lineId);
    const at = `/lines/${index}`;
    if (most === undefined)
      unknown.push({ path: `${at}/lineId`, code: 'unknown', message: 'must be a line of the return' });
    else if (quantity > most)
      errors.push({ path: `${at}/quantity`, code: 'maximum', message: `must be at most ${most}` });
    if (units.has(lineId)) errors.push({ path: `${at}/lineId`, code: 'duplicate', message: 'must not be given twice' });
    units.set(lineId, quantity);
  });
  if (unknown.length > 0)
    return refused({ code: 'return_line_not_found', detail: 'The return has no such line.', errors: unknown });
  for (const id of requested.keys()) {
    if (!units.has(id)) errors.push({ path: '/lines', code: 'required', message: `must name line ${id}` });
  }
  if ([...units.values()].every((quantity) => quantity === 0)) {
    errors.push({
      path: '/lines',
      code: 'minimum',
      message: 'must approve one unit at least; reject refuses a return',
    });
  }
  return errors.length === 0 ? decided(units) : invalid(errors);
};

/**
 * Decides on an approval. What is not approved of a line is rejected, and its units are free for another return.
 *
 * @returns the event, and the order's ledger with the rejected units released
 */
export const approve = (
  state: Return,
  order: Order,
  ledger: Ledger,
  command: Approve,
): Decision<{ events: readonly [Event]; ledger: Ledger }> => {
  const admission = admitted(state, 'approve');
  if (!admission.ok) return admission;
  const units = unitsByLine(state, command);
  if (!units.ok) return units;
  const { lines, ledger: released } = settleLines(state, order, ledger, units.value);
  return decided({ events: [{ type: 'return.approved', data: { lines } }], ledger: released });
};
