import type { Result, Failure } from '../failure.ts';
import { fail, ok } from '../../../runtime/result.ts';
import type { EventOf } from '../history/entry.ts';
import type { FieldError } from '../model/status.ts';
import type { Situation } from '../situation.ts';

/** The failure of a command that a law forbids. */
export type FloorFailure = Extract<Failure, { readonly code: 'statutory_floor_violation' }>;

/** The failure of a command that a rule forbids. A platform fact may break the rule all the same. */
export type RuleFailure =
  | FloorFailure
  | {
      readonly code: 'not_eligible' | 'resolution_not_allowed' | 'refund_exceeds_ceiling' | 'evidence_required';
      readonly detail: string;
      readonly errors: readonly FieldError[];
    };

/**
 * Returns the discrepancies to record with a platform fact. They name the rules that it breaks. Other commands have
 * none.
 */
export const discrepancyEvents = (
  { observed, now }: Pick<Situation, 'observed' | 'now'>,
  against: readonly { readonly code: string; readonly detail: string }[],
): readonly EventOf<'discrepancy.found'>[] => {
  if (observed === undefined || against.length === 0) return [];
  const discrepancies = against.map(({ code, detail }) => ({ code, at: now, detail }));
  return [{ type: 'discrepancy.found', data: { discrepancies } }];
};

/**
 * Decides on failures of the statutory floor. An admin's override may go below the floor, and a platform fact has
 * already happened. In both cases a discrepancy is recorded.
 *
 * @returns the events to record with the command
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
 * Decides on rule failures. A command fails with the first of them. A platform fact has already happened, so it is
 * recorded with discrepancies.
 *
 * @returns the events to record with the command
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
