import { mailConfig } from '../../runtime/configuration/mail-config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import { parseObject } from '../../runtime/json.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';
import { systemClock as clock } from '../net/clock.ts';
import { deadline as limitTo, isTimedOut } from '../net/deadline.ts';
import { failureReason } from '../secrets/failure-reason.ts';
import { secretsManager } from '../secrets/source.ts';
import { sendSigned, type SignedAnswer, signRequest } from './sign-request.ts';

/*
 * Sends mails by SES. It has no idempotency key: after an attempt without an answer, the mail may be on its way.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */

const config = configured(mailConfig);
const client = perContainer(() => secretsManager());

/** The time limit of one attempt. */
const attemptMs = 5_000;

export type Mail = {
  /** An address, and nothing else. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** Comes back with a bounce or a complaint about the mail. */
  readonly eventId: string;
};

/** The tag of a mail with the id of its event. */
const eventTag = 'event';

type Sender = { readonly sender: string; readonly configurationSet: string };

/** Returns the body of SendEmail for a mail: plain text, to one address. */
export const mailRequest = ({ to, subject, text, eventId }: Mail, { sender, configurationSet }: Sender) => ({
  FromEmailAddress: sender,
  Destination: { ToAddresses: [to] },
  Content: {
    Simple: { Subject: { Data: subject, Charset: 'UTF-8' }, Body: { Text: { Data: text, Charset: 'UTF-8' } } },
  },
  ConfigurationSetName: configurationSet,
  EmailTags: [{ Name: eventTag, Value: eventId }],
});

/** A mail that SES has accepted. The id is empty if SES named none. */
export type AcceptedMail = { readonly messageId: string };

/** Why SES has not accepted a mail. The message of SES can contain the address, so it is not passed on. */
export type MailFailure = {
  readonly reason: string;
  /** Whether SES finds a mistake in the request itself, such as in the address: a repeat would fail again. */
  readonly isRequest: boolean;
  /** Whether SES has rejected the mail. After a 5xx or without an answer, it may be on its way. */
  readonly isRejection: boolean;
};

/** Ids of mails are shorter, and can be the `reference` of a sent receipt. */
const idPattern = /^[\w.@-]{1,200}$/;

/** SES answers 200 only for a mail that it sends. So an answer without a usable id is no reason to send again. */
const resultOf = ({ status, headers, body }: SignedAnswer): Result<AcceptedMail, MailFailure> => {
  const answer = parseObject(body) ?? {};
  const { MessageId: id } = answer;
  if (status === 200) return ok({ messageId: typeof id === 'string' && idPattern.test(id) ? id : '' });
  const [type] =
    /[A-Za-z]+(?=[:]|$)/.exec((headers['x-amzn-errortype'] ?? String(answer['__type'])).split('#').at(-1) ?? '') ?? [];
  const reason = /^[A-Z]/.test(type ?? '') ? String(type) : `status_${status}`;
  return fail({ reason, isRequest: reason === 'BadRequestException', isRejection: status < 500 });
};

/** Sends a mail by one attempt. */
export const sendMail = async (mail: Mail, signal: AbortSignal): Promise<Result<AcceptedMail, MailFailure>> => {
  const { region, origin, ...sender } = config();
  const url = `${origin}/v2/email/outbound-emails`;
  using limit = limitTo(clock, attemptMs, signal);
  try {
    const signed = await signRequest(client(), { service: 'ses', region, url, body: mailRequest(mail, sender) });
    return resultOf(await sendSigned(client(), signed, limit.signal));
  } catch (error) {
    const isLate = signal.aborted || isTimedOut(limit.signal);
    return fail({ reason: isLate ? 'timeout' : failureReason(error), isRequest: false, isRejection: false });
  }
};
