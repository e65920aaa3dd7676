import * as operations from '../../../lib/contract/operations.ts';
import { commandUnits } from '../../support/command-units.ts';
import type { ByOperation, Size, Taken } from '../driver.ts';
import type { Section } from '../settings.ts';
import { quantile } from '../statistics.ts';
import { compareExactly, compareWithTarget } from '../targets.ts';
import type { Metered } from './meter.ts';

/** The number of returns in each place, in the order of the measurements. */
type Stored = readonly number[];

const ms = (value: number): string => value.toFixed(2);

const spreadOf = (milliseconds: readonly number[] = []) => {
  const mean = milliseconds.reduce((sum, one) => sum + one, 0) / milliseconds.length;
  return { p50: quantile(milliseconds, 0.5), p95: quantile(milliseconds, 0.95), perSecond: 1000 / mean };
};

/** Returns the speed of each operation in each place, compared with the first place. */
export const speedSection = (stored: Stored, all: readonly ByOperation[], maximum: number): Section => {
  const [least = '', ...others] = stored.map((count) => count.toLocaleString('en'));
  const rows = Object.keys(all[0] ?? {}).map((operation) => {
    const [first = spreadOf(), ...rest] = all.map((one) => spreadOf(one[operation]?.milliseconds));
    return { operation, first, rest: rest.map((spread) => ({ ...spread, ratio: spread.p50 / first.p50 })) };
  });
  const cells = ({ p50, p95, perSecond }: ReturnType<typeof spreadOf>) => [ms(p50), ms(p95), perSecond.toFixed(0)];
  const headOf = (size: string) => [`p50 ms, ${size}`, 'p95', '1/s'];
  return {
    title: `each operation, one after another, with ${[least, ...others].join(', ')} returns stored`,
    table: [
      ['', ...headOf(least), ...others.flatMap((size) => [...headOf(size), `p50 x ${least}`])],
      ...rows.map(({ operation, first, rest }) => [
        operation,
        ...cells(first),
        ...rest.flatMap((one) => [...cells(one), ms(one.ratio)]),
      ]),
    ],
    remarks: rows.flatMap(({ operation, rest }) =>
      rest.map(({ ratio }, index) =>
        compareWithTarget({ what: `${operation}, ${others[index]}, p50 x ${least}`, maximum }, ratio),
      ),
    ),
  };
};

/** Returns the time of each command of a large return, compared with a small one. */
export const largeSection = (
  measured: Readonly<Record<'small' | 'large', ByOperation>>,
  { small, large }: Readonly<Record<'small' | 'large', Size>>,
): Section => {
  const rows = Object.keys(measured.small).map((operation) => {
    const [one, other] = [measured.small, measured.large].map((all) => spreadOf(all[operation]?.milliseconds).p50);
    return { operation, one: one ?? Number.NaN, other: other ?? Number.NaN };
  });
  return {
    title: `each command of a return of ${large.lines} lines and ${large.entries} entries, and of ${small.lines} lines`,
    table: [
      ['', 'p50 ms, small', 'p50 ms, large', 'large x small'],
      ...rows.map(({ operation, one, other }) => [operation, ms(one), ms(other), ms(other / one)]),
    ],
    remarks: rows.map(({ operation, one, other }) =>
      compareWithTarget({ what: `${operation}, large x small`, maximum: 3 }, other / one),
    ),
  };
};

const methodOf = new Map<string, string>(Object.values(operations).map(({ name, method }) => [name, method]));

const none: Taken = { milliseconds: [], metered: [] };

const unitsOf = ({ metered }: Taken) => {
  const maximum = (of: (one: Metered) => number): number => Math.max(...metered.map(of));
  return { write: maximum(({ write }) => write), read: maximum(({ read }) => read) };
};

const targetsOf = (operation: string, { write, read }: ReturnType<typeof unitsOf>): string[] => {
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
  const sizes = stored.map((count) => count.toLocaleString('en'));
  const rows = Object.keys(all[0] ?? {}).map((operation) => ({
    operation,
    units: all.map((one) => unitsOf(one[operation] ?? none)),
    calls: all.at(-1)?.[operation]?.metered[0]?.calls ?? {},
  }));
  const metered = all.flatMap((one) => Object.values(one).flatMap((taken) => taken.metered));
  const scans = metered.reduce((sum, one) => sum + (one.calls['Scan'] ?? 0), 0);
  const unequal = rows.filter(({ units }) => new Set(units.map((one) => JSON.stringify(one))).size > 1);
  const others = sizes.slice(1).join(' or ');
  return {
    title: 'capacity units of one request, by the engine, at most; a return of three lines with a note each',
    table: [
      ['', ...sizes.flatMap((size) => [`WCU, ${size}`, 'RCU']), 'calls'],
      ...rows.map(({ operation, units, calls }) => [
        operation,
        ...units.flatMap(({ write, read }) => [String(write), String(read)]),
        Object.entries(calls)
          .map(([name, count]) => `${count} ${name}`)
          .join(', '),
      ]),
    ],
    remarks: [
      ...rows.flatMap(({ operation, units }) => targetsOf(operation, units.at(-1) ?? unitsOf(none))),
      compareExactly(`operations that consume something else with ${others} stored`, 0, unequal.length),
      compareExactly('Scan calls', 0, scans),
    ],
  };
};
