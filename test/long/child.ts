import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Runs a program and cleans up after it. Its processes are a group and its temporary files are in one folder.
 * Both are removed at the end in any case.
 */

export type Child = {
  /** @throws never: a program that cannot be started ends with 127 */
  readonly ended: Promise<number>;
  /** Ends the program. Kills it after ten seconds. */
  readonly end: () => void;
};

/** Time for tests to stop their stacks. */
const graceMs = 10_000;

const windows = process.platform === 'win32';

/** Signals the program and its children. A missing group is no error. */
const killGroup = (pid: number, signal: 'SIGINT' | 'SIGKILL'): void => {
  try {
    // Windows has no groups and no SIGINT for another process, so the tree is killed.
    if (windows) execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    else process.kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
};

/**
 * Starts a Node.js program with the output streams of this process.
 * @param args the arguments of `node`
 */
export const startNode = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Child => {
  const folder = mkdtempSync(join(tmpdir(), 'returns-run-'));
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    // A group of its own: Ctrl-C reaches only this process, which ends the group in order.
    detached: !windows,
    env: { ...process.env, ...env, TMPDIR: folder, TEMP: folder, TMP: folder },
  });
  let killing: NodeJS.Timeout | undefined;
  const finish = async (): Promise<number> => {
    try {
      const [code] = (await once(child, 'exit')) as [number | null];
      return code ?? 130;
    } catch {
      return 127;
    } finally {
      clearTimeout(killing);
      if (child.pid !== undefined) killGroup(child.pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  };
  return {
    ended: finish(),
    end: () => {
      const { pid } = child;
      if (pid === undefined || killing !== undefined) return;
      killGroup(pid, 'SIGINT');
      killing = setTimeout(() => killGroup(pid, 'SIGKILL'), graceMs);
    },
  };
};

/** Calls back once, at the first Ctrl-C, SIGTERM or SIGHUP, with the matching exit code. */
export const onInterrupt = (interrupted: (exitCode: number) => void): void => {
  let done = false;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.on(signal, () => {
      if (done) return;
      done = true;
      interrupted(exitCode);
    });
};
