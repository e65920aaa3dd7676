import type { Violation } from './fact.ts';
import type { Terms } from './terms.ts';

/** Units of one line of the order. */
export type LineUnits = { readonly orderLineId: string; readonly units: number };

/** What the law says against units that are not taken back: nothing, where it does not protect their lines. */
export const floorObjections = (
  { floor }: Pick<Terms, 'floor'>,
  rejected: readonly LineUnits[],
): readonly Violation[] => {
  if (floor === null) return [];
  const { law, lines } = floor;
  const isProtected = ({ orderLineId, units }: LineUnits) => units > 0 && (lines?.includes(orderLineId) ?? true);
  return rejected.some(isProtected)
    ? [{ code: 'statutory_floor_violation', detail: `These units must be taken back by ${law}.` }]
    : [];
};
