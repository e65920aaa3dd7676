import type { Parcel } from '../model/goods.ts';
import { unreturned, unshipped } from './quantities.ts';
import type { Line, Return } from '../model/return.ts';

/**
 * Returns the direction of a new parcel. It goes to the shop until all units are inspected, then refused units go to
 * the customer.
 */
export const parcelDirection = ({ status }: Pick<Return, 'status'>): Parcel['direction'] =>
  status === 'inspected' || status === 'completed' ? 'outbound' : 'inbound';

/** Returns the units of each line, by its id, that a further parcel may hold. */
export const sendableUnits = (
  lines: readonly Line[],
  parcels: readonly Parcel[],
  direction: Parcel['direction'],
): ReadonlyMap<string, number> => {
  const units = direction === 'inbound' ? unshipped : unreturned;
  return new Map(lines.map((line) => [line.id, units(line, parcels)]));
};
