import type { Metered } from '../../support/meter.ts';
import type { ByOperation } from '../driver.ts';
import { ratioSection } from '../report.ts';
import type { Section } from '../settings.ts';
import { compare } from '../statistics.ts';
import { compareExactly } from '../targets.ts';

/** The invocations of one group of returns, by the name of the group. The first group is the baseline. */
export type Groups = Readonly<Record<string, ByOperation>>;

const operationsOf = (groups: Groups): readonly string[] => Object.keys(Object.values(groups)[0] ?? {});

/** Returns the median of each operation in each group, and its ratio to the first group, with a maximum. */
export const groupSection = (title: string, groups: Groups, maximum: number): Section => {
  const metric = 'p50 ms';
  const cases = operationsOf(groups).map((operation) => {
    const measured = Object.entries(groups).map(([candidate, of]) => ({
      candidate,
      // They have no rounds: the ratios are by rank.
      samples: (of[operation]?.milliseconds ?? []).toSorted((a, b) => a - b).map((ms) => ({ [metric]: ms })),
    }));
    return { what: operation, comparison: compare(title, measured[0]?.candidate ?? '', measured) };
  });
  return ratioSection(title, cases, { [metric]: maximum });
};

/** Returns the maximum consumption of each operation on a return of three lines, in each group. */
export const capacitySection = (groups: Groups): Section => {
  const unitsOf = (one: ByOperation, operation: string): string[] => {
    const maximum = (of: (metered: Metered) => number) => Math.max(...(one[operation]?.metered ?? []).map(of));
    return [String(maximum(({ write }) => write)), String(maximum(({ read }) => read))];
  };
  const rows = operationsOf(groups).map((operation) => ({
    operation,
    units: Object.values(groups).map((one) => unitsOf(one, operation)),
  }));
  const unequal = rows.filter(({ units }) => new Set(units.map(String)).size > 1);
  return {
    title: 'capacity units of one request, by the engine, at most; a return of three lines with a note each',
    table: [
      ['', ...Object.keys(groups).flatMap((name) => [`WCU, ${name}`, 'RCU'])],
      ...rows.map(({ operation, units }) => [operation, ...units.flat()]),
    ],
    remarks: [compareExactly('operations that consume something else with more returns stored', 0, unequal.length)],
  };
};
