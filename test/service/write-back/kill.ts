import type { WriteBackBackend } from '../../../lib/service/write-back/report-effect.ts';
import type { PlatformEffects } from '../../../lib/service/write-back/see-shop.ts';
import type { Effect, Sight } from '../../../lib/shops/platforms/effect.ts';

/* A worker that ends between two awaits: a call of the service or of the shop never comes back. */

/** Where a worker ends: at which call, and whether the call was carried out. */
export type Kill = { readonly call: number; readonly isAfter: boolean };

class Killed extends Error {
  override readonly name = 'Killed';
}

/** Returns what a worker needs, as far as it lives. `isDead` says whether it has ended. */
export const killed = (backend: WriteBackBackend, platforms: PlatformEffects, { call, isAfter }: Kill) => {
  let calls = 0;
  let isDead = false;
  const mortal =
    <Parameters extends readonly unknown[], Value>(run: (...parameters: Parameters) => Promise<Value>) =>
    async (...parameters: Parameters): Promise<Value> => {
      calls += 1;
      if (isDead) throw new Killed();
      if (calls <= call) return run(...parameters);
      isDead = true;
      if (isAfter) await run(...parameters);
      throw new Killed();
    };
  const sightOf = (sight: Sight): Sight => (sight.kind === 'open' ? { ...sight, send: mortal(sight.send) } : sight);
  const effectOf = (effect: Effect): Effect => ({
    ...effect,
    see: mortal(async (source, wanted, deadline) => {
      const sight = await effect.see(source, wanted, deadline);
      return sight.ok ? { ok: true, value: sightOf(sight.value) } : sight;
    }),
  });
  return {
    isDead: () => isDead,
    backend: {
      getReturn: mortal(backend.getReturn),
      getWithdrawal: mortal(backend.getWithdrawal),
      listReturns: mortal(backend.listReturns),
      recordRefundResult: mortal(backend.recordRefundResult),
      updateReturn: mortal(backend.updateReturn),
    } satisfies WriteBackBackend,
    effects: Object.fromEntries(
      Object.entries(platforms).map(([platform, effects]) => [
        platform,
        Object.fromEntries(Object.entries(effects).map(([action, effect]) => [action, effectOf(effect)])),
      ]),
    ) as PlatformEffects,
  };
};
