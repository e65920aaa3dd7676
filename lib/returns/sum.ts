/** The sum of units or of minor units. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The sum of amounts that are still to be multiplied: products may exceed what a number can hold. */
export const exactSum = (numbers: readonly bigint[]): bigint => numbers.reduce((total, number) => total + number, 0n);
