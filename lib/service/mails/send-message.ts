import { type AcceptedMail, sendMail } from '../../access/client/send-mail.ts';
import type { Output } from '../../contract/contract.ts';
import type { Backend, Call } from '../../contract/port.ts';
import type { Failure } from '../../contract/result.ts';
import { mailableAddress, mailKindOf } from '../../domain/messages/mailing.ts';
import { mailLimitConfig } from '../../runtime/configuration/mail-config.ts';
import { configured } from '../../runtime/container.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import type { Session } from '../../store/engine/session.ts';
import {
  claimMail,
  digestsOf,
  isStopped,
  isTooOld,
  readMail,
  recordRejectedMail,
  recordSentMail,
} from '../../store/mails/mails.ts';
import type { MailTask } from './queue.ts';

const config = configured(mailLimitConfig);

/** The operations of the service that the worker calls. */
export type MailsBackend = Pick<Backend, 'getMessage' | 'recordReceiptSent'>;

/** What a worker needs for its messages. */
export type MailRun = {
  readonly backend: MailsBackend;
  readonly session: Session;
  readonly call: () => Call;
};

type SendTask = Extract<MailTask, { readonly kind: 'send' }>;

/** The mail of an event was not sent this time. SQS delivers the message again. */
export class MailPostponed extends Error {
  override readonly name = 'MailPostponed';
}

/** The event has no message for the customer any more. */
const withoutMessage: ReadonlySet<Failure['code']> = new Set(['message_not_found', 'receipt_erased']);

/** The withdrawal has ended, or its receipt was reported as sent before. */
const notReported: ReadonlySet<Failure['code']> = new Set(['invalid_transition', 'withdrawal_not_found']);

const drop = (eventId: string, reason: string): void => {
  log('info', 'mail not sent', { eventId, reason });
  count({ MailsNotSent: 1 });
};

/** A mail that SES has accepted. */
type SentMail = AcceptedMail & { readonly sentAt: string };

/** Reports a sent receipt. A repeat changes nothing. */
const reportReceipt = async (
  { backend, call }: MailRun,
  { resourceId, eventId }: SendTask,
  { sentAt, messageId }: SentMail,
): Promise<void> => {
  if (!resourceId.startsWith('wdr_')) return;
  const report = {
    withdrawalId: resourceId,
    sentAt,
    channel: 'email' as const,
    ...(messageId !== '' && { reference: messageId }),
  };
  const reported = await backend.recordReceiptSent(report, call());
  if (reported.ok) return;
  const { code } = reported.failure;
  if (!notReported.has(code)) throw new MailPostponed(code);
  log('info', 'sent receipt not reported', { eventId, reason: code });
};

/** An event whose mail is not sent, and the attempts after which it may be on its way. */
type Unsent = { readonly eventId: string; readonly attempts: number };

/** Claims, sends and stores a mail. A failure says why it is never sent. */
const send = async (
  { session }: MailRun,
  { eventId, attempts }: Unsent,
  { name, subject, text, to: { email } }: Output<'getMessage'>,
): Promise<Result<SentMail, string>> => {
  if (email === undefined) return fail('no_address');
  const to = mailableAddress(email);
  if (to === undefined) return fail('address_not_mailable');
  const kind = mailKindOf(name);
  if (isTooOld(eventId, kind, Date.now())) return fail('event_too_old');
  const digests = await digestsOf(session, to);
  if (await isStopped(session, digests)) return fail('address_stopped');
  const { limit } = config();
  const claim = await claimMail(session, { eventId, ...digests, kind, limit, now: Date.now(), attempts });
  if (claim === 'address_limit') return fail(claim);
  // A reminder of the receipt comes on the next day. The message of a return has none.
  if (claim === 'deployment_limit' && kind === 'receipts') return fail(claim);
  if (claim !== 'claimed') throw new MailPostponed(claim);
  const sent = await sendMail({ to, subject, text, eventId }, session.signal);
  if (!sent.ok) {
    const { reason, isRequest, isRejection } = sent.failure;
    if (isRejection) await recordRejectedMail(session, eventId, Date.now());
    // Anybody can type an address that SES rejects: it fills no dead-letter queue.
    if (isRequest && kind === 'receipts') return fail(reason);
    throw new MailPostponed(reason);
  }
  const accepted = { sentAt: new Date().toISOString(), ...sent.value };
  await recordSentMail(session, eventId, accepted);
  return ok(accepted);
};

/**
 * Sends the message of an event to the customer, at least once: a later run sends it again if SES gave no answer. Then
 * it reports a sent receipt.
 *
 * @throws {MailPostponed} when a later run may succeed
 */
export const sendMessage = async (run: MailRun, task: SendTask): Promise<void> => {
  const { eventId, resourceId, sequence } = task;
  const { sentAt, messageId = '', attempts = 0 } = (await readMail(run.session, eventId)) ?? {};
  if (sentAt !== undefined) return reportReceipt(run, task, { sentAt, messageId });
  const found = await run.backend.getMessage({ resourceId, sequence }, run.call());
  if (!found.ok) {
    const { code } = found.failure;
    if (!withoutMessage.has(code)) throw new MailPostponed(code);
    return drop(eventId, code);
  }
  const outcome = await send(run, { eventId, attempts }, found.value.body);
  if (!outcome.ok) return drop(eventId, outcome.failure);
  log('info', 'mail sent', { eventId, message: found.value.body.name });
  count({ MailsSent: 1 });
  await reportReceipt(run, task, outcome.value);
};
