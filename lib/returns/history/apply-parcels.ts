import type { Appliers } from './appliers.ts';
import type { ParcelUpdated } from './entry.ts';
import type { Parcel } from '../model/goods.ts';

/** A return keeps the last of them; its history has them all. */
const mostEvents = 100;

const update = (parcel: Parcel, { changes, moved }: ParcelUpdated): Parcel => {
  const fields = Object.entries({ ...parcel, ...changes }).filter(([, value]) => value !== null);
  // Only what may be missing of a parcel may be null in its changes.
  const changed = Object.fromEntries(fields) as unknown as Parcel;
  return moved === undefined
    ? changed
    : { ...changed, status: moved.status, events: [...parcel.events, moved].slice(-mostEvents) };
};

/** What events of parcels change in a return. */
export const parcelAppliers = {
  'parcel.added': ({ parcels }, { parcel }) => ({ parcels: [...parcels, parcel] }),
  'parcel.updated': ({ parcels }, data) => ({
    parcels: parcels.map((parcel) => (parcel.id === data.parcelId ? update(parcel, data) : parcel)),
  }),
} satisfies Partial<Appliers>;
