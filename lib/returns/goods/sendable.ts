import type { Parcel } from '../model/goods.ts';
import { unreturned, unshipped } from './quantities.ts';
import type { Line, Return } from '../model/return.ts';

/** Which way goods travel: to the shop until all is inspected, and what was refused to the customer from then on. */
export const parcelDirection = ({ status }: Pick<Return, 'status'>): Parcel['direction'] =>
  status === 'inspected' || status === 'completed' ? 'outbound' : 'inbound';

/** Units of each line, by its id, that a parcel may hold beside those that there are. */
export const sendableUnits = (
  lines: readonly Line[],
  parcels: readonly Parcel[],
  direction: Parcel['direction'],
): ReadonlyMap<string, number> => {
  const units = direction === 'inbound' ? unshipped : unreturned;
  return new Map(lines.map((line) => [line.id, units(line, parcels)]));
};
