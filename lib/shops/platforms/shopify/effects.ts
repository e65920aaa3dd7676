import { ok, type Result } from '../../../runtime/result.ts';
import type { Effect, Effects, Wanted, WantedReturn } from '../effect.ts';
import type { ShopFailure } from '../platform.ts';
import { findShop, type Shop } from '../shared/http/api.ts';
import { cancelOrderEffect } from '../shared/effects/cancel-order.ts';
import { blocked } from '../shared/effects/plan.ts';
import { noteOf, type RepeatedPlan, settleMs, sightOf } from '../shared/effects/repeated-plan.ts';
import { findApiCredentials } from './api.ts';
import { fetchOrderReturns, planCreation } from './effects/create.ts';
import { planApproval, planCancellation, planClosing, planRejection } from './effects/decisions.ts';
import { mutate, type Mutation } from './effects/mutate.ts';
import { isUnprocessed, planInspection } from './effects/process.ts';
import { fetchOrderMoney, planRefund } from './effects/refund-create.ts';
import { fetchOutcome, planRefundedUnits, withMoney } from './effects/refund.ts';
import { fetchParcels, planParcel } from './effects/ship.ts';
import { fetchReturnState, type ReturnState } from './effects/state.ts';
import { cancellation } from './order.ts';

/*
 * What Shopify does at our word. Each action reads the state, plans in a pure function, and sends at most one mutation.
 * `platform`: a repeat that could have a second effect is planned as unsafe, and `sightOf` holds it back.
 */

type Planned = Result<RepeatedPlan<Mutation>, ShopFailure>;

const effect = (plan: (shop: Shop, wanted: Wanted, own: WantedReturn) => Promise<Planned>): Effect => ({
  guard: 'platform',
  settleMs,
  see: async (source, wanted, deadline) => {
    if (wanted.return === undefined) return ok(blocked('return_missing'));
    const planned = await plan({ source, deadline }, wanted, wanted.return);
    return planned.ok ? ok(sightOf(planned.value, wanted, source, mutate)) : planned;
  },
});

/** An action on the return at the shop. Without one there, `absent` is the plan. */
const onReturn = (
  absent: RepeatedPlan<Mutation>,
  plan: (state: ReturnState, wanted: Wanted, own: WantedReturn) => RepeatedPlan<Mutation>,
): Effect =>
  effect(async (shop, wanted, own) => {
    if (own.externalId === undefined) return ok(absent);
    const state = await fetchReturnState(shop, wanted.orderId, own.externalId);
    return state.ok ? ok(plan(state.value, wanted, own)) : state;
  });

const nothing: RepeatedPlan<Mutation> = { kind: 'done' };

const approve = effect(async (shop, wanted, own) => {
  if (own.externalId !== undefined) {
    const state = await fetchReturnState(shop, wanted.orderId, own.externalId);
    return state.ok ? ok(planApproval(state.value, own)) : state;
  }
  const order = await fetchOrderReturns(shop, wanted.orderId, own);
  return order.ok ? ok(planCreation(order.value, wanted, own)) : order;
});

const ship = effect(async (shop, { orderId, parcel }, own) => {
  if (own.externalId === undefined) return ok(blocked('return_missing'));
  if (parcel === undefined) return ok(blocked('parcel_missing'));
  const state = await fetchParcels(shop, orderId, own.externalId);
  return state.ok ? ok(planParcel(state.value, own.externalId, parcel)) : state;
});

const locationOf = async ({ source }: Shop): Promise<Result<string | undefined, ShopFailure>> => {
  const access = await findShop(findApiCredentials, source);
  return access.ok ? ok(access.value.restockLocation) : access;
};

const inspect = effect(async (shop, wanted, own) => {
  if (wanted.paysRefunds) return ok({ kind: 'deferred', to: 'refund' });
  if (own.externalId === undefined) return ok(blocked('return_missing'));
  const state = await fetchReturnState(shop, wanted.orderId, own.externalId);
  if (!state.ok) return state;
  const location = await locationOf(shop);
  if (!location.ok) return location;
  const plan = planInspection(state.value, wanted, own, location.value);
  if (plan.kind !== 'open') return ok(plan);
  const { returnGid: returnId, lines: returnLineItems } = plan.request;
  const input = { returnId, returnLineItems, notifyCustomer: false, note: noteOf(wanted.key) };
  return ok({ ...plan, request: { name: 'returnProcess', variables: { input } } });
});

/** Money for units of a return that the shop has goes with the goods; other money does not. */
const refund = effect(async (shop, wanted, own): Promise<Planned> => {
  const { refund: money } = wanted;
  if (money === undefined) return ok(blocked('refund_missing'));
  if (own.externalId === undefined || money.lines.length === 0) {
    const order = await fetchOrderMoney(shop, wanted, money);
    return order.ok ? ok(planRefund(order.value, wanted, money)) : order;
  }
  const state = await fetchReturnState(shop, wanted.orderId, own.externalId);
  if (!state.ok) return state;
  const location = await locationOf(shop);
  if (!location.ok) return location;
  const plan = planRefundedUnits(state.value, wanted, own, money, location.value);
  if (plan.kind !== 'open') return ok(plan);
  const suggestion = await fetchOutcome(shop, plan.request, money);
  if (!suggestion.ok) return suggestion;
  const paid = withMoney(plan.request, suggestion.value, wanted, money, state.value.refunds);
  return ok(paid.kind === 'open' ? { ...paid, repeat: plan.repeat } : paid);
});

/** What Shopify can be asked to do: decisions, goods and money. */
export const effects: Effects = {
  cancel_order: cancelOrderEffect(cancellation),
  approve,
  reject: onReturn(nothing, (state, _wanted, own) => planRejection(state, own)),
  cancel: onReturn(nothing, planCancellation),
  close: onReturn(nothing, (state, wanted, own) => planClosing(state, wanted, isUnprocessed(state, own))),
  ship,
  receive: effect(async (_shop, { paysRefunds }) => ok({ kind: 'deferred', to: paysRefunds ? 'refund' : 'inspect' })),
  inspect,
  refund,
};
