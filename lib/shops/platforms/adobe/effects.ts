import { isDeepStrictEqual } from 'node:util';
import { fail, ok, type Result } from '../../../runtime/result.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import type { Effect, Effects, Sent, WantedReturn } from '../effect.ts';
import { permanentFailure, type ShopFailure } from '../platform.ts';
import { blocked, noAnswer } from '../shared/effects/plan.ts';
import { returnDecision } from '../shared/effects/return-decision.ts';
import { idOf, objectsOf } from '../shared/fields/fields.ts';
import type { Shop } from '../shared/http/api.ts';
import { callApi } from './api.ts';
import {
  type DecisionPlan,
  planApproval,
  planCancellation,
  planRejection,
  type RmaChange,
  type RmaState,
} from './decision-plan.ts';
import { itemsOf } from './items.ts';

/*
 * What Commerce can do at our word: the decisions on an RMA that it has. A request replaces the RMA, and has no version.
 */

const missing = blocked('return_missing');

/** Reads an RMA; undefined for one that the shop does not have. Commerce answers an unknown id with an empty one. */
const readRma = async (shop: Shop, id: string): Promise<Result<JsonObject | undefined, ShopFailure>> => {
  if (idOf(id) !== id) return ok(undefined);
  const answer = await callApi(shop, `returns/${id}`);
  if (!answer.ok) return answer.failure.reason === 'shop_status_404' ? ok(undefined) : answer;
  return ok(idOf(answer.value['entity_id']) === id ? answer.value : undefined);
};

/** The changes before ours are changes of staff. They must not be lost, so the next run compares them. */
const changed: ShopFailure = { kind: 'retryable', reason: 'return_changed' };

const statusesIn = ({ status, items }: JsonObject) => [status, ...objectsOf(items).map((item) => item['status'])];

/** Reads the RMA again, right before it is replaced. A change that staff makes within that moment is still lost. */
const replaceRma = async (shop: Shop, change: RmaChange): Promise<Sent> => {
  const id = String(change.before['entity_id']);
  const now = await readRma(shop, id);
  if (!now.ok) return now;
  if (!isDeepStrictEqual(now.value, change.before)) return fail(changed);
  const answer = await callApi(shop, `returns/${id}`, { rmaDataObject: change.after });
  if (!answer.ok) return answer;
  const isWritten = isDeepStrictEqual(statusesIn(answer.value), statusesIn(change.after));
  return isWritten ? ok({ externalId: id }) : fail(noAnswer);
};

const decision = (plan: (state: RmaState, own: WantedReturn) => DecisionPlan): Effect =>
  returnDecision<RmaChange>({
    plan: async (shop, { orderId }, own) => {
      const rma = await readRma(shop, own.externalId);
      if (!rma.ok) return rma;
      if (rma.value === undefined) return ok(missing);
      if (rma.value['order_increment_id'] !== orderId) return permanentFailure('return_of_another_order');
      const items = itemsOf(rma.value);
      if (!items.ok) return items;
      const { read, unread } = items.value;
      return unread === undefined ? ok(plan({ rma: rma.value, items: read }, own)) : fail(unread);
    },
    send: replaceRma,
  });

/** What Commerce can be asked to do. */
export const effects: Effects = {
  approve: decision(planApproval),
  reject: decision(planRejection),
  cancel: decision(planCancellation),
};
