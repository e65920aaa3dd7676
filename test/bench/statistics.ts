/** The measurements of one round, by metric. */
export type Sample = Readonly<Record<string, number>>;

/** All rounds of one candidate, in order. */
export type Measured = { readonly candidate: string; readonly samples: readonly Sample[] };

/** The median of several values and their quartiles. */
export type Spread = { readonly median: number; readonly lower: number; readonly upper: number };

export type Row = Measured & {
  readonly metrics: Readonly<Record<string, Spread>>;
  /** Ratios to the baseline: of the medians, and the quartiles of the ratios by round. */
  readonly ratios: Readonly<Record<string, Spread>>;
};

/** The results of several candidates. */
export type Comparison = { readonly title: string; readonly baseline: string; readonly rows: readonly Row[] };

/**
 * Returns the quantile of values, interpolated between the two nearest (type 7 of Hyndman and Fan).
 * @param share from 0 to 1
 */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const below = sorted[Math.floor(rank)];
  const above = sorted[Math.ceil(rank)];
  if (below === undefined || above === undefined) throw new RangeError('there is no quantile of nothing');
  return below + (above - below) * (rank - Math.floor(rank));
};

const spreadOf = (values: readonly number[]): Spread => ({
  median: quantile(values, 0.5),
  lower: quantile(values, 0.25),
  upper: quantile(values, 0.75),
});

const valuesOf = ({ candidate, samples }: Measured, metric: string): readonly number[] =>
  samples.map((sample) => {
    const value = sample[metric];
    if (value === undefined) throw new Error(`${candidate} did not measure ${metric}`);
    return value;
  });

/** Returns the median of a metric over the rounds of a candidate. */
export const medianOf = (measured: Measured, metric: string): number => quantile(valuesOf(measured, metric), 0.5);

/** Calculates ratios by round, so that a slow round of both has no effect. */
const ratioOf = (values: readonly number[], base: readonly number[]): Spread => ({
  ...spreadOf(values.map((value, round) => value / (base[round] ?? Number.NaN))),
  median: quantile(values, 0.5) / quantile(base, 0.5),
});

/** Compares candidates of the same rounds with the baseline, by the chosen metrics or by all. */
export const compare = (
  title: string,
  baseline: string,
  measured: readonly Measured[],
  chosen?: readonly string[],
): Comparison => {
  const base = measured.find(({ candidate }) => candidate === baseline);
  if (base === undefined) throw new Error(`the baseline ${baseline} was not measured`);
  const metrics = chosen ?? Object.keys(base.samples[0] ?? {});
  const rows = measured.map((one): Row => {
    if (one.samples.length !== base.samples.length)
      throw new Error(`${one.candidate} had other rounds than ${baseline}`);
    const each = (spread: (metric: string) => Spread) =>
      Object.fromEntries(metrics.map((metric) => [metric, spread(metric)]));
    return {
      ...one,
      metrics: each((metric) => spreadOf(valuesOf(one, metric))),
      ratios: each((metric) => ratioOf(valuesOf(one, metric), valuesOf(base, metric))),
    };
  });
  return { title, baseline, rows };
};
