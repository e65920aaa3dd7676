import type { Result } from '../failure.ts';
import { ok } from '../../../runtime/result.ts';
import { openUnits, outstanding, undecided } from '../goods/quantities.ts';
import type { Adjustment } from '../history/lines.ts';
import type { Event } from '../history/entry.ts';
import type { TextReference } from '../model/actor.ts';
import type { Line, OpenUnits, Return } from '../model/return.ts';
import { exchangesWithoutUnits } from '../money/exchanges.ts';
import { amountLeftFor } from '../money/paid-limit.ts';
import { completionEvents, isUnsettled } from '../rules/guards/completion-guards.ts';
import type { Situation } from '../situation.ts';
import { type RequestedUnits, unitsByLine } from '../units-by-line.ts';
import { checkTransition, ruleDiscrepancies } from './check-transition.ts';
import { toOutcome, type Outcome } from './outcome.ts';

/**
 * The units to cancel by line, and the reason. Without lines, all units that have not come back are cancelled. The
 * reason's free text is a personal-text reference.
 */
type Cancel = {
  readonly lines?: RequestedUnits;
  readonly cancellation: Exclude<Return['cancellation'], undefined>;
};

/** Counts the units of a line that have not come back, undecided ones included. */
const openUnitsOf = ({ quantities }: Line): number => undecided(quantities) + outstanding(quantities);

/**
 * Decides on a cancellation of units that have not come back. The return is cancelled when no units are left. An
 * exchange is cancelled with its last unit.
 */
export const cancel = (situation: Situation, { lines, cancellation }: Cancel): Result<Outcome> => {
  const admission = checkTransition(situation, 'cancel');
  if (!admission.ok) return admission;
  const maximum = new Map(situation.state.lines.map((line) => [line.id, openUnitsOf(line)]));
  const units = lines === undefined ? ok(maximum) : unitsByLine(lines, maximum);
  if (!units.ok) return units;
  const cancelled = Array.from(units.value, ([lineId, quantity]) => ({ lineId, quantity }));
  // The platform itself cancels an order that it has already placed.
  const released = exchangesWithoutUnits(situation.state, units.value)
    .filter(({ status }) => status === 'requested')
    .map(({ id }): Event => ({ type: 'exchange.cancelled', data: { exchangeId: id } }));
  return toOutcome(situation, [
    { type: 'return.cancelled', data: { cancellation, lines: cancelled } },
    ...released,
    ...ruleDiscrepancies(situation, 'cancel'),
  ]);
};

const expireLine = (line: Line, { outstanding, undecided }: OpenUnits): Adjustment => ({
  lineId: line.id,
  quantities: { rejected: undecided, missing: outstanding },
  ...(outstanding === 0
    ? {}
    : { missing: [...line.missing, { quantity: outstanding, cause: 'never_sent', granted: 0 }] }),
});

/** Returns what an expiry changes: outstanding units become missing, and undecided units are rejected. */
export const expireLines = (state: Return): readonly Adjustment[] => {
  const open = new Map(openUnits(state).map((units) => [units.lineId, units]));
  return state.lines.flatMap((line) => {
    const units = open.get(line.id);
    return units === undefined ? [] : [expireLine(line, units)];
  });
};

/** Decides to expire a return. Outstanding units become missing, and undecided units are rejected. */
export const expire = (situation: Situation): Result<Outcome> => {
  const admission = checkTransition(situation, 'expire');
  if (!admission.ok) return admission;
  return toOutcome(situation, [{ type: 'return.expired', data: { lines: expireLines(situation.state) } }]);
};

/** The reason why money that is owed is not paid, as a personal-text reference. */
export type Complete = { readonly waiver?: { readonly reason: TextReference } };

/**
 * Decides to complete a return. It requires that no units are expected or uninspected. No money may be owed unless the
 * payment is waived. The part of the fees that no refund applied is waived too.
 */
export const complete = (situation: Situation, { waiver }: Complete): Result<Outcome> => {
  const { state } = situation;
  const waivedGuard = waiver === undefined && isUnsettled(state, amountLeftFor(situation)) ? undefined : 'unsettled';
  const admission = checkTransition(situation, 'complete', waivedGuard);
  if (!admission.ok) return admission;
  return toOutcome(situation, [
    ...completionEvents(state, waiver),
    ...ruleDiscrepancies(situation, 'complete', waivedGuard),
  ]);
};
