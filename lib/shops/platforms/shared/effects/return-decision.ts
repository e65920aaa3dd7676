import { ok, type Result } from '../../../../runtime/result.ts';
import { type Effect, type Sent, unsupportedAction, type Wanted, type WantedReturn } from '../../effect.ts';
import { permanentFailure, type ShopFailure } from '../../platform.ts';
import type { Shop } from '../http/api.ts';
import { effectBy, mayStillArrive, type Plan } from './plan.ts';
import { settleMs } from './repeated-plan.ts';

/** A return of ours that the shop has. */
export type KnownReturn = WantedReturn & { readonly externalId: string };

type Steps<Request> = {
  readonly plan: (shop: Shop, wanted: Wanted, own: KnownReturn) => Promise<Result<Plan<Request>, ShopFailure>>;
  readonly send: (shop: Shop, request: Request, wanted: Wanted) => Promise<Sent>;
};

/**
 * Returns a decision on a return at a platform on which we make none: a return that exists only here has no counterpart.
 * The state at the shop shows the decision. So it is sent again after a read without it, once no earlier request can
 * arrive any more: a late one would overwrite what staff has changed meanwhile.
 */
export const returnDecision = <Request>({ plan, send }: Steps<Request>): Effect =>
  effectBy({
    guard: 'platform',
    settleMs,
    plan: async (shop, wanted) => {
      const { return: own } = wanted;
      if (own?.externalId === undefined) return permanentFailure(unsupportedAction);
      const planned = await plan(shop, wanted, { ...own, externalId: own.externalId });
      if (!planned.ok || planned.value.kind !== 'open' || !mayStillArrive(wanted, settleMs, Date.now())) return planned;
      const { seen } = planned.value;
      return ok({ kind: 'pending', ...(seen !== undefined && { seen }) });
    },
    send,
  });
