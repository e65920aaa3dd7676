import { admitted, conflicting } from '../admitted.ts';
import { isSame } from '../../history/canonical-json.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { ParcelUpdated } from '../../history/parcel-events.ts';
import { decided, type Decision } from '../../failure.ts';
import type { Parcel } from '../../model/goods.ts';
import { parcelOf } from './parcel-of.ts';
import { isUnderWay } from '../../goods/parcels.ts';
import { sendable } from '../../goods/sendable.ts';
import type { Situation } from '../../situation.ts';
import { unitsByLine } from '../../units-by-line.ts';

/** A merge patch (RFC 7396) of a parcel. */
export type ParcelPatch = ParcelUpdated['changes'] & Partial<Pick<Parcel, 'status'>>;

/** What was said last of a parcel stands, but one that is lost may still be found. */
const mayBecome = (from: Parcel['status'], to: Parcel['status']): boolean =>
  from === to || isUnderWay({ status: from }) || (from === 'lost' && to === 'delivered');

const conflict = (parcel: Parcel, { status, contents }: ParcelPatch): string | undefined => {
  if (status !== undefined && !mayBecome(parcel.status, status))
    return `A parcel that is ${parcel.status} does not become ${status}.`;
  return contents !== undefined && !isUnderWay(parcel)
    ? `The contents of a parcel that is ${parcel.status} are settled.`
    : undefined;
};

const fit = ({ state }: Situation, parcel: Parcel, { contents }: ParcelPatch): Decision<unknown> => {
  if (contents === undefined) return decided(null);
  const others = state.parcels.filter(({ id }) => id !== parcel.id);
  return unitsByLine(contents, sendable(state.lines, others, parcel.direction), { list: 'contents' });
};

/** The fields of a patch that are not as they were; `null` of what is not there changes nothing. */
const differing = (parcel: Parcel, changes: ParcelUpdated['changes']): ParcelUpdated['changes'] => {
  const before: Readonly<Record<string, unknown>> = parcel;
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !isSame(value, before[name])));
};

/**
 * Decides on a change of a parcel, also one of which all units are there: what a carrier tells is a fact.
 *
 * @returns the outcome; none when all is as the patch wants it already
 */
export const updateParcel = (
  situation: Situation,
  parcelId: string,
  patch: ParcelPatch,
): Decision<Outcome | undefined> => {
  const admission = admitted(situation, 'updateParcel');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const found = parcelOf(state, parcelId);
  if (!found.ok) return found;
  const parcel = found.value;
  const detail = conflict(parcel, patch);
  if (detail !== undefined) return conflicting(situation, detail);
  const fitting = fit(situation, parcel, patch);
  if (!fitting.ok) return fitting;
  const { status = parcel.status, ...fields } = patch;
  const changes = differing(parcel, fields);
  const hasMoved = status !== parcel.status;
  if (!hasMoved && Object.keys(changes).length === 0) return decided(undefined);
  const moved = hasMoved ? { moved: { status, at: now } } : {};
  return conclude(situation, [{ type: 'parcel.updated', data: { parcelId, changes, ...moved } }]);
};
