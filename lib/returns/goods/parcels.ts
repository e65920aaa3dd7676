import type { Parcel } from '../model/goods.ts';
import { sum } from '../units-by-line.ts';

const underWayStatuses: ReadonlySet<Parcel['status']> = new Set(['label_created', 'in_transit', 'exception']);
const unsentStatuses: ReadonlySet<Parcel['status']> = new Set(['label_created', 'cancelled']);

type ParcelStatus = Pick<Parcel, 'status'>;

/** Whether a parcel may yet arrive: neither delivered, nor lost, nor called off. */
export const isUnderWay = ({ status }: ParcelStatus): boolean => underWayStatuses.has(status);

const isSent = ({ status }: ParcelStatus): boolean => !unsentStatuses.has(status);

/** Whether somebody has seen a parcel on its way, whatever became of it: one that is lost has left as well. */
const hasLeft = (parcel: Parcel): boolean => isSent(parcel) || parcel.events.some(isSent);

const inbound = (parcels: readonly Parcel[]) => parcels.filter(({ direction }) => direction === 'inbound');

/** Parcels that have left the customer. */
export const sentByCustomer = (parcels: readonly Parcel[]): readonly Parcel[] => inbound(parcels).filter(hasLeft);

/** Whether goods move: a parcel has left the customer, and nobody has called it off. */
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

/** Units of a line in parcels to the customer, those among them that have not left yet. */
export const unitsGoingBack = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(
    lineId,
    outbound(parcels).filter(({ status }) => status !== 'cancelled'),
  );

/** Units of a line in parcels to the customer that have left. */
export const unitsSentBack = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(lineId, outbound(parcels).filter(isSent));

/** Parcels to the shop that may yet arrive, in the order in which they were told of. */
export const expectedParcels = (parcels: readonly Parcel[]): readonly Parcel[] => inbound(parcels).filter(isUnderWay);

/** Units of a line in parcels that are to come. */
export const expectedUnits = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(lineId, expectedParcels(parcels));
