import type { Parcel } from './goods.ts';

const before: ReadonlySet<Parcel['status']> = new Set(['label_created', 'cancelled']);

/** Whether somebody has seen a parcel on its way, whatever became of it. */
export const hasLeft = ({ status, events }: Parcel): boolean =>
  !before.has(status) || events.some((event) => !before.has(event.status));

const unitsIn = (lineId: string, parcels: readonly Parcel[]): number =>
  parcels
    .flatMap(({ contents }) => contents)
    .filter((content) => content.lineId === lineId)
    .reduce((sum, { quantity }) => sum + quantity, 0);

/** Units of a line in parcels to the customer, those among them that have not left yet. */
export const goingBack = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(
    lineId,
    parcels.filter(({ direction, status }) => direction === 'outbound' && status !== 'cancelled'),
  );

const arrived: ReadonlySet<Parcel['status']> = new Set(['delivered', 'lost', 'cancelled']);

/** Units of a line in parcels that are to come. */
export const expectedUnits = (lineId: string, parcels: readonly Parcel[]): number =>
  unitsIn(
    lineId,
    parcels.filter(({ direction, status }) => direction === 'inbound' && !arrived.has(status)),
  );
