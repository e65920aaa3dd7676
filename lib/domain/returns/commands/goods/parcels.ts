import type { Result } from '../../failure.ts';
import { fail, ok } from '../../../../runtime/result.ts';
import { isUnderWay } from '../../goods/parcels.ts';
import { packedBack, parcelDirection, sendableUnits } from '../../goods/quantities.ts';
import { isSame } from '../../history/canonical-json.ts';
import type { ParcelUpdated } from '../../history/goods-events.ts';
import type { Parcel, ParcelUnits } from '../../model/goods.ts';
import type { Return } from '../../model/return.ts';
import { checkBelowLimit } from '../../rules/limits.ts';
import type { Situation } from '../../situation.ts';
import { type RequestedUnits, unitsByLine } from '../../units-by-line.ts';
import { checkTransition, failInvalidTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';

/** A parcel to add. Without contents it holds all units that wait for a parcel. */
type AddParcel = Omit<Parcel, 'id' | 'direction' | 'status' | 'contents' | 'events'> &
  Partial<Pick<Parcel, 'direction' | 'status'>> & { readonly contents?: RequestedUnits };

/** Returns the contents of a parcel. Those of a parcel to the customer tell repaired units from refused ones. */
const contentsOf = (
  { lines }: Pick<Return, 'lines'>,
  units: RequestedUnits,
  { direction, others }: { readonly direction: Parcel['direction']; readonly others: readonly Parcel[] },
): readonly ParcelUnits[] =>
  direction === 'inbound' ? units : units.map((packed) => packedBack(packed, lines, others));

/** Decides on a parcel: to the shop with outstanding units, or back to the customer with refused and repaired ones. */
export const addParcel = (
  situation: Situation,
  { direction, status = 'label_created', contents, ...tracking }: AddParcel,
  id: string,
): Result<Outcome> => {
  const admission = checkTransition(situation, 'addParcel');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const needed = parcelDirection(state);
  if (direction !== undefined && direction !== needed) {
    const detail = `While the return is ${state.status}, its parcels must have the direction ${needed}.`;
    return failInvalidTransition(situation, detail);
  }
  const space = checkBelowLimit(state, 'parcels');
  if (!space.ok) return space;
  const maximum = sendableUnits(state.lines, state.parcels, needed);
  const units = contents === undefined ? ok(maximum) : unitsByLine(contents, maximum, { list: 'contents' });
  if (!units.ok) return units;
  const named = Array.from(units.value, ([lineId, quantity]) => ({ lineId, quantity }));
  const parcel: Parcel = {
    id,
    direction: needed,
    ...tracking,
    status,
    contents: contentsOf(
      state,
      named.filter(({ quantity }) => quantity > 0),
      { direction: needed, others: state.parcels },
    ),
    events: [{ status, at: now }],
  };
  return toOutcome(situation, [{ type: 'parcel.added', data: { parcel } }]);
};

/** Finds a parcel of a return by its id. */
export const findParcel = ({ parcels }: Pick<Return, 'parcels'>, parcelId: string): Result<Parcel> => {
  const parcel = parcels.find(({ id }) => id === parcelId);
  if (parcel !== undefined) return ok(parcel);
  const errors = [{ path: '/parcelId', code: 'unknown', message: 'must be a parcel of the return' }];
  return fail({ code: 'parcel_not_found', detail: 'The return has no parcel with this id.', errors });
};

/** A merge patch (RFC 7396) of a parcel. */
export type ParcelPatch = ParcelUpdated['changes'] & Partial<Pick<Parcel, 'status'>>;

/** Returns whether a parcel may change its status. A final status stays, but a lost parcel may still be delivered. */
const canBecome = (from: Parcel['status'], to: Parcel['status']): boolean =>
  from === to || isUnderWay({ status: from }) || (from === 'lost' && to === 'delivered');

const parcelConflict = (parcel: Parcel, { status, contents }: ParcelPatch): string | undefined => {
  if (status !== undefined && !canBecome(parcel.status, status))
    return `A parcel cannot change from ${parcel.status} to ${status}.`;
  return contents !== undefined && !isUnderWay(parcel)
    ? `The contents of a parcel cannot change while it is ${parcel.status}.`
    : undefined;
};

/** Checks the new contents of a parcel; an empty patch when it has none. */
const checkContents = (
  { state }: Situation,
  { id, direction }: Parcel,
  { contents }: ParcelPatch,
): Result<Pick<ParcelPatch, 'contents'>> => {
  if (contents === undefined) return ok({});
  const others = state.parcels.filter((parcel) => parcel.id !== id);
  const fitting = unitsByLine(contents, sendableUnits(state.lines, others, direction), { list: 'contents' });
  return fitting.ok ? ok({ contents: contentsOf(state, contents, { direction, others }) }) : fitting;
};

/** Returns the changed fields of a patch; `null` for an absent field changes nothing. */
const changedFields = (parcel: Parcel, changes: ParcelUpdated['changes']): ParcelUpdated['changes'] => {
  const before: Readonly<Record<string, unknown>> = parcel;
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !isSame(value, before[name])));
};

/**
 * Decides on a change of a parcel. The change is allowed after all units are received, because a carrier report is a
 * fact.
 *
 * @returns the outcome; undefined when the patch changes nothing
 */
export const updateParcel = (
  situation: Situation,
  parcelId: string,
  patch: ParcelPatch,
): Result<Outcome | undefined> => {
  const admission = checkTransition(situation, 'updateParcel');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const found = findParcel(state, parcelId);
  if (!found.ok) return found;
  const parcel = found.value;
  const detail = parcelConflict(parcel, patch);
  if (detail !== undefined) return failInvalidTransition(situation, detail);
  const fitting = checkContents(situation, parcel, patch);
  if (!fitting.ok) return fitting;
  const { status = parcel.status, ...fields } = patch;
  const changes = changedFields(parcel, { ...fields, ...fitting.value });
  const hasMoved = status !== parcel.status;
  if (!hasMoved && Object.keys(changes).length === 0) return ok(undefined);
  const moved = hasMoved ? { moved: { status, at: now } } : {};
  return toOutcome(situation, [{ type: 'parcel.updated', data: { parcelId, changes, ...moved } }]);
};
