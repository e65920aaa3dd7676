import type { Comparison } from './statistics.ts';

/** The maximum of a figure; `stretch` is the ideal maximum. */
export type Target = { readonly what: string; readonly maximum: number; readonly stretch?: number };

export type Verdict = Target & { readonly value: number; readonly met: boolean; readonly text: string };

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2));

const said = (met: boolean): string => (met ? 'met' : 'not met');

/** Compares a figure with its target. It uses the exact figure, not the rounded text. */
export const compareWithTarget = (target: Target, value: number): Verdict => {
  const { what, maximum, stretch } = target;
  const met = value <= maximum;
  const beyond = stretch === undefined ? '' : `; stretch <= ${shown(stretch)}: ${said(value <= stretch)}`;
  return { ...target, value, met, text: `${what} <= ${shown(maximum)}: ${shown(value)} ${said(met)}${beyond}` };
};

/** Compares a count with its expected value. */
export const compareExactly = (what: string, expected: number, value: number): Verdict => {
  const met = value === expected;
  return { what, maximum: expected, value, met, text: `${what} = ${expected}: ${value} ${said(met)}` };
};

/** Returns the median of a candidate's metric, divided by the lowest median of the others. */
export const ratioTo = (comparison: Comparison, metric: string, others: readonly string[], one = 'ours'): number => {
  const medianOf = (candidate: string): number =>
    comparison.rows.find((row) => row.candidate === candidate)?.metrics[metric]?.median ?? Number.NaN;
  return medianOf(one) / Math.min(...others.map(medianOf));
};
