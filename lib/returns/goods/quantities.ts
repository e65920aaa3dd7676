import type { MissingUnits, Parcel, UnexpectedItem } from '../model/goods.ts';
import type { Line, OpenUnits, Quantities, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { expectedUnits, unitsGoingBack, unitsSentBack } from './parcels.ts';

/**
 * Takes up to `units` from entries, one after another.
 *
 * @param has how many units an entry has to give
 * @param take an entry once so many of its units are taken
 */
export const takeFifo = <One>(
  entries: readonly One[],
  units: number,
  has: (one: One) => number,
  take: (one: One, taken: number) => One,
): One[] => {
  let nonEmpty = units;
  return entries.map((one) => {
    const taken = Math.min(nonEmpty, has(one));
    nonEmpty -= taken;
    return taken === 0 ? one : take(one, taken);
  });
};

type Missing = readonly MissingUnits[];

/** Units of an entry that are not honoured. */
export const ungranted = ({ quantity, granted }: MissingUnits): number => quantity - granted;

const reduceQuantity = (one: MissingUnits, taken: number): MissingUnits => ({ ...one, quantity: one.quantity - taken });

const left = (missing: Missing): Missing => missing.filter(({ quantity }) => quantity > 0);

/** What is missing once units came that are not honoured, the first ones first. */
export const removeLate = (missing: Missing, units: number): Missing =>
  left(takeFifo(missing, units, ungranted, reduceQuantity));

/** What is missing once units of it are honoured, the first ones first. */
export const grantMissing = (missing: Missing, units: number): Missing =>
  takeFifo(missing, units, ungranted, (one, honoured) => ({ ...one, granted: one.granted + honoured }));

/** Takes up to `units` that are not honoured, of causes that `which` admits, out of what is missing: the last ones first. */
export const takeMissing = (
  missing: Missing,
  units: number,
  which: (cause: MissingUnits['cause']) => boolean = () => true,
): Missing =>
  left(
    takeFifo(
      missing.toReversed(),
      units,
      (one) => (which(one.cause) ? ungranted(one) : 0),
      reduceQuantity,
    ).toReversed(),
  );

/** The fields of a parcel that are kept as personal texts. */
export const personalParcelFields = ['trackingNumber', 'trackingUrl', 'labelUrl'] as const;

/** As many as a return may have. */
export const maxInspections = 100;

/** Whether nobody has said yet what becomes of an item. */
export const isUndisposed = ({ disposition }: UnexpectedItem): boolean => disposition === undefined;

/**
 * Units that nobody has decided on. A decision is on all units of a line that are not cancelled by then: they are approved
 * or rejected.
 */
export const undecided = ({ requested, approved, rejected, cancelled }: Quantities): number =>
  approved + rejected > 0 ? 0 : requested - cancelled;

/** Units that were approved and not cancelled since. Those that were cancelled before the approval never were approved. */
export const remainingApproved = ({ requested, approved, rejected, cancelled }: Quantities): number =>
  approved === 0 ? 0 : requested - rejected - cancelled;

/** Units that were approved and have neither come back nor been given up. */
export const outstanding = (quantities: Quantities): number =>
  remainingApproved(quantities) - quantities.returnless - quantities.received - quantities.missing;

/** Units that came back and that nobody has looked at. */
export const uninspected = ({ received, accepted, refused }: Quantities): number => received - accepted - refused;

/** Units that the return is still about: neither rejected nor cancelled. */
export const live = ({ requested, rejected, cancelled }: Quantities): number => requested - rejected - cancelled;

/** Units that the customer has a claim for: may keep, were accepted, or are honoured all the same (contract section 4). */
export const entitled = ({ returnless, accepted, granted }: Quantities): number => returnless + accepted + granted;

/** Units that did not come and are honoured all the same. */
export const grantedMissing = ({ missing }: Pick<Line, 'missing'>): number =>
  sum(missing.map(({ granted }) => granted));

/** Units that did not come and are not honoured. */
export const lost = (line: Line): number => line.quantities.missing - grantedMissing(line);

/** Units that were refused and are not honoured. */
export const refusedUngranted = (line: Line): number =>
  line.quantities.refused - (line.quantities.granted - grantedMissing(line));

/** Units that were refused, are not honoured, and are in no parcel to the customer. */
export const unreturned = (line: Line, parcels: readonly Parcel[]): number =>
  Math.max(0, refusedUngranted(line) - unitsGoingBack(line.id, parcels));

/** Units that are outstanding and in no parcel that is on its way here, or about to be. */
export const unshipped = (line: Line, parcels: readonly Parcel[]): number =>
  Math.max(0, outstanding(line.quantities) - expectedUnits(line.id, parcels));

/** Units that no other return may have: not those that never came or were sent back to the customer. */
export const held = (line: Line, parcels: readonly Parcel[]): number =>
  live(line.quantities) - lost(line) - Math.min(unitsSentBack(line.id, parcels), refusedUngranted(line));

/** Units that something was or may still be given for: those that the customer has a claim for, or may yet have. */
export const claimable = (line: Line): number => live(line.quantities) - lost(line) - refusedUngranted(line);

/** Units that money may still go back for, or has: the customer has no new item for them. */
export const refundable = (line: Line): number => Math.max(0, claimable(line) - line.quantities.exchanged);

/** What of a return is still to be decided on or to come, by line; lines without any are left out. */
export const openUnits = ({ lines }: Pick<UnversionedReturn, 'lines'>): readonly OpenUnits[] =>
  lines
    .map(({ id, quantities }) => ({
      lineId: id,
      undecided: undecided(quantities),
      outstanding: outstanding(quantities),
    }))
    .filter((open) => open.undecided + open.outstanding > 0);
