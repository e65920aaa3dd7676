import type { Input, Output } from '../../../contract/contract.ts';
import { basePath } from '../../../contract/operation.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { execute, type Plan } from '../../execution/execute.ts';
import { restoreReply, returnResponse } from '../../execution/return-response.ts';
import { observationOf } from '../../execution/observation.ts';
import { duplicateReturn, orderNotFound } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { allowedActions } from '../../../domain/returns/rules/allowed-actions.ts';
import { mergeReasons } from '../../../domain/returns/rules/reasons.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readOrder } from '../../../store/orders/orders.ts';
import { readReasons } from '../../../store/policies/decisions.ts';
import { readCatalogue } from '../../../store/policies/policies.ts';
import { findByExternalRefs } from '../../../store/returns/returns.ts';
import { planReturn } from './plan-return.ts';

/**
 * Returns the failure, unless a concurrent request created the same return.
 * That return may be the cause of the failure.
 */
const failureOrDuplicate = async (session: Session, { externalRefs = [] }: Input<'createReturn'>, failure: Failure) => {
  const twin = externalRefs.length === 0 ? undefined : await findByExternalRefs(session, externalRefs);
  return fail(twin === undefined ? failure : duplicateReturn(twin));
};

const planCreation = async (
  session: Session,
  input: Input<'createReturn'>,
  call: Call,
): Promise<Result<Plan<Output<'createReturn'>>>> => {
  const [record, duplicate, catalogue, { changed }, key] = await Promise.all([
    readOrder(session, input.order),
    findByExternalRefs(session, input.externalRefs ?? []),
    readCatalogue(session),
    readReasons(session),
    currentKey(session),
  ]);
  if (duplicate !== undefined) return fail(duplicateReturn(duplicate));
  if (record === undefined) return fail(orderNotFound('/order'));
  const at = new Date().toISOString();
  const { order } = record;
  const observation = observationOf(input.observed, { ...input, order }, at);
  if (!observation.ok) return observation;
  const planned = await planReturn(session, input, call, {
    record,
    catalogue,
    reasons: mergeReasons(changed),
    key,
    observation: observation.value,
    requestedAt: observation.value.observed?.occurredAt ?? at,
    at,
  });
  if (!planned.ok) return failureOrDuplicate(session, input, planned.failure);
  const { state, ledger, writes } = planned.value;
  return ok({
    ...returnResponse(state, allowedActions({ state, order, ledger, now: at }), {
      status: 201,
      location: `${basePath}/returns/${state.id}`,
    }),
    writes,
  });
};

/**
 * Creates a return of a registered order. Of two concurrent requests for the same last unit, exactly one succeeds. The
 * policy that applies to the order decides in the same write.
 */
export const createReturn = async (
  input: Input<'createReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'createReturn'>>>> =>
  execute('createReturn', input, call, (session) => planCreation(session, input, call), restoreReply);
