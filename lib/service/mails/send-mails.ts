import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as getMessage from '#validators/getMessage';
import * as recordReceiptSent from '#validators/recordReceiptSent';
import * as operations from '../../contract/operations.ts';
import type { Call } from '../../contract/port.ts';
import { withValidation } from '../../contract/validation/with-validation.ts';
import { invocationTraceId } from '../../runtime/invocation.ts';
import { errorName, log } from '../../runtime/log.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { readMail, stopAddress } from '../../store/mails/mails.ts';
import { mailTaskIn } from './queue.ts';
import { MailPostponed, type MailsBackend, sendMessage } from './send-message.ts';

/** Time reserved before the function's timeout, to report the messages that are left. */
const reserveMs = 3_000;
/** The time limit of one call of an operation. */
const callMs = 8_000;

const callOf = (traceId: string, end: number): Call => ({
  caller: { clientId: 'send-mails', scopes: ['returns:read', 'returns:write'] },
  dryRun: false,
  traceId,
  causationId: `send-mails/${traceId}`,
  deadline: Math.min(end, Date.now() + callMs),
});

/** Stops the address of a mail that bounced, or about which its owner complained. */
const stopAddressOf = async (session: Session, eventId: string): Promise<void> => {
  const mail = await readMail(session, eventId);
  if (mail !== undefined) await stopAddress(session, mail.address, Date.now());
  log('info', 'address stopped', { eventId, isKnown: mail !== undefined });
};

/**
 * Sends messages to customers, and stops addresses. A repeated message of the queue has no further effect.
 *
 * @param backend the operations of the service
 * @returns a handler for an event source with ReportBatchItemFailures
 */
export const sendMails = (backend: MailsBackend) => {
  const checked: MailsBackend = {
    getMessage: withValidation<'getMessage'>(operations.getMessage, getMessage, backend.getMessage),
    recordReceiptSent: withValidation<'recordReceiptSent'>(
      operations.recordReceiptSent,
      recordReceiptSent,
      backend.recordReceiptSent,
    ),
  };
  return async function handler(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
    const end = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    using session = openSession(end);
    const traceId = invocationTraceId();
    const run = { backend: checked, session, call: () => callOf(traceId, end) };
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const { body, messageId } of event.Records) {
      const task = mailTaskIn(body);
      try {
        if (task === undefined) throw new TypeError('the message names no event');
        await (task.kind === 'send' ? sendMessage(run, task) : stopAddressOf(session, task.eventId));
      } catch (error) {
        // The reason is a code. The text of another error could hold an address.
        const reason = error instanceof MailPostponed ? { reason: error.message } : {};
        log('error', 'mail postponed', { messageId, eventId: task?.eventId, error: errorName(error), ...reason });
        batchItemFailures.push({ itemIdentifier: messageId });
      }
    }
    return { batchItemFailures };
  };
};
