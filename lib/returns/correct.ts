import { admitted } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import { correctedInspections, correctedMissing, type InspectionIds } from './corrected-lists.ts';
import { correctionFaults, type Differences } from './correction-faults.ts';
import type { Adjustment, Corrected } from './entry.ts';
import { decided, refused, type Decision, type Fault } from './failure.ts';
import type { Instant } from './order.ts';
import type { Line, Return } from './return.ts';
import type { Situation } from './situation.ts';

type Correction = Differences & { readonly lineId: string };

/** By how much what is known of lines was wrong; why is sealed already. `ids` are as many as lines. */
export type Correct = {
  readonly correction: Corrected['correction'];
  readonly lines: readonly Correction[];
  readonly ids: readonly InspectionIds[];
};

const mostInspections = 100;

/** The lines that a correction names: each of the return, and none twice. */
const named = (state: Return, lines: readonly Correction[]): Decision<readonly Line[]> => {
  const found = lines.map(({ lineId }) => state.lines.find(({ id }) => id === lineId));
  const unknown = found.flatMap((line, index): Fault[] =>
    line === undefined
      ? [{ path: `/lines/${index}/lineId`, code: 'unknown', message: 'must be a line of the return' }]
      : [],
  );
  return unknown.length > 0
    ? refused({ code: 'return_line_not_found', detail: 'The return has no such line.', errors: unknown })
    : decided(found.filter((line) => line !== undefined));
};

const twice = (lines: readonly Correction[]): Fault[] =>
  lines.flatMap(({ lineId }, index) =>
    lines.findIndex((other) => other.lineId === lineId) < index
      ? [{ path: `/lines/${index}/lineId`, code: 'duplicate', message: 'must not be given twice' }]
      : [],
  );

const tooMany = ({ lines }: Return, next: readonly Adjustment[]): Fault[] => {
  const more = next.reduce((sum, { inspections = [] }) => sum + inspections.length, 0);
  const others = lines.filter(({ id }) => !next.some(({ lineId }) => lineId === id));
  return others.reduce((sum, { inspections }) => sum + inspections.length, more) > mostInspections
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
 * Decides on a correction of what was recorded of goods, in any status: an entry of its own, by differences. Every unit
 * stays counted once, and nothing goes below what money and parcels rely on.
 */
export const correct = (situation: Situation, { correction, lines, ids }: Correct): Decision<Outcome> => {
  const admission = admitted(situation, 'correct');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const own = named(state, lines);
  if (!own.ok) return own;
  const changes = own.value.map((line, index): Change => {
    const [one, given] = [lines[index], ids[index]];
    if (one === undefined || given === undefined) throw new Error('fewer ids than lines');
    const { lineId: _, ...differences } = one;
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
  return conclude(situation, [{ type: 'return.corrected', data: { correction, lines: adjustments } }]);
};
