import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { wrapIn } from '../cpu-quota.ts';

/** Processes with all their children, as the kernel groups them. */
export type ProcessGroup = Disposable & {
  /** Returns the command line of a process in the group. */
  readonly wrap: (command: readonly string[]) => readonly string[];
  /** Returns the CPU time of all processes so far, also of ended ones, in milliseconds. */
  readonly cpuMs: () => number;
  /** Returns the memory of the running processes. A page that n processes share counts n times, or once. */
  readonly memory: () => { readonly residentMb: number; readonly proportionalMb: number };
};

type Hierarchy = { readonly parent: string; readonly cpuMs: (group: string) => number };

const hierarchies: readonly Hierarchy[] = [
  {
    parent: '/sys/fs/cgroup/cpuacct',
    cpuMs: (group) => Number(readFileSync(join(group, 'cpuacct.usage'), 'utf8')) / 1e6,
  },
  {
    parent: '/sys/fs/cgroup',
    cpuMs: (group) => Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1]) / 1e3,
  },
];

/** Returns a figure of a process in kB; 0 when the process has ended meanwhile. */
const kilobytes = (pid: string, name: 'Rss' | 'Pss'): number => {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/**
 * Creates a group of the kernel.
 *
 * @throws without the permission: the CPU time of ended children would be missing
 */
export const openProcessGroup = (): ProcessGroup => {
  const hierarchy = hierarchies.find(({ parent }) => existsSync(parent));
  if (hierarchy === undefined) throw new Error('this bench needs control groups of Linux, and the right to make one');
  const group = join(hierarchy.parent, `returns-stack-${process.pid}`);
  mkdirSync(group);
  const total = (name: 'Rss' | 'Pss'): number =>
    readFileSync(join(group, 'cgroup.procs'), 'utf8')
      .split('\n')
      .filter((pid) => pid !== '')
      .reduce((sum, pid) => sum + kilobytes(pid, name), 0) / 1024;
  return {
    wrap: (command) => wrapIn(group, command),
    cpuMs: () => hierarchy.cpuMs(group),
    memory: () => ({ residentMb: total('Rss'), proportionalMb: total('Pss') }),
    [Symbol.dispose]: () => rmdirSync(group),
  };
};
