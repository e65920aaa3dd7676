import { basename, dirname } from 'node:path';
import { weightOf } from '../../../lib/build/weight.ts';
import type { Candidate } from '../candidates.ts';
import type { Section } from '../settings.ts';

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** Returns the bytes of the bundles of each scenario: minified, and gzip -9. */
export const sizeSection = (scenarios: readonly Readonly<Record<string, Candidate>>[]): Section => {
  const weights = scenarios.flatMap((candidates) =>
    Object.values(candidates).map(({ name, file }) => ({
      bundle: `${basename(dirname(file))}, ${name}`,
      ...weightOf(dirname(file)),
    })),
  );
  return {
    title: 'bytes of the bundles, kB',
    table: [
      ['', 'minified', 'gzip'],
      ...weights.map(({ bundle, minified, gzipped }) => [bundle, kilobytes(minified), kilobytes(gzipped)]),
    ],
    data: { weights },
  };
};
