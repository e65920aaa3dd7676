import { fail, ok } from '../../../runtime/result.ts';
import { roundHalfUp } from '../../money/proration.ts';
import { unitsProvedSent } from '../goods/parcels.ts';
import { claimable, entitled, outstanding, refundable, undecided, uninspected } from '../goods/quantities.ts';
import type { Result } from '../failure.ts';
import type { Line, Return, UnversionedReturn } from '../model/return.ts';
import type { FieldError } from '../model/status.ts';
import type { Terms } from '../model/terms.ts';
import type { Situation } from '../situation.ts';
import { type RequestedUnits, sum, sumBigInts, unitsByLine } from '../units-by-line.ts';
import { isExchangedAtShop } from './exchanges.ts';
import type { Ledger } from './order-ledger.ts';
import { liveRefunds } from './bookings.ts';

/** Returns what commands of the service paid for a return, in minor units. External refunds are excluded. */
export const ownPayments = ({ refunds }: Pick<UnversionedReturn, 'refunds'>): number =>
  sum(
    liveRefunds({ refunds })
      .filter(({ external }) => external === undefined)
      .map(({ amount }) => amount.amount),
  );

/**
 * Returns what may still be paid for a return without an admin; undefined without a limit.
 * The amount is in minor units. The limit counts all returns of the order. Without the order's ledger it counts only
 * this return, so the result may be too high.
 */
export const approvalLimitLeft = (state: Return, ledger?: Ledger): number | undefined => {
  const { refundApprovalLimit } = state.terms;
  const currency = state.lines[0]?.amounts.gross.currency ?? '';
  const limit = Object.hasOwn(refundApprovalLimit, currency) ? refundApprovalLimit[currency] : undefined;
  if (limit === undefined) return undefined;
  return Math.max(0, limit - Math.max(ownPayments(state), ledger?.given.own ?? 0));
};

/** Returns whether the terms allow refunds before goods arrive. */
const paysInAdvance = ({ refundTiming }: Terms): boolean =>
  refundTiming === 'approved' || refundTiming === 'in_transit';

/**
 * Counts the units of a line that money or goods may cover in total. These are the entitled units. When money is paid in
 * advance, they are all approved units that are not lost or refused.
 */
export const coveredUnits = (line: Line, terms: Terms): number =>
  paysInAdvance(terms) ? claimable(line) - undecided(line.quantities) : entitled(line.quantities);

/** Counts the units of a line that refunds may cover in total. Exchanged units are excluded. */
export const ceilingUnits = (line: Line, terms: Terms): number =>
  Math.max(0, coveredUnits(line, terms) - line.quantities.exchanged);

/** Returns a part of the worth of a line's refundable units, in minor units. It is `parts` of `whole` for each unit. */
export const partOfWorth = (line: Line, parts: bigint, whole = 1n): bigint => {
  if (parts === 0n) return 0n;
  const units = BigInt(refundable(line));
  return units === 0n ? 0n : roundHalfUp(BigInt(line.amounts.maxRefundable.amount) * parts, units * whole);
};

/** Returns the worth of the units that refunds of a return may cover in total, in minor units. */
export const ceilingWorth = ({ lines, terms }: Pick<UnversionedReturn, 'lines' | 'terms'>): bigint =>
  sumBigInts(lines.map((line) => partOfWorth(line, BigInt(ceilingUnits(line, terms)))));

/** Returns whether money is owed for a line. The resolutions `repair` and `none` have none. */
export const isPaidFor = ({ resolution }: Pick<Line, 'resolution'>): boolean =>
  resolution === 'refund' || resolution === 'store_credit' || resolution === 'exchange';

/**
 * Counts the units of a line whose money or new item is due now, in total. Money that is paid in transit is due for units
 * that are here or proved sent. A refund that names the other units may still pay for them.
 */
export const dueClaims = (line: Line, { terms, parcels }: Pick<UnversionedReturn, 'terms' | 'parcels'>): number => {
  const units = coveredUnits(line, terms);
  if (terms.refundTiming !== 'in_transit') return units;
  const unsent = outstanding(line.quantities) - unitsProvedSent(line.id, parcels, line.quantities.received);
  return units - Math.max(0, unsent);
};

