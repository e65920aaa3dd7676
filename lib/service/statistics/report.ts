import type { CounterRow, Figures } from '../../store/statistics/counters.ts';
import { plus } from './steps.ts';

/** The sum of the counters of one value. */
export type Sum = { readonly value: string; readonly figures: Figures };

/** An amount in minor units. */
type Money = { readonly amount: number; readonly currency: string };

/**
 * Raises a negative figure to zero.
 * Partitions are read one after another, so a concurrent move may be read twice or not at all.
 */
const notNegative = (figure: number | undefined): number => Math.max(0, figure ?? 0);

/** Sums counters by the value that `valueOf` returns. Values without figures are left out. */
export const sumsBy = (rows: readonly CounterRow[], valueOf: (row: CounterRow) => string): readonly Sum[] => {
  const sums = new Map<string, Figures>();
  for (const row of rows) {
    const value = valueOf(row);
    sums.set(value, plus(sums.get(value) ?? {}, row.figures));
  }
  return [...sums].filter(([, { returns = 0 }]) => returns > 0).map(([value, figures]) => ({ value, figures }));
};

export const total = (sums: readonly Sum[]): Figures =>
  sums.reduce<Figures>((total, { figures }) => plus(total, figures), {});

/** Returns the money of one kind, by currency. */
export const moneyIn = (figures: Figures, kind: 'refunded' | 'due'): Money[] =>
  Object.keys(figures)
    .filter((name) => name.startsWith(`${kind}_`))
    .map((name) => ({ amount: notNegative(figures[name]), currency: name.slice(kind.length + 1) }))
    .filter(({ amount }) => amount > 0)
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

/** Returns figures in the form of the response. */
export const figuresView = (figures: Figures) => ({
  returns: notNegative(figures['returns']),
  units: {
    requested: notNegative(figures['requested']),
    approved: notNegative(figures['approved']),
    received: notNegative(figures['received']),
    accepted: notNegative(figures['accepted']),
  },
  refunded: moneyIn(figures, 'refunded'),
  due: moneyIn(figures, 'due'),
});

/** The sort order: by number of returns, by units, or by value. */
export type Rank = 'returns' | 'units' | 'value';

const byValue = (a: Sum, b: Sum): number => (a.value < b.value ? -1 : 1);

const maximum =
  (name: 'returns' | 'requested') =>
  (a: Sum, b: Sum): number =>
    (b.figures[name] ?? 0) - (a.figures[name] ?? 0) || byValue(a, b);

const ranks: Readonly<Record<Rank, (a: Sum, b: Sum) => number>> = {
  returns: maximum('returns'),
  units: maximum('requested'),
  value: byValue,
};

/** Returns the first sums, and the sum of all others. */
export const ranked = (sums: readonly Sum[], rank: Rank, limit: number) => {
  const sorted = sums.toSorted(ranks[rank]);
  return { first: sorted.slice(0, limit), others: sorted.slice(limit) };
};
