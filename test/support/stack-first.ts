import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { byNeed } from './projects.ts';

const pathOf = ({ moduleId }: TestSpecification): string => relative(process.cwd(), moduleId).replaceAll('\\', '/');

/**
 * Runs the files that need most first. The many short files of pure code come last, and keep all workers busy until the
 * longest file has ended.
 */
export class StackFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of vitest
    const sorted = await super.sort(files);
    const { stack, bundles, engine, pure, last } = byNeed(sorted.map(pathOf));
    const ranks = new Map([...stack, ...bundles, ...engine, ...pure, ...last].map((path, rank) => [path, rank]));
    return sorted.toSorted((left, right) => (ranks.get(pathOf(left)) ?? 0) - (ranks.get(pathOf(right)) ?? 0));
  }
}
