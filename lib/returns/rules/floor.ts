import type { Violation } from './fact.ts';
import type { Terms } from './terms.ts';

/** Units of one line of the order. */
export type LineUnits = { readonly orderLineId: string; readonly units: number };

/** Whether a law is about a line of the order. */
export const isProtected = ({ lines }: NonNullable<Terms['floor']>, orderLineId: string): boolean =>
  lines?.includes(orderLineId) ?? true;

/** What the law says against units that are not taken back: nothing, where it does not protect their lines. */
export const floorObjections = (
  { floor }: Pick<Terms, 'floor'>,
  rejected: readonly LineUnits[],
): readonly Violation[] => {
  if (floor === null) return [];
  return rejected.some(({ orderLineId, units }) => units > 0 && isProtected(floor, orderLineId))
    ? [{ code: 'statutory_floor_violation', detail: `These units must be taken back by ${floor.law}.` }]
    : [];
};
