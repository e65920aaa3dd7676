import type { OperationName, Output } from '../../contract/contract.ts';

/* The units of a line that wait for a step. The API decides: these numbers fill in forms and show what is left. */

export type Return = Output<'getReturn'>;
export type Line = Return['lines'][number];
type Parcel = Return['parcels'][number];

/** Units that wait for a decision. */
export const undecided = ({ quantities: q }: Line): number =>
  q.approved + q.rejected > 0 ? 0 : q.requested - q.cancelled;

/** Approved units that have neither arrived nor are missing. */
export const outstanding = ({ quantities: q }: Line): number =>
  q.approved === 0 ? 0 : q.requested - q.rejected - q.cancelled - q.returnless - q.received - q.missing;

/** Received units that wait for an inspection. */
export const uninspected = ({ quantities: q }: Line): number => q.received - q.accepted - q.refused;

/** Missing units that are not granted. */
export const lost = ({ missing }: Line): number =>
  missing.reduce((sum, { quantity, granted }) => sum + quantity - granted, 0);

/** Refused units that are not granted. */
export const refused = ({ quantities: q, missing }: Line): number =>
  q.refused - (q.granted - missing.reduce((sum, { granted }) => sum + granted, 0));

/** Units that refunds may pay for, now or after a later step. */
const payable = (line: Line): number => {
  const { requested, rejected, cancelled, exchanged, refunded, repaired = 0 } = line.quantities;
  return Math.max(0, requested - rejected - cancelled - lost(line) - refused(line) - repaired - exchanged - refunded);
};

/** Accepted units of a repair that wait for a parcel to the customer. A lost unit cannot be sent again. */
const unsentRepairs = ({ lineId, resolution, quantities: q }: Line, parcels: readonly Parcel[]): number => {
  const packed = parcels
    .filter(({ status }) => status !== 'cancelled')
    .flatMap(({ contents }) => contents)
    .reduce((sum, units) => (units.lineId === lineId ? sum + (units.repaired ?? 0) : sum), 0);
  return resolution === 'repair' ? Math.max(0, q.accepted - packed - q.refunded - q.exchanged) : 0;
};

/** The parcels whose units a further parcel cannot hold. Inbound units of a delivered parcel may still not be received. */
const holding: Readonly<Record<Parcel['direction'], readonly Parcel['status'][]>> = {
  inbound: ['label_created', 'in_transit', 'exception'],
  outbound: ['label_created', 'in_transit', 'exception', 'delivered'],
};

/** Units that a further parcel may hold. */
const sendable = (line: Line, { parcels, status }: Pick<Return, 'parcels' | 'status'>): number => {
  const direction = status === 'inspected' || status === 'completed' ? 'outbound' : 'inbound';
  const packed = parcels
    .filter((parcel) => parcel.direction === direction && holding[direction].includes(parcel.status))
    .flatMap(({ contents }) => contents)
    .reduce((sum, { lineId, quantity, repaired = 0 }) => (lineId === line.lineId ? sum + quantity - repaired : sum), 0);
  const waiting = Math.max(0, (direction === 'outbound' ? refused(line) : outstanding(line)) - packed);
  return direction === 'outbound' ? waiting + unsentRepairs(line, parcels) : waiting;
};

type UnitsOf = (line: Line, of: Return) => number;

const unitsByOperation: Readonly<Partial<Record<OperationName, UnitsOf>>> = {
  approve: undecided,
  receive: outstanding,
  closeReceipt: outstanding,
  inspect: uninspected,
  cancel: (line) => undecided(line) + outstanding(line),
  refund: payable,
  addParcel: sendable,
  grant: (line) => lost(line) + refused(line),
};

/** Returns the units of a line that a command can take, or undefined if it takes no units. */
export const possibleUnits = (operation: OperationName, line: Line, of: Return): number | undefined => {
  const units = unitsByOperation[operation]?.(line, of);
  return units === undefined ? undefined : Math.max(0, units);
};
