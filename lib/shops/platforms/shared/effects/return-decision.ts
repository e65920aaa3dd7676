import { ok, type Result } from '../../../../runtime/result.ts';
import { type Effect, type Sent, unsupportedAction, type Wanted, type WantedReturn } from '../../effect.ts';
import { permanentFailure, type ShopFailure } from '../../platform.ts';
import type { Shop } from '../http/api.ts';
import type { Plan } from './plan.ts';
import { settleMs, sightOf } from './repeated-plan.ts';

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
export const returnDecision = <Request>({ plan, send }: Steps<Request>): Effect => ({
  guard: 'platform',
  settleMs,
  see: async (source, wanted, deadline) => {
    const { return: own } = wanted;
    if (own?.externalId === undefined) return permanentFailure(unsupportedAction);
    const planned = await plan({ source, deadline }, wanted, { ...own, externalId: own.externalId });
    if (!planned.ok) return planned;
    const { value } = planned;
    const repeated = value.kind === 'open' ? { ...value, repeat: 'later' as const } : value;
    return ok(sightOf(repeated, wanted, source, async (shop, request) => send(shop, request, wanted)));
  },
});
