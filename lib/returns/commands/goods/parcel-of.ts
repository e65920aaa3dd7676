import { decided, refused, type Decision } from '../../failure.ts';
import type { Parcel } from '../../model/goods.ts';
import type { Return } from '../../model/return.ts';

/** A parcel of a return by its id. */
export const parcelOf = ({ parcels }: Pick<Return, 'parcels'>, parcelId: string): Decision<Parcel> => {
  const parcel = parcels.find(({ id }) => id === parcelId);
  if (parcel !== undefined) return decided(parcel);
  const errors = [{ path: '/parcelId', code: 'unknown', message: 'must be a parcel of the return' }];
  return refused({ code: 'parcel_not_found', detail: 'The return has no such parcel.', errors });
};
