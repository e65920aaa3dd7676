import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pruneBundles } from '../../../lib/tools/local/bundles.ts';
import { emptyDataDir, makeDataDir } from '../../../lib/tools/local/data-dir.ts';
import { clockTime, takeLock } from '../../../lib/tools/local/lock.ts';
import { temporaryDirectory } from './support.ts';

/** Returns the id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ['--version']).pid;

/** Starts a process that waits until the test is over. */
const waitingPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', 'console.log(1); process.stdin.resume()'], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid ?? 0;
};

describe('data directory of a stack', () => {
  test('is for its owner only, and keeps itself out of git', async () => {
    const folder = join(await temporaryDirectory(), 'deep/data');
    makeDataDir(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('keeps an ignore file that exists, also when it is emptied', async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, '.gitignore'), 'secrets.json\n');
    await writeFile(join(folder, 'secrets.json'), '{}');
    makeDataDir(folder);
    await emptyDataDir(folder);
    expect(await readdir(folder)).toEqual(['.gitignore']);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('secrets.json\n');
  });
});

describe('data directory lock', () => {
  const locked = async (owner: object) => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'lock.json'), JSON.stringify(owner));
    return dataDir;
  };

  test('is held by a running process, and returns its id and its start', async () => {
    const by = { pid: await waitingPid(), startedAt: new Date().toISOString() };
    expect(takeLock(await locked(by), new Date())).toEqual({ kind: 'held', by });
  });

  test('can be taken again once it is released', async () => {
    const dataDir = await temporaryDirectory();
    const lock = takeLock(dataDir, new Date());
    expect(takeLock(dataDir, new Date())).toMatchObject({ kind: 'held', by: { pid: process.pid } });
    if (lock.kind === 'taken') lock.release();
    expect(await readdir(dataDir)).toEqual(['.gitignore']);
  });

  test.each([
    ['an ended process', async () => ({ pid: endedPid(), startedAt: '2026-11-20T10:00:00Z' })],
    ['an empty file', async () => ({})],
    ['a later process with its id', async () => ({ pid: await waitingPid(), startedAt: '2020-01-01T00:00:00Z' })],
  ])('is taken over from %s', async (_, owner) => {
    const dataDir = await locked(await owner());
    expect(takeLock(dataDir, new Date())).toMatchObject({ kind: 'taken' });
    expect(JSON.parse(await readFile(join(dataDir, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(await readdir(dataDir)).toEqual(['.gitignore', 'lock.json']);
  });

  test('shows the date of a start on another day', () => {
    const at = new Date(2026, 10, 23, 18, 41);
    expect(clockTime(at, new Date(2026, 10, 23, 20))).toBe('18:41');
    expect(clockTime(at, new Date(2026, 10, 24, 2))).toBe('2026-11-23 18:41');
  });
});

describe('bundle retention', () => {
  const hashes = [0, 1, 2, 3, 4, 5].map((digit) => String(digit).repeat(20));

  test('leaves the newest three bundles, and those and the drafts of running processes', async () => {
    const folder = await temporaryDirectory();
    for (const [age, hash] of hashes.entries()) {
      await mkdir(join(folder, hash, 'dist'), { recursive: true });
      await utimes(join(folder, hash), age * 60, age * 60);
    }
    const [running, ended] = [process.pid, endedPid()];
    const drafts = [`.${running}-a1`, `.${ended}-b2`];
    for (const name of ['users', ...drafts]) await mkdir(join(folder, name));
    const users = [`${hashes[0]}.${running}`, `${hashes[1]}.${ended}`];
    for (const user of users) await writeFile(join(folder, 'users', user), '');
    await pruneBundles(folder);
    expect((await readdir(folder)).toSorted()).toEqual([drafts[0], hashes[0], ...hashes.slice(3), 'users']);
    expect(await readdir(join(folder, 'users'))).toEqual(users.slice(0, 1));
  });
});
