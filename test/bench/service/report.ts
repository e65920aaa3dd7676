import type { ByOperation, Size } from '../driver.ts';
import type { Section } from '../settings.ts';
import { quantile } from '../statistics.ts';
import { compareExactly, compareWithTarget } from '../targets.ts';
import type { Metered } from './meter.ts';

/** The number of returns in each place, in the order of the measurements. */
type Stored = readonly number[];

const textsOf = (stored: Stored): readonly string[] => stored.map((count) => count.toLocaleString('en'));

/** Returns the median of an operation's invocations in milliseconds. */
const p50Of = (all: ByOperation | undefined, operation: string): number =>
  quantile(all?.[operation]?.milliseconds ?? [], 0.5);

/** Returns the speed of each operation in each place, compared with the first place. */
export const speedSection = (stored: Stored, all: readonly ByOperation[], maximum: number): Section => {
  const [least = '', ...others] = textsOf(stored);
  const [first = {}, ...rest] = all;
  const rows = Object.keys(first).map((operation) => {
    const base = p50Of(first, operation);
    const places = rest.map((one) => ({ p50: p50Of(one, operation), ratio: p50Of(one, operation) / base }));
    return { operation, base, places };
  });
  return {
    title: `each operation, one after another, with ${[least, ...others].join(', ')} returns stored`,
    table: [
      ['', `p50 ms, ${least}`, ...others.flatMap((size) => [`p50 ms, ${size}`, `x ${least}`])],
      ...rows.map(({ operation, base, places }) => [
        operation,
        ...[base, ...places.flatMap(({ p50, ratio }) => [p50, ratio])].map((value) => value.toFixed(2)),
      ]),
    ],
    remarks: rows.flatMap(({ operation, places }) =>
      places.map(({ ratio }, index) =>
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
    const [one, other] = [p50Of(measured.small, operation), p50Of(measured.large, operation)];
    return { operation, figures: [one, other, other / one] };
  });
  return {
    title: `each command of a return of ${large.lines} lines and ${large.entries} entries, and of ${small.lines} lines`,
    table: [
      ['', 'p50 ms, small', 'p50 ms, large', 'large x small'],
      ...rows.map(({ operation, figures }) => [operation, ...figures.map((figure) => figure.toFixed(2))]),
    ],
    remarks: rows.map(({ operation, figures }) =>
      compareWithTarget({ what: `${operation}, large x small`, maximum: 3 }, figures.at(-1) ?? Number.NaN),
    ),
  };
};

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
