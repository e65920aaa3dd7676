import type { LineUnits, MissingUnits, Parcel, ParcelUnits, UnexpectedItem } from '../model/goods.ts';
import type { Line, OpenUnits, Quantities, UnversionedReturn, Return } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import {
  expectedUnits,
  repairedGoingBack,
  repairedInParcels,
  repairedSentBack,
  unitsGoingBack,
  unitsSentBack,
} from './parcels.ts';

/**
 * Takes up to `units` from entries, one after another.
 *
 * @param has returns the available units of an entry
 * @param take updates an entry after units of it are taken
 */
export const takeFifo = <Entry>(
  entries: readonly Entry[],
  units: number,
  has: (entry: Entry) => number,
  take: (entry: Entry, taken: number) => Entry,
): Entry[] => {
  let nonEmpty = units;
  return entries.map((entry) => {
    const taken = Math.min(nonEmpty, has(entry));
    nonEmpty -= taken;
    return taken === 0 ? entry : take(entry, taken);
  });
};

type Missing = readonly MissingUnits[];

/** Counts the units of an entry that are not granted. */
export const ungranted = ({ quantity, granted }: MissingUnits): number => quantity - granted;

const reduceQuantity = (entry: MissingUnits, taken: number): MissingUnits => ({
  ...entry,
  quantity: entry.quantity - taken,
});

const left = (missing: Missing): Missing => missing.filter(({ quantity }) => quantity > 0);

/** Returns the missing entries after ungranted units arrived. The first entries are reduced first. */
export const removeLate = (missing: Missing, units: number): Missing =>
  left(takeFifo(missing, units, ungranted, reduceQuantity));

/** Returns the missing entries after units are granted. The first entries are granted first. */
export const grantMissing = (missing: Missing, units: number): Missing =>
  takeFifo(missing, units, ungranted, (entry, honoured) => ({ ...entry, granted: entry.granted + honoured }));

/** Removes up to `units` ungranted units from the missing entries, the last ones first. `which` selects the causes. */
export const takeMissing = (
  missing: Missing,
  units: number,
  which: (cause: MissingUnits['cause']) => boolean = () => true,
): Missing =>
  left(
    takeFifo(
      missing.toReversed(),
      units,
      (entry) => (which(entry.cause) ? ungranted(entry) : 0),
      reduceQuantity,
    ).toReversed(),
  );

/** The fields of a parcel that are stored as personal texts. */
export const personalParcelFields = ['trackingNumber', 'trackingUrl', 'labelUrl'] as const;

/** The maximum number of inspections of a return. */
export const maxInspections = 100;

/** Returns whether an item has no disposition yet. */
export const isUndisposed = ({ disposition }: UnexpectedItem): boolean => disposition === undefined;

/**
 * Counts the undecided units. A decision covers all units of a line that are not cancelled by then: it approves or
 * rejects them.
 */
export const undecided = ({ requested, approved, rejected, cancelled }: Quantities): number =>
  approved + rejected > 0 ? 0 : requested - cancelled;

/** Counts the approved units that were not cancelled since. Units cancelled before the approval never were approved. */
export const remainingApproved = ({ requested, approved, rejected, cancelled }: Quantities): number =>
  approved === 0 ? 0 : requested - rejected - cancelled;

/** Counts the approved units that are neither received nor missing. */
export const outstanding = (quantities: Quantities): number =>
  remainingApproved(quantities) - quantities.returnless - quantities.received - quantities.missing;

/** Counts the received units without an inspection. */
export const uninspected = ({ received, accepted, refused }: Quantities): number => received - accepted - refused;

/** Counts the live units of a line: neither rejected nor cancelled. */
export const live = ({ requested, rejected, cancelled }: Quantities): number => requested - rejected - cancelled;

/**
 * Counts the units that the customer is entitled to be paid for (contract section 4).
 * They are returnless, accepted or granted. Repaired units go back instead.
 */
export const entitled = ({ returnless, accepted, granted, repaired = 0 }: Quantities): number =>
  returnless + accepted + granted - repaired;

