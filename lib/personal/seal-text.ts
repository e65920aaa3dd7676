import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { sealedOfParcel } from '../returns/goods/quantities.ts';
import { digestText } from '../returns/history/history.ts';
import type { Sealed } from '../returns/model/actor.ts';
import type { Parcel } from '../returns/model/goods.ts';
import type { Order } from '../returns/model/order.ts';
import type { SaltedText } from '../store/personal/personal.ts';

/** Whose personal data an order carries: the shop's customer, or the order itself where the shop names none. */
export const subjectOf = ({ platform, orderId, facts }: Pick<Order, 'platform' | 'orderId' | 'facts'>): string =>
  facts.customer?.id === undefined ? `${platform}:order:${orderId}` : `${platform}:customer:${facts.customer.id}`;

/**
 * Parts a personal text from what the history keeps of it: the seal goes into the entry, the text with its salt beside
 * the return, where it can be erased.
 *
 * @param ref where in the return the text belongs
 */
export const sealText = (ref: string, text: string): { seal: Sealed; text: SaltedText } => {
  const salt = randomBytes(16);
  return { seal: { ref, digest: digestText(text, salt) }, text: { ref, salt: salt.toString('base64'), text } };
};

/** What may carry a note, with the seal of it in place of the text, and the text to keep beside the return. */
export const sealNote = <Carrier extends object>(
  carrier: Carrier,
  ref: string,
  note: string | undefined,
): { carrier: Carrier & { note?: Sealed }; texts: SaltedText[] } => {
  if (note === undefined) return { carrier, texts: [] };
  const { seal, text } = sealText(ref, note);
  return { carrier: { ...carrier, note: seal }, texts: [text] };
};

type Field = (typeof sealedOfParcel)[number];
type Given = { readonly [Name in Field]?: string | null };
type SealedFields<Fields extends Given> = Omit<Fields, Field> & {
  readonly [Name in Field]?: Sealed | Extract<Fields[Name], null>;
};

/** What of a parcel was sealed before, and the texts that belong to the seals. */
type Known = { readonly parcel: Parcel; readonly texts: ReadonlyMap<string, string> };

/**
 * Seals what of a parcel leads to where the customer lives. A text that is as it was keeps its seal, so that it changes
 * nothing; a text that is emptied stays `null`.
 */
export const sealParcel = <Fields extends Given>(
  parcelId: string,
  given: Fields,
  known?: Known,
): { readonly sealed: SealedFields<Fields>; readonly texts: readonly SaltedText[] } => {
  const texts: SaltedText[] = [];
  const sealOf = (field: Field, value: string): Sealed => {
    const before = known?.parcel[field];
    if (before !== undefined && known?.texts.get(before.ref) === value) return before;
    const { seal, text } = sealText(`parcel/${parcelId}/${field}/${ulid()}`, value);
    texts.push(text);
    return seal;
  };
  const seals = sealedOfParcel.flatMap((field): [Field, Sealed | null][] => {
    const value = given[field];
    if (value === undefined) return [];
    return [[field, value === null ? null : sealOf(field, value)]];
  });
  const sealed: object = { ...given, ...Object.fromEntries(seals) };
  return { sealed: sealed as SealedFields<Fields>, texts };
};
