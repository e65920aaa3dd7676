import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reachedFrom } from '../../../lib/tools/build/import-graph.ts';
import { temporaryDirectory } from '../local/support.ts';
import { coveredBy } from '../../support/left-to-all.ts';
import { byNeed, testFiles } from '../../support/projects.ts';

describe('reachedFrom', () => {
  it('follows imports, exports and dynamic imports at any distance, also in a circle, and no types', async () => {
    const folder = await temporaryDirectory();
    const files: Readonly<Record<string, string>> = {
      'a.ts': `import type { B } from './b.ts';\nimport { type C, c } from './c.ts';\nimport './d.ts';\nconst e: B & C = await import('./e.ts');`,
      'b.ts': 'export type B = unknown;',
      'c.ts': `export type C = unknown;\nexport { f as c } from './f.ts';`,
      'd.ts': `export type { B } from './b.ts';\nimport { readFile } from 'node:fs';\nimport { a } from './a.ts';`,
      'e.ts': `export * from './g.ts';`,
      'f.ts': 'export const f = 1;',
      'g.ts': '',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const reached = Array.from(reachedFrom(join(folder, 'a.ts')), (file) => basename(file));
    expect(reached.toSorted()).toEqual(['a.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts', 'g.ts']);
  });
});

describe('need of a test file', () => {
  const needs = byNeed(
    testFiles([
      'test/domain/money/',
      'test/tools/local/tables',
      'test/service/outbox/publish',
      'test/contract/notes',
      'leaked',
    ]),
  );

  it.each([
    ['pure', 'test/domain/money/'],
    ['engine', 'test/tools/local/tables'],
    ['bundles', 'test/service/outbox/publish'],
    ['stack', 'test/contract/notes'],
    ['last', 'nothing-leaked'],
  ] as const)('is %s for %s', (need, path) => {
    expect(needs[need].length).toBeGreaterThan(0);
    expect(needs[need].filter((file) => !file.includes(path))).toEqual([]);
  });
});

describe('files that npm test leaves out', () => {
  it('exist', () => {
    expect(Object.keys(coveredBy).filter((file) => !existsSync(file))).toEqual([]);
  });

  it('have covers that it runs', () => {
    const run = new Set(testFiles().flatMap((file) => (coveredBy[file] === undefined ? [basename(file)] : [])));
    const named = Object.values(coveredBy).flatMap((cover) => cover.match(/[\w-]+\.test\.ts/g) ?? []);
    expect(named.filter((name) => !run.has(name))).toEqual([]);
  });
});
