import type { personalParcelFields } from '../goods/quantities.ts';
import type { TextReference } from '../model/actor.ts';
import type { Parcel } from '../model/goods.ts';
import type { Appliers } from './lines.ts';

export type ParcelAdded = { readonly parcel: Parcel };

/** What has changed of a parcel: `null` where a field was emptied. A change of status says when. */
export type ParcelUpdated = {
  readonly parcelId: string;
  readonly changes: { readonly carrier?: string | null } & {
    readonly [Field in (typeof personalParcelFields)[number]]?: TextReference | null;
  } & Partial<Pick<Parcel, 'contents'>>;
  readonly moved?: Parcel['events'][number];
};

/** The events of parcels. */
export type ParcelEvents = {
  readonly 'parcel.added': ParcelAdded;
  readonly 'parcel.updated': ParcelUpdated;
};

/** A return keeps the last of them; its history has them all. */
const maxEvents = 100;

const updateParcelFields = (parcel: Parcel, { changes, moved }: ParcelUpdated): Parcel => {
  const fields = Object.entries({ ...parcel, ...changes }).filter(([, value]) => value !== null);
  // Only what may be missing of a parcel may be null in its changes.
  const changed = Object.fromEntries(fields) as unknown as Parcel;
  return moved === undefined
    ? changed
    : { ...changed, status: moved.status, events: [...parcel.events, moved].slice(-maxEvents) };
};

/** What events of parcels change in a return. */
export const parcelAppliers = {
  'parcel.added': ({ parcels }, { parcel }) => ({ parcels: [...parcels, parcel] }),
  'parcel.updated': ({ parcels }, data) => ({
    parcels: parcels.map((parcel) => (parcel.id === data.parcelId ? updateParcelFields(parcel, data) : parcel)),
  }),
} satisfies Appliers<ParcelEvents>;
