import type { Section } from './settings.ts';
import type { Comparison, Spread } from './statistics.ts';
import type { Verdict } from './targets.ts';

const number = (value: number, digits: number): string => value.toFixed(digits);

const spread = ({ median, lower, upper }: Spread, digits: number): string =>
  `${number(median, digits)} [${number(lower, digits)}-${number(upper, digits)}]`;

const cells = ({ baseline, rows }: Comparison): string[][] => {
  const metrics = Object.keys(rows[0]?.metrics ?? {});
  const head = ['', ...metrics.flatMap((metric) => [metric, `x ${baseline}`])];
  const body = rows.map(({ candidate, metrics: measured, ratios }) => [
    candidate,
    ...metrics.flatMap((metric) => {
      const [value, ratio] = [measured[metric], ratios[metric]];
      if (value === undefined || ratio === undefined) return ['', ''];
      return [spread(value, value.median < 10 ? 2 : 0), candidate === baseline ? '1' : spread(ratio, 2)];
    }),
  ]);
  return [head, ...body];
};

/** Returns a comparison as a section of a result, with the verdicts on its targets. */
export const comparisonSection = (comparison: Comparison, verdicts: readonly Verdict[] = []): Section => ({
  title: comparison.title,
  table: cells(comparison),
  remarks: verdicts.map(({ text }) => text),
  data: { ...comparison, verdicts },
});

/** Returns a section of a result as plain text with aligned cells. */
export const textOf = ({ title, table, remarks = [], failures = [] }: Section): string => {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const rows = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [title, ...rows, ...remarks, ...failures].join('\n');
};
