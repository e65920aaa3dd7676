import type { JsonObject } from '../../runtime/json.ts';
import { isObject } from '../../runtime/json.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Shop } from '../shared/http/api.ts';
import { objectsOf, optional } from '../shared/fields/fields.ts';
import type { ShopFailure } from '../platform.ts';
import { permanent } from '../shared/http/shop-failure.ts';
import { ask } from './api.ts';
import { utcInstant } from '../shared/fields/instants.ts';
import { isOrderId } from './translate.ts';

/** A request as the return app has it. */
export type ReturnRequest = {
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  readonly seenAt: string;
  /** Each status that it has had, in the order in which it had them. */
  readonly steps: readonly {
    readonly status: string;
    readonly at?: string;
    readonly comments: readonly JsonObject[];
  }[];
  readonly fields: JsonObject;
};

/** The statuses that a request has had, each with its time. */
export const stepsOf = (fields: JsonObject): ReturnRequest['steps'] =>
  objectsOf(fields['refundStatusData']).flatMap(({ status, createdAt, comments }) =>
    typeof status === 'string'
      ? [{ status, ...optional('at', utcInstant(createdAt)), comments: objectsOf(comments) }]
      : [],
  );

/**
 * Reads a request from the return app, version 3.
 * https://github.com/vtex-apps/return-app/blob/main/docs/README.md#retrieve-a-return-request
 */
export const fetchRequest = async (shop: Shop, id: string): Promise<Result<ReturnRequest, ShopFailure>> => {
  const seenAt = new Date().toISOString();
  const answer = await ask(shop, 'returnsUrl', `/_v/return-request/${encodeURIComponent(id)}`);
  if (!answer.ok) return answer;
  const fields = answer.value;
  if (!isObject(fields)) return permanent('return_unreadable');
  const { id: own = id, orderId, status } = fields;
  if (own !== id || typeof status !== 'string') return permanent('return_unreadable');
  if (!isOrderId(orderId)) return permanent('return_without_order');
  return ok({ id, orderId, status, seenAt, steps: stepsOf(fields), fields });
};
