import { expectedParcels } from '../goods/parcels.ts';
import { outstanding } from '../goods/quantities.ts';
import type { Event } from '../history/entry.ts';
import { applyEvent } from '../history/fold.ts';
import type { Instant } from '../model/order.ts';
import type { Line, Return, UnversionedReturn } from '../model/return.ts';

/** Returns the usual next step for accepted units of a line. */
export const usualDisposition = ({ resolution }: Pick<Line, 'resolution'>) =>
  resolution === 'repair' ? ('repair' as const) : ('restock' as const);

type NonEmpty<Item> = readonly [Item, ...Item[]];

/**
 * Returns the events of goods that arrived whole and in order: all expected parcels are delivered, and all outstanding
 * units are received and accepted.
 *
 * @param inspectionIds an id for the inspection of each line
 */
export const receivedInOrder = (
  { lines, parcels, terms }: UnversionedReturn,
  now: Instant,
  inspectionIds: readonly string[],
): NonEmpty<Event> => {
  const isSkipped = terms.inspection === 'skipped';
  const came = lines
    .map((line, index) => ({ line, quantity: outstanding(line.quantities), id: inspectionIds[index] ?? '' }))
    .filter(({ quantity }) => quantity > 0);
  const received = came.map(({ line, quantity }) => {
    return { lineId: line.id, quantity, late: 0, accepted: isSkipped ? quantity : 0 };
  });
  const inspected = came.map(({ line, quantity, id }) => {
    const disposition = usualDisposition(line);
    return { id, lineId: line.id, quantity, outcome: 'accept' as const, disposition, deductionBps: 0, at: now };
  });
  const goods: NonEmpty<Event> = [
    { type: 'items.received', data: { lines: received } },
    ...(isSkipped ? [] : [{ type: 'inspection.recorded' as const, data: { lines: inspected, unexpected: [] } }]),
  ];
  const [first, ...others] = expectedParcels(parcels).map(({ id }): Event => {
    const moved = { status: 'delivered' as const, at: now };
    return { type: 'parcel.updated', data: { parcelId: id, changes: {}, moved } };
  });
  return first === undefined ? goods : [first, ...others, ...goods];
};

/** Returns the return after events of a command that is not stored. Its version and its head stay. */
export const afterEvents = ({ version, head, ...state }: Return, events: readonly Event[], now: Instant): Return => ({
  ...events.reduce<UnversionedReturn>((current, event) => applyEvent(current, { ...event, at: now }), state),
  version,
  head,
});
