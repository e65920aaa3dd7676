/** The amount paid for a whole order line, in minor units. `total` includes tax and covers `units` units. */
export type PaidLine = { readonly total: bigint; readonly units: bigint };

/** The part of the line that earlier grants took, over all returns. */
export type Granted = { readonly units: bigint; readonly amount: bigint };

/** Rounds the fraction `numerator / denominator` (both >= 0) half up. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator);

/**
 * Returns the share of `units` more units of a line: `max(0, R(T * (a + n) / N) - G)`.
 * T and N are the paid total and units, a and G the granted units and amount (contract section 5). The share is taken
 * of the running total. So any split and any order of grants adds up to exactly T once all N units are granted. Before
 * that the sum never exceeds T.
 *
 * @param units at most `paid.units - granted.units`
 */
export const share = (paid: PaidLine, granted: Granted, units: bigint): bigint => {
  const due = roundHalfUp(paid.total * (granted.units + units), paid.units) - granted.amount;
  return due > 0n ? due : 0n;
};

const whole = 10_000n;

/** Returns a part of an amount in basis points (1/10,000), rounded half up. Both are >= 0. */
export const basisPoints = (amount: bigint, bps: number): bigint => roundHalfUp(amount * BigInt(bps), whole);
