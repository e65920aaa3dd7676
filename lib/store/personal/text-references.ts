import { randomBytes } from 'node:crypto';
import { personalParcelFields } from '../../domain/returns/goods/quantities.ts';
import { digestText } from '../../domain/returns/history/history.ts';
import type { TextReference } from '../../domain/returns/model/actor.ts';
import type { Parcel } from '../../domain/returns/model/goods.ts';
import type { Order, OrderRef } from '../../domain/returns/model/order.ts';
import { newUlid } from '../../runtime/new-ids.ts';
import type { SaltedText } from './personal.ts';

/** Returns the data subject of an order with a customer of the shop, or of the order itself without one. */
export const subjectOfCustomer = ({ platform, orderId }: OrderRef, customerId: string | undefined): string =>
  customerId === undefined ? `${platform}:order:${orderId}` : `${platform}:customer:${customerId}`;

/** Returns the data subject of an order. */
export const dataSubjectOf = (order: Pick<Order, 'platform' | 'orderId' | 'facts'>): string =>
  subjectOfCustomer(order, order.facts.customer?.id);

/**
 * Separates a personal text from its reference. The entry stores the reference. The text is stored with its salt next
 * to the return, so that it can be erased.
 *
 * @param ref the place of the text in the return
 */
export const createTextReference = (ref: string, text: string): { seal: TextReference; text: SaltedText } => {
  const salt = randomBytes(16);
  return { seal: { ref, digest: digestText(text, salt) }, text: { ref, salt: salt.toString('base64'), text } };
};

/** Replaces the note of an object by a reference, and returns the text to store with the return. */
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

/** A stored parcel, and its texts by reference. */
type KnownParcel = { readonly parcel: Parcel; readonly texts: ReadonlyMap<string, string> };

/**
 * Replaces the texts of a parcel that reveal where the customer lives by references.
 * An unchanged text keeps its reference, so that it changes nothing. A removed text stays `null`.
 */
export const referenceParcelTexts = <Fields extends ParcelTexts>(
  parcelId: string,
  fields: Fields,
  known?: KnownParcel,
): { readonly sealed: ReferencedFields<Fields>; readonly texts: readonly SaltedText[] } => {
  const texts: SaltedText[] = [];
  const sealOf = (field: ParcelTextField, value: string): TextReference => {
    const before = known?.parcel[field];
    if (before !== undefined && known?.texts.get(before.ref) === value) return before;
    const { seal, text } = createTextReference(`parcel/${parcelId}/${field}/${newUlid()}`, value);
    texts.push(text);
    return seal;
  };
  const seals = personalParcelFields.flatMap((field): [ParcelTextField, TextReference | null][] => {
    const value = fields[field];
    if (value === undefined) return [];
    return [[field, value === null ? null : sealOf(field, value)]];
  });
  const sealed: object = { ...fields, ...Object.fromEntries(seals) };
  return { sealed: sealed as ReferencedFields<Fields>, texts };
};
