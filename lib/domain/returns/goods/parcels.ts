import { derived } from '../derived.ts';
import type { Parcel, ParcelUnits } from '../model/goods.ts';

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

/** Units by line id in parcels of one kind. */
type UnitsByLine = ReadonlyMap<string, number>;

const allUnits = ({ quantity }: ParcelUnits): number => quantity;
const refusedUnits = ({ quantity, repaired = 0 }: ParcelUnits): number => quantity - repaired;
const repairedUnits = ({ repaired = 0 }: ParcelUnits): number => repaired;

const unitsIn = (parcels: readonly Parcel[], unitsOf: (units: ParcelUnits) => number): UnitsByLine => {
  const units = new Map<string, number>();
  for (const { contents } of parcels)
    for (const packed of contents) units.set(packed.lineId, (units.get(packed.lineId) ?? 0) + unitsOf(packed));
  return units;
};

const outbound = (parcels: readonly Parcel[]) => parcels.filter(({ direction }) => direction === 'outbound');

/** Parcels to the shop that may still arrive, in the order in which they were reported. */
export const expectedParcels = (parcels: readonly Parcel[]): readonly Parcel[] => inbound(parcels).filter(isUnderWay);

type CountedUnits = Readonly<
  Record<
    | 'expected'
    | 'sent'
    | 'delivered'
    | 'goingBack'
    | 'sentBack'
    | 'repaired'
    | 'repairedGoingBack'
    | 'repairedSentBack',
    UnitsByLine
  >
>;

const countUnits = /* @__PURE__ */ derived((parcels: readonly Parcel[]): CountedUnits => {
  const toCustomer = outbound(parcels);
  const left = sentByCustomer(parcels);
  const packed = toCustomer.filter(({ status }) => status !== 'cancelled');
  // The shop owes a repaired unit that is lost on its way.
  const kept = packed.filter(({ status }) => status !== 'lost');
  return {
    expected: unitsIn(expectedParcels(parcels), allUnits),
    sent: unitsIn(
      left.filter((parcel) => isUnderWay(parcel) || parcel.status === 'lost'),
      allUnits,
    ),
    delivered: unitsIn(
      left.filter(({ status }) => status === 'delivered'),
      allUnits,
    ),
    goingBack: unitsIn(packed, refusedUnits),
    sentBack: unitsIn(toCustomer.filter(isSent), refusedUnits),
    repaired: unitsIn(packed, repairedUnits),
    repairedGoingBack: unitsIn(kept, repairedUnits),
    repairedSentBack: unitsIn(kept.filter(isSent), repairedUnits),
  };
});

/** Counts the repaired units of a line in parcels to the customer, lost ones included: they cannot be sent again. */
export const repairedInParcels = (lineId: string, parcels: readonly Parcel[]): number =>
  countUnits(parcels).repaired.get(lineId) ?? 0;

/** Counts the repaired units of a line in parcels to the customer that are not lost, whether they have left or not. */
export const repairedGoingBack = (lineId: string, parcels: readonly Parcel[]): number =>
  countUnits(parcels).repairedGoingBack.get(lineId) ?? 0;

/** Counts the repaired units of a line in parcels to the customer that have left. */
export const repairedSentBack = (lineId: string, parcels: readonly Parcel[]): number =>
  countUnits(parcels).repairedSentBack.get(lineId) ?? 0;

/** Counts the refused units of a line in parcels to the customer, including parcels that have not left yet. */
export const unitsGoingBack = (lineId: string, parcels: readonly Parcel[]): number =>
  countUnits(parcels).goingBack.get(lineId) ?? 0;

/** Counts the refused units of a line in parcels to the customer that have left. */
export const unitsSentBack = (lineId: string, parcels: readonly Parcel[]): number =>
  countUnits(parcels).sentBack.get(lineId) ?? 0;

/**
 * Counts the units of a line that the customer is proved to have sent and that are not received. A parcel that has left
 * is the proof. Received units are those of delivered parcels first.
 */
export const unitsProvedSent = (lineId: string, parcels: readonly Parcel[], received: number): number => {
  const { sent, delivered } = countUnits(parcels);
  return (sent.get(lineId) ?? 0) + Math.max(0, (delivered.get(lineId) ?? 0) - received);
};

/** Counts the units of a line in parcels to the shop that may still arrive. */
export const expectedUnits = (lineId: string, parcels: readonly Parcel[]): number =>
  countUnits(parcels).expected.get(lineId) ?? 0;
