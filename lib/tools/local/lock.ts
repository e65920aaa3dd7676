import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from './data-dir.ts';
import { isAlive } from './json-file.ts';

export type LockOwner = { readonly pid: number; readonly startedAt: string };

export type Lock =
  | { readonly kind: 'taken'; readonly release: () => void }
  | { readonly kind: 'held'; readonly by: LockOwner };

const read = (file: string): LockOwner | undefined => {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(file, 'utf8')) as LockOwner;
    return Number.isInteger(pid) && !Number.isNaN(Date.parse(startedAt)) ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
};

/** The start of a process, by `ps` of Linux and macOS; undefined without it. */
const beginOf = (pid: number): number | undefined => {
  try {
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } } as const;
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { ...options, stdio: 'pipe' }).trim();
    const time = Date.parse(`${text} UTC`);
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
};

/** `ps` counts in whole seconds, from a boot time that may shift. */
const toleranceMs = 5_000;

/** Whether the holder still runs. A process that began after the lock was taken only has the same number. */
const isHeld = ({ pid, startedAt }: LockOwner): boolean =>
  isAlive(pid) && (beginOf(pid) ?? 0) <= Date.parse(startedAt) + toleranceMs;

/** Removes a stale lock, unless another process has replaced it since it was read. */
const removeStale = (file: string, stale: LockOwner | undefined): void => {
  const away = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, away);
  } catch {
    return;
  }
  const removed = read(away);
  if (removed !== undefined && removed.pid !== stale?.pid) linkSync(away, file);
  rmSync(away, { force: true });
};

/** Two processes may take over a stale lock concurrently. The loser tries again. */
const maxAttempts = 5;

/**
 * Takes the lock of a data directory, in which one stack can run. It takes over a lock whose process has ended. The
 * lock is released when this process ends.
 *
 * @param now the begin of the use by this process
 */
export const takeLock = (dataDir: string, now: Date): Lock => {
  makeDataDir(dataDir);
  const file = join(dataDir, 'lock.json');
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ pid: process.pid, startedAt: now.toISOString() } satisfies LockOwner)}\n`);
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      try {
        // A link is atomic, and fails when the file exists.
        linkSync(draft, file);
        const release = () => {
          if (read(file)?.pid === process.pid) rmSync(file, { force: true });
        };
        process.once('exit', release);
        return { kind: 'taken', release };
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
      const owner = read(file);
      if (owner !== undefined && isHeld(owner)) return { kind: 'held', by: owner };
      removeStale(file, owner);
    }
    throw new Error(`cannot lock ${file}: remove the file when no stack runs`);
  } finally {
    rmSync(draft, { force: true });
  }
};

const two = (number: number): string => String(number).padStart(2, '0');

/** Returns a time in the local zone, with the date when it is another day. */
export const clockTime = (at: Date, now: Date): string => {
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return at.toDateString() === now.toDateString()
    ? time
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
};
