import type { Section } from './settings.ts';
import type { Comparison, Spread } from './statistics.ts';
import { compareWithTarget, ratioTo, type Verdict } from './targets.ts';

/** The comparison of ours with its baseline in one case. */
export type Case = {
  readonly what: string;
  readonly comparison: Comparison;
  /** Further figures of the case, by the head of their column. */
  readonly besides?: Readonly<Record<string, string>>;
};

/** The maximum of ours divided by the baseline, by metric. */
export type Maxima = Readonly<Record<string, number>>;

const none: Spread = { median: Number.NaN, lower: Number.NaN, upper: Number.NaN };

const cellsOf = ({ what, comparison, besides = {} }: Case, metrics: readonly string[]): string[] => {
  const rowOf = (name: string) => comparison.rows.find(({ candidate }) => candidate === name);
  const [ours, base] = [rowOf('ours'), rowOf(comparison.baseline)];
  const figures = metrics.flatMap((metric) => {
    const { median, lower, upper } = ours?.ratios[metric] ?? none;
    return [
      ...[ours, base].map((row) => (row?.metrics[metric] ?? none).median.toFixed(0)),
      `${median.toFixed(2)} [${lower.toFixed(2)}-${upper.toFixed(2)}]`,
    ];
  });
  return [what, ...figures, ...Object.values(besides)];
};

const verdictsOn = ({ what, comparison }: Case, maxima: Maxima): Verdict[] =>
  Object.entries(maxima).map(([metric, maximum]) =>
    compareWithTarget(
      { what: `${what}, ${metric} x ${comparison.baseline}`, maximum },
      ratioTo(comparison, metric, [comparison.baseline]),
    ),
  );

/** Returns a table with a row for each case: the medians of ours and of the baseline, and their ratio. */
export const ratioSection = (title: string, cases: readonly Case[], maxima: Maxima): Section => {
  const [first] = cases;
  const metrics = Object.keys(first?.comparison.rows[0]?.metrics ?? {});
  const baseline = first?.comparison.baseline ?? '';
  const verdicts = cases.flatMap((one) => verdictsOn(one, maxima));
  return {
    title,
    table: [
      [
        '',
        ...metrics.flatMap((metric) => [`${metric}, ours`, baseline, `ours x ${baseline}`]),
        ...Object.keys(first?.besides ?? {}),
      ],
      ...cases.map((one) => cellsOf(one, metrics)),
    ],
    remarks: verdicts.map(({ text }) => text),
    data: { cases, verdicts },
  };
};
