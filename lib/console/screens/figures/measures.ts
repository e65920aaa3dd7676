import type { Output } from '../../../contract/contract.ts';

type Item = Pick<Output<'getAnalytics'>['items'][number], 'returns' | 'units' | 'refunded' | 'due'>;

export const unitNames = ['requested', 'approved', 'received', 'accepted'] as const;

/** What a chart shows of each item. Money is of one currency: amounts of two currencies have no sum. */
export type Measure =
  | { readonly kind: 'returns' }
  | { readonly kind: 'units'; readonly name: (typeof unitNames)[number] }
  | { readonly kind: 'money'; readonly name: 'due' | 'refunded'; readonly currency: string };

/** Returns the text of a measure for the address. */
export const codeOf = (measure: Measure): string => {
  if (measure.kind === 'returns') return 'returns';
  return measure.kind === 'units' ? `units.${measure.name}` : `${measure.name}.${measure.currency}`;
};

/** Returns the currencies of the items, in a stable order. */
export const currenciesOf = (items: readonly Item[]): readonly string[] =>
  [...new Set(items.flatMap(({ due, refunded }) => [...due, ...refunded].map(({ currency }) => currency)))].toSorted();

/** Returns the measures that the items have. */
export const measuresOf = (items: readonly Item[]): readonly Measure[] => [
  { kind: 'returns' },
  ...unitNames.map((name): Measure => ({ kind: 'units', name })),
  ...currenciesOf(items).flatMap((currency): Measure[] => [
    { kind: 'money', name: 'refunded', currency },
    { kind: 'money', name: 'due', currency },
  ]),
];

/** Returns the number of a measure. Money is in minor units of its currency. */
export const valueOf = (item: Item, measure: Measure): number => {
  if (measure.kind === 'returns') return item.returns;
  if (measure.kind === 'units') return item.units[measure.name];
  return item[measure.name].find(({ currency }) => currency === measure.currency)?.amount ?? 0;
};

const dayMs = 86_400_000;
/** The limit of the API is 92 days, and 60 months. */
const maxPeriods = 100;

/** Returns all days or months between two days in UTC, both included: the API leaves out those without returns. */
export const periodsOf = (groupBy: 'day' | 'month', from: string, to: string): readonly string[] => {
  const periods: string[] = [];
  const length = groupBy === 'day' ? 10 : 7;
  for (let at = Date.parse(from); at <= Date.parse(to) && periods.length < maxPeriods; at += dayMs) {
    const period = new Date(at).toISOString().slice(0, length);
    if (periods.at(-1) !== period) periods.push(period);
  }
  return periods;
};
