import { basename } from 'node:path';
import { inject } from 'vitest';
import { modes, type Mode } from './stack.ts';

/**
 * Returns whether every case runs. `npm test` runs a sample of some long lists. `npm run soak` sets EVERY_CASE=1, and a
 * file that is named on the command line runs every case unless EVERY_CASE is 0. soak-files.ts lists whole files that
 * `npm test` leaves out.
 */
export const runsEveryCase = (): boolean => {
  const chosen = process.env['EVERY_CASE'];
  return chosen === '1' || (chosen !== '0' && !inject('allFiles'));
};

/** Returns one of each `each` cases, from the case at `from`, or every case. The sample is the same in every run. */
export const sample = <Case>(cases: readonly Case[], each: number, from = 0): readonly Case[] =>
  runsEveryCase() ? cases : cases.filter((_, index) => index % each === from);

/** Returns the number of runs of a property: a quarter of `all` in a sample. */
export const runs = (all: number): number => (runsEveryCase() ? all : Math.ceil(all / 4));

/**
 * Returns a test title that runs only with every case: `it.each(inSoak('…'))('%s', …)`. It is not counted as skipped.
 */
export const inSoak = (title: string): readonly string[] => (runsEveryCase() ? [title] : []);

/** Returns the mode that `npm test` runs of a list with one case per mode, or both where every case runs. */
export const oneMode = (mode: Mode): readonly Mode[] => (runsEveryCase() ? modes : [mode]);

/**
 * The contract files that `npm test` runs in both modes. The connected mode forwards every operation by the same code.
 * These files have each kind of operation, and each branch of that code. In connected mode, direct/operations.test.ts
 * calls every operation, and generated.test.ts sends requests to each operation over HTTP.
 */
const inBothModes: ReadonlySet<string> = new Set([
  'dry-run',
  'history',
  'idempotency',
  'orders',
  'platform-facts',
  'returns',
  'search',
  'service',
  'users',
]);

/** Returns the modes of a contract file. */
export const contractModes = (file: string): readonly Mode[] =>
  runsEveryCase() || inBothModes.has(basename(file, '.test.ts')) ? modes : ['standalone'];