/** Counts the missing units that are granted. */
export const grantedMissing = ({ missing }: Pick<Line, 'missing'>): number =>
  sum(missing.map(({ granted }) => granted));

/** Counts the missing units that are not granted. */
export const lost = (line: Line): number => line.quantities.missing - grantedMissing(line);

/** Counts the refused units that are not granted. */
export const refusedUngranted = (line: Line): number =>
  line.quantities.refused - (line.quantities.granted - grantedMissing(line));

/** Counts the refused units that are not granted and in no parcel to the customer. */
export const unreturned = (line: Line, parcels: readonly Parcel[]): number =>
  Math.max(0, refusedUngranted(line) - unitsGoingBack(line.id, parcels));

/** Counts the accepted units of a repair that the customer has neither back, nor the money or a new item for. */
const repairsLeft = ({ resolution, quantities }: Line, returned: number): number => {
  const { accepted, refunded, exchanged } = quantities;
  return resolution === 'repair' ? Math.max(0, accepted - returned - refunded - exchanged) : 0;
};

/** Counts the accepted units of a repair that the shop owes to the customer. A unit of a lost parcel is one of them. */
export const owedRepairs = (line: Line, parcels: readonly Parcel[]): number =>
  repairsLeft(line, repairedGoingBack(line.id, parcels));

/** Counts the units that are in no parcel to the customer and may go there: refused or repaired ones. */
const sendableBack = (line: Line, parcels: readonly Parcel[]): number =>
  unreturned(line, parcels) + repairsLeft(line, repairedInParcels(line.id, parcels));

/** Returns the contents of a parcel to the customer. Refused units are packed before repaired ones. */
export const packedBack = (
  { quantity, lineId }: LineUnits,
  lines: readonly Line[],
  parcels: readonly Parcel[],
): ParcelUnits => {
  const line = lines.find(({ id }) => id === lineId);
  const repaired = line === undefined ? 0 : quantity - Math.min(quantity, unreturned(line, parcels));
  return { lineId, quantity, ...(repaired > 0 && { repaired }) };
};

/** Counts the outstanding units that are in no expected parcel. */
export const unshipped = (line: Line, parcels: readonly Parcel[]): number =>
  Math.max(0, outstanding(line.quantities) - expectedUnits(line.id, parcels));

/** Counts the units that no other return may take. Missing units and units sent back to the customer are free. */
export const held = (line: Line, parcels: readonly Parcel[]): number =>
  live(line.quantities) -
  lost(line) -
  Math.min(unitsSentBack(line.id, parcels), refusedUngranted(line)) -
  repairedSentBack(line.id, parcels);

/** Counts the units that are paid or may still become payable. */
export const claimable = (line: Line): number =>
  live(line.quantities) - lost(line) - refusedUngranted(line) - (line.quantities.repaired ?? 0);

/**
 * Counts the units that refunds cover or may still cover. Exchanged units are excluded, because the customer has a new
 * item.
 */
export const refundable = (line: Line): number => Math.max(0, claimable(line) - line.quantities.exchanged);

/** Lists the undecided and outstanding units by line. Lines without any are left out. */
export const openUnits = ({ lines }: Pick<UnversionedReturn, 'lines'>): readonly OpenUnits[] =>
  lines
    .map(({ id, quantities }) => ({
      lineId: id,
      undecided: undecided(quantities),
      outstanding: outstanding(quantities),
    }))
    .filter((open) => open.undecided + open.outstanding > 0);

/**
 * Returns the direction of a new parcel. It goes to the shop until all units are inspected, then refused and repaired
 * units go to the customer.
 */
export const parcelDirection = ({ status }: Pick<Return, 'status'>): Parcel['direction'] =>
  status === 'inspected' || status === 'completed' ? 'outbound' : 'inbound';

/** Returns the units of each line, by its id, that a further parcel may hold. */
export const sendableUnits = (
  lines: readonly Line[],
  parcels: readonly Parcel[],
  direction: Parcel['direction'],
): ReadonlyMap<string, number> => {
  const units = direction === 'inbound' ? unshipped : sendableBack;
  return new Map(lines.map((line) => [line.id, units(line, parcels)]));
};
