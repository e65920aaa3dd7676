import { ulid } from 'ulid';
import { sealedOfParcel } from '../returns/goods/goods.ts';
import type { Parcel } from '../returns/model/goods.ts';
import type { Sealed } from '../returns/model/personal.ts';
import type { SaltedText } from '../store/personal/personal.ts';
import { sealText } from './seal-text.ts';

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
