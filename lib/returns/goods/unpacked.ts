import type { EventOf } from '../history/entry.ts';
import type { Parcel } from '../model/goods.ts';
import { comingParcels, expectedUnits } from './parcels.ts';
import { outstanding } from './quantities.ts';
import type { Line, Unversioned } from '../model/return.ts';

/** Units of a line that may be on their way: also those that were given up, because they may come late. */
const mayCome = ({ quantities }: Line): number => outstanding(quantities) + quantities.missing;

/** The contents of a parcel without units that are here or called off; `left` says how many there are of each line. */
const without = ({ contents }: Parcel, left: Map<string, number>): Parcel['contents'] =>
  contents
    .map(({ lineId, quantity }) => {
      const taken = Math.min(left.get(lineId) ?? 0, quantity);
      left.set(lineId, (left.get(lineId) ?? 0) - taken);
      return { lineId, quantity: quantity - taken };
    })
    .filter(({ quantity }) => quantity > 0);

/**
 * What changes in parcels on their way here once units came otherwise or were cancelled: units that cannot come any more
 * are taken out, of the oldest parcel first.
 */
export const unpacked = ({ lines, parcels }: Unversioned): readonly EventOf<'parcel.updated'>[] => {
  const left = new Map(
    lines.map((line) => [line.id, Math.max(0, expectedUnits(line.id, parcels) - mayCome(line))] as const),
  );
  if ([...left.values()].every((units) => units === 0)) return [];
  return comingParcels(parcels).flatMap((parcel) => {
    const contents = without(parcel, left);
    const isSame = contents.every(({ quantity }, index) => quantity === parcel.contents[index]?.quantity);
    return isSame && contents.length === parcel.contents.length
      ? []
      : [{ type: 'parcel.updated' as const, data: { parcelId: parcel.id, changes: { contents } } }];
  });
};
