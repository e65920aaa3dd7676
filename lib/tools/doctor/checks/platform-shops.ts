import { translators } from '../../../shops/platforms/translators.ts';
import { errorName } from '../../../runtime/log.ts';
import { SecretUnavailable } from '../../../access/secrets/secret.ts';
import { type Check, type CheckContext, failed, notApplicable, passed, skipped } from '../check.ts';
import type { Valid } from './platform-entries.ts';
import { list, rowsOf } from './platform-rows.ts';
import { shopFailures, type ShopFailure } from './shop-failure.ts';

/** Shops of a platform that are read. */
const maxShops = 10;
/** Deadline of one read of a shop. */
const shopMs = 6_000;
const sinceMs = 60_000;

/** Reads the changes of the last minute: a small read with the scopes of the reconciliation. */
const readShopChanges = async (
  platform: string,
  source: string,
  { clock, end }: CheckContext,
): Promise<string | undefined> => {
  const now = clock.now();
  const from = { since: new Date(now - sinceMs).toISOString() };
  try {
    const read = await translators[platform]?.fetchChanges?.(source, from, Math.min(end, now + shopMs));
    return read === undefined || read.ok ? undefined : read.failure.reason;
  } catch (error) {
    return error instanceof SecretUnavailable ? error.reason : errorName(error);
  }
};

/** Returns a function that limits the concurrency of its callers. */
export const limiter = (limit: number) => {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async <Value>(run: () => Promise<Value>): Promise<Value> => {
    if (free === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
    else free -= 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
};

export type Limit = ReturnType<typeof limiter>;

/** The row of a read of each shop. */
export const apiCheck = async (
  platform: string,
  valid: readonly Valid[],
  underway: CheckContext,
  limit: Limit,
): Promise<Check> => {
  const name = rowsOf(platform).api;
  if (translators[platform]?.fetchChanges === undefined)
    return notApplicable(name, 'the platform has no query for changes');
  const examined = valid.slice(0, maxShops);
  const reasons = await Promise.all(
    examined.map(async ({ source, shown }) =>
      limit(async () => {
        const reason = underway.signal.aborted ? 'no_time_left' : await readShopChanges(platform, source, underway);
        return reason === undefined ? undefined : { source: shown, reason };
      }),
    ),
  );
  const failures = reasons.filter((failure): failure is ShopFailure => failure !== undefined);
  if (failures.length > 0) return shopFailures(name, failures, examined.length);
  const rest = valid.length > examined.length ? `; ${valid.length - examined.length} more not read` : '';
  return passed(name, `${examined.length} answered a read${rest}`);
};

/** Reads the missing scopes of each shop's credentials, where the platform reports scopes. */
export const scopesCheck = async (
  platform: string,
  valid: readonly Valid[],
  { clock, end, signal }: CheckContext,
  limit: Limit,
): Promise<readonly Check[]> => {
  const name = rowsOf(platform).scopes;
  const readMissingScopes = translators[platform]?.missingScopes;
  if (readMissingScopes === undefined) return [];
  const examined = await Promise.all(
    valid.slice(0, maxShops).map(async ({ source, shown }) =>
      limit(async () => {
        const read = signal.aborted
          ? undefined
          : await readMissingScopes(source, Math.min(end, clock.now() + shopMs)).catch(() => undefined);
        return { shown, missing: read?.ok === true ? read.value : undefined };
      }),
    ),
  );
  const lacking = examined.filter(({ missing = [] }) => missing.length > 0);
  if (lacking.length > 0) {
    const detail = lacking.map(({ shown, missing = [] }) => `${shown} lacks ${missing.join(', ')}`);
    return [
      failed(
        name,
        list(detail),
        'Grant the app these scopes and install it again. Until then its orders are incomplete.',
      ),
    ];
  }
  const unknown = examined.filter(({ missing }) => missing === undefined).map(({ shown }) => shown);
  // The API row has the reason of a shop that does not answer.
  if (unknown.length > 0) return skipped([name], `${list(unknown)} did not report its scopes`);
  return [passed(name, `${examined.length} ${examined.length === 1 ? 'has' : 'have'} all scopes`)];
};
