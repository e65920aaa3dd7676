import { adjustLine, type Adjustment } from '../../history/adjust-line.ts';
import { admitted } from '../admitted.ts';
import { changedLines } from '../../history/changed-lines.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { correctedInspections, correctedMissing, type InspectionIds } from './corrected-lists.ts';
import { correctionFaults, type Differences } from '../../rules/correction-faults.ts';
import type { Corrected } from '../../history/life-events.ts';
import { refused, type Decision } from '../../failure.ts';
import type { Fault } from '../../model/field-error.ts';
import { mostInspections, undisposed } from '../../goods/goods.ts';
import { knownLines } from '../../known-lines.ts';
import type { Instant } from '../../model/order.ts';
import { outstanding, uninspected } from '../../goods/quantities.ts';
import type { Line, Return } from '../../model/return.ts';
import type { Situation } from '../../situation.ts';
import { ended } from '../../rules/states.ts';
import { sum } from '../../sum.ts';

type Correction = Differences & { readonly lineId: string };

/** By how much what was recorded of lines is wrong, and why, sealed already; `ids` has an element for each line. */
export type Correct = {
  readonly correction: Corrected['correction'];
  readonly lines: readonly Correction[];
  readonly ids: readonly InspectionIds[];
};

const twice = (lines: readonly Correction[]): Fault[] =>
  lines.flatMap(({ lineId }, index) =>
    lines.findIndex((other) => other.lineId === lineId) < index
      ? [{ path: `/lines/${index}/lineId`, code: 'duplicate', message: 'must not be given twice' }]
      : [],
  );

const tooMany = ({ lines }: Return, next: readonly Adjustment[]): Fault[] => {
  const others = lines.filter(({ id }) => !next.some(({ lineId }) => lineId === id));
  return sum([...others, ...next].map(({ inspections = [] }) => inspections.length)) > mostInspections
    ? [{ path: '/lines', code: 'max_items', message: `must leave at most ${mostInspections} inspections` }]
    : [];
};

/** A line with what is to be changed in it, and ids for what that brings. */
type Change = { readonly line: Line; readonly differences: Differences; readonly ids: InspectionIds };

const adjustmentOf = ({ line, differences, ids }: Change, at: Instant): Adjustment => ({
  lineId: line.id,
  quantities: differences,
  inspections: correctedInspections(line, differences, ids, at),
  missing: correctedMissing(line, differences),
});

/**
 * Whether a correction takes a return that was over up again: it leaves units to come or to be looked at, or items
 * without a disposition, or says that units came of a return that had expired.
 */
const goesOn = (state: Return, adjustments: readonly Adjustment[]): boolean => {
  const { status, unexpected } = state;
  const isOpen = ({ quantities }: Line) =>
    outstanding(quantities) + uninspected(quantities) > 0 || (status === 'expired' && quantities.received > 0);
  const lines = changedLines(state, adjustments, adjustLine);
  return ended.has(status) && (lines.some(isOpen) || unexpected.some(undisposed));
};

/**
 * Decides on a correction of what was recorded of goods, in any status: an entry of its own, by differences. Every unit
 * stays counted once, and nothing goes below what money and parcels rely on. A return that was over goes on, as one of
 * which goods come late.
 */
export const correct = (situation: Situation, { correction, lines, ids }: Correct): Decision<Outcome> => {
  const admission = admitted(situation, 'correct');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const own = new Map(state.lines.map((line) => [line.id, line]));
  const known = knownLines(own, lines);
  if (!known.ok) return known;
  const changes = lines.map(({ lineId, ...differences }, index): Change => {
    const [line, given] = [own.get(lineId), ids[index]];
    if (line === undefined || given === undefined) throw new Error('fewer ids than lines');
    return { line, differences, ids: given };
  });
  const adjustments = changes.map((change) => adjustmentOf(change, now));
  const errors = [
    ...twice(lines),
    ...changes.flatMap(({ line, differences }, index) => correctionFaults(line, state, differences, `/lines/${index}`)),
    ...tooMany(state, adjustments),
  ];
  if (errors.length > 0)
    return refused({ code: 'invalid_request', detail: 'The correction does not fit the return.', errors });
  const again = goesOn(state, adjustments) ? { status: 'approved' as const } : {};
  return conclude(situation, [{ type: 'return.corrected', data: { correction, lines: adjustments, ...again } }]);
};
