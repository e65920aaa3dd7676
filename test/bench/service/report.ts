import type { ByOperation, Size } from '../driver.ts';
import type { Section } from '../settings.ts';
import { quantile } from '../statistics.ts';
import { compareExactly, compareWithTarget } from '../targets.ts';
import type { Metered } from './meter.ts';

/** The number of returns in each place, in the order of the measurements. */
type Stored = readonly number[];

const textsOf = (stored: Stored): readonly string[] => stored.map((count) => count.toLocaleString('en'));

type Group = { readonly name: string; readonly all: ByOperation };

/** Returns the median of each operation in each group, and its ratio to the first group, with a maximum. */
const ratiosOf = (groups: readonly Group[], maximum: number): Omit<Section, 'title'> => {
  const [first, ...others] = groups;
  const rows = Object.keys(first?.all ?? {}).map((operation) => {
    const [base = Number.NaN, ...rest] = groups.map(({ all }) => quantile(all[operation]?.milliseconds ?? [], 0.5));
    return { operation, base, rest: rest.map((p50) => ({ p50, ratio: p50 / base })) };
  });
  const besides = `x ${first?.name}`;
  return {
    table: [
      ['', `p50 ms, ${first?.name}`, ...others.flatMap(({ name }) => [`p50 ms, ${name}`, besides])],
      ...rows.map(({ operation, base, rest }) => [
        operation,
        ...[base, ...rest.flatMap(({ p50, ratio }) => [p50, ratio])].map((value) => value.toFixed(2)),
      ]),
    ],
    remarks: rows.flatMap(({ operation, rest }) =>
      rest.map(({ ratio }, index) =>
        compareWithTarget({ what: `${operation}, ${others[index]?.name}, p50 ${besides}`, maximum }, ratio),
      ),
    ),
  };
};

/** Returns the speed of each operation in each place, compared with the first place. */
export const speedSection = (stored: Stored, all: readonly ByOperation[]): Section => {
  const names = textsOf(stored);
  return {
    title: `each operation, one after another, with ${names.join(', ')} returns stored`,
    ...ratiosOf(
      names.map((name, index) => ({ name, all: all[index] ?? {} })),
      1.15,
    ),
  };
};

/** Returns the time of each command of a large return, compared with a small one. */
export const largeSection = (
  measured: Readonly<Record<'small' | 'large', ByOperation>>,
  { small, large }: Readonly<Record<'small' | 'large', Size>>,
): Section => ({
  title: `each command of a return of ${large.lines} lines and ${large.entries} entries, and of ${small.lines} lines`,
  ...ratiosOf(
    Object.entries(measured).map(([name, all]) => ({ name, all })),
    3,
  ),
});

/** Returns the maximum consumption of each operation on a return of three lines. */
export const capacitySection = (stored: Stored, all: readonly ByOperation[]): Section => {
  const sizes = textsOf(stored);
  const unitsOf = (one: ByOperation, operation: string): string[] => {
    const maximum = (of: (metered: Metered) => number) => Math.max(...(one[operation]?.metered ?? []).map(of));
    return [String(maximum(({ write }) => write)), String(maximum(({ read }) => read))];
  };
  const rows = Object.keys(all[0] ?? {}).map((operation) => ({
    operation,
    units: all.map((one) => unitsOf(one, operation)),
  }));
  const unequal = rows.filter(({ units }) => new Set(units.map(String)).size > 1);
  const others = sizes.slice(1).join(' or ');
  return {
    title: 'capacity units of one request, by the engine, at most; a return of three lines with a note each',
    table: [
      ['', ...sizes.flatMap((size) => [`WCU, ${size}`, 'RCU'])],
      ...rows.map(({ operation, units }) => [operation, ...units.flat()]),
    ],
    remarks: [compareExactly(`operations that consume something else with ${others} stored`, 0, unequal.length)],
  };
};
