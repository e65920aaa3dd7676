import { type Check, checks, type Row } from './findings.ts';

const cellOf = ({ counts, differences, rule }: Row, check: Check): string => {
  const differing = differences.filter((difference) => difference.check === check).length;
  const result = differing > 0 ? `${differing} differ` : counts[check] === 0 ? '-' : `${counts[check]} ok`;
  return check === 'repeat' && rule !== undefined ? `${result} (${rule})` : result;
};

const tableOf = (lines: readonly (readonly string[])[]): readonly string[] => {
  const widths = lines.reduce<number[]>(
    (known, line) => line.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return lines.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const differencesOf = ({ operation, differences }: Row): readonly string[] =>
  differences.map(({ check, text }) => `  ${operation}, ${check}: ${text}`);

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Whether no check found a difference, and at least one operation was called. */
export const conforms = (rows: readonly Row[], others: readonly string[]): boolean =>
  others.length === 0 &&
  rows.every(({ differences }) => differences.length === 0) &&
  rows.some(({ uncalled }) => uncalled === undefined);

/**
 * Returns the report: a row for each operation, the differences, and a last line with the result.
 *
 * @param others differences that belong to no operation
 */
export const reportOf = (adapter: string, rows: readonly Row[], others: readonly string[] = []): string => {
  const called = rows.filter(({ uncalled }) => uncalled === undefined);
  const table = tableOf([
    ['operation', ...checks],
    ...called.map((row) => [row.operation, ...checks.map((check) => cellOf(row, check))]),
  ]);
  const uncalled = rows.flatMap((row) => (row.uncalled === undefined ? [] : [`  ${row.operation}: ${row.uncalled}`]));
  const differences = [...rows.flatMap(differencesOf), ...others.map((text) => `  ${text}`)];
  const last = conforms(rows, others)
    ? `${adapter} conforms: ${called.length} of ${rows.length} operations.`
    : `${adapter} differs: ${differences.length === 0 ? 'no operation was called' : counted(differences.length, 'difference')}.`;
  return [
    ...table,
    ...(uncalled.length > 0 ? ['', 'Not called:', ...uncalled] : []),
    ...(differences.length > 0 ? ['', 'Differences:', ...differences] : []),
    '',
    last,
  ].join('\n');
};

/** Returns the files of recordings with the titles of their cases. */
export const recordedText = (lines: readonly string[]): string =>
  [
    '',
    lines.length === 0 ? 'Recorded: nothing, because no call has an answer.' : 'Recorded:',
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
