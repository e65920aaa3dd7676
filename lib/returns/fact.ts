import type { EventOf } from './entry.ts';
import { decided, refused, type Decision, type Failure } from './failure.ts';
import type { Instant } from './order.ts';
import type { Situation } from './situation.ts';

/** Where a platform that manages a return tells of something, and when it happened there. */
export type Observation = { readonly platform: string; readonly externalId: string; readonly occurredAt: Instant };

/** What speaks against a command by the rules, not by what can be. */
export type Objection = Extract<Failure, { readonly code: 'statutory_floor_violation' }>;

/**
 * What becomes of objections. A command is refused for the first of them. A fact of a platform has happened already: it
 * is recorded, and its objections beside it as discrepancies.
 *
 * @returns what to record beside the command itself
 */
export const conceded = (
  { observed, now }: Pick<Situation, 'observed' | 'now'>,
  objections: readonly Objection[],
): Decision<readonly EventOf<'discrepancy.found'>[]> => {
  const [first] = objections;
  if (first === undefined) return decided([]);
  if (observed === undefined) return refused(first);
  const discrepancies = objections.map(({ code, detail }) => ({ code, at: now, detail }));
  return decided([{ type: 'discrepancy.found', data: { discrepancies } }]);
};
