import type { Output } from '../contract/contract.ts';
import { sum } from '../runtime/sum.ts';

type Analytics = Output<'getAnalytics'>;
type Item = Analytics['items'][number];
type Money = Item['refunded'][number];

/** What the returns came to that were asked for on a day. */
export type DaySummary = {
  readonly day: string;
  readonly returns: number;
  /** How many of them are in which status by now. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly units: Item['units'];
  /** By currency. */
  readonly refunded: readonly Money[];
  readonly due: readonly Money[];
  readonly freshness: Analytics['freshness'];
};

const unitNames = ['requested', 'approved', 'received', 'accepted'] as const satisfies readonly (keyof Item['units'])[];

const sumBy = (items: readonly Item[], of: (item: Item) => number): number => sum(items.map(of));

const moneyOf = (all: readonly Money[]): readonly Money[] =>
  [...Map.groupBy(all, ({ currency }) => currency)]
    .map(([currency, same]) => ({ currency, amount: sum(same.map(({ amount }) => amount)) }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

/** One day's figures by status, in one. */
export const summaryOf = (day: string, { items, freshness }: Analytics): DaySummary => ({
  day,
  returns: sumBy(items, ({ returns }) => returns),
  statuses: Object.fromEntries(items.map(({ value, returns }) => [value ?? 'none', returns])),
  units: Object.fromEntries(
    unitNames.map((name) => [name, sumBy(items, ({ units }) => units[name])]),
  ) as DaySummary['units'],
  refunded: moneyOf(items.flatMap(({ refunded }) => refunded)),
  due: moneyOf(items.flatMap(({ due }) => due)),
  freshness,
});
