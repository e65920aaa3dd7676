import { admitted, overruled } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import type { Event } from '../history/entry.ts';
import { withoutUnits } from '../money/exchanges.ts';
import { decided, type Decision } from '../failure.ts';
import { outstanding, undecided } from '../goods/quantities.ts';
import type { Line, Return } from '../model/return.ts';
import type { Situation } from '../situation.ts';
import { unitsByLine, type NamedUnits } from '../units-by-line.ts';

/** Units to cancel by line, all that have not come back when none are given; why, its free text already sealed. */
export type Cancel = {
  readonly lines?: NamedUnits;
  readonly cancellation: Exclude<Return['cancellation'], undefined>;
};

/** Units of a line that have not come back, decided on or not. */
const open = ({ quantities }: Line): number => undecided(quantities) + outstanding(quantities);

/**
 * Decides on a cancellation of units that have not come back. A return that is left without any is cancelled, and so is
 * an exchange whose units are gone.
 */
export const cancel = (situation: Situation, { lines, cancellation }: Cancel): Decision<Outcome> => {
  const admission = admitted(situation, 'cancel');
  if (!admission.ok) return admission;
  const most = new Map(situation.state.lines.map((line) => [line.id, open(line)]));
  const units = lines === undefined ? decided(most) : unitsByLine(lines, most);
  if (!units.ok) return units;
  const cancelled = Array.from(units.value, ([lineId, quantity]) => ({ lineId, quantity }));
  // What a platform has ordered already, it cancels itself.
  const released = withoutUnits(situation.state, units.value)
    .filter(({ status }) => status === 'requested')
    .map(({ id }): Event => ({ type: 'exchange.cancelled', data: { exchangeId: id } }));
  return conclude(situation, [
    { type: 'return.cancelled', data: { cancellation, lines: cancelled } },
    ...released,
    ...overruled(situation, 'cancel'),
  ]);
};
