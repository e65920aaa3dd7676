import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as getReturn from '#validators/getReturn';
import * as getWithdrawal from '#validators/getWithdrawal';
import * as listReturns from '#validators/listReturns';
import * as recordRefundResult from '#validators/recordRefundResult';
import * as updateReturn from '#validators/updateReturn';
import * as operations from '../../contract/operations.ts';
import type { Call } from '../../contract/port.ts';
import { withValidation } from '../../contract/validation/with-validation.ts';
import { invocationTraceId } from '../../runtime/invocation.ts';
import { errorName, log } from '../../runtime/log.ts';
import { openSession } from '../../store/engine/session.ts';
import { orderIn } from './queue.ts';
import type { WriteBackBackend } from './report-effect.ts';
import { runOrder } from './run-order.ts';
import type { PlatformEffects } from './see-shop.ts';

/** Time reserved before the function's timeout, to end the lease. */
const reserveMs = 3_000;
/** The time limit of one call of an operation. */
const callMs = 8_000;

const callOf = (traceId: string, end: number): Call => ({
  caller: { clientId: 'write-back', scopes: ['returns:write'] },
  dryRun: false,
  traceId,
  causationId: `write-back/${traceId}`,
  deadline: Math.min(end, Date.now() + callMs),
});

/**
 * Asks shops what commands of ours want there. A message names an order; a repeated one has no effect.
 *
 * @param backend the operations of the service
 * @param effects what each platform can be asked to do
 * @returns a handler for an event source with ReportBatchItemFailures
 */
export const writeBack = (backend: WriteBackBackend, effects: PlatformEffects) => {
  const checked: WriteBackBackend = {
    getReturn: withValidation<'getReturn'>(operations.getReturn, getReturn, backend.getReturn),
    getWithdrawal: withValidation<'getWithdrawal'>(operations.getWithdrawal, getWithdrawal, backend.getWithdrawal),
    listReturns: withValidation<'listReturns'>(operations.listReturns, listReturns, backend.listReturns),
    recordRefundResult: withValidation<'recordRefundResult'>(
      operations.recordRefundResult,
      recordRefundResult,
      backend.recordRefundResult,
    ),
    updateReturn: withValidation<'updateReturn'>(operations.updateReturn, updateReturn, backend.updateReturn),
  };
  return async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
    const end = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    using session = openSession(end);
    const traceId = invocationTraceId();
    const run = {
      backend: checked,
      effects,
      session,
      end,
      call: () => callOf(traceId, end),
      now: () => new Date().toISOString(),
    };
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const { body, messageId } of event.Records) {
      const order = orderIn(body);
      try {
        if (order === undefined) throw new TypeError('the message names no order');
        await runOrder(run, order);
      } catch (error) {
        log('error', 'effects not run', { messageId, error: errorName(error) });
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
};
