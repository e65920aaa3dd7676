import type { Result } from './failure.ts';
import { fail, ok } from '../../runtime/result.ts';
import type { FieldError } from './model/status.ts';
import { requireKnownLines } from './input-checks.ts';

/** Returns the sum of units or of minor units. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Returns the sum of factors of later products, as BigInt. A product may exceed a safe integer. */
export const sumBigInts = (numbers: readonly bigint[]): bigint => numbers.reduce((total, number) => total + number, 0n);

/** Units by line of a return, as a command requests them. */
export type RequestedUnits = readonly { readonly lineId: string; readonly quantity: number }[];

type Options = {
  /** Further checks of the units. */
  readonly further?: (units: ReadonlyMap<string, number>) => readonly FieldError[];
  /** The name of the field with the units. */
  readonly list?: 'lines' | 'contents' | 'raise';
};

/**
 * Returns the requested units by line id. It requires lines of the return, no line twice, and at most the units that a
 * line has left.
 *
 * @param maximum the units that each line has left
 */
export const unitsByLine = (
  named: RequestedUnits,
  maximum: ReadonlyMap<string, number>,
  { further = () => [], list = 'lines' }: Options = {},
): Result<ReadonlyMap<string, number>> => {
  const known = requireKnownLines(maximum, named, list);
  if (!known.ok) return known;
  const units = new Map<string, number>();
  const errors: FieldError[] = [];
  named.forEach(({ lineId, quantity }, index) => {
    const at = `/${list}/${index}`;
    const left = maximum.get(lineId) ?? 0;
    if (quantity > left) errors.push({ path: `${at}/quantity`, code: 'maximum', message: `must be at most ${left}` });
    if (units.has(lineId)) errors.push({ path: `${at}/lineId`, code: 'duplicate', message: 'must not appear twice' });
    units.set(lineId, quantity);
  });
  errors.push(...further(units));
  return errors.length > 0
    ? fail({ code: 'invalid_request', detail: 'The quantities are invalid for this return.', errors })
    : ok(units);
};
