/** Returns the sum of numbers. The domain does not import the runtime: it has lib/domain/returns/units-by-line.ts. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
