import { fail, ok } from '../../../runtime/result.ts';
import type { Result } from '../failure.ts';
import type { Line } from '../model/return.ts';
import type { FieldError } from '../model/status.ts';
import type { Situation } from '../situation.ts';
import { type RequestedUnits, unitsByLine } from '../units-by-line.ts';
import { dueUnits, isPaidFor, payableLaterUnits, payableUnits, waitsForInspection } from './refund-ceiling.ts';

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
