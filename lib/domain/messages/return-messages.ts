import type { DomainEvent } from '../events/domain-events.ts';
import type { MessageName } from '../events/messages.ts';
import type { Language } from '../returns/input-checks.ts';
import { languages } from '../returns/input-checks.ts';
import type { DecidedLine } from '../returns/history/lifecycle-events.ts';
import type { Instant, Order } from '../returns/model/order.ts';
import type { Refund } from '../returns/model/refund.ts';
import type { Return } from '../returns/model/return.ts';
import { deadlinesOf } from '../returns/rules/deadlines.ts';
import { catalogues } from '../texts/catalogues.ts';
import { formatsFor, itemNames, itemText } from '../texts/formats.ts';
import { localTime } from '../withdrawals/receipt/local-time.ts';
import { plainLines } from '../withdrawals/receipt/receipt-document.ts';
import { messageTexts } from './message-texts.ts';

/** A message to a customer: a subject on one line, and plain text. */
export type Message = { readonly subject: string; readonly text: string };

/** What a message about a return is made from. */
export type ReturnMessageInput = {
  readonly name: Exclude<MessageName, 'withdrawal_receipt'>;
  /** The event that the message tells. */
  readonly event: Pick<DomainEvent, 'data'>;
  /** The return as it is now. */
  readonly state: Return;
  /** Undefined when its facts are unknown or deleted. */
  readonly order: Order | undefined;
  /** The words of a rejection for the customer. */
  readonly note?: string | undefined;
  readonly language: Language;
  /** The name of the trader, below the text. */
  readonly shop?: string | undefined;
  /** Where goods are sent to, on one line. */
  readonly returnAddress?: string | undefined;
};

type Section = readonly string[];

/**
 * Returns the language of most people in a country, if messages have it. An order says nothing about the language of its
 * customer.
 */
export const languageOfCountry = (country: string | undefined): Language | undefined => {
  if (country === undefined) return undefined;
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  return languages.find((known) => known === language);
};

/** Returns the last day before an instant, in the time zone of the order. */
const lastDayBefore = (until: Instant, { order, language }: ReturnMessageInput): string => {
  const last = new Date(Date.parse(until) - 1).toISOString();
  const date = localTime(last, order?.facts.timeZone ?? 'UTC').slice(0, 10);
  return formatsFor(catalogues[language]).date(date);
};

/** Lists the units of lines that a count selects, below a heading; no section without units. */
const unitsSection = (
  { state, order, language, event }: ReturnMessageInput,
  heading: string,
  unitsOf: (line: DecidedLine) => number,
): Section => {
  const names = order === undefined ? new Map<string, string>() : itemNames(order);
  const decided = (event.data as { readonly lines: readonly DecidedLine[] }).lines;
  const shown = decided.flatMap((line) => {
    const { orderLineId = '', sku } = state.lines.find(({ id }) => id === line.lineId) ?? {};
    const units = unitsOf(line);
    return units > 0 ? [`- ${itemText(catalogues[language], units, names.get(orderLineId) ?? sku)}`] : [];
  });
  return shown.length === 0 ? [] : [heading, ...shown];
};

/** Returns what the customer does with the goods; no steps when all goods stay with the customer. */
const instructions = (input: ReturnMessageInput, isSending: boolean): Section => {
  const { state, language, returnAddress } = input;
  const { approved } = messageTexts[language];
  const { shipBy } = deadlinesOf(state);
  if (!isSending) return [];
  const steps = [
    approved.pack(state.rmaNumber),
    ...(returnAddress === undefined ? [] : [approved.address(returnAddress)]),
    ...(shipBy === undefined ? [] : [approved.sendBy(lastDayBefore(shipBy, input))]),
  ];
  return steps.map((step, index) => `${index + 1}. ${step}`);
};

const approvedSections = (input: ReturnMessageInput): readonly Section[] => {
  const { approved } = messageTexts[input.language];
  const send = unitsSection(input, approved.send, (line) => line.approved - (line.returnless ?? 0));
  return [
    send,
    instructions(input, send.length > 0),
    unitsSection(input, approved.keep, ({ returnless = 0 }) => returnless),
    unitsSection(input, approved.declined, ({ rejected }) => rejected),
  ];
};

const rejectedSections = ({ language, note = '' }: ReturnMessageInput): readonly Section[] => {
  const { rejected } = messageTexts[language];
  const words = plainLines(note).map((line) => `  ${line}`);
  return [words.length === 0 ? [] : [rejected.reason, ...words], [rejected.contact]];
};

const refundSections = ({ language, state, event }: ReturnMessageInput): readonly Section[] => {
  const { refund: texts } = messageTexts[language];
  const { refundId, providerRef } = event.data as { readonly refundId: string; readonly providerRef?: string };
  const paid = state.refunds.find(({ id }) => id === refundId);
  if (paid === undefined) return [];
  const { amount, method }: Refund = paid;
  return [
    [
      texts.amount(formatsFor(catalogues[language]).money(amount)),
      ...(method === 'manual' ? [] : [texts.method[method]]),
      ...(providerRef === undefined ? [] : [texts.reference(providerRef)]),
    ],
    ...(method === 'original_payment' || method === 'bank_transfer' ? [[texts.delay]] : []),
  ];
};

const kinds = {
  return_approved: { of: 'approved', sections: approvedSections },
  return_rejected: { of: 'rejected', sections: rejectedSections },
  refund_paid: { of: 'refund', sections: refundSections },
} as const;

/**
 * Makes the message that tells an event of a return. The subject has only the number of the return. The text names the
 * items by their titles in the shop, and has no link of its own.
 */
export const returnMessage = (input: ReturnMessageInput): Message => {
  const { state, order, language, shop } = input;
  const { of, sections } = kinds[input.name];
  const { subject, opening } = messageTexts[language][of];
  const number = order?.facts.number ?? state.order.number ?? state.order.orderId;
  const parts: readonly Section[] = [
    [opening(state.rmaNumber, number)],
    ...sections(input),
    shop === undefined ? [] : [shop],
  ];
  const shown = parts.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return { subject: subject(state.rmaNumber), text: `${shown.join('\n\n')}\n` };
};
