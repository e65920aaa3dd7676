import type { Output } from '../../contract/contract.ts';
import { ok, type Result } from '../../runtime/result.ts';
import type { SubscriptionState } from '../../shops/platforms/subscription.ts';
import { platformSubscriptions } from '../../shops/platforms/subscriptions.ts';
import { type Check, failed, notApplicable, passed, skipped, warning } from '../doctor/check.ts';
import { type Limit, limiter } from '../doctor/checks/platform-shops.ts';
import { readOperation } from './call-operation.ts';
import { hookOf } from './hook-of.ts';
import { type Delivery, readLastDelivery } from './last-delivery.ts';
import { checkEntries, type PlatformSources, readPlatformSources, type StagePlatform } from './plan-entries.ts';
import { accessChecks, failureCheck, shopLimitMs, subscriptionsCheck, versionCheck } from './platform-state.ts';
import { entryIn } from './store-entry.ts';

/* The state of connected shops: what the secrets have, what the shops say, and what has arrived. It changes nothing. */

type Intent = Output<'listIntents'>['items'][number];

/** The state of one shop. `isOk`: no person has to do anything. */
export type ShopState = {
  readonly platform: string;
  readonly source: string;
  readonly isOk: boolean;
  readonly checks: readonly Check[];
  /** Absent where the platform lists none, or does not answer. */
  readonly subscriptions?: readonly SubscriptionState[];
  readonly lastDelivery?: Pick<Delivery, 'receivedAt' | 'topic' | 'status'>;
  readonly lastEffect?: Pick<Intent, 'intentId' | 'action' | 'status' | 'updatedAt'>;
  readonly parkedIntents?: number;
};

/** Concurrent reads of shops, and of functions. */
const workers = 4;
const pageSize = 100;

type Shop = StagePlatform & { readonly source: string; readonly sources: PlatformSources; readonly limit: Limit };

type Part = { readonly checks: readonly Check[] } & Omit<Partial<ShopState>, 'checks'>;

/** Reads the API with the entry of the shop, and what its credentials lack. */
const readAccess = async ({ platform, source, limit }: Shop): Promise<Part> => {
  const checks = accessChecks(platform, source, limit);
  const [api, scopes] = await Promise.all([checks.api(), checks.scopes()]);
  return { checks: [api, ...scopes] };
};

const readSubscriptions = async ({ stage, platform, source, sources, limit }: Shop): Promise<Part> => {
  const name = 'subscriptions';
  const subscriptions = platformSubscriptions[platform];
  if (subscriptions === undefined) return { checks: [notApplicable(name, `people make those of ${platform}`)] };
  const api = entryIn(sources.api, source) ?? {};
  const entries = { api, webhooks: entryIn(sources.webhooks, source) ?? {} };
  const hook = hookOf(stage, platform, source, entries, api['hookAddress']) ?? {};
  const [version, states] = await Promise.all([
    limit(async () => versionCheck(subscriptions, source)),
    limit(async () => subscriptions.read(source, hook, Date.now() + shopLimitMs)),
  ]);
  const head = version === undefined ? [] : [version];
  if (!states.ok) return { checks: [...head, failureCheck(name, source, states.failure)] };
  const remedy = `Run npm run shops -- connect ${platform} ${source}.`;
  return { checks: [...head, subscriptionsCheck(states.value, remedy)], subscriptions: states.value };
};

const readDelivery = async ({ stage, platform, source }: Shop): Promise<Part> => {
  const name = 'last delivery';
  const read = await readLastDelivery(stage.functions, { platform, source });
  if (!read.ok) return { checks: [failed(name, read.failure, 'Check the credentials and the function.')] };
  if (read.value === undefined) return { checks: skipped([name], 'none within 30 days') };
  const { receivedAt, topic, status } = read.value;
  return { checks: [passed(name, `${receivedAt} ${topic} ${status}`)], lastDelivery: { receivedAt, topic, status } };
};

/** Reads the newest intent that the shop was asked for, and counts those that wait for people. */
const readIntents = async ({ stage, platform, source, sources }: Shop): Promise<Part> => {
  const names = ['last effect', 'parked intents'];
  if (!stage.hasIntents)
    return { checks: names.map((name) => notApplicable(name, 'the connected mode has no intents')) };
  const { orderPlatform } = entryIn(sources.api, source) ?? {};
  const query = { platform: typeof orderPlatform === 'string' ? orderPlatform : platform, limit: pageSize };
  const read = async (status?: 'parked'): Promise<Result<readonly Intent[], string>> => {
    const page = await readOperation(stage.functions, 'listIntents', { ...query, ...(status && { status }) });
    const isOfShop = ({ shop }: Intent) => shop === undefined || shop.source === source;
    return page.ok ? ok(page.value.items.filter(isOfShop)) : page;
  };
  const [all, parked] = await Promise.all([read(), read('parked')]);
  if (!all.ok || !parked.ok) {
    const why = all.ok ? 'the parked ones cannot be read' : all.failure;
    return { checks: names.map((name) => failed(name, why, 'Check the credentials and the function.')) };
  }
  const last = all.value.find(({ requests }) => requests > 0);
  const count = parked.value.length;
  return {
    checks: [
      ...(last === undefined
        ? skipped(['last effect'], 'none asked for')
        : [passed('last effect', `${last.updatedAt} ${last.action} ${last.status}`)]),
      count === 0
        ? passed('parked intents', 'none')
        : warning('parked intents', String(count), 'Read their reasons: lib/tools/guides/write-back.md.'),
    ],
    ...(last !== undefined && {
      lastEffect: { intentId: last.intentId, action: last.action, status: last.status, updatedAt: last.updatedAt },
    }),
    parkedIntents: count,
  };
};

const readShop = async (shop: Shop): Promise<ShopState> => {
  const { platform, source, sources } = shop;
  const fields = checkEntries(platform, source, sources);
  const isReadable = entryIn(sources.api, source) !== undefined && fields.every(({ status }) => status !== 'failed');
  const [access, subscriptions, ...rest] = await Promise.all([
    isReadable ? readAccess(shop) : { checks: skipped(['API'], 'its fields are invalid') },
    isReadable ? readSubscriptions(shop) : { checks: skipped(['subscriptions'], 'its fields are invalid') },
    shop.limit(async () => readDelivery(shop)),
    shop.limit(async () => readIntents(shop)),
  ]);
  const parts: readonly Part[] = [access, subscriptions, ...rest];
  const checks = [...fields, ...parts.flatMap((part) => part.checks)];
  const isOk = checks.every(({ status }) => status === 'passed' || status === 'skipped');
  return Object.assign({ platform, source, isOk }, ...parts, { checks }) as ShopState;
};

/** Reads the state of all shops of a platform. The failure is one sentence. */
export const readPlatformState = async (platform: StagePlatform): Promise<Result<readonly ShopState[], string>> => {
  const sources = await readPlatformSources(platform, true);
  if (!sources.ok) return sources;
  const { api, webhooks, effects = {} } = sources.value;
  const seen = new Map([...Object.keys(webhooks), ...Object.keys(api)].map((name) => [name.toLowerCase(), name]));
  const limit = limiter(workers);
  return ok(
    await Promise.all(
      [...seen.values()].map(async (source) => {
        const hasEffects = entryIn(effects, source) !== undefined;
        const held = { api, webhooks, ...(hasEffects && { effects }) };
        return readShop({ ...platform, source, sources: held, limit });
      }),
    ),
  );
};
