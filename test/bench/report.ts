import type { Section } from './settings.ts';
import type { Comparison, Spread } from './statistics.ts';
import { compareWithTarget, figureOf, type ComparedTarget } from './targets.ts';

const spread = ({ median, lower, upper }: Spread, digits = 2): string =>
  `${median.toFixed(digits)} [${lower.toFixed(digits)}-${upper.toFixed(digits)}]`;

/** Returns a comparison as a section of a result: a row for each candidate. */
export const comparisonSection = (comparison: Comparison, targets: readonly ComparedTarget[] = []): Section => {
  const { title, baseline, rows } = comparison;
  const metrics = Object.keys(rows[0]?.metrics ?? {});
  const cells = rows.map(({ candidate, metrics: measured, ratios }) => [
    candidate,
    ...metrics.flatMap((metric) => {
      const [value, ratio] = [measured[metric], ratios[metric]];
      if (value === undefined || ratio === undefined) return ['', ''];
      return [spread(value, value.median < 10 ? 2 : 0), candidate === baseline ? '1' : spread(ratio)];
    }),
  ]);
  return {
    title,
    table: [['', ...metrics.flatMap((metric) => [metric, `x ${baseline}`])], ...cells],
    remarks: targets.map((target) => compareWithTarget(target, figureOf(comparison, target))),
  };
};

/** The comparison of ours with its baseline in one case, and its further figures by the head of their column. */
export type Case = {
  readonly what: string;
  readonly comparison: Comparison;
  readonly besides?: Readonly<Record<string, string>>;
};

const none: Spread = { median: Number.NaN, lower: Number.NaN, upper: Number.NaN };

/**
 * Returns a table with a row for each case: the medians of ours and of the baseline, and their ratio.
 *
 * @param maxima the maximum of the ratio, by metric
 */
export const ratioSection = (
  title: string,
  cases: readonly Case[],
  maxima: Readonly<Record<string, number>>,
): Section => {
  const { comparison: first, besides: columns = {} } = cases[0] ?? {};
  const { baseline = '', rows = [] } = first ?? {};
  const metrics = Object.keys(rows[0]?.metrics ?? {});
  const cellsOf = ({ what, comparison, besides = {} }: Case): string[] => {
    const rowOf = (name: string) => comparison.rows.find(({ candidate }) => candidate === name);
    const [ours, base] = [rowOf('ours'), rowOf(baseline)];
    const figures = metrics.flatMap((metric) => [
      ...[ours, base].map((row) => (row?.metrics[metric] ?? none).median.toFixed(0)),
      spread(ours?.ratios[metric] ?? none),
    ]);
    return [what, ...figures, ...Object.values(besides)];
  };
  const heads = metrics.flatMap((metric) => [`${metric}, ours`, baseline, `ours x ${baseline}`]);
  return {
    title,
    table: [['', ...heads, ...Object.keys(columns)], ...cases.map(cellsOf)],
    remarks: cases.flatMap(({ what, comparison }) =>
      Object.entries(maxima).map(([metric, maximum]) =>
        compareWithTarget(
          { what: `${what}, ${metric} x ${baseline}`, maximum },
          figureOf(comparison, { metric, to: [baseline] }),
        ),
      ),
    ),
  };
};

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
