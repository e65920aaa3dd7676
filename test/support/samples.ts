import { basename } from 'node:path';
import { inject } from 'vitest';
import { modes, type Mode } from './stack.ts';

/**
 * Whether every case runs. `npm test` runs a sample of some long lists. `npm run soak` sets EVERY_CASE=1, and a file that is
 * named on the command line runs every case unless EVERY_CASE is 0. Whole files that `npm test` leaves out: soak-files.ts.
 */
export const runsEveryCase = (): boolean => {
  const chosen = process.env['EVERY_CASE'];
  return chosen === '1' || (chosen !== '0' && !inject('allFiles'));
};

/** One of each `each` cases, beginning with the case at `from`, or every case. The sample is the same in every run. */
export const sample = <Case>(cases: readonly Case[], each: number, from = 0): readonly Case[] =>
  runsEveryCase() ? cases : cases.filter((_, index) => index % each === from);

/** How often a property is tried: a quarter of `all` where a sample runs. */
export const runs = (all: number): number => (runsEveryCase() ? all : Math.ceil(all / 4));

/** The title of a test that runs only where every case does: `it.each(inSoak('…'))('%s', …)`. It is not counted as skipped. */
export const inSoak = (title: string): readonly string[] => (runsEveryCase() ? [title] : []);

/** The mode that `npm test` runs of a list that has one case for each mode, or both where every case runs. */
export const oneMode = (mode: Mode): readonly Mode[] => (runsEveryCase() ? modes : [mode]);

/**
 * The contract files that `npm test` runs in both modes. The connected mode forwards every operation by the same code.
 * These files have each kind of operation, and each decision of that code. In connected mode, direct/operations.test.ts
 * does every operation, and generated.test.ts sends requests to each operation over HTTP.
 */
const inBothModes: ReadonlySet<string> = new Set([
  'dry-run',
  'history',
  'idempotency',
  'orders',
  'platform-facts',
  'returns',
  'service',
]);

/** The modes that a contract file runs in. */
export const contractModes = (file: string): readonly Mode[] =>
  runsEveryCase() || inBothModes.has(basename(file, '.test.ts')) ? modes : ['standalone'];
