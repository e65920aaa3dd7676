/** A number that is exactly what was sent: a larger one has lost its last digits. */
export const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

/** Units, none or more, up to the most that the contract carries. */
export const unitsOf = (value: unknown): number | undefined => {
  const number = wholeNumber(value);
  return number !== undefined && number >= 0 && number <= 100_000 ? number : undefined;
};

/** The sum of whole numbers; nothing when one of them is none. */
export const wholeSum = (values: readonly unknown[]): number | undefined => {
  let sum = 0;
  for (const value of values) {
    const number = wholeNumber(value);
    if (number === undefined) return undefined;
    sum += number;
  }
  return wholeNumber(sum);
};
