import type { Parcel } from '../model/goods.ts';
import { sum } from '../units-by-line.ts';

const underWayStatuses: ReadonlySet<Parcel['status']> = new Set(['label_created', 'in_transit', 'exception']);
const unsentStatuses: ReadonlySet<Parcel['status']> = new Set(['label_created', 'cancelled']);

type ParcelStatus = Pick<Parcel, 'status'>;

/** Returns whether a parcel may still arrive: it is neither delivered, nor lost, nor cancelled. */
export const isUnderWay = ({ status }: ParcelStatus): boolean => underWayStatuses.has(status);

const isSent = ({ status }: ParcelStatus): boolean => !unsentStatuses.has(status);

/** Returns whether a parcel was ever in transit. A lost parcel has left as well. */
const hasLeft = (parcel: Parcel): boolean => isSent(parcel) || parcel.events.some(isSent);

const inbound = (parcels: readonly Parcel[]) => parcels.filter(({ direction }) => direction === 'inbound');

/** Parcels that have left the customer. */
export const sentByCustomer = (parcels: readonly Parcel[]): readonly Parcel[] => inbound(parcels).filter(hasLeft);

/** Returns whether goods are in transit. A parcel has left the customer, and it is not cancelled. */
export const isMoving = (parcels: readonly Parcel[]): boolean =>
  sentByCustomer(parcels).some(({ status }) => status !== 'cancelled');

const unitsIn = (lineId: string, parcels: readonly Parcel[]): number =>
  sum(
    parcels
      .flatMap(({ contents }) => contents)
      .filter((content) => content.lineId === lineId)
      .map(({ quantity }) => quantity),
  );

const outbound = (parcels: readonly Parcel[]) => parcels.filter(({ direction }) => direction === 'outbound');

/** Counts the units of a line in parcels to the customer, including parcels that have not left yet. */
export const unitsGoingBack = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(
    lineId,
    outbound(parcels).filter(({ status }) => status !== 'cancelled'),
  );

/** Counts the units of a line in parcels to the customer that have left. */
export const unitsSentBack = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(lineId, outbound(parcels).filter(isSent));

/** Parcels to the shop that may still arrive, in the order in which they were reported. */
export const expectedParcels = (parcels: readonly Parcel[]): readonly Parcel[] => inbound(parcels).filter(isUnderWay);

/** Counts the units of a line in parcels to the shop that may still arrive. */
export const expectedUnits = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(lineId, expectedParcels(parcels));
