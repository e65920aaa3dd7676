import type { JsonObject } from '../../../runtime/json.ts';
import type { Wanted, WantedReturn } from '../effect.ts';
import { blocked, hasMark, markOf, type Plan } from '../shared/effects/plan.ts';
import { isSameUnits } from '../shared/effects/repeated-plan.ts';
import type { RemoteLine } from '../shared/sync/remote-return.ts';
import { arrivedStatuses } from './numbers.ts';
import type { ReturnRequest } from './return.ts';

/*
 * The decisions on a request of the return app. The app permits only some next statuses, which is what prevents a second
 * effect: https://github.com/vtex-apps/return-app/blob/master/node/utils/validateStatusUpdate.ts
 */

/** A status for a request, with a comment that only staff sees. */
export type StatusChange = {
  readonly status: 'processing' | 'denied' | 'cancelled';
  readonly comment: { readonly value: string; readonly visibleForCustomer: false };
};

export type DecisionPlan = Plan<StatusChange>;

const words = { processing: 'approved', denied: 'rejected', cancelled: 'cancelled' } as const;

const open = (request: ReturnRequest, status: StatusChange['status'], wanted: Wanted): DecisionPlan => {
  const { rmaNumber = '', rejection } = wanted.return ?? {};
  const reason = status === 'denied' && rejection !== undefined ? ` (${rejection})` : '';
  const value = `Return ${rmaNumber} ${words[status]}${reason}. ${markOf(wanted)}`;
  return {
    kind: 'open',
    request: { status, comment: { value, visibleForCustomer: false } },
    seen: { status: request.status },
  };
};

const done = ({ id, status, steps }: ReturnRequest, wanted: Wanted): DecisionPlan => {
  const isOurs = steps.some(({ comments }) => comments.some(({ comment }) => hasMark(comment, wanted)));
  return { kind: 'done', externalId: id, ...(isOurs && { isOurs: true }), seen: { status } };
};

const differs = ({ status }: ReturnRequest): DecisionPlan => blocked('return_state_differs', { status });

/** Whether the app is on its way with the goods, or behind it. */
const isUnderWay = (status: string): boolean =>
  status === 'processing' || status === 'pickedUpFromClient' || arrivedStatuses.has(status);

const unitsOf = (lines: readonly { readonly orderLineId: string; readonly quantity: number }[]): JsonObject =>
  Object.fromEntries(lines.map(({ orderLineId, quantity }) => [orderLineId, quantity]));

/**
 * Plans the approval of a request. The app approves a request whole, so it must have the units that we approved.
 *
 * @param lines the lines of the request
 */
export const planApproval = (
  request: ReturnRequest,
  wanted: Wanted,
  own: WantedReturn,
  lines: readonly RemoteLine[],
): DecisionPlan => {
  if (isUnderWay(request.status)) return done(request, wanted);
  if (request.status !== 'new') return differs(request);
  if (!isSameUnits(own.lines, lines))
    return blocked('units_differ', { ours: unitsOf(own.lines), shop: unitsOf(lines) });
  return open(request, 'processing', wanted);
};

export const planRejection = (request: ReturnRequest, wanted: Wanted): DecisionPlan => {
  if (request.status === 'denied' || request.status === 'cancelled') return done(request, wanted);
  return request.status === 'new' ? open(request, 'denied', wanted) : differs(request);
};

/** Plans the end of a request. The app cancels none whose goods it has picked up. */
export const planCancellation = (request: ReturnRequest, wanted: Wanted): DecisionPlan => {
  const { status } = request;
  if (status === 'cancelled' || status === 'denied') return done(request, wanted);
  return status === 'new' || status === 'processing'
    ? open(request, 'cancelled', wanted)
    : blocked('return_processed', { status });
};
