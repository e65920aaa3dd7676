/* Amounts as people write them, and as the API counts them: in the smallest unit. */

/**
 * Reads a decimal number in the smallest unit: "12.34" and "12,34" with two digits are 1234.
 * A separator of thousands could be read in two ways, so it is rejected.
 *
 * @returns undefined if the text is no such number
 */
export const parseDecimal = (text: string, digits: number): number | undefined => {
  const match = /^(?<sign>-?)(?<whole>\d{1,13})(?:[.,](?<part>\d*))?$/.exec(text.trim());
  const { sign = '', whole, part = '' } = match?.groups ?? {};
  if (whole === undefined || part.length > digits) return undefined;
  const units = Number(`${whole}${part.padEnd(digits, '0')}`);
  return sign === '-' ? -units : units;
};

/** Writes a number of smallest units as a decimal number, with the separator of the language. */
export const decimalText = (units: number, digits: number, separator = '.'): string =>
  (units / 10 ** digits).toFixed(digits).replace('.', separator);
