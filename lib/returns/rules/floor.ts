import type { Violation } from './fact.ts';
import type { Terms } from './terms.ts';

/** What the law says against units that are not taken back. */
export const floorObjections = ({ floor }: Pick<Terms, 'floor'>, rejectedUnits: number): readonly Violation[] =>
  floor === null || rejectedUnits === 0
    ? []
    : [{ code: 'statutory_floor_violation', detail: `These units must be taken back by ${floor.law}.` }];
