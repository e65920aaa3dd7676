import { ok, type Result, type Failure, fail } from '../failure.ts';
import type { EventOf } from '../history/entry.ts';
import type { FieldError } from '../model/status.ts';
import type { Situation } from '../situation.ts';

/** A law that a command goes against. */
export type FloorFailure = Extract<Failure, { readonly code: 'statutory_floor_violation' }>;

/** A rule that a command goes against. A fact may have gone against it all the same. */
export type RuleFailure =
  | FloorFailure
  | {
      readonly code: 'not_eligible' | 'resolution_not_allowed' | 'refund_exceeds_ceiling' | 'evidence_required';
      readonly detail: string;
      readonly errors: readonly FieldError[];
    };

/** The discrepancies to record beside a fact for the rules it went against; none for a command that is not a fact. */
export const discrepancyEvents = (
  { observed, now }: Pick<Situation, 'observed' | 'now'>,
  against: readonly { readonly code: string; readonly detail: string }[],
): readonly EventOf<'discrepancy.found'>[] => {
  if (observed === undefined || against.length === 0) return [];
  const discrepancies = against.map(({ code, detail }) => ({ code, at: now, detail }));
  return [{ type: 'discrepancy.found', data: { discrepancies } }];
};

/**
 * What becomes of a law that a command goes against. Only an admin's override takes a command below it, and a fact of a
 * platform has happened already: either is recorded with a discrepancy.
 *
 * @returns what to record beside the command itself
 */
export const recordFloorDiscrepancies = (
  situation: Pick<Situation, 'observed' | 'now' | 'floorOverride'>,
  violations: readonly FloorFailure[],
): Result<readonly EventOf<'discrepancy.found'>[]> => {
  const { floorOverride, now } = situation;
  if (floorOverride === undefined || violations.length === 0) return recordDiscrepancies(situation, violations);
  const discrepancies = violations.map(({ code, detail }) => {
    return { code, at: now, detail: `${detail} An admin overrode it: ${floorOverride.reason}.` };
  });
  return ok([{ type: 'discrepancy.found', data: { discrepancies } }]);
};

/**
 * What becomes of objections. A command is refused for the first of them. A fact of a platform has happened already: it
 * is recorded, and its objections beside it as discrepancies.
 *
 * @returns what to record beside the command itself
 */
export const recordDiscrepancies = (
  situation: Pick<Situation, 'observed' | 'now'>,
  objections: readonly RuleFailure[],
): Result<readonly EventOf<'discrepancy.found'>[]> => {
  const [first] = objections;
  return first !== undefined && situation.observed === undefined
    ? fail(first)
    : ok(discrepancyEvents(situation, objections));
};
