import * as operations from '../../../lib/contract/operations.ts';
import type { Section } from '../settings.ts';
import { quantile } from '../statistics.ts';
import { compareWithTarget, compareExactly, type Verdict } from '../targets.ts';
import type { DomainSpeed } from './domain.ts';
import type { Taken } from './driver.ts';
import type { Metered } from './meter.ts';

type ByOperation = Readonly<Record<string, Taken>>;

/** Milliseconds of each page, in order. */
export type Pages = { readonly history: readonly number[]; readonly list: readonly number[] };

/** The number of returns in each place, in the order of the measurements. */
type Stored = readonly number[];

const shown = (count: number): string => count.toLocaleString('en');

const section = (title: string, table: Section['table'], verdicts: readonly Verdict[], data: object): Section => ({
  title,
  table,
  remarks: verdicts.map(({ text }) => text),
  data: { ...data, verdicts },
});

const ms = (value: number): string => value.toFixed(2);

const spreadOf = (milliseconds: readonly number[] = []) => {
  const mean = milliseconds.reduce((sum, one) => sum + one, 0) / milliseconds.length;
  return { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95), perSecond: 1000 / mean };
};

/** Returns the speed of each operation with few and with many stored returns. */
export const speedSection = (stored: Stored, [few = {}, many = {}]: readonly ByOperation[]): Section => {
  const [less, more] = stored.map(shown);
  const rows = Object.keys(few).map((operation) => {
    const [small, large] = [spreadOf(few[operation]?.milliseconds), spreadOf(many[operation]?.milliseconds)];
    return { operation, small, large, ratio: large.p50 / small.p50 };
  });
  const cells = ({ p50, p95, perSecond }: ReturnType<typeof spreadOf>) => [ms(p50), ms(p95), perSecond.toFixed(0)];
  const head = ['', `p50 ms, ${less}`, 'p95', '1/s', `p50 ms, ${more}`, 'p95', '1/s', `p50 x ${less}`];
  return section(
    `each operation, one after another, with ${less} and ${more} returns stored`,
    [
      head,
      ...rows.map(({ operation, small, large, ratio }) => [operation, ...cells(small), ...cells(large), ms(ratio)]),
    ],
    rows.map(({ operation, ratio }) => compareWithTarget({ what: `${operation}, p50 x ${less}`, maximum: 1.2 }, ratio)),
    { rows },
  );
};

const maximum = (metered: readonly Metered[], of: (one: Metered) => number): number => Math.max(...metered.map(of));

const methodOf = new Map<string, string>(Object.values(operations).map(({ name, method }) => [name, method]));

const unitsOf = ({ metered }: Taken) => ({
  write: maximum(metered, ({ write }) => write),
  read: maximum(metered, ({ read }) => read),
});

const targetsOf = (operation: string, { write, read }: ReturnType<typeof unitsOf>): Verdict[] => {
  if (operation === 'createReturn') return [compareWithTarget({ what: 'createReturn, WCU', maximum: 24 }, write)];
  if (methodOf.get(operation) === 'GET' || operation === 'registerOrder') return [];
  return [
    compareWithTarget({ what: `${operation}, WCU`, maximum: 16 }, write),
    compareWithTarget({ what: `${operation}, RCU`, maximum: 4 }, read),
  ];
};

/** Returns the maximum consumption of each operation on a return of three lines. */
export const capacitySection = (stored: Stored, [few = {}, many = {}]: readonly ByOperation[]): Section => {
  const [less, more] = stored.map(shown);
  const none: Taken = { milliseconds: [], metered: [] };
  const rows = Object.keys(few).map((operation) => {
    const [small, large] = [few[operation] ?? none, many[operation] ?? none];
    return { operation, small: unitsOf(small), large: unitsOf(large), calls: large.metered[0]?.calls ?? {} };
  });
  const calls = [few, many].flatMap((all) => Object.values(all).flatMap(({ metered }) => metered));
  const scans = calls.reduce((sum, one) => sum + (one.calls['Scan'] ?? 0), 0);
  const unequal = rows.filter(({ small, large }) => small.write !== large.write || small.read !== large.read);
  return section(
    'capacity units of one request, by the engine, at most; a return of three lines with a note each',
    [
      ['', `WCU, ${less}`, 'RCU', `WCU, ${more}`, 'RCU', 'calls'],
      ...rows.map(({ operation, small, large, calls: made }) => [
        operation,
        ...[small.write, small.read, large.write, large.read].map(String),
        Object.entries(made)
          .map(([name, count]) => `${count} ${name}`)
          .join(', '),
      ]),
    ],
    [
      ...rows.flatMap(({ operation, large }) => targetsOf(operation, large)),
      compareExactly(`operations that consume something else with ${more} stored`, 0, unequal.length),
      compareExactly('Scan calls', 0, scans),
    ],
    { rows },
  );
};

/** Returns the medians of the first and the last tenth of the pages, but of at least five pages. */
const ends = (pages: readonly number[]) => {
  const some = Math.max(5, Math.ceil(pages.length / 10));
  return { first: quantile(pages.slice(0, some), 0.5), last: quantile(pages.slice(-some), 0.5) };
};

/** Returns whether the last pages of a list are slower than its first ones. */
export const pageSection = (stored: Stored, all: readonly Pages[]): Section => {
  const rows = all.flatMap(({ history, list }, index) => [
    { what: `history of 10,000 entries, ${shown(stored[index] ?? 0)} stored`, pages: history.length, ...ends(history) },
    { what: `all returns, ${shown(stored[index] ?? 0)} stored`, pages: list.length, ...ends(list) },
  ]);
  return section(
    'pages of 100, ms: medians of the first and the last tenth',
    [
      ['', 'pages', 'first', 'last', 'last x first'],
      ...rows.map(({ what, pages, first, last }) => [what, String(pages), ms(first), ms(last), ms(last / first)]),
    ],
    rows.map(({ what, first, last }) =>
      compareWithTarget({ what: `${what}, last x first`, maximum: 1.2 }, last / first),
    ),
    { rows },
  );
};

/** Returns the speed of the domain without a store. */
export const domainSection = (speed: DomainSpeed): Section =>
  section(
    'the domain alone: an approval of a return of five lines, a second on one core',
    [
      ['', '1/s'],
      ['decide and fold', speed.decideAndFold.toFixed(0)],
      ['hash its entry', speed.hash.toFixed(0)],
      ['decide, hash, fold', speed.whole.toFixed(0)],
    ],
    [],
    { speed },
  );
