/** The amount paid for a whole order line, in minor units. `total` includes tax and covers `units` units. */
export type PaidLine = { readonly total: bigint; readonly units: bigint };

/** The part of the line that earlier grants took, over all returns. */
export type Granted = { readonly units: bigint; readonly amount: bigint };

/** A part of the price of the last units of a line, in minor units, that the customer got back and keeps. */
export type Reduction = { readonly units: bigint; readonly amount: bigint };

const minimum = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Rounds the fraction `numerator / denominator` (both >= 0) half up. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

/** Returns `amount * part / whole` (all >= 0), rounded half up. It is exact, also where the product is no safe integer. */
export const proportion = (amount: number, part: number, whole: number): number => {
  const twice = 2 * amount * part + whole;
  return Number.isSafeInteger(twice)
    ? Math.floor(twice / (2 * whole))
    : Number(roundHalfUp(BigInt(amount) * BigInt(part), BigInt(whole)));
};

/** Returns the part of a reduction that falls on the first `units` of `of` units. It falls on the last units first. */
const reducedPart = ({ units: reduced, amount }: Reduction, units: bigint, of: bigint): bigint => {
  const from = reduced < of ? of - reduced : 0n;
  return units > from ? roundHalfUp(amount * (units - from), of - from) : 0n;
};

/**
 * Returns the share of `units` more units of a line: `max(0, R(T * (a + n) / N) - G)`.
 * T and N are the paid total and units, a and G the granted units and amount (contract section 5). The share is taken
 * of the running total. So any split and any order of grants adds up to exactly T once all N units are granted. Before
 * that the sum never exceeds T. A reduction lowers the worth of the last units, and T by its amount.
 *
 * @param units at most `paid.units - granted.units`
 */
export const share = (paid: PaidLine, granted: Granted, units: bigint, reduction?: Reduction): bigint => {
  const next = granted.units + units;
  const whole = roundHalfUp(paid.total * next, paid.units);
  const due =
    reduction === undefined
      ? whole
      : minimum(whole - reducedPart(reduction, next, paid.units), paid.total - reduction.amount);
  return due > granted.amount ? due - granted.amount : 0n;
};

const whole = 10_000n;

/** Returns a part of an amount in basis points (1/10,000), rounded half up. Both are >= 0. */
export const basisPoints = (amount: bigint, bps: number): bigint => roundHalfUp(amount * BigInt(bps), whole);
