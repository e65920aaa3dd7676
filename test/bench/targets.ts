import type { Comparison } from './statistics.ts';

/** The maximum of a figure; `stretch` is the ideal maximum. */
export type Target = { readonly what: string; readonly maximum: number; readonly stretch?: number };

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2));

const said = (met: boolean): string => (met ? 'met' : 'not met');

/** Compares a figure with its target, in one line. It uses the exact figure, not the rounded text. */
export const compareWithTarget = ({ what, maximum, stretch }: Target, value: number): string => {
  const beyond = stretch === undefined ? '' : `; stretch <= ${shown(stretch)}: ${said(value <= stretch)}`;
  return `${what} <= ${shown(maximum)}: ${shown(value)} ${said(value <= maximum)}${beyond}`;
};

/** Compares a count with its expected value, in one line. */
export const compareExactly = (what: string, expected: number, value: number): string =>
  `${what} = ${expected}: ${value} ${said(value === expected)}`;

/** The target of a metric of a candidate: of its ratio to the lowest median of others, or of its own median. */
export type ComparedTarget = Target & {
  readonly metric: string;
  readonly to?: readonly string[];
  readonly candidate?: string;
};

/** Returns the figure of a target; NaN when a candidate was not measured. */
export const figureOf = (
  { rows }: Comparison,
  { metric, to, candidate = 'ours' }: Pick<ComparedTarget, 'metric' | 'to' | 'candidate'>,
): number => {
  const medianOf = (name: string): number =>
    rows.find((row) => row.candidate === name)?.metrics[metric]?.median ?? Number.NaN;
  return to === undefined ? medianOf(candidate) : medianOf(candidate) / Math.min(...to.map(medianOf));
};
