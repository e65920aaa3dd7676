import { admitted, conflicting } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { decided, type Decision } from '../../failure.ts';
import type { Parcel } from '../../model/goods.ts';
import { roomIn } from '../../rules/room.ts';
import { directionOf, sendable } from '../../goods/sendable.ts';
import type { Situation } from '../../situation.ts';
import { unitsByLine, type NamedUnits } from '../../units-by-line.ts';

/** A parcel; without contents it holds all that waits for one. */
export type AddParcel = Omit<Parcel, 'id' | 'direction' | 'status' | 'contents' | 'events'> &
  Partial<Pick<Parcel, 'direction' | 'status'>> & { readonly contents?: NamedUnits };

/** Decides on a parcel: to the shop with outstanding units, or back to the customer with refused ones. */
export const addParcel = (
  situation: Situation,
  { direction, status = 'label_created', contents, ...tracking }: AddParcel,
  id: string,
): Decision<Outcome> => {
  const admission = admitted(situation, 'addParcel');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const way = directionOf(state);
  if (direction !== undefined && direction !== way) {
    const detail = `While a return is ${state.status}, its parcels are ${way}.`;
    return conflicting(situation, detail);
  }
  const space = roomIn(state, 'parcels');
  if (!space.ok) return space;
  const most = sendable(state.lines, state.parcels, way);
  const units = contents === undefined ? decided(most) : unitsByLine(contents, most, { list: 'contents' });
  if (!units.ok) return units;
  const packed = Array.from(units.value, ([lineId, quantity]) => ({ lineId, quantity }));
  const parcel: Parcel = {
    id,
    direction: way,
    ...tracking,
    status,
    contents: packed.filter(({ quantity }) => quantity > 0),
    events: [{ status, at: now }],
  };
  return conclude(situation, [{ type: 'parcel.added', data: { parcel } }]);
};
