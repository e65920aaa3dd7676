import type { PlatformEffects } from '../../../lib/service/write-back/see-shop.ts';
import type { Effect, Sight, Wanted } from '../../../lib/shops/platforms/effect.ts';

/** Runs a read of a shop or a request to it. */
export type Through = <Value>(call: 'see' | 'send', wanted: Wanted, run: () => Promise<Value>) => Promise<Value>;

/** Returns effects whose reads and requests go through a function. */
export const effectsThrough = (platforms: PlatformEffects, through: Through): PlatformEffects => {
  const sightOf = (sight: Sight, wanted: Wanted): Sight =>
    sight.kind === 'open'
      ? { ...sight, send: async (deadline) => through('send', wanted, async () => sight.send(deadline)) }
      : sight;
  const effectOf = (effect: Effect): Effect => ({
    ...effect,
    see: async (source, wanted, deadline) => {
      const sight = await through('see', wanted, async () => effect.see(source, wanted, deadline));
      return sight.ok ? { ok: true, value: sightOf(sight.value, wanted) } : sight;
    },
  });
  return Object.fromEntries(
    Object.entries(platforms).map(([platform, effects]) => [
      platform,
      Object.fromEntries(Object.entries(effects).map(([action, effect]) => [action, effectOf(effect)])),
    ]),
  );
};

/**
 * Watches what shops are asked. A request needs a read of its own before it, also when it is sent again, and an order
 * has one request at a time.
 */
export const watchEffects = (platforms: PlatformEffects) => {
  const read = new Set<string>();
  const asking = new Set<string>();
  const wrong: string[] = [];
  const through: Through = async (call, { key, action, orderId }, run) => {
    if (call === 'see') {
      const sight = await run();
      read.add(key);
      return sight;
    }
    if (!read.delete(key)) wrong.push(`${action} was sent without a read before it`);
    if (asking.has(orderId)) wrong.push(`${action} was sent beside another request of its order`);
    asking.add(orderId);
    try {
      return await run();
    } finally {
      asking.delete(orderId);
    }
  };
  return {
    effects: effectsThrough(platforms, through),
    /** What no worker may do. */ wrong: wrong as readonly string[],
  };
};
