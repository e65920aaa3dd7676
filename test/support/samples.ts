import { basename } from 'node:path';
import { inject } from 'vitest';
import { ways, type Way } from './stack.ts';

/**
 * Whether every case runs. `npm test` runs all files, and a sample of some long lists. `npm run soak` sets EVERY_CASE, and
 * a file that is named on the command line runs every case.
 */
const runsEveryCase = (): boolean => process.env['EVERY_CASE'] === '1' || !inject('allFiles');

/** The first of each `each` cases, or every case. The sample is the same in every run. */
export const sample = <Case>(cases: readonly Case[], each: number): readonly Case[] =>
  runsEveryCase() ? cases : cases.filter((_, index) => index % each === 0);

/**
 * The contract files that `npm test` runs in both modes. The connected mode forwards every operation by the same code.
 * These files have each kind of operation, and each decision of that code. In connected mode, direct/operations.test.ts
 * does every operation, and generated.test.ts sends requests to each operation over HTTP.
 */
const inBothModes: ReadonlySet<string> = new Set([
  'attachments',
  'decisions',
  'dry-run',
  'history',
  'idempotency',
  'jobs',
  'large-answers',
  'messy-return',
  'orders',
  'parcels',
  'platform-facts',
  'publish',
  'returns',
  'service',
]);

/** The modes that a contract file runs in. */
export const contractModes = (file: string): readonly Way[] =>
  runsEveryCase() || inBothModes.has(basename(file, '.test.ts')) ? ways : ['standalone'];
