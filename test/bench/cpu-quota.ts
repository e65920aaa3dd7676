import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A share of one CPU for processes. */
export type CpuQuota = Disposable & {
  readonly means: string;
  /** Returns the command line of a process under the quota. */
  readonly wrap: (command: readonly string[]) => readonly string[];
};

/** The period of Lambda. In each period, a function uses its share and then waits for the next. */
const periodUs = 20_000;

const root = '/sys/fs/cgroup';

/** Returns the command line of a process in a control group. */
export const wrapIn = (group: string, command: readonly string[]): readonly string[] => [
  'sh',
  '-c',
  `echo $$ > ${group}/cgroup.procs && exec "$@"`,
  'sh',
  ...command,
];

type Hierarchy = {
  readonly means: string;
  readonly parent: string;
  readonly limit: (quotaUs: number) => Record<string, string>;
};

const hierarchies: readonly Hierarchy[] = [
  {
    means: 'cgroup v1',
    parent: join(root, 'cpu'),
    limit: (quotaUs) => ({ 'cpu.cfs_period_us': String(periodUs), 'cpu.cfs_quota_us': String(quotaUs) }),
  },
  { means: 'cgroup v2', parent: root, limit: (quotaUs) => ({ 'cpu.max': `${quotaUs} ${periodUs}` }) },
];

const create = ({ means, parent, limit }: Hierarchy, share: number): CpuQuota | undefined => {
  const group = join(parent, `returns-bench-${process.pid}`);
  const drop = () => existsSync(group) && rmdirSync(group);
  try {
    mkdirSync(group);
    for (const [file, value] of Object.entries(limit(Math.round(share * periodUs)))) {
      accessSync(join(group, file), constants.W_OK);
      writeFileSync(join(group, file), value);
    }
  } catch {
    drop();
    return undefined;
  }
  return {
    means: `${means}, ${periodUs / 1_000} ms periods`,
    wrap: (command) => wrapIn(group, command),
    [Symbol.dispose]: drop,
  };
};

/** Creates a quota of the kernel; undefined without the permission. */
export const cpuQuota = (share: number): CpuQuota | undefined => {
  for (const hierarchy of hierarchies) {
    const quota = existsSync(hierarchy.parent) ? create(hierarchy, share) : undefined;
    if (quota !== undefined) return quota;
  }
  return undefined;
};
