import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { comparisonSection } from '../report.ts';
import type { Bench, Settings } from '../settings.ts';
import { compare, type Sample } from '../statistics.ts';
import { compareWithTarget, ratioTo, type Verdict } from '../targets.ts';
import { openProcessGroup, type ProcessGroup } from './process-group.ts';

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

const ended = async (child: ChildProcess): Promise<void> => {
  child.stdout?.resume();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`npm start ended with ${code}`);
};

/** Returns the CPU time of a start that ends after its demo, in seconds. */
const onceSeconds = async (folder: string, group: ProcessGroup): Promise<number> => {
  const before = group.cpuMs();
  await ended(start(folder, group, '--', '--once'));
  return (group.cpuMs() - before) / 1000;
};

/** Starts a stack that stays, and measures it while nobody uses it. */
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

const measure = async ({ rounds }: Settings, report: (progress: string) => void) => {
  const checkouts = [
    ...(otherCheckout === undefined ? [] : [{ candidate: 'before', folder: resolve(otherCheckout) }]),
    { candidate: 'ours', folder: resolve('.') },
  ];
  const measured = checkouts.map((checkout) => ({ ...checkout, samples: [] as Sample[] }));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { candidate, folder, samples } of measured) {
      samples.push(await measureCheckout(folder));
      report(`round ${round} of ${rounds}, ${candidate}`);
    }
  }
  const baseline = measured[0]?.candidate ?? 'ours';
  return compare('npm start', baseline, measured);
};

/** Measures the local stack: the CPU time of its starts, and what it takes while nobody uses it. */
export const stack: Bench = {
  summary: 'the local stack: its starts, and idle',
  packages: ['esbuild', 'osls', 'fauxqs'],
  defaults: { rounds: 3, warmUp: 0, invocations: 1, seed: 0 },
  describe: ({ rounds }) =>
    `${rounds} rounds in a copy of the sources: \`npm start -- --once\` twice, then \`npm start\`, idle for ${idleMs / 1000} s after ${settleMs / 1000} s; all processes`,
  run: async (settings, report) => {
    const comparison = await measure(settings, report);
    const of = (metric: string) =>
      comparison.rows.find(({ candidate }) => candidate === 'ours')?.metrics[metric]?.median ?? Number.NaN;
    const verdicts: readonly Verdict[] = [
      compareWithTarget({ what: 'idle CPU ms/s', maximum: 5 }, of('idle CPU ms/s')),
      compareWithTarget({ what: 'PSS MB', maximum: 350 }, of('PSS MB')),
      ...(comparison.baseline === 'before'
        ? [
            compareWithTarget(
              { what: 'first start, CPU x before', maximum: 0.5 },
              ratioTo(comparison, 'first start CPU s', ['before']),
            ),
          ]
        : []),
    ];
    return [comparisonSection(comparison, verdicts)];
  },
};
