import { ok, type Result, fail } from './failure.ts';
import type { FieldError } from './model/status.ts';
import { requireKnownLines } from './input-checks.ts';

/** The sum of units or of minor units. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The sum of amounts that are still to be multiplied: products may exceed what a number can hold. */
export const sumBigInts = (numbers: readonly bigint[]): bigint => numbers.reduce((total, number) => total + number, 0n);

/** Units of lines of a return, as a command names them. */
export type RequestedUnits = readonly { readonly lineId: string; readonly quantity: number }[];

type Options = {
  /** What else must hold of them. */
  readonly further?: (units: ReadonlyMap<string, number>) => readonly FieldError[];
  /** The field that names them. */
  readonly list?: 'lines' | 'contents';
};

/**
 * The units that a command names, by line id: lines of the return, none twice, at most as many as it has left.
 *
 * @param maximum what each line has left
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
