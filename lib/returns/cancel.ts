import { admitted } from './admitted.ts';
import type { CancelledLine, EventOf } from './entry.ts';
import { decided, type Decision } from './failure.ts';
import type { Ledger } from './ledger.ts';
import type { Order } from './order.ts';
import { live, outstanding, undecided } from './quantities.ts';
import { release } from './release.ts';
import type { Line, Return } from './return.ts';
import { revalue } from './revalue.ts';
import { unitsByLine, type NamedUnits } from './units-by-line.ts';

/** Units to cancel by line, all that have not come back when none are given; why, its free text already sealed. */
export type Cancel = {
  readonly lines?: NamedUnits;
  readonly cancellation: Exclude<Return['cancellation'], undefined>;
};

/** Units of a line that have not come back, decided on or not. */
const open = ({ quantities }: Line): number => undecided(quantities) + outstanding(quantities);

/**
 * Decides on a cancellation of units that have not come back. A return that is left without any is cancelled.
 *
 * @param admin whether the caller may cancel what is on its way already
 * @returns the event, and the order's ledger with the units free for another return
 */
export const cancel = (
  state: Return,
  order: Order,
  ledger: Ledger,
  command: Cancel,
  admin: boolean,
): Decision<{ events: readonly [EventOf<'return.cancelled'>]; ledger: Ledger }> => {
  const admission = admitted(state, 'cancel', admin);
  if (!admission.ok) return admission;
  const most = new Map(state.lines.map((line) => [line.id, open(line)]));
  const units = command.lines === undefined ? decided(most) : unitsByLine(command.lines, most);
  if (!units.ok) return units;
  const cancelled = ({ id }: Line) => units.value.get(id) ?? 0;
  const lines = revalue(state, order, ledger, (line) => live(line.quantities) - cancelled(line)).map(
    ({ line, amounts }): CancelledLine => ({ lineId: line.id, quantity: cancelled(line), amounts }),
  );
  return decided({
    events: [{ type: 'return.cancelled', data: { cancellation: command.cancellation, lines } }],
    ledger: state.lines.reduce((rest, line) => release(rest, line, cancelled(line)), ledger),
  });
};
