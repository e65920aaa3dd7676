import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { OrderCancellation, RemoteSnapshot, ShopFailure, Translator } from '../../platforms/platform.ts';
import { findSource, readSourceNames } from '../../platforms/shared/http/sources.ts';
import { platformsConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { errorName } from '../../../runtime/log.ts';
import { notFound, SecretUnavailable } from '../../../access/secrets/secret.ts';
import { isSameName } from '../../../domain/withdrawals/same-name.ts';

const config = configured(platformsConfig);

type Translators = Readonly<Record<string, Translator>>;

/** A shop that may have an order. */
type OrderShop = { readonly platform: string; readonly source: string; readonly translator: Translator };

/** How the secrets are read: `fresh` includes shops that were added since the last read. */
type SecretRead = { readonly fresh: boolean; readonly signal: AbortSignal };

/** Returns the shops of a platform whose orders have the platform name `orderPlatform`. */
const shopsOf = async (
  platform: string,
  translator: Translator,
  orderPlatform: string,
  read: SecretRead,
): Promise<readonly OrderShop[]> => {
  const secret = `api/${platform}` as const;
  const shops: OrderShop[] = [];
  for (const source of await readSourceNames(secret, read)) {
    const own = await findSource(secret, source, (entry) => entry.optionalText('orderPlatform'), {
      signal: read.signal,
    });
    if ((own ?? platform) === orderPlatform) shops.push({ platform, source, translator });
  }
  return shops;
};

/**
 * Finds the shops that may have an order, by the secrets of the enabled platforms. Several shops share one platform name
 * only where the platform's ids are unique over all shops.
 */
const findShops = async (
  translators: Translators,
  orderPlatform: string,
  read: SecretRead,
): Promise<Result<readonly OrderShop[], ShopFailure>> => {
  const found: OrderShop[] = [];
  for (const platform of config().enabled) {
    const translator = Object.hasOwn(translators, platform) ? translators[platform] : undefined;
    if (translator === undefined) continue;
    try {
      found.push(...(await shopsOf(platform, translator, orderPlatform, read)));
    } catch (error) {
      // A platform may be enabled before it has shops.
      if (error instanceof SecretUnavailable && error.reason === notFound) continue;
      return fail({ kind: 'retryable', reason: `shop_secret:${errorName(error)}` });
    }
  }
  return found.length > 0 || read.fresh ? ok(found) : findShops(translators, orderPlatform, { ...read, fresh: true });
};

/** The failures of a shop that does not have the order. */
const unknownOrder: ReadonlySet<string> = new Set(['shop_order_not_found', 'shop_status_404']);

type OrderState = { readonly isCancelled: boolean; readonly snapshot: RemoteSnapshot };

/** The shop of an order with its calls, and the state of the order there. */
type OrderAtShop = {
  readonly shop: OrderShop;
  readonly cancellation: OrderCancellation;
  readonly state: OrderState;
};

/** Fetches the state of an order from the shop that has it. A shop that fails does not hide the order of another. */
const findOrder = async (
  shops: readonly OrderShop[],
  orderId: string,
  deadline: number,
): Promise<Result<OrderAtShop, ShopFailure>> => {
  const failures: ShopFailure[] = [];
  for (const shop of shops) {
    const { cancellation } = shop.translator;
    if (cancellation === undefined) return fail({ kind: 'permanent', reason: 'cancellation_unsupported' });
    const state = await cancellation.fetchState(shop.source, orderId, deadline);
    if (state.ok) return ok({ shop, cancellation, state: state.value });
    failures.push(state.failure);
  }
  const failure = failures.find(({ reason }) => !unknownOrder.has(reason)) ?? failures[0];
  return fail(failure ?? { kind: 'permanent', reason: 'unknown_source' });
};

/** The reason of a delivery whose shop cancels the order later. */
export const cancellationPending = 'cancellation_pending';
const pending: ShopFailure = { kind: 'retryable', reason: cancellationPending };

/** Whether no unit was sent. An unknown number counts as sent: the order may be on its way. */
const isUnsent = ({ order }: RemoteSnapshot): boolean =>
  order.lines.every(({ fulfilledQuantity }) => fulfilledQuantity === 0);

/** Whether the customer at the shop has the name of the declaration. */
const isOfCustomer = ({ order }: RemoteSnapshot, declaredName: string): boolean =>
  isSameName(order.customer?.name ?? '', declaredName);

/** The order to cancel. */
export type OrderToCancel = {
  readonly platform: string;
  readonly orderId: string;
  /** The name that the customer at the shop must have; undefined when a person matched the withdrawal. */
  readonly declaredName: string | undefined;
  /** Whether an earlier attempt has asked the shop already. */
  readonly isPending: boolean;
};

/** The shop of a cancelled order, and the state of the order there. */
export type CancelledOrder = OrderShop & { readonly snapshot: RemoteSnapshot };

/**
 * Cancels a whole order at its shop, and returns its state there.
 * The state is fetched first. So a repeat does not cancel twice, and an order that left the shop meanwhile stays. So does
 * one whose customer has another name, unless a person matched the withdrawal.
 */
export const cancelOrder = async (
  translators: Translators,
  { platform, orderId, declaredName, isPending }: OrderToCancel,
  deadline: number,
): Promise<Result<CancelledOrder, ShopFailure>> => {
  const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const shops = await findShops(translators, platform, { fresh: false, signal });
  if (!shops.ok) return shops;
  const found = await findOrder(shops.value, orderId, deadline);
  if (!found.ok) return found;
  const { shop, cancellation, state } = found.value;
  if (state.isCancelled) return ok({ ...shop, snapshot: state.snapshot });
  if (!isUnsent(state.snapshot)) return fail({ kind: 'permanent', reason: 'order_shipped' });
  if (declaredName !== undefined && !isOfCustomer(state.snapshot, declaredName))
    return fail({ kind: 'permanent', reason: 'name_differs' });
  if (isPending) return fail(pending);
  const cancelled = await cancellation.cancel(shop.source, orderId, deadline);
  if (!cancelled.ok) return cancelled;
  const after = await cancellation.fetchState(shop.source, orderId, deadline);
  if (!after.ok) return after;
  return after.value.isCancelled ? ok({ ...shop, snapshot: after.value.snapshot }) : fail(pending);
};
