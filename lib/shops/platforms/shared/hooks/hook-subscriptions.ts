import { fail, ok, type Result } from '../../../../runtime/result.ts';
import type { ShopFailure } from '../../platform.ts';
import type { Hook, Subscriptions, SubscriptionState } from '../../subscription.ts';
import type { Shop } from '../http/api.ts';

/** A hook that a shop lists. */
export type ListedHook = {
  readonly id: string;
  /** The needed topics that it reports. */
  readonly topics: readonly string[];
  readonly address: string;
  readonly isActive: boolean;
  /** The shop allows no second hook for the topics, and this one has another address or another secret. */
  readonly isOther?: true;
};

/** The hooks of a platform, as its API has them. */
export type HookApi<Listed extends ListedHook = ListedHook> = {
  readonly platform: string;
  readonly topics: readonly string[];
  /** `all`: one hook reports all topics. */
  readonly perHook: 'one' | 'all';
  readonly list: (shop: Shop, hook: Partial<Hook>) => Promise<Result<readonly Listed[], ShopFailure>>;
  /** Whether a hook is one of ours, whatever our present address is. @default by the path of its address */
  readonly isOurs?: (source: string, listed: Listed) => boolean;
  readonly create: (shop: Shop, topics: readonly string[], hook: Hook) => Promise<Result<unknown, ShopFailure>>;
  /** Gives a hook the address, the secret and the topics, and enables it. */
  readonly update: (shop: Shop, listed: Listed, hook: Hook) => Promise<Result<unknown, ShopFailure>>;
};

/** Returns an address in the form of comparisons. */
const normalAddress = (address: string): string => URL.parse(address)?.href ?? address;

/** Returns an address to show. A query or the user of an address may be a secret. */
const shownAddress = (address: string): string => {
  const url = URL.parse(address);
  if (url === null || url.host === '') return address.startsWith('arn:') ? address : '';
  return url.protocol === 'https:' || url.protocol === 'http:'
    ? `${url.origin}${url.pathname}`
    : `${url.protocol}//${url.host}`;
};

/** Whether an address has our path for a source of the platform, at any host. */
export const hasOurPath = (platform: string, source: string, address: string): boolean => {
  const path = URL.parse(address)?.pathname.toLowerCase() ?? '';
  const own = `/webhooks/${platform}`;
  return path.endsWith(own) || path.endsWith(`${own}/${source.toLowerCase()}`);
};

type Comparison<Listed> = { readonly found: SubscriptionState; readonly hook?: Listed };

/** Compares the hooks of a shop with the needed topics. */
const compare = <Listed extends ListedHook>(
  { platform, topics, isOurs }: HookApi<Listed>,
  hooks: readonly Listed[],
  source: string,
  address: string | undefined,
): readonly Comparison<Listed>[] => {
  const ours = isOurs ?? ((name: string, listed: Listed) => hasOurPath(platform, name, listed.address));
  const isHere = (listed: Listed): boolean =>
    listed.isOther !== true &&
    (address === undefined ? ours(source, listed) : normalAddress(listed.address) === normalAddress(address));
  return topics.map((topic) => {
    const own = hooks.filter((hook) => hook.topics.includes(topic));
    const here = own.filter(isHere);
    const present = here.find(({ isActive }) => isActive) ?? here[0];
    const hook = present ?? own.find((listed) => listed.isOther === true || ours(source, listed));
    if (hook === undefined) return { found: { topic, state: 'missing' } };
    const state = present === undefined ? 'differs' : present.isActive ? 'active' : 'disabled';
    return { found: { topic, state, seen: shownAddress(hook.address) }, hook };
  });
};

type Request = (shop: Shop) => Promise<Result<unknown, ShopFailure>>;

/** Returns the requests of a repair: one for each hook to change, then one for each hook to create. */
const requestsOf = <Listed extends ListedHook>(
  api: HookApi<Listed>,
  hooks: readonly Listed[],
  source: string,
  hook: Hook,
): readonly Request[] => {
  const compared = compare(api, hooks, source, hook.address);
  const toChange = new Map<string, Listed>();
  for (const { found, hook: listed } of compared)
    if (listed !== undefined && found.state !== 'active') toChange.set(listed.id, listed);
  const missing = compared.filter(({ hook: listed }) => listed === undefined).map(({ found }) => found.topic);
  if (api.perHook === 'all' && missing.length > 0) {
    const kept = compared.find(({ hook: listed }) => listed !== undefined)?.hook;
    if (kept === undefined) return [async (shop) => api.create(shop, missing, hook)];
    toChange.set(kept.id, kept);
    missing.splice(0);
  }
  return [
    ...Array.from(
      toChange.values(),
      (listed): Request =>
        async (shop) =>
          api.update(shop, listed, hook),
    ),
    ...missing.map(
      (topic): Request =>
        async (shop) =>
          api.create(shop, [topic], hook),
    ),
  ];
};

/** Returns the subscriptions of a platform that lists its hooks. */
export const hookSubscriptions = <Listed extends ListedHook>(
  api: HookApi<Listed>,
): Pick<Subscriptions, 'read' | 'repair'> => ({
  read: async (source, hook, deadline) => {
    const listed = await api.list({ source, deadline }, hook);
    if (!listed.ok) return listed;
    return ok(compare(api, listed.value, source, hook.address).map(({ found }) => found));
  },
  repair: async (source, hook, deadline) => {
    const shop = { source, deadline };
    const listed = await api.list(shop, hook);
    if (!listed.ok) return listed;
    let failure: ShopFailure | undefined;
    for (const request of requestsOf(api, listed.value, source, hook)) {
      const answer = await request(shop);
      if (answer.ok) continue;
      failure ??= answer.failure;
      // What a shop rejects concerns one topic. A denial or an outage concerns them all.
      if (answer.failure.kind === 'retryable') break;
    }
    return failure === undefined ? ok(undefined) : fail(failure);
  },
});

/** Returns a failure that no retry can fix. lib/tools/guides/shop-subscriptions.md has a row for its reason. */
export const subscriptionFailure = (reason: string): Result<never, ShopFailure> => fail({ kind: 'permanent', reason });

/** The failure of a creation where we must choose the secret, and it is unknown. */
export const secretMissing: Result<never, ShopFailure> = subscriptionFailure('hook_secret_missing');
