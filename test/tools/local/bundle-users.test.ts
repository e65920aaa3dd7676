import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pruneBundles } from '../../../lib/tools/local/bundles.ts';

const hashOf = (digit: number): string => String(digit).repeat(20);

/** Returns the id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ['--version']).pid;

/** Returns the remaining entries of 0 to 5, of which 0 is the oldest. */
const remainingEntries = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'users'));
  for (const digit of [0, 1, 2, 3, 4, 5]) {
    await mkdir(join(folder, hashOf(digit), 'dist'), { recursive: true });
    await utimes(join(folder, hashOf(digit)), digit * 60, digit * 60);
  }
  return {
    folder,
    entries: async () => (await readdir(folder)).filter((name) => name !== 'users').toSorted(),
  };
};

describe('bundle retention', () => {
  test('leaves the newest three bundles', async () => {
    const { folder, entries } = await remainingEntries();
    await pruneBundles(folder);
    expect(await entries()).toEqual([3, 4, 5].map(hashOf));
  });

  test('leaves old bundles that a running process uses, and removes those of an ended process', async () => {
    const { folder, entries } = await remainingEntries();
    await writeFile(join(folder, 'users', `${hashOf(0)}.${process.pid}`), '');
    await writeFile(join(folder, 'users', `${hashOf(1)}.${endedPid()}`), '');
    await pruneBundles(folder);
    expect(await entries()).toEqual([0, 3, 4, 5].map(hashOf));
    expect(await readdir(join(folder, 'users'))).toEqual([`${hashOf(0)}.${process.pid}`]);
  });

  test('removes the draft of an ended build, and leaves that of a running one', async () => {
    const { folder, entries } = await remainingEntries();
    const drafts = [`.${process.pid}-a1`, `.${endedPid()}-b2`];
    for (const draft of drafts) await mkdir(join(folder, draft));
    await pruneBundles(folder);
    expect(await entries()).toEqual([drafts[0], ...[3, 4, 5].map(hashOf)]);
  });
});
