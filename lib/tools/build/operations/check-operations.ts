import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationEntry } from '../../../contract/entry.ts';
import type { MissingPiece } from './pieces.ts';

/* What is left to do for the operations. `npm run new` writes `fillIn('what')` in each place of a stub. */

/** The folder with the texts of the stubs, and its tests. */
const apart = /^(lib|test)\/tools\/build\//;
const fillIn = /(?<![.\w])fillIn\(\s*(["'`])(.+?)\1/gs;

/** Returns the places that a stub leaves open, each with its file and line. */
export const openPlaces = (root = '.'): readonly MissingPiece[] =>
  globSync('{lib,test}/**/*.{ts,tsx,json}', { cwd: root })
    .filter((file) => !apart.test(file))
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      if (!text.includes('fillIn(')) return [];
      return Array.from(text.matchAll(fillIn), ({ 2: what = '', index }) => ({
        line: `fill in: ${file}:${text.slice(0, index).split('\n').length} ${what}`,
        isFirst: file.startsWith('lib/'),
      }));
    });

/**
 * Returns all that operations lack. Entries with open places cannot be loaded, so their open places come first, and
 * other pieces with the next call.
 */
export const unfinished = async (): Promise<readonly MissingPiece[]> => {
  const open = openPlaces();
  if (open.some(({ line }) => line.startsWith('fill in: lib/contract/'))) return open;
  const [{ contract }, { toOperation }, { missingPieces }] = await Promise.all([
    import('../../../contract/contract.ts'),
    import('../../../contract/entry.ts'),
    import('./pieces.ts'),
  ]);
  const operations = Object.entries<OperationEntry>(contract).map(([name, entry]) => toOperation(name, entry));
  return [...open, ...missingPieces(operations)];
};
