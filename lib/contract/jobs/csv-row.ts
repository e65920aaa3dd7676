/*
 * Rows of CSV for spreadsheets. A cell that a spreadsheet would read as a formula becomes text.
 * https://www.rfc-editor.org/rfc/rfc4180
 * https://owasp.org/www-community/attacks/CSV_Injection
 */

export type Cell = string | number | boolean | undefined;

/** Matches the first characters that some spreadsheets skip before a formula. */
const skippedStart = /^(?=[\t\r\n])/;

/**
 * Matches the place before the sign of a formula, some signs also in their full-width forms. A formula begins a cell,
 * and spreadsheets skip white space before it. A cell also begins after each separator that a reader may choose, such
 * as the semicolon of many countries. Some readers drop quotes.
 */
const formula = /(?=[=+\-@＝＋－＠])(?<=(?:^|[,;|\t\r\n\v\f\u0085\u2028\u2029])["\s\p{Cc}\p{Cf}]*)/gu;

const escapeFormula = (text: string): string => text.replaceAll(formula, "'").replace(skippedStart, "'");

/** Formats one cell. Text that would be a formula gets an apostrophe, which spreadsheets do not show. */
export const cellOf = (value: Cell): string => {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? escapeFormula(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Formats the cells of one row. */
export const csvRow = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`;
