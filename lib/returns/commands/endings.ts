import { decided, type Decision } from '../failure.ts';
import { openUnits, outstanding, undecided } from '../goods/quantities.ts';
import type { Adjustment } from '../history/lines.ts';
import type { Event } from '../history/entry.ts';
import type { Sealed } from '../model/actor.ts';
import type { Line, OpenUnits, Return } from '../model/return.ts';
import { leftOfOrder } from '../money/amounts.ts';
import { withoutUnits } from '../money/exchanges.ts';
import { completion, isUnsettled } from '../rules/guards/completion-guards.ts';
import type { Situation } from '../situation.ts';
import { type NamedUnits, unitsByLine } from '../units-by-line.ts';
import { admitted, overruled } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';

/** Units to cancel by line, all that have not come back when none are given; why, its free text already sealed. */
type Cancel = {
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
  const maximum = new Map(situation.state.lines.map((line) => [line.id, open(line)]));
  const units = lines === undefined ? decided(maximum) : unitsByLine(lines, maximum);
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

const giveUp = (line: Line, { outstanding, undecided }: OpenUnits): Adjustment => ({
  lineId: line.id,
  quantities: { rejected: undecided, missing: outstanding },
  ...(outstanding === 0
    ? {}
    : { missing: [...line.missing, { quantity: outstanding, cause: 'never_sent', granted: 0 }] }),
});

const givenUp = (state: Return): readonly Adjustment[] => {
  const open = new Map(openUnits(state).map((units) => [units.lineId, units]));
  return state.lines.flatMap((line) => {
    const units = open.get(line.id);
    return units === undefined ? [] : [giveUp(line, units)];
  });
};

/** Decides on the end of a return that nothing came of: what was to come is missing, what was undecided rejected. */
export const expire = (situation: Situation): Decision<Outcome> => {
  const admission = admitted(situation, 'expire');
  if (!admission.ok) return admission;
  return conclude(situation, [{ type: 'return.expired', data: { lines: givenUp(situation.state) } }]);
};

/** Why money that is owed is not paid, already sealed. */
export type Complete = { readonly waiver?: { readonly reason: Sealed } };

/**
 * Decides on the end of a return: nothing is to come, to be looked at or to be paid, or the payment is waived. What no
 * refund could take of the fees is waived too.
 */
export const complete = (situation: Situation, { waiver }: Complete): Decision<Outcome> => {
  const { state, order, ledger } = situation;
  const waivedGuard = waiver === undefined && isUnsettled(state, leftOfOrder(order, ledger)) ? undefined : 'unsettled';
  const admission = admitted(situation, 'complete', waivedGuard);
  if (!admission.ok) return admission;
  return conclude(situation, [...completion(state, waiver), ...overruled(situation, 'complete', waivedGuard)]);
};
