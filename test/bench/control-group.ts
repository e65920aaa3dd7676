import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/* Control groups of Linux, in which processes have a share of a CPU, or whose time and memory is counted. */

/** Returns the command line of a process in a group. */
type Wrap = (command: readonly string[]) => readonly string[];

/** A share of one CPU for processes. */
export type CpuQuota = Disposable & { readonly means: string; readonly wrap: Wrap };

/** Processes with all their children. */
export type ProcessGroup = Disposable & {
  readonly wrap: Wrap;
  /** Returns the CPU time of all processes so far, also of ended ones, in milliseconds. */
  readonly cpuMs: () => number;
  /** Returns the memory of the running processes. A page that n processes share counts n times, or once. */
  readonly memory: () => { readonly residentMb: number; readonly proportionalMb: number };
};

const root = '/sys/fs/cgroup';
const name = `returns-bench-${process.pid}`;
const read = (group: string, file: string): string => readFileSync(join(group, file), 'utf8');

const wrapIn =
  (group: string): Wrap =>
  (command) => ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh', ...command];

/** The period of Lambda. In each period, a function uses its share and then waits for the next. */
const periodUs = 20_000;

/** Where each version of control groups limits the CPU, and where it counts its time. */
const versions = [
  {
    means: 'cgroup v1',
    parent: join(root, 'cpu'),
    limit: (quota: number) => ({ 'cpu.cfs_period_us': String(periodUs), 'cpu.cfs_quota_us': String(quota) }),
    meter: join(root, 'cpuacct'),
    cpuMs: (group: string) => Number(read(group, 'cpuacct.usage')) / 1e6,
  },
  {
    means: 'cgroup v2',
    parent: root,
    limit: (quota: number) => ({ 'cpu.max': `${quota} ${periodUs}` }),
    meter: root,
    cpuMs: (group: string) => Number(/^usage_usec (\d+)$/m.exec(read(group, 'cpu.stat'))?.[1]) / 1e3,
  },
];

/** Creates a quota of the kernel; undefined without the permission. */
export const cpuQuota = (share: number): CpuQuota | undefined => {
  for (const { means, parent, limit } of versions.filter((one) => existsSync(one.parent))) {
    const group = join(parent, name);
    const drop = () => existsSync(group) && rmdirSync(group);
    try {
      mkdirSync(group);
      for (const [file, value] of Object.entries(limit(Math.round(share * periodUs)))) {
        accessSync(join(group, file), constants.W_OK);
        writeFileSync(join(group, file), value);
      }
      return {
        means: `${means}, ${periodUs / 1_000} ms periods`,
        wrap: wrapIn(group),
        [Symbol.dispose]: () => void drop(),
      };
    } catch {
      drop();
    }
  }
  return undefined;
};

/** Returns a figure of a process in kB; 0 when the process has ended meanwhile. */
const kilobytes = (pid: string, figure: 'Rss' | 'Pss'): number => {
  try {
    const rollup = read(`/proc/${pid}`, 'smaps_rollup');
    return Number(new RegExp(`^${figure}: +(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0);
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
  const version = versions.find(({ meter }) => existsSync(meter));
  if (version === undefined) throw new Error('this bench needs control groups of Linux, and the right to make one');
  const group = join(version.meter, name);
  mkdirSync(group);
  const total = (figure: 'Rss' | 'Pss'): number => {
    const pids = read(group, 'cgroup.procs').split('\n');
    return pids.filter((pid) => pid !== '').reduce((sum, pid) => sum + kilobytes(pid, figure), 0) / 1024;
  };
  return {
    wrap: wrapIn(group),
    cpuMs: () => version.cpuMs(group),
    memory: () => ({ residentMb: total('Rss'), proportionalMb: total('Pss') }),
    [Symbol.dispose]: () => rmdirSync(group),
  };
};
