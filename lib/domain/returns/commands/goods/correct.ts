import type { Result } from '../../failure.ts';
import { fail } from '../../../../runtime/result.ts';
import {
  maxInspections,
  outstanding,
  takeFifo,
  takeMissing,
  isUndisposed,
  uninspected,
} from '../../goods/quantities.ts';
import { adjustLine, type Adjustment, changedLines } from '../../history/lines.ts';
import type { ReturnCorrected } from '../../history/lifecycle-events.ts';
import type { Inspection } from '../../model/goods.ts';
import type { Instant } from '../../model/order.ts';
import type { Line, Return } from '../../model/return.ts';
import type { FieldError } from '../../model/status.ts';
import { requireKnownLines } from '../../input-checks.ts';
import { correctionErrors, type Differences } from '../../rules/correction-errors.ts';
import { endedStatuses } from '../../rules/states.ts';
import type { Situation } from '../../situation.ts';
import { sum } from '../../units-by-line.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

/** Ids for the inspections that the correction of a line may add. */
type InspectionIds = { readonly accepted: string; readonly refused: string };

/**
 * Removes units from the inspections of one outcome, the last ones first.
 * Each inspection records how many were removed.
 */
const takeInspected = (
  inspections: readonly Inspection[],
  units: number,
  outcome: Inspection['outcome'],
): readonly Inspection[] =>
  takeFifo(
    inspections.toReversed(),
    units,
    (inspection) => (inspection.outcome === outcome ? inspection.quantity : 0),
    (inspection, taken) => ({
      ...inspection,
      quantity: inspection.quantity - taken,
      corrected: (inspection.corrected ?? 0) + taken,
    }),
  ).toReversed();

const adjustInspections = (
  inspections: readonly Inspection[],
  units: number,
  { id, outcome, at }: Pick<Inspection, 'id' | 'outcome' | 'at'>,
): readonly Inspection[] => {
  if (units <= 0) return takeInspected(inspections, -units, outcome);
  // A correction states counts and no disposition. The units are in quarantine until an inspector decides.
  return [...inspections, { id, quantity: units, outcome, disposition: 'quarantine', deductionBps: 0, at }];
};

/** Returns the inspections of a line after a correction. They add up to the corrected accepted and refused units. */
const correctedInspections = (
  { inspections }: Line,
  { accepted = 0, refused = 0 }: Differences,
  ids: InspectionIds,
  at: Instant,
): readonly Inspection[] =>
  adjustInspections(adjustInspections(inspections, accepted, { id: ids.accepted, outcome: 'accept', at }), refused, {
    id: ids.refused,
    outcome: 'refuse',
    at,
  });

/** Returns the missing units of a line after a correction. */
const correctedMissing = ({ missing }: Line, { missing: units = 0 }: Differences): Line['missing'] =>
  units <= 0 ? takeMissing(missing, -units) : [...missing, { quantity: units, cause: 'not_in_parcel', granted: 0 }];

type Correction = Differences & { readonly lineId: string };

/** The corrections by line, and their reason as a personal-text reference. `ids` has one element for each line. */
export type Correct = {
  readonly correction: ReturnCorrected['correction'];
  readonly lines: readonly Correction[];
  readonly ids: readonly InspectionIds[];
};

const duplicateLineErrors = (lines: readonly Correction[]): FieldError[] =>
  lines.flatMap(({ lineId }, index) =>
    lines.findIndex((other) => other.lineId === lineId) < index
      ? [{ path: `/lines/${index}/lineId`, code: 'duplicate', message: 'must not appear twice' }]
      : [],
  );

const inspectionCountErrors = ({ lines }: Return, next: readonly Adjustment[]): FieldError[] => {
  const others = lines.filter(({ id }) => !next.some(({ lineId }) => lineId === id));
  return sum([...others, ...next].map(({ inspections = [] }) => inspections.length)) > maxInspections
    ? [
        {
          path: '/lines',
          code: 'max_items',
          message: `must leave the return with at most ${maxInspections} inspections`,
        },
      ]
    : [];
};

/** A line, its differences, and the ids for new inspections. */
type LineCorrection = { readonly line: Line; readonly differences: Differences; readonly ids: InspectionIds };

const adjustmentOf = ({ line, differences, ids }: LineCorrection, at: Instant): Adjustment => ({
  lineId: line.id,
  quantities: differences,
  inspections: correctedInspections(line, differences, ids, at),
  missing: correctedMissing(line, differences),
});

/**
 * Returns whether a correction reopens an ended return. It does when it leaves units outstanding or uninspected, or
 * items without a disposition. It also does when units arrived for an expired return.
 */
const reopensReturn = (state: Return, adjustments: readonly Adjustment[]): boolean => {
  const { status, unexpected } = state;
  const isOpen = ({ quantities }: Line) =>
    outstanding(quantities) + uninspected(quantities) > 0 || (status === 'expired' && quantities.received > 0);
  const lines = changedLines(state, adjustments, adjustLine);
  return endedStatuses.has(status) && (lines.some(isOpen) || unexpected.some(isUndisposed));
};

/**
 * Decides on a correction of recorded goods, in any status. The correction is an entry of its own that states
 * differences. Every unit stays counted once, and no quantity falls below what money and parcels rely on. An ended
 * return continues like a return with late goods.
 */
export const correct = (situation: Situation, { correction, lines, ids }: Correct): Result<Outcome> => {
  const admission = checkTransition(situation, 'correct');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const own = new Map(state.lines.map((line) => [line.id, line]));
  const known = requireKnownLines(own, lines);
  if (!known.ok) return known;
  const changes = lines.map(({ lineId, ...differences }, index): LineCorrection => {
    const [line, lineIds] = [own.get(lineId), ids[index]];
    if (line === undefined || lineIds === undefined) throw new Error('fewer ids than lines');
    return { line, differences, ids: lineIds };
  });
  const adjustments = changes.map((change) => adjustmentOf(change, now));
  const errors = [
    ...duplicateLineErrors(lines),
    ...changes.flatMap(({ line, differences }, index) => correctionErrors(line, state, differences, `/lines/${index}`)),
    ...inspectionCountErrors(state, adjustments),
  ];
  if (errors.length > 0)
    return fail({ code: 'invalid_request', detail: 'The correction is invalid for this return.', errors });
  const again = reopensReturn(state, adjustments) ? { status: 'approved' as const } : {};
  return toOutcome(situation, [{ type: 'return.corrected', data: { correction, lines: adjustments, ...again } }]);
};
