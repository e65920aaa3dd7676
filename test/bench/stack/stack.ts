import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { openProcessGroup, type ProcessGroup } from '../control-group.ts';
import { compareInTurns } from '../interleave.ts';
import { comparisonSection } from '../report.ts';
import type { Bench } from '../settings.ts';
import type { Sample } from '../statistics.ts';

/** The time after a start until the idle time that counts, and that time. */
const [settleMs, idleMs] = [60_000, 120_000];

/** The folder of another checkout with its packages, to compare with. */
const otherCheckout = process.env['BENCH_BEFORE'];

/** Copies the sources of a checkout, without the bundles and data of its stacks. */
const copyOf = async (checkout: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'returns-bench-'));
  const files = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: checkout, encoding: 'utf8' }).stdout;
  for (const file of files.split('\n').filter((name) => name !== ''))
    await cp(join(checkout, file), join(folder, file));
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

const start = (folder: string, group: ProcessGroup, ...args: readonly string[]): ChildProcess => {
  const [program = '', ...rest] = group.wrap(['npm', 'start', ...args]);
  return spawn(program, rest, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
};

/** Returns the CPU time of a start that ends after its demo, in seconds. */
const onceSeconds = async (folder: string, group: ProcessGroup): Promise<number> => {
  const before = group.cpuMs();
  const child = start(folder, group, '--', '--once');
  child.stdout?.resume();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`npm start ended with ${code}`);
  return (group.cpuMs() - before) / 1000;
};

/** Starts a stack that stays, and measures it while it is idle. */
const idle = async (folder: string, group: ProcessGroup): Promise<Sample> => {
  const child = start(folder, group);
  const exit = once(child, 'exit');
  if (child.stdout === null) throw new Error('npm start has no output');
  for await (const line of createInterface(child.stdout)) if (line.startsWith('Ctrl-C ends the stack')) break;
  await sleep(settleMs);
  const before = group.cpuMs();
  await sleep(idleMs);
  const cpu = group.cpuMs() - before;
  const { residentMb, proportionalMb } = group.memory();
  child.kill('SIGINT');
  await exit;
  return { 'idle CPU ms/s': cpu / (idleMs / 1000), 'PSS MB': proportionalMb, 'RSS MB': residentMb };
};

const measureCheckout = async (checkout: string): Promise<Sample> => {
  const folder = await copyOf(checkout);
  using group = openProcessGroup();
  try {
    const first = await onceSeconds(folder, group);
    const later = await onceSeconds(folder, group);
    return { 'first start CPU s': first, 'later start CPU s': later, ...(await idle(folder, group)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const toBefore = { what: 'first start, CPU x before', metric: 'first start CPU s', to: ['before'], maximum: 0.5 };

/** Measures the local stack: the CPU time of its starts, and what it takes while it is idle. */
export const stack: Bench = {
  summary: 'the local stack: its starts, and idle',
  packages: ['esbuild', 'osls', 'fauxqs'],
  defaults: { rounds: 3, warmUp: 0, invocations: 1, seed: 0 },
  unbuilt: true,
  describe: ({ rounds }) =>
    `${rounds} rounds in a copy of the sources: \`npm start -- --once\` twice, then \`npm start\`, idle for ${idleMs / 1000} s after ${settleMs / 1000} s; all processes`,
  run: async ({ settings, report }) => {
    const turnOf = (name: string, folder: string) => ({
      name,
      measure: async () => {
        report(name);
        return measureCheckout(resolve(folder));
      },
    });
    const before = otherCheckout === undefined ? [] : [turnOf('before', otherCheckout)];
    return [
      comparisonSection(await compareInTurns('npm start', [...before, turnOf('ours', '.')], settings), [
        { what: 'idle CPU ms/s', metric: 'idle CPU ms/s', maximum: 5 },
        { what: 'PSS MB', metric: 'PSS MB', maximum: 350 },
        ...(otherCheckout === undefined ? [] : [toBefore]),
      ]),
    ];
  },
};
