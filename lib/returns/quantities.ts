import type { Parcel } from './goods.ts';
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

const grantedMissing = ({ missing }: Pick<Line, 'missing'>): number =>
  missing.reduce((sum, { granted }) => sum + granted, 0);

/** Units that did not come and are not honoured. */
const lost = (line: Line): number => line.quantities.missing - grantedMissing(line);

/** Units that were refused and are not honoured. */
const refusedForGood = (line: Line): number =>
  line.quantities.refused - (line.quantities.granted - grantedMissing(line));

const sentBack = (line: Line, parcels: readonly Parcel[]): number => {
  const sent = parcels
    .filter(({ direction, status }) => direction === 'outbound' && !['label_created', 'cancelled'].includes(status))
    .flatMap(({ contents }) => contents.filter(({ lineId }) => lineId === line.id))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return Math.min(sent, refusedForGood(line));
};

/** Units that no other return may have: not those that never came or were sent back to the customer. */
export const held = (line: Line, parcels: readonly Parcel[]): number =>
  live(line.quantities) - lost(line) - sentBack(line, parcels);

/** Units that may still be refunded, or have been: those that the customer has a claim for, or may yet have one. */
export const refundable = (line: Line): number => live(line.quantities) - lost(line) - refusedForGood(line);
