import type { Differences } from '../../rules/correction-faults.ts';
import type { Inspection } from '../../model/goods.ts';
import { takeMissing } from '../../goods/missing-units.ts';
import type { Instant } from '../../model/order.ts';
import type { Line } from '../../model/return.ts';
import { takeInTurn } from '../../goods/take-in-turn.ts';

/** Ids for the inspections that a correction of a line may bring. */
export type InspectionIds = { readonly accepted: string; readonly refused: string };

/** Takes units out of the inspections of one outcome, the last ones first; each keeps how many were taken. */
const takeInspected = (
  inspections: readonly Inspection[],
  units: number,
  outcome: Inspection['outcome'],
): readonly Inspection[] =>
  takeInTurn(
    inspections.toReversed(),
    units,
    (one) => (one.outcome === outcome ? one.quantity : 0),
    (one, taken) => ({ ...one, quantity: one.quantity - taken, corrected: (one.corrected ?? 0) + taken }),
  ).toReversed();

const inspected = (
  inspections: readonly Inspection[],
  units: number,
  { id, outcome, at }: Pick<Inspection, 'id' | 'outcome' | 'at'>,
): readonly Inspection[] => {
  if (units <= 0) return takeInspected(inspections, -units, outcome);
  // A correction says how many there are and not what becomes of them: until somebody does, they are set aside.
  return [...inspections, { id, quantity: units, outcome, disposition: 'quarantine', deductionBps: 0, at }];
};

/** The inspections of a line after a correction, which come to what it says was accepted and refused. */
export const correctedInspections = (
  { inspections }: Line,
  { accepted = 0, refused = 0 }: Differences,
  ids: InspectionIds,
  at: Instant,
): readonly Inspection[] =>
  inspected(inspected(inspections, accepted, { id: ids.accepted, outcome: 'accept', at }), refused, {
    id: ids.refused,
    outcome: 'refuse',
    at,
  });

/** What is missing of a line after a correction. */
export const correctedMissing = ({ missing }: Line, { missing: units = 0 }: Differences): Line['missing'] =>
  units <= 0 ? takeMissing(missing, -units) : [...missing, { quantity: units, cause: 'not_in_parcel', granted: 0 }];
