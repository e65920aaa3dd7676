import { roundHalfUp } from './proration.ts';

const whole = 10_000n;

/** A part of an amount in basis points (1/10,000), rounded half up. Both are >= 0. */
export const basisPoints = (amount: bigint, bps: number): bigint => roundHalfUp(amount * BigInt(bps), whole);
