import type { WriteBackBackend } from '../../../lib/service/write-back/report-effect.ts';
import type { PlatformEffects } from '../../../lib/service/write-back/see-shop.ts';
import { effectsThrough } from './effects-through.ts';

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
  return {
    isDead: () => isDead,
    backend: {
      getReturn: mortal(backend.getReturn),
      getWithdrawal: mortal(backend.getWithdrawal),
      listReturns: mortal(backend.listReturns),
      recordRefundResult: mortal(backend.recordRefundResult),
      updateReturn: mortal(backend.updateReturn),
    } satisfies WriteBackBackend,
    effects: effectsThrough(platforms, async (_call, _wanted, run) => mortal(run)()),
  };
};
