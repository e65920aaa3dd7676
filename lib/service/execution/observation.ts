import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { Instant, Observation } from '../../domain/returns/model/order.ts';
import type { Return } from '../../domain/returns/model/return.ts';

/** Writes an instant in milliseconds, so that instants compare as text. */
export const toMillisecondInstant = (instant: Instant): Instant => new Date(instant).toISOString();

const clockSkewMs = 5 * 60_000;

/** The latest accepted time of a platform fact: now plus the allowed clock skew. */
export const latestObservationAt = (now: Date): string => new Date(now.getTime() + clockSkewMs).toISOString();

const failField = (path: string, code: string, message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'The platform fact is invalid.',
    errors: [{ path, code, message }],
  });

/** The fields of a return that decide whether a platform fact can belong to it. */
type ObservedReturn = Partial<Pick<Return, 'managedBy' | 'externalRefs'>> & Pick<Return, 'order'>;

/**
 * Validates the platform fact of a command and writes its time in milliseconds.
 * It fails when no platform manages the return, or when the time is in the future. It also fails when the platform has
 * neither the order nor the return.
 *
 * @returns the observation; an empty object for a command without a fact
 */
export const observationOf = (
  observed: Observation | undefined,
  { managedBy, order, externalRefs = [] }: ObservedReturn,
  now: string,
): Result<{ readonly observed?: Observation }> => {
  if (observed === undefined) return ok({});
  if (managedBy !== 'platform')
    return failField('/observed', 'unexpected', 'is allowed only for a return that a platform manages');
  const occurredAt = new Date(observed.occurredAt).toISOString();
  if (occurredAt > latestObservationAt(new Date(now)))
    return failField('/observed/occurredAt', 'maximum', 'must not be in the future');
  const { platform, externalId } = observed;
  const known = new Set([order.platform, ...externalRefs.map((ref) => ref.platform)]);
  if (!known.has(platform))
    return failField('/observed/platform', 'enum', `must be the platform of the order or of an external reference`);
  return ok({ observed: { platform, externalId, occurredAt } });
};
