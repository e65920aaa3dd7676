import { fail, ok, type Result } from '../../runtime/result.ts';
import type { Intent } from '../../domain/write-back/intent.ts';
import { type Effect, type Effects, type Sight, unsupportedAction, type Wanted } from '../../shops/platforms/effect.ts';
import type { ShopFailure } from '../../shops/platforms/platform.ts';
import { findShops, isUnknownOrder, type OrderShop } from '../../shops/platforms/shared/http/shops-of.ts';

/** The platforms that can be asked to do something. */
export type PlatformEffects = Readonly<Record<string, Effects>>;

/** What the shop of an order shows, and how its platform does the action. */
export type SeenShop = { readonly shop: OrderShop; readonly effect: Effect; readonly sight: Sight };

/**
 * Reads the state at the shop that has the order. A shop that was asked before is the only one that is read. A shop that
 * fails does not hide the order of another.
 */
export const seeShop = async (
  platformEffects: PlatformEffects,
  { shop: asked, order, action }: Pick<Intent, 'shop' | 'order' | 'action'>,
  wanted: Wanted,
  deadline: number,
): Promise<Result<SeenShop, ShopFailure>> => {
  const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const shops = asked === undefined ? await findShops(order.platform, { fresh: false, signal }) : ok([asked]);
  if (!shops.ok) return shops;
  const failures: ShopFailure[] = [];
  for (const shop of shops.value) {
    const effects = Object.hasOwn(platformEffects, shop.platform) ? platformEffects[shop.platform] : undefined;
    const effect = effects?.[action];
    if (effect === undefined) return fail({ kind: 'permanent', reason: unsupportedAction });
    const sight = await effect.see(shop.source, wanted, deadline);
    if (sight.ok) return ok({ shop, effect, sight: sight.value });
    failures.push(sight.failure);
  }
  const failure = failures.find((failed) => !isUnknownOrder(failed)) ?? failures[0];
  return fail(failure ?? { kind: 'permanent', reason: 'unknown_source' });
};
