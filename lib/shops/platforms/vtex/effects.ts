import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { Effect, Effects, Sent, Wanted } from '../effect.ts';
import { permanentFailure, type ShopFailure } from '../platform.ts';
import { blocked, noAnswer } from '../shared/effects/plan.ts';
import { type KnownReturn, returnDecision } from '../shared/effects/return-decision.ts';
import { objectOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import {
  type DecisionPlan,
  planApproval,
  planCancellation,
  planRejection,
  type StatusChange,
} from './decision-plan.ts';
import { fetchOrder, isRequestId } from './order.ts';
import { fetchRequest, type ReturnRequest, remoteReturnOf } from './return.ts';

/* What the return app can do at our word: the decisions on a request that it has. The Orders API has no returns. */

type Planned = Result<DecisionPlan, ShopFailure>;

const setStatus = async (shop: Shop, change: StatusChange, wanted: Wanted): Promise<Sent> => {
  const externalId = wanted.return?.externalId ?? '';
  const answer = await callApi(shop, 'returnsUrl', `/_v/return-request/${encodeURIComponent(externalId)}`, change);
  if (!answer.ok) return answer;
  return objectOf(answer.value)['status'] === change.status ? ok({ externalId }) : fail(noAnswer);
};

const decision = (
  plan: (shop: Shop, request: ReturnRequest, wanted: Wanted, own: KnownReturn) => Promise<Planned>,
): Effect =>
  returnDecision<StatusChange>({
    plan: async (shop, wanted, own) => {
      if (!isRequestId(own.externalId)) return ok(blocked('return_missing'));
      const request = await fetchRequest(shop, own.externalId);
      if (!request.ok) return request.failure.reason === 'shop_status_404' ? ok(blocked('return_missing')) : request;
      if (request.value.orderId !== wanted.orderId) return permanentFailure('return_of_another_order');
      return plan(shop, request.value, wanted, own);
    },
    send: setStatus,
  });

const approve = decision(async (shop, request, wanted, own) => {
  const order = await fetchOrder(shop, request.orderId);
  if (!order.ok) return order;
  const remote = remoteReturnOf(request, order.value, undefined);
  return remote.ok ? ok(planApproval(request, wanted, own, remote.value.lines)) : remote;
});

/** What the return app can be asked to do. */
export const effects: Effects = {
  approve,
  reject: decision(async (_shop, request, wanted) => ok(planRejection(request, wanted))),
  cancel: decision(async (_shop, request, wanted) => ok(planCancellation(request, wanted))),
};
