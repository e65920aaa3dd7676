import type { Comparison, Spread } from './statistics.ts';

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

/** A comparison as a table of plain text. */
export const tableOf = (comparison: Comparison): string => {
  const lines = cells(comparison);
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [comparison.title, ...text].join('\n');
};
