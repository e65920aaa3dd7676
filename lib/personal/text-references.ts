import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { personalParcelFields } from '../returns/goods/quantities.ts';
import { digestText } from '../returns/history/history.ts';
import type { TextReference } from '../returns/model/actor.ts';
import type { Parcel } from '../returns/model/goods.ts';
import type { Order } from '../returns/model/order.ts';
import type { SaltedText } from '../store/personal/personal.ts';

/** Whose personal data an order carries: the shop's customer, or the order itself where the shop names none. */
export const dataSubjectOf = ({ platform, orderId, facts }: Pick<Order, 'platform' | 'orderId' | 'facts'>): string =>
  facts.customer?.id === undefined ? `${platform}:order:${orderId}` : `${platform}:customer:${facts.customer.id}`;

/**
 * Parts a personal text from what the history keeps of it: the seal goes into the entry, the text with its salt beside
 * the return, where it can be erased.
 *
 * @param ref where in the return the text belongs
 */
export const createTextReference = (ref: string, text: string): { seal: TextReference; text: SaltedText } => {
  const salt = randomBytes(16);
  return { seal: { ref, digest: digestText(text, salt) }, text: { ref, salt: salt.toString('base64'), text } };
};

/** What may carry a note, with the seal of it in place of the text, and the text to keep beside the return. */
export const referenceNote = <Carrier extends object>(
  carrier: Carrier,
  ref: string,
  note: string | undefined,
): { carrier: Carrier & { note?: TextReference }; texts: SaltedText[] } => {
  if (note === undefined) return { carrier, texts: [] };
  const { seal, text } = createTextReference(ref, note);
  return { carrier: { ...carrier, note: seal }, texts: [text] };
};

type ParcelTextField = (typeof personalParcelFields)[number];
type ParcelTexts = { readonly [Name in ParcelTextField]?: string | null };
type ReferencedFields<Fields extends ParcelTexts> = Omit<Fields, ParcelTextField> & {
  readonly [Name in ParcelTextField]?: TextReference | Extract<Fields[Name], null>;
};

/** What of a parcel was sealed before, and the texts that belong to the seals. */
type KnownParcel = { readonly parcel: Parcel; readonly texts: ReadonlyMap<string, string> };

/**
 * Seals what of a parcel leads to where the customer lives. A text that is as it was keeps its seal, so that it changes
 * nothing; a text that is emptied stays `null`.
 */
export const referenceParcelTexts = <Fields extends ParcelTexts>(
  parcelId: string,
  given: Fields,
  known?: KnownParcel,
): { readonly sealed: ReferencedFields<Fields>; readonly texts: readonly SaltedText[] } => {
  const texts: SaltedText[] = [];
  const sealOf = (field: ParcelTextField, value: string): TextReference => {
    const before = known?.parcel[field];
    if (before !== undefined && known?.texts.get(before.ref) === value) return before;
    const { seal, text } = createTextReference(`parcel/${parcelId}/${field}/${ulid()}`, value);
    texts.push(text);
    return seal;
  };
  const seals = personalParcelFields.flatMap((field): [ParcelTextField, TextReference | null][] => {
    const value = given[field];
    if (value === undefined) return [];
    return [[field, value === null ? null : sealOf(field, value)]];
  });
  const sealed: object = { ...given, ...Object.fromEntries(seals) };
  return { sealed: sealed as ReferencedFields<Fields>, texts };
};
