import { ok } from '../../runtime/result.ts';
import type { Hook } from '../../shops/platforms/subscription.ts';
import { platformSubscriptions } from '../../shops/platforms/subscriptions.ts';
import { type Check, failed, notApplicable, passed, skipped } from '../doctor/check.ts';
import { limiter } from '../doctor/checks/platform-shops.ts';
import { type Place, platformSteps } from './hand-steps.ts';
import { type Delivery, readLastDelivery, waitForDelivery } from './last-delivery.ts';
import {
  accessChecks,
  failureCheck,
  repairSubscriptions,
  shopLimitMs,
  subscriptionsCheck,
  versionCheck,
} from './platform-state.ts';
import { type Plan, secretIdOf, type StagePlatform } from './plan-entries.ts';
import { storeEntry } from './store-entry.ts';

/*
 * Connects a shop step by step. Each step first reads what is there, so a repeated command continues an interrupted one.
 */

/** The shop to connect. */
export type Connection = StagePlatform & {
  readonly source: string;
  /** Whether to write the secret of write-back. */
  readonly writesBack: boolean;
  /** How long to wait for a delivery; undefined waits for none. */
  readonly waitMs: number | undefined;
  /** Prints a row. */
  readonly report: (check: Check) => void;
  /** Prints a sentence. */
  readonly say: (sentence: string) => void;
};

/**
 * Writes the entries. The API comes first: a delivery whose shop has no entry there is parked.
 *
 * @returns whether one has changed; undefined after a failure
 */
const writeEntries = async (connection: Connection, { entries }: Plan): Promise<boolean | undefined> => {
  const { stage, source, writesBack, report } = connection;
  let isChanged = false;
  for (const kind of ['api', 'webhooks', ...(writesBack ? (['effects'] as const) : [])] as const) {
    const secretId = secretIdOf(connection, kind);
    const stored = await storeEntry(stage.store, secretId, source, entries[kind]);
    if (!stored.ok) {
      report(failed(`secret ${kind}`, stored.failure, 'Repeat the command: what is written stays.'));
      return undefined;
    }
    const before = stored.value === 'changed' ? '; the version before it is AWSPREVIOUS' : '';
    report(passed(`secret ${kind}`, `${secretId} ${stored.value}${before}`));
    isChanged ||= stored.value !== 'unchanged';
  }
  return isChanged;
};

/** Reads from the shop with the new credentials. */
const readShop = async ({ platform, source, report }: Connection, place: Place): Promise<boolean> => {
  const checks = accessChecks(platform, source, limiter(1));
  const api = await checks.api();
  const isReadable = api.status !== 'failed';
  report(isReadable ? api : { ...api, remedy: platformSteps[platform].credentials(place) });
  if (!isReadable) return false;
  const scopes = await checks.scopes();
  for (const row of scopes) report(row);
  return scopes.every(({ status }) => status !== 'failed');
};

/** Creates and corrects the subscriptions. Returns whether all are active, and whether they all were before. */
const subscribe = async (
  { platform, source, writesBack, report }: Connection,
  hook: Hook | undefined,
  place: Place,
): Promise<{ readonly isActive: boolean; readonly wasActive: boolean }> => {
  const name = 'subscriptions';
  const subscriptions = platformSubscriptions[platform];
  if (subscriptions === undefined) {
    report(notApplicable(name, `people make those of ${platform}`));
    return { isActive: true, wasActive: true };
  }
  const failing = { isActive: false, wasActive: false };
  if (hook === undefined) {
    report(failed(name, 'the stage has no address for this platform', 'Give hookAddress, or deploy the way in.'));
    return failing;
  }
  const version = await versionCheck(subscriptions, source);
  if (version !== undefined) report(version);
  const read = async () => subscriptions.read(source, hook, Date.now() + shopLimitMs);
  const before = await read();
  const wasActive = before.ok && before.value.every(({ state }) => state === 'active');
  const repaired = wasActive ? ok(undefined) : await repairSubscriptions(subscriptions, source, hook, writesBack);
  const after = await read();
  if (!after.ok) {
    report(failureCheck(name, source, after.failure));
    return failing;
  }
  const remedy = repaired.ok
    ? 'Repeat the command.'
    : `The shop rejects the change (${repaired.failure.reason}). ${platformSteps[platform].credentials(place)}`;
  const row = subscriptionsCheck(after.value, remedy);
  report(row);
  return { isActive: row.status === 'passed', wasActive };
};

/** Proves that the deliveries of the shop arrive. Without a change, one of an earlier day counts. */
const proveDelivery = async (
  { stage, platform, source, waitMs, report, say }: Connection,
  startedAt: number,
  isChanged: boolean,
): Promise<boolean> => {
  const name = 'delivery';
  const show = ({ topic, receivedAt, status }: Delivery) =>
    report(passed(name, `${topic}, received at ${receivedAt}, ${status}`));
  const last = isChanged ? ok(undefined) : await readLastDelivery(stage.functions, { platform, source });
  if (last.ok && last.value !== undefined) {
    show(last.value);
    return true;
  }
  const { cause } = platformSteps[platform];
  if (waitMs === undefined || cause === undefined) {
    const why = cause === undefined ? 'no person can cause one at once' : 'with --no-wait no delivery is awaited';
    for (const row of skipped([name], why)) report(row);
    return true;
  }
  say(`Waiting up to ${Math.round(waitMs / 1000)} s for a delivery. Now ${cause}.`);
  const receivedFrom = new Date(startedAt).toISOString();
  const arrived = await waitForDelivery(stage.functions, { platform, source, receivedFrom }, waitMs);
  if (arrived.ok) show(arrived.value);
  else report(failed(name, arrived.failure, 'Read the log of receiveWebhook, and repeat the command.'));
  return arrived.ok;
};

/**
 * Connects a shop whose entries are planned.
 *
 * @returns whether all is done that the command can do, and proven
 */
export const connectShop = async (connection: Connection, plan: Plan): Promise<boolean> => {
  const { stage, platform, source, report, say } = connection;
  const startedAt = Date.now();
  const secretId = secretIdOf(connection, 'webhooks');
  const place = { source, address: plan.hook?.address, secretId, api: plan.entries.api };
  const isChanged = await writeEntries(connection, plan);
  if (isChanged === undefined) return false;
  const isEnabled = stage.platforms.includes(platform);
  const remedy = `Add ${platform} to Platforms, and deploy.`;
  if (!isEnabled) report(failed('stage', `its parameter Platforms does not name ${platform}`, remedy));
  if (!(await readShop(connection, place))) return false;
  const { isActive, wasActive } = await subscribe(connection, plan.hook, place);
  for (const step of platformSteps[platform].afterwards(place)) say(`By hand: ${step}`);
  return isEnabled && isActive && proveDelivery(connection, startedAt, isChanged || !wasActive);
};
