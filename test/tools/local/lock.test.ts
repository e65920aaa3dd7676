import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clockTime, takeLock } from '../../../lib/tools/local/lock.ts';
import { temporaryDirectory } from './support.ts';

/** Starts a process that waits until the test is over. */
const waiting = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', 'console.log(1); process.stdin.resume()'], { stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid ?? 0;
};

const locked = async (owner: object) => {
  const dataDir = await temporaryDirectory();
  await writeFile(join(dataDir, 'lock.json'), JSON.stringify(owner));
  return dataDir;
};

describe('data directory lock', () => {
  test('is held by a running process, and returns its id and its start', async () => {
    const by = { pid: await waiting(), startedAt: new Date().toISOString() };
    expect(takeLock(await locked(by), new Date())).toEqual({ kind: 'held', by });
  });

  test('can be taken again once it is released', async () => {
    const dataDir = await temporaryDirectory();
    const lock = takeLock(dataDir, new Date());
    expect(lock).toMatchObject({ kind: 'taken' });
    expect(takeLock(dataDir, new Date())).toMatchObject({ kind: 'held', by: { pid: process.pid } });
    if (lock.kind === 'taken') lock.release();
    expect(await readdir(dataDir)).toEqual(['.gitignore']);
  });

  test.each([
    ['an ended process', { pid: spawnSync(process.execPath, ['--version']).pid, startedAt: '2026-11-20T10:00:00Z' }],
    ['an empty file', {}],
  ])('is taken over from %s', async (_, owner) => {
    const dataDir = await locked(owner);
    expect(takeLock(dataDir, new Date())).toMatchObject({ kind: 'taken' });
    expect(JSON.parse(await readFile(join(dataDir, 'lock.json'), 'utf8'))).toMatchObject({ pid: process.pid });
    expect(await readdir(dataDir)).toEqual(['.gitignore', 'lock.json']);
  });

  test('is taken over where a later process has the id of its owner', async () => {
    const dataDir = await locked({ pid: await waiting(), startedAt: '2020-01-01T00:00:00.000Z' });
    expect(takeLock(dataDir, new Date())).toMatchObject({ kind: 'taken' });
  });

  test('shows the date of a start on another day', () => {
    const at = new Date(2026, 10, 23, 18, 41);
    expect(clockTime(at, new Date(2026, 10, 23, 20))).toBe('18:41');
    expect(clockTime(at, new Date(2026, 10, 24, 2))).toBe('2026-11-23 18:41');
  });
});
