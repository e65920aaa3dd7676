import { refusedUngranted, undecided } from '../goods/quantities.ts';
import type { OrderLine } from '../model/order.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import type { Terms } from '../model/terms.ts';
import { fulfilled, shipped } from '../money/line-units.ts';
import { owed } from '../money/recovery.ts';
import { sum } from '../units-by-line.ts';
import type { FloorFailure } from './discrepancies.ts';

/** Units of one order line. */
export type OrderLineUnits = { readonly orderLineId: string; readonly units: number };

/** Returns whether a law protects an order line. */
export const isProtected = ({ lines }: NonNullable<Terms['floor']>, orderLineId: string): boolean =>
  lines?.includes(orderLineId) ?? true;

/**
 * Returns the units of an order line that a return may hold. The right of withdrawal exists before the delivery, so a
 * withdrawal of protected goods also takes units on their way to the customer.
 */
export const returnableUnits =
  ({ basis, terms: { floor } }: Pick<UnversionedReturn, 'basis' | 'terms'>) =>
  (line: OrderLine): number =>
    basis === 'withdrawal' && floor !== null && isProtected(floor, line.lineId) ? shipped(line) : fulfilled(line);

const floorFailure = (requirement: string, { law }: NonNullable<Terms['floor']>): FloorFailure => ({
  code: 'statutory_floor_violation',
  detail: `${law} requires that ${requirement}.`,
});

/** Returns the failure to take back units whose lines the law protects. */
export const floorFailuresOfRejection = (
  { floor }: Pick<Terms, 'floor'>,
  rejected: readonly OrderLineUnits[],
): readonly FloorFailure[] =>
  floor !== null && rejected.some(({ orderLineId, units }) => units > 0 && isProtected(floor, orderLineId))
    ? [floorFailure('these units are taken back', floor)]
    : [];

/** Returns whether a law protects undecided units. Only a decision ends their return. */
export const hasUndecidedProtectedUnits = ({
  lines,
  terms: { floor },
}: Pick<UnversionedReturn, 'lines' | 'terms'>): boolean =>
  floor !== null &&
  lines.some(({ orderLineId, quantities }) => undecided(quantities) > 0 && isProtected(floor, orderLineId));

/** Counts the units that the shop rejected or refused without a grant. */
const deniedUnits = (lines: readonly Line[]): number =>
  sum(lines.map((line) => line.quantities.rejected + refusedUngranted(line)));

/**
 * Returns the floor failures of a transition, whichever command causes it.
 * A transition fails when it rejects or refuses protected units, or ends the return while money for them is unpaid.
 * Units that a customer cancels or never sends are exempt: the shop still accepts them if they arrive late.
 *
 * @param left what refunds may still give of the order, in minor units
 */
export const floorFailuresOfTransition = (
  before: UnversionedReturn,
  next: UnversionedReturn,
  left: number,
): readonly FloorFailure[] => {
  const { floor } = next.terms;
  if (floor === null) return [];
  const own = ({ lines }: UnversionedReturn) => lines.filter(({ orderLineId }) => isProtected(floor, orderLineId));
  const ends = next.status === 'completed' && before.status !== 'completed' && own(next).length > 0;
  return [
    ...(deniedUnits(own(next)) > deniedUnits(own(before)) ? [floorFailure('these units are taken back', floor)] : []),
    ...(ends && owed(next) > 0 && left > 0 ? [floorFailure('this money is paid', floor)] : []),
  ];
};
