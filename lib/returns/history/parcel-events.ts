import type { personalParcelFields } from '../goods/quantities.ts';
import type { TextReference } from '../model/actor.ts';
import type { Parcel } from '../model/goods.ts';
import type { Appliers } from './lines.ts';

export type ParcelAdded = { readonly parcel: Parcel };

/** The changed fields of a parcel: `null` for a removed field. A status change has its time. */
export type ParcelUpdated = {
  readonly parcelId: string;
  readonly changes: { readonly carrier?: string | null } & {
    readonly [Field in (typeof personalParcelFields)[number]]?: TextReference | null;
  } & Partial<Pick<Parcel, 'contents'>>;
  readonly moved?: Parcel['events'][number];
};

export type ParcelEvents = {
  readonly 'parcel.added': ParcelAdded;
  readonly 'parcel.updated': ParcelUpdated;
};

/** A return stores only the last events of a parcel. The history has all of them. */
const maxEvents = 100;

const updateParcelFields = (parcel: Parcel, { changes, moved }: ParcelUpdated): Parcel => {
  const fields = Object.entries({ ...parcel, ...changes }).filter(([, value]) => value !== null);
  // Only optional fields of a parcel can be null in its changes.
  const changed = Object.fromEntries(fields) as unknown as Parcel;
  return moved === undefined
    ? changed
    : { ...changed, status: moved.status, events: [...parcel.events, moved].slice(-maxEvents) };
};

/** The changes that parcel events make to a return. */
export const parcelAppliers = {
  'parcel.added': ({ parcels }, { parcel }) => ({ parcels: [...parcels, parcel] }),
  'parcel.updated': ({ parcels }, data) => ({
    parcels: parcels.map((parcel) => (parcel.id === data.parcelId ? updateParcelFields(parcel, data) : parcel)),
  }),
} satisfies Appliers<ParcelEvents>;
