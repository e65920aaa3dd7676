/** What was paid for a whole order line, in minor units: `total` with tax inside, for `units` units. */
export type PaidLine = { readonly total: bigint; readonly units: bigint };

/** What earlier grants took of that line, over all its returns. */
export type Granted = { readonly units: bigint; readonly amount: bigint };

/** Rounds the fraction `numerator / denominator` (both >= 0) half up. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

/**
 * The share of `units` more units of a line: `max(0, R(T * (a + n) / N) - G)` with T and N what was paid, a and G what
 * is granted already (contract section 5). Because the share is taken of the running total, any split and any order
 * of grants sums to exactly T once all N units are granted, and never exceeds T before.
 *
 * @param units at most `paid.units - granted.units`
 */
export const share = (paid: PaidLine, granted: Granted, units: bigint): bigint => {
  const due = roundHalfUp(paid.total * (granted.units + units), paid.units) - granted.amount;
  return due > 0n ? due : 0n;
};

const whole = 10_000n;

/** A part of an amount in basis points (1/10,000), rounded half up. Both are >= 0. */
export const basisPoints = (amount: bigint, bps: number): bigint => roundHalfUp(amount * BigInt(bps), whole);
