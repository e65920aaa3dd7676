import { fail, ok, type Result } from '../contract/result.ts';
import type { Instant, Observation } from '../returns/model/order.ts';
import type { Return } from '../returns/model/return.ts';

/** An instant as `Date` writes it: such compare as text. */
export const toMillisecondInstant = (given: Instant): Instant => new Date(given).toISOString();

const clockSkewMs = 5 * 60_000;

/** The latest time that a fact from outside can be of. Clocks differ; what is further ahead was not observed. */
export const latestObservationAt = (now: Date): string => new Date(now.getTime() + clockSkewMs).toISOString();

const refuse = (path: string, code: string, message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'This cannot be a fact of the platform.',
    errors: [{ path, code, message }],
  });

/** What a fact is about. */
type ObservedReturn = Partial<Pick<Return, 'managedBy' | 'externalRefs'>> & Pick<Return, 'order'>;

/**
 * What a command tells of a fact, as a part of the situation: its time in the one form that times have in the domain.
 *
 * @returns nothing for a command that is no fact; a refusal for a return that no platform manages, and for a time that
 *   lies in the future, and for a platform that has neither the order nor the return
 */
export const observationOf = (
  observed: Observation | undefined,
  { managedBy, order, externalRefs = [] }: ObservedReturn,
  now: string,
): Result<{ readonly observed?: Observation }> => {
  if (observed === undefined) return ok({});
  if (managedBy !== 'platform')
    return refuse('/observed', 'unexpected', 'is only for a return that a platform manages');
  const occurredAt = new Date(observed.occurredAt).toISOString();
  if (occurredAt > latestObservationAt(new Date(now)))
    return refuse('/observed/occurredAt', 'maximum', 'must not lie in the future');
  const { platform, externalId } = observed;
  const known = new Set([order.platform, ...externalRefs.map((ref) => ref.platform)]);
  if (!known.has(platform))
    return refuse('/observed/platform', 'enum', `must be the platform of the order or of an external reference`);
  return ok({ observed: { platform, externalId, occurredAt } });
};
