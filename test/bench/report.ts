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

/** The comparison of candidates in one case, and further figures by the head of their column. */
export type Case = {
  readonly what: string;
  readonly comparison: Comparison;
  readonly besides?: Readonly<Record<string, string>>;
};

/**
 * Returns a table with a row for each case: the medians of the candidates, and the ratios to the baseline.
 *
 * @param maxima the maximum of the ratio, by metric
 */
export const ratioSection = (
  title: string,
  cases: readonly Case[],
  maxima: Readonly<Record<string, number>>,
): Section => {
  const { comparison: { baseline = '', rows = [] } = {}, besides: columns = {} } = cases[0] ?? {};
  const metrics = Object.keys(rows[0]?.metrics ?? {});
  const others = rows.map(({ candidate }) => candidate).filter((name) => name !== baseline);
  const cellsOf = ({ what, comparison, besides = {} }: Case): string[] => {
    const figures = metrics.flatMap((metric) =>
      comparison.rows.flatMap(({ candidate, metrics: of, ratios }) => {
        const [value, ratio] = [of[metric]?.median ?? Number.NaN, ratios[metric]];
        const shown = value.toFixed(value < 10 ? 2 : 0);
        return candidate === baseline || ratio === undefined ? [shown] : [shown, spread(ratio)];
      }),
    );
    return [what, ...figures, ...Object.values(besides)];
  };
  const heads = metrics.flatMap((metric) => [
    `${metric}, ${baseline}`,
    ...others.flatMap((name) => [name, `x ${baseline}`]),
  ]);
  const remarkOf = ({ what, comparison }: Case, candidate: string, [metric, maximum]: [string, number]): string => {
    const figure = figureOf(comparison, { metric, to: [baseline], candidate });
    return compareWithTarget({ what: `${what}, ${candidate}, ${metric} x ${baseline}`, maximum }, figure);
  };
  return {
    title,
    table: [['', ...heads, ...Object.keys(columns)], ...cases.map(cellsOf)],
    remarks: cases.flatMap((one) =>
      others.flatMap((name) => Object.entries(maxima).map((maximum) => remarkOf(one, name, maximum))),
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
