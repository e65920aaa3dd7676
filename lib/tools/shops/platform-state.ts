import { systemClock } from '../../access/net/clock.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import type { PlatformName } from '../../runtime/platform-names.ts';
import { apiCheck, type Limit, scopesCheck } from '../doctor/checks/platform-shops.ts';
import { withEffectTokens } from '../../shops/platforms/shared/http/sources.ts';
import type { Hook, SubscriptionState, Subscriptions } from '../../shops/platforms/subscription.ts';
import type { Result } from '../../runtime/result.ts';
import type { ShopFailure } from '../../shops/platforms/platform.ts';
import { type Check, failed, passed, warning } from '../doctor/check.ts';
import { shopFailures } from '../doctor/checks/shop-failure.ts';

/* The access to a shop and its subscriptions, as rows of a report. */

/** A read of a shop, or the repair of all of its subscriptions. */
export const shopLimitMs = 60_000;

/** Returns the checks of the access to a shop: a read of its API, and the scopes that its credentials lack. */
export const accessChecks = (platform: PlatformName, source: string, limit: Limit) => {
  const context = {
    signal: AbortSignal.timeout(shopLimitMs),
    end: Date.now() + shopLimitMs,
    clock: systemClock,
    traceId: newTraceId(),
  };
  const shop = [{ source, shown: source, count: undefined }];
  return {
    api: async (): Promise<Check> => ({ ...(await apiCheck(platform, shop, context, limit)), check: 'API' }),
    scopes: async (): Promise<readonly Check[]> =>
      (await scopesCheck(platform, shop, context, limit)).map((row) => ({ ...row, check: 'scopes' })),
  };
};

const stateText = ({ topic, state, seen }: SubscriptionState): string =>
  state === 'active' ? topic : `${topic} ${state}${seen === undefined || seen === '' ? '' : ` (${seen})`}`;

/** The row of the states of the subscriptions of a shop. */
export const subscriptionsCheck = (states: readonly SubscriptionState[], remedy: string): Check => {
  const others = states.filter(({ state }) => state !== 'active');
  return others.length === 0
    ? passed('subscriptions', `${states.length} active: ${states.map(stateText).join(', ')}`)
    : failed('subscriptions', others.map(stateText).join(', '), remedy);
};

/** Whether the token that only reads must not do it. */
const isDenied = ({ reason }: ShopFailure): boolean => /^shop_(status_40[13]|denied_access)$/.test(reason);

/**
 * Repairs the subscriptions of a shop. Where the token that reads may not, the one of write-back does.
 *
 * @param hasEffects whether the secret `effects` has the shop
 */
export const repairSubscriptions = async (
  { repair }: Subscriptions,
  source: string,
  hook: Hook,
  hasEffects: boolean,
): Promise<Result<undefined, ShopFailure>> => {
  const repairNow = async () => repair(source, hook, Date.now() + shopLimitMs);
  const repaired = await repairNow();
  return !repaired.ok && isDenied(repaired.failure) && hasEffects ? withEffectTokens(repairNow) : repaired;
};

/** The row of a call of a shop that failed. */
export const failureCheck = (name: string, source: string, { reason }: ShopFailure): Check =>
  shopFailures(name, [{ source, reason }], 1);

/** The row of the version of the shop's API; undefined where the platform reports none. */
export const versionCheck = async ({ readApiVersion }: Subscriptions, source: string): Promise<Check | undefined> => {
  const read = await readApiVersion?.(source, Date.now() + shopLimitMs);
  if (read === undefined) return undefined;
  if (!read.ok) return failureCheck('API version', source, read.failure);
  const { version, isSupported, supportedUntil } = read.value;
  if (!isSupported) return warning('API version', `the shop does not list ${version}`, 'Deploy a newer release.');
  return passed('API version', `${version}${supportedUntil === undefined ? '' : `, at least until ${supportedUntil}`}`);
};
