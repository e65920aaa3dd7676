import { execFileSync } from 'node:child_process';

/** Whether a process runs. One that has ended and that its parent has not collected does not. */
export const isAlive = (pid: number): boolean => {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    return false;
  }
};
