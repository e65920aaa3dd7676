import { execFileSync } from 'node:child_process';

/** Returns whether a process runs. A zombie does not count as running. */
export const isAlive = (pid: number): boolean => {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    return false;
  }
};
