import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { eventId } from '../../domain/events/cloud-event.ts';
import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { type MessageName, messageOf } from '../../domain/events/messages.ts';
import { languageOfCountry, type Message, returnMessage } from '../../domain/messages/return-messages.ts';
import { defaultLanguage, type Language } from '../../domain/returns/input-checks.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import { receiptMail } from '../../domain/withdrawals/receipt/receipt-document.ts';
import { messageConfig } from '../../runtime/configuration/edge-config.ts';
import { configured } from '../../runtime/container.ts';
import { returnKey, withdrawalKey } from '../../store/engine/keys.ts';
import type { Session } from '../../store/engine/session.ts';
import { fetchDomainEvents } from '../../store/events/outbox.ts';
import { readKnownOrder } from '../../store/orders/orders.ts';
import { readPerson, readTexts } from '../../store/personal/personal.ts';
import { readReturn } from '../../store/returns/returns.ts';
import { readWithdrawal } from '../../store/withdrawals/withdrawals.ts';
import { withStore } from '../execution/execute.ts';
import { receiptErased } from '../execution/failures.ts';
import { receiptIn } from '../views/withdrawals/withdrawal-view.ts';

const config = configured(messageConfig);

const messageNotFound: Failure = {
  code: 'message_not_found',
  detail: 'No event with this sequence has a message, or a platform manages the return.',
  errors: [
    { path: '/sequence', code: 'unknown', message: 'must be the data.sequence of an event with data.messageName' },
  ],
};

/** A message in its language, and to whom it goes. */
type Addressed = Message & { readonly language: Language; readonly to: Output<'getMessage'>['to'] };

/** The event of a message. */
type MessageEvent<Name extends MessageName> = { readonly name: Name; readonly event: DomainEvent };

const addressOf = async (session: Session, { subject }: Return): Promise<Addressed['to']> => {
  const known = await readPerson(session, subject);
  if (known?.erased === true) return { erased: true };
  const { email } = known?.person ?? {};
  return email === undefined ? {} : { email };
};

/** Returns the words of a rejection for the customer; undefined without words, and when they are erased. */
const noteOf = async (session: Session, { subject, id, rejection }: Return): Promise<string | undefined> =>
  rejection?.note === undefined ? undefined : (await readTexts(session, subject, id)).get(rejection.note.ref);

/** Returns the language of the declaration that a return carries out; undefined for another return. */
const declaredLanguage = async (session: Session, { terms }: Return): Promise<Language | undefined> =>
  terms.withdrawal === undefined ? undefined : (await readWithdrawal(session, terms.withdrawal.withdrawalId))?.language;

const aboutReturn = async (
  session: Session,
  { name, event }: MessageEvent<Exclude<MessageName, 'withdrawal_receipt'>>,
  { resourceId, language: wanted }: Input<'getMessage'>,
): Promise<Result<Addressed>> => {
  const state = await readReturn(session, resourceId);
  if (state === undefined || state.managedBy === 'platform') return fail(messageNotFound);
  const [{ order }, to, note, declared] = await Promise.all([
    readKnownOrder(session, state.order),
    addressOf(session, state),
    name === 'return_rejected' ? noteOf(session, state) : undefined,
    declaredLanguage(session, state),
  ]);
  const { destination, country = destination?.country } = order?.facts ?? {};
  const language = wanted ?? declared ?? languageOfCountry(country) ?? defaultLanguage;
  const message = returnMessage({ name, event, state, order, note, language, ...config() });
  return ok({ ...message, language, to });
};

/** A receipt has the language in which it was signed. */
const aboutReceipt = async (session: Session, withdrawalId: string): Promise<Result<Addressed>> => {
  const state = await readWithdrawal(session, withdrawalId);
  if (state === undefined) return fail(messageNotFound);
  const texts = await readTexts(session, state.subject, state.id);
  const parts = receiptIn(texts);
  const email = texts.get(state.texts.email.ref);
  if (parts === undefined || email === undefined) return fail(receiptErased);
  const { language } = state;
  return ok({ ...receiptMail(parts, language), language, to: { email } });
};

/** Makes the message that tells an event of a return or a withdrawal to the customer. */
export const getMessage = async (
  input: Input<'getMessage'>,
  call: Call,
): Promise<Result<Reply<Output<'getMessage'>>>> =>
  withStore(call, async (session) => {
    const { resourceId, sequence } = input;
    const { pk: stream } = resourceId.startsWith('ret_') ? returnKey(resourceId) : withdrawalKey(resourceId);
    const [event] = await fetchDomainEvents(session, [{ stream, sequence }]);
    const name = event === undefined ? undefined : messageOf(event.type);
    if (event === undefined || name === undefined) return fail(messageNotFound);
    const message =
      name === 'withdrawal_receipt'
        ? await aboutReceipt(session, resourceId)
        : await aboutReturn(session, { name, event }, input);
    if (!message.ok) return message;
    const { language, to, subject, text } = message.value;
    return ok({ status: 200, body: { name, eventId: eventId(stream, event), language, to, subject, text } });
  });
