import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** All that bundling and packaging read. The local stack and the stages are in no bundle: test/local/source-hash.test.ts holds that. */
const sources = [
  'functions/**/*.ts',
  'lib/**/*.{ts,mjs,json}',
  'serverless.yml',
  'package.json',
  'package-lock.json',
  // What npm has installed: it differs from the lock file until `npm ci` has run.
  'node_modules/.package-lock.json',
  'tsconfig.json',
];
const leftOut = ['lib/local/**', 'lib/deploy/stages/**', 'lib/doctor/cli.ts'];

/** The files that make the bundles what they are, in a fixed order. */
export const sourceFiles = (): readonly string[] => globSync(sources, { exclude: leftOut }).toSorted();

/**
 * A name for what the sources in the working directory bundle to.
 *
 * @param options what bundling is asked for besides; other options give another name
 */
export const hashSources = (options: Readonly<Record<string, boolean>> = {}): string => {
  const hash = createHash('sha256');
  // The list of Node's modules is read while bundling, so the version of Node matters.
  hash.update(JSON.stringify([process.version, options]));
  for (const file of sourceFiles()) {
    const content = readFileSync(file);
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 20);
};
