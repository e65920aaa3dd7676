import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../../lib/service/jobs/run-part.ts';
import type { ExportedFile } from '../../../lib/store/jobs/job.ts';

const megabyte = 1024 * 1024;
const file = (name: string, bytes: number): ExportedFile => ({ name, rows: 1, bytes, digest: '0'.repeat(64) });
const namesOf = (files: readonly ExportedFile[]) => groupsOf(files).map((group) => group.map(({ name }) => name));

describe('mergeGroups', () => {
  it('groups small files as long as they fit into one', () => {
    expect(namesOf([file('a', 1), file('b', 2), file('c', 3)])).toEqual([['a', 'b', 'c']]);
    const three = [1, 2, 3].map((index) => file(`${index}`, 1.5 * megabyte));
    expect(namesOf([...three, file('4', megabyte)])).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('leaves large files alone, and a small file without a partner', () => {
    expect(namesOf([])).toEqual([]);
    expect(namesOf([file('a', 10)])).toEqual([]);
    expect(namesOf([file('a', 10), file('b', 4 * megabyte), file('c', 10)])).toEqual([['a', 'c']]);
    expect(namesOf([file('a', 3 * megabyte), file('b', 3 * megabyte)])).toEqual([]);
  });

  it('groups no more than one worker can merge', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => file(String(index), 10));
    expect(namesOf(many).flat()).toHaveLength(64);
    const large = Array.from({ length: 40 }, (_, index) => file(String(index), 1.9 * megabyte));
    expect(namesOf(large).flat().length).toBeLessThanOrEqual(16);
  });
});
