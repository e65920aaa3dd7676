import * as operations from '../../../lib/contract/operations.ts';
import { commandUnits } from '../../support/command-units.ts';
import type { Section } from '../settings.ts';
import { quantile } from '../statistics.ts';
import { compareWithTarget, compareExactly, type Verdict } from '../targets.ts';
import type { DomainSpeed } from './domain.ts';
import type { ByOperation } from './measure.ts';
import type { Metered } from './meter.ts';
import type { Taken } from './take.ts';

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

/** Returns the speed of each operation in each place, compared with the first place. */
export const speedSection = (stored: Stored, all: readonly ByOperation[], maximum: number): Section => {
  const [least = '', ...others] = stored.map(shown);
  const rows = Object.keys(all[0] ?? {}).map((operation) => {
    const [first = spreadOf(), ...rest] = all.map((one) => spreadOf(one[operation]?.milliseconds));
    return { operation, first, rest: rest.map((spread) => ({ ...spread, ratio: spread.p50 / first.p50 })) };
  });
  const cells = ({ p50, p95, perSecond }: ReturnType<typeof spreadOf>) => [ms(p50), ms(p95), perSecond.toFixed(0)];
  const headOf = (size: string) => [`p50 ms, ${size}`, 'p95', '1/s'];
  return section(
    `each operation, one after another, with ${[least, ...others].join(', ')} returns stored`,
    [
      ['', ...headOf(least), ...others.flatMap((size) => [...headOf(size), `p50 x ${least}`])],
      ...rows.map(({ operation, first, rest }) => [
        operation,
        ...cells(first),
        ...rest.flatMap((one) => [...cells(one), ms(one.ratio)]),
      ]),
    ],
    rows.flatMap(({ operation, rest }) =>
      rest.map(({ ratio }, index) =>
        compareWithTarget({ what: `${operation}, ${others[index]}, p50 x ${least}`, maximum }, ratio),
      ),
    ),
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
  if (operation === 'createReturn')
    return [compareWithTarget({ what: 'createReturn, WCU', maximum: commandUnits.creationWrite }, write)];
  if (methodOf.get(operation) === 'GET' || operation === 'registerOrder') return [];
  return [
    compareWithTarget({ what: `${operation}, WCU`, maximum: commandUnits.write }, write),
    compareWithTarget({ what: `${operation}, RCU`, maximum: commandUnits.read }, read),
  ];
};

/** Returns the maximum consumption of each operation on a return of three lines. */
export const capacitySection = (stored: Stored, all: readonly ByOperation[]): Section => {
  const sizes = stored.map(shown);
  const none: Taken = { milliseconds: [], metered: [] };
  const last = all.at(-1) ?? {};
  const rows = Object.keys(all[0] ?? {}).map((operation) => ({
    operation,
    units: all.map((one) => unitsOf(one[operation] ?? none)),
    calls: last[operation]?.metered[0]?.calls ?? {},
  }));
  const calls = all.flatMap((one) => Object.values(one).flatMap(({ metered }) => metered));
  const scans = calls.reduce((sum, one) => sum + (one.calls['Scan'] ?? 0), 0);
  const unequal = rows.filter(({ units }) => new Set(units.map((one) => JSON.stringify(one))).size > 1);
  return section(
    'capacity units of one request, by the engine, at most; a return of three lines with a note each',
    [
      ['', ...sizes.flatMap((size) => [`WCU, ${size}`, 'RCU']), 'calls'],
      ...rows.map(({ operation, units, calls: made }) => [
        operation,
        ...units.flatMap(({ write, read }) => [write, read]).map(String),
        Object.entries(made)
          .map(([name, count]) => `${count} ${name}`)
          .join(', '),
      ]),
    ],
    [
      ...rows.flatMap(({ operation, units }) => targetsOf(operation, units.at(-1) ?? unitsOf(none))),
      compareExactly(
        `operations that consume something else with ${sizes.slice(1).join(' or ')} stored`,
        0,
        unequal.length,
      ),
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
