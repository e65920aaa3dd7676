import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';

const linesOf = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length;

/** The folders that do not count: they have limits of their own. */
const apart = /^lib\/(console|tools\/(cli|guides))\/|\/withdrawals\//;

const files = globSync('lib/**/*.ts').filter((file) => !apart.test(file));
const byFolder = Map.groupBy(files, dirname);

describe('lib', () => {
  // Write-back has about 30 files. Each platform that can be asked adds some more, and so do the local shops. The
  // subscriptions of shops, and the command that connects a shop, have 27. A shop that the local stack serves is a file.
  // Messages to customers have seven, and the mails with them twelve: SES, its emulator, limits, queue and store.
  // Agents have ten: their tools, rehearsals, results, routes and counters. Published policies have 21: each kind of
  // statement, each format, and the words of each language. Their public address has two, and so has the conduct of
  // customers. The start page of the reference is a file. A new stage, and the report of its check, have four. The
  // comparison of a policy with the rules of a shop has five.
  // The import of returns has four: its contract, what contradicts itself, the steps, and the operation.
  it('has at most 1,267 files, with a median of at least 60 lines', () => {
    const lines = files.map(linesOf).toSorted((a, b) => a - b);
    expect(files.length).toBeLessThanOrEqual(1267);
    expect(lines[Math.floor(lines.length / 2)]).toBeGreaterThanOrEqual(60);
  });

  it('has at most 40 files of the command line', () => {
    expect(globSync('lib/tools/cli/**/*.ts').length).toBeLessThanOrEqual(40);
  });

  it('has at most 50 files of withdrawals', () => {
    expect(globSync('lib/**/withdrawals/**/*.ts').length).toBeLessThanOrEqual(50);
  });

  it('has no folder with more than 25 files, and no file outside a room', () => {
    const large = [...byFolder].filter(([, inside]) => inside.length > 25);
    expect(large.map(([folder]) => folder)).toEqual([]);
    expect(byFolder.get('lib')).toBeUndefined();
  });
});

describe('top level', () => {
  it('holds only the configuration of the package, the compiler, the tests and the deployment', () => {
    const configuration = readdirSync('.').filter((name) => /^[^.].*[.](ts|mjs|js|json|ya?ml)$/.test(name));
    expect(configuration.toSorted()).toEqual([
      'package-lock.json',
      'package.json',
      'serverless.yml',
      'tsconfig.json',
      'vitest.config.ts',
    ]);
  });

  it('has at most 150 lines of lint rules by hand', () => {
    expect(linesOf('.oxlintrc.json')).toBeLessThanOrEqual(150);
  });
});
