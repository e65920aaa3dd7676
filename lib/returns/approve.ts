import { allowedActions } from './allowed-actions.ts';
import { amountsOfParts } from './amounts.ts';
import type { Approved, Event } from './entry.ts';
import { decided, refused, type Decision, type Fault } from './failure.ts';
import { hold, type Ledger } from './ledger.ts';
import type { Order } from './order.ts';
import type { Return } from './return.ts';
import { commandsIn } from './states.ts';

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

const approveLines = (
  state: Return,
  order: Order,
  ledger: Ledger,
  units: ReadonlyMap<string, number>,
): Approved['lines'] => {
  const parts = state.lines.map((line) => {
    const orderLine = order.facts.lines.find(({ lineId }) => lineId === line.orderLineId);
    if (orderLine === undefined) throw new Error(`order lost line of return line ${line.id}`);
    return { id: line.id, requested: line.quantities.requested, line: orderLine, units: units.get(line.id) ?? 0 };
  });
  const worth = amountsOfParts(parts, ledger);
  return parts.flatMap(({ id, requested, units: approved }, index) => {
    const amounts = worth[index];
    return amounts === undefined ? [] : [{ lineId: id, approved, rejected: requested - approved, amounts }];
  });
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
  if (!commandsIn[state.status].includes('approve')) {
    return refused({
      code: 'invalid_transition',
      detail: `A return that is ${state.status} cannot be approved.`,
      allowedActions: allowedActions(state.status),
    });
  }
  const units = unitsByLine(state, command);
  if (!units.ok) return units;
  const lines = approveLines(state, order, ledger, units.value);
  const released = state.lines.reduce(
    (rest, line, index) => hold(rest, line.orderLineId, -(lines[index]?.rejected ?? 0)),
    ledger,
  );
  return decided({ events: [{ type: 'return.approved', data: { lines } }], ledger: released });
};