/** Counts the units of a line whose money is due now, in total. Exchanged units are excluded. */
export const dueUnits = (line: Line, state: Pick<UnversionedReturn, 'terms' | 'parcels'>): number =>
  Math.max(0, dueClaims(line, state) - line.quantities.exchanged);

/** Counts the units of a line that a refund may cover now. */
export const payableUnits = (line: Line, terms: Terms): number =>
  Math.max(0, ceilingUnits(line, terms) - line.quantities.refunded);

/** Counts the units of a line that a refund may cover later, once they are received or inspected. */
export const payableLaterUnits = (line: Line, terms: Terms): number => {
  const { refunded } = line.quantities;
  const maximum = refundable(line) - undecided(line.quantities);
  return Math.max(0, maximum - Math.max(ceilingUnits(line, terms), refunded));
};

/** Returns whether units that a refund may cover later wait for an inspection. */
export const waitsForInspection = ({ lines, terms }: Pick<UnversionedReturn, 'lines' | 'terms'>): boolean =>
  terms.inspection === 'required' || lines.some(({ quantities }) => uninspected(quantities) > 0);

/** Returns whether nothing is outstanding and everything is inspected. */
const isAllInspected = ({ lines }: Pick<UnversionedReturn, 'lines'>): boolean =>
  lines.every(({ quantities }) => outstanding(quantities) === 0 && uninspected(quantities) === 0);

const refundableStatuses: Readonly<Record<Terms['refundTiming'], ReadonlySet<UnversionedReturn['status']>>> = {
  approved: new Set(['approved', 'in_transit', 'partially_received', 'received', 'inspected', 'completed']),
  in_transit: new Set(['in_transit', 'partially_received', 'received', 'inspected', 'completed']),
  received: new Set(['partially_received', 'received', 'inspected', 'completed']),
  inspected: new Set(['inspected', 'completed']),
};

/**
 * Returns whether the terms allow a refund now. A return without expected goods has nothing to wait for. Of units that
 * the shop exchanges, nothing is due.
 */
export const isRefundTime = (state: Pick<UnversionedReturn, 'status' | 'lines' | 'terms' | 'shopExchanges'>): boolean =>
  !isExchangedAtShop(state) &&
  (refundableStatuses[state.terms.refundTiming].has(state.status) ||
    (refundableStatuses.approved.has(state.status) && isAllInspected(state)));

/** Returns whether only units that wait for an inspection make the request exceed the payable units. */
const arePayableLater = (state: Situation['state'], named: RequestedUnits): boolean => {
  const { lines, terms } = state;
  const maximum = new Map(lines.map((line) => [line.id, payableUnits(line, terms) + payableLaterUnits(line, terms)]));
  return waitsForInspection(state) && named.every(({ lineId, quantity }) => quantity <= (maximum.get(lineId) ?? 0));
};

/** Counts the units of a line that a refund without lines covers: the due ones of lines to refund. */
export const unitsByDefault = (line: Line, state: Situation['state']): number =>
  line.resolution !== 'exchange' && isPaidFor(line) ? Math.max(0, dueUnits(line, state) - line.quantities.refunded) : 0;

/**
 * Returns the units to refund by line: the requested ones, or those of a refund without lines.
 * They never exceed the payable units.
 */
export const refundUnits = (
  state: Situation['state'],
  named: RequestedUnits | undefined,
): Result<ReadonlyMap<string, number>> => {
  const { lines, terms } = state;
  if (named === undefined) return ok(new Map(lines.map((line) => [line.id, unitsByDefault(line, state)])));
  const payable = new Map(lines.map((line) => [line.id, payableUnits(line, terms)]));
  const units = unitsByLine(named, new Map(lines.map(({ id }) => [id, Number.MAX_SAFE_INTEGER])));
  if (!units.ok) return units;
  const errors = named.flatMap(({ lineId, quantity }, index): FieldError[] => {
    const maximum = payable.get(lineId) ?? 0;
    return quantity > maximum
      ? [{ path: `/lines/${index}/quantity`, code: 'maximum', message: `must be at most ${maximum}` }]
      : [];
  });
  if (errors.length === 0) return units;
  const failure = { detail: 'The units exceed what can be refunded now.', errors };
  return arePayableLater(state, named)
    ? fail({ ...failure, code: 'inspection_pending', detail: 'The units are not inspected. Inspect them, then retry.' })
    : fail({ ...failure, code: 'refund_exceeds_ceiling' });
};
