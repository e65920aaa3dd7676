import { modes, type Mode } from '../../lib/tools/template/functions/function-row.ts';

/**
 * Returns whether every case runs, as EVERY_CASE of the environment says. `npm test` runs a sample of some long lists.
 * `npm run test:all`, and a run of named files, run every case.
 */
export const runsEveryCase = (): boolean => process.env['EVERY_CASE'] === '1';

/** Returns one of each `each` cases, from the case at `from`, or every case. The sample is the same in every run. */
export const sample = <Case>(cases: readonly Case[], each: number, from = 0): readonly Case[] =>
  runsEveryCase() ? cases : cases.filter((_, index) => index % each === from);

/**
 * Returns the number of runs of a property: one of each `each` in a sample. A property that also counts what its runs
 * have reached needs more of them.
 */
export const runs = (all: number, each = 10): number => (runsEveryCase() ? all : Math.ceil(all / each));

/**
 * Returns cases, or the title of a test, that run only with every case: `it.each(inSoak('…'))('%s', …)`. They are not
 * counted as skipped.
 */
export const inSoak = <Case>(...cases: readonly Case[]): readonly Case[] => (runsEveryCase() ? cases : []);

/** Returns the mode that `npm test` runs of a list with one case per mode, or both where every case runs. */
export const oneMode = (mode: Mode): readonly Mode[] => (runsEveryCase() ? modes : [mode]);
