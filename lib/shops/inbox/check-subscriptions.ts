import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { fail, type Result } from '../../runtime/result.ts';
import type { Session } from '../../store/engine/session.ts';
import { readSubscriptionCheck, type ShopSource, writeSubscriptionCheck } from '../../store/inbox/inbox-replay.ts';
import type { ShopFailure } from '../platforms/platform.ts';
import { findSource } from '../platforms/shared/http/sources.ts';
import { type Hook, readHook, type Subscriptions, type SubscriptionState } from '../platforms/subscription.ts';

/** The interval of the checks of a shop. A little less than an hour, because runs do not begin at the same second. */
const intervalMs = 55 * 60_000;

/** Whether a run of this hour has not begun a check of the shop. It then belongs to this run. */
const beginCheck = async (session: Session, shop: ShopSource): Promise<boolean> => {
  const before = await readSubscriptionCheck(session, shop);
  if (before.at !== undefined && Date.now() - Date.parse(before.at) < intervalMs) return false;
  return (await writeSubscriptionCheck(session, shop, before)) !== undefined;
};

/** The reason of a subscription that only people may change. */
const addressDiffers = 'address_differs';

const isInactive = ({ state }: SubscriptionState): boolean => state !== 'active';

/**
 * Repairs what the shop has lost or stopped. A subscription at another address may be that of another deployment, which
 * would take it back. So only the command that connects a shop changes an address.
 */
const repairLost = async (
  { repair }: Subscriptions,
  inactive: readonly SubscriptionState[],
  source: string,
  hook: Hook,
  deadline: number,
): Promise<Result<undefined, ShopFailure>> =>
  inactive.some(({ state }) => state === 'differs')
    ? fail({ kind: 'permanent', reason: addressDiffers })
    : repair(source, hook, deadline);

/**
 * Checks once an hour whether a shop still reports its changes, and repairs it where the token of the shop may. Only a
 * shop whose API entry has `hookAddress` is checked. The others report by means that the API of the shop may not show,
 * such as a connector or the file of an app, and would be missing forever.
 *
 * @param deadline epoch milliseconds
 * @throws {SecretUnavailable} and errors of the table
 */
export const checkSubscriptions = async (
  session: Session,
  { platform, source }: ShopSource,
  subscriptions: Subscriptions,
  deadline: number,
): Promise<void> => {
  const hook = await findSource(`api/${platform}`, source, readHook, { signal: session.signal });
  if (hook === undefined || !(await beginCheck(session, { platform, source }))) return;
  const read = await subscriptions.read(source, hook, deadline);
  if (!read.ok) return log('warn', 'subscriptions not checked', { platform, source, reason: read.failure.reason });
  const inactive = read.value.filter(isInactive);
  const repaired =
    inactive.length === 0 ? undefined : await repairLost(subscriptions, inactive, source, hook, deadline);
  const topics = inactive.map(({ topic }) => topic).join(' ');
  if (repaired?.ok === true) log('warn', 'subscription repaired', { platform, source, topics });
  if (repaired?.ok === false)
    log('error', 'subscription missing', { platform, source, topics, reason: repaired.failure.reason });
  // 0 ends the alarm.
  count({ SubscriptionsMissing: repaired?.ok === false ? inactive.length : 0 });
};
