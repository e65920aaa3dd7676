import { isUnderWay, type Parcel } from './goods.ts';
import type { Line, Quantities } from './return.ts';

/** Units that nobody has decided on. */
export const undecided = ({ requested, approved, rejected }: Quantities): number => requested - approved - rejected;

/** Units that were approved and have neither come back nor been given up. */
export const outstanding = ({ approved, cancelled, returnless, received, missing }: Quantities): number =>
  approved - cancelled - returnless - received - missing;

/** Units that came back and that nobody has looked at. */
export const uninspected = ({ received, accepted, refused }: Quantities): number => received - accepted - refused;

/** Units that the return is still about: neither rejected nor cancelled. */
export const live = (quantities: Quantities): number =>
  undecided(quantities) + quantities.approved - quantities.cancelled;

/** Units that the customer has a claim for: not to be sent back, accepted, or honoured all the same (contract section 4). */
export const entitled = ({ returnless, accepted, granted }: Quantities): number => returnless + accepted + granted;

/** Units that did not come and are honoured all the same. */
export const grantedMissing = ({ missing }: Pick<Line, 'missing'>): number =>
  missing.reduce((sum, { granted }) => sum + granted, 0);

/** Units that did not come and are not honoured. */
export const lost = (line: Line): number => line.quantities.missing - grantedMissing(line);

/** Units that were refused and are not honoured. */
export const refusedForGood = (line: Line): number =>
  line.quantities.refused - (line.quantities.granted - grantedMissing(line));

/** Units of a line in parcels of one kind. */
const packed = (line: Line, parcels: readonly Parcel[]): number =>
  parcels
    .flatMap(({ contents }) => contents.filter(({ lineId }) => lineId === line.id))
    .reduce((sum, { quantity }) => sum + quantity, 0);

const left: ReadonlySet<Parcel['status']> = new Set(['in_transit', 'delivered', 'exception', 'lost']);

const sentBack = (line: Line, parcels: readonly Parcel[]): number => {
  const sent = parcels.filter(({ direction, status }) => direction === 'outbound' && left.has(status));
  return Math.min(packed(line, sent), refusedForGood(line));
};

/** Units that were refused, are not honoured, and are in no parcel to the customer. */
export const unreturned = (line: Line, parcels: readonly Parcel[]): number => {
  const outbound = parcels.filter(({ direction, status }) => direction === 'outbound' && status !== 'cancelled');
  return Math.max(0, refusedForGood(line) - packed(line, outbound));
};

/** Units that are outstanding and in no parcel that is on its way here, or about to be. */
export const unshipped = (line: Line, parcels: readonly Parcel[]): number => {
  const inbound = parcels.filter((parcel) => parcel.direction === 'inbound' && isUnderWay(parcel));
  return Math.max(0, outstanding(line.quantities) - packed(line, inbound));
};

/** Units that no other return may have: not those that never came or were sent back to the customer. */
export const held = (line: Line, parcels: readonly Parcel[]): number =>
  live(line.quantities) - lost(line) - sentBack(line, parcels);

/** Units that something may still be given for, or has been: those that the customer has a claim for, or may yet have one. */
export const claimable = (line: Line): number => live(line.quantities) - lost(line) - refusedForGood(line);

/** Units that money may still go back for, or has: the customer has no new item for them. */
export const refundable = (line: Line): number => Math.max(0, claimable(line) - line.quantities.exchanged);
