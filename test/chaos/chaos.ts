import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithUsageError, readCommandLine, type Command } from '../../lib/tools/command-line/command-line.ts';
import { buildAndPackage } from '../../lib/tools/local/bundles.ts';
import { seeded } from '../support/seeded.ts';
import { onInterrupt } from '../long/child.ts';
import { endpointIn } from '../support/webhook-endpoints.ts';
import { balanceBooks, type Books } from './books.ts';
import { openFiles } from './files.ts';
import { effectTable, faultTable } from './ledger.ts';
import { openCaller, openShop, runCallers } from './load.ts';
import { planFaults, type Fault } from './plan.ts';
import { drain } from './drain.ts';
import { startWorld, type World } from './world.ts';

/* npm run chaos: both modes under load while their dependencies fail, and the books at the end. */

const command: Command = {
  call: 'npm run chaos',
  about:
    'Runs both modes under load while every dependency fails in every way, and balances the books at the end: every\naccepted request, delivery and event has its effect once. Ctrl-C prints the faults so far.',
  options: {
    seconds: { type: 'string', value: '<seconds>', about: 'Length of the load, 10 to 3600; default 600.' },
    seed: {
      type: 'string',
      value: '<seed>',
      about: 'Seed of the faults and of the load; default: another in each run.',
    },
  },
};

const { values } = readCommandLine(command);
const seconds = Number(values['seconds'] ?? 600);
const seed = Number(values['seed'] ?? process.env['SEED'] ?? Date.now() % 2 ** 31);
if (!Number.isInteger(seconds) || seconds < 10 || seconds > 3_600)
  endWithUsageError(command, '--seconds must be a whole number from 10 to 3600.');
if (!Number.isInteger(seed) || seed < 0) endWithUsageError(command, '--seed must be a whole number.');

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Creates an endpoint for each receiver, and returns the ids. */
const createEndpoints = async ({ receivers, receiverUrls }: World, { services }: ReturnType<typeof openCaller>) => {
  const ids: string[] = [];
  for (const [index, receiver] of receivers.entries()) {
    const answer = await services.standalone.post('/webhook-endpoints', {
      url: `${receiverUrls[index]}/hooks`,
      eventTypes: ['*'],
    });
    if (answer.status !== 201) throw new Error(`the endpoint was not created: ${answer.status}`);
    const { endpointId, secret } = endpointIn(answer);
    receiver.trust(secret ?? '');
    ids.push(endpointId);
  }
  return ids;
};

/** Runs the plan until the signal, and returns the faults that have started. */
const runFaults = async (world: World, plan: readonly Fault[], signal: AbortSignal): Promise<readonly Fault[]> => {
  const started: Fault[] = [];
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (const fault of plan) {
    const waitMs = fault.atMs - (performance.now() - startedAt);
    await pause(Math.max(0, waitMs), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    started.push(fault);
    running.push(world.fail(fault));
  }
  await Promise.all(running);
  await world.heal();
  return started;
};

const interrupted = new AbortController();
let exitCode: number | undefined;
onInterrupt((code) => {
  exitCode = code;
  say('\nEnding …');
  interrupted.abort();
});

const untilInterrupted = new Promise<undefined>((resolve) => {
  interrupted.signal.addEventListener('abort', () => resolve(undefined));
});

const run = async (world: World): Promise<number> => {
  const caller = openCaller(world.info);
  const random = seeded(seed + 1);
  const endpoints = await createEndpoints(world, caller);
  // Each return of the shop has about seven deliveries.
  const shop = openShop(world, Math.max(10, seconds), random);
  const files = openFiles(caller);
  say('The load begins.');
  const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(seconds * 1_000)]);
  const [sent, , , faults] = await Promise.all([
    runCallers(caller, random, signal),
    shop.send(signal, 7),
    files.run(signal),
    runFaults(world, planFaults(seconds, seeded(seed)), signal),
  ]);
  console.log(faultTable({ faults, affected: world.affected }));
  const balance = async (): Promise<Books | undefined> => {
    if (interrupted.signal.aborted) return undefined;
    say('\nThe faults are over. Waiting for all effects.');
    const open = await drain({ world, caller, sent, shop, files, endpoints, say });
    return balanceBooks({ world, caller, sent, shop, files, endpoints, open });
  };
  const books = await Promise.race([untilInterrupted, balance()]).catch((error: unknown) => {
    if (interrupted.signal.aborted) return undefined;
    throw error;
  });
  if (books === undefined) {
    console.log(`\nInterrupted, so the books were not balanced: ${sent.length} requests were sent.`);
    return exitCode ?? 1;
  }
  console.log(`\n${effectTable(books)}`);
  return books.differences.length === 0 ? 0 : 1;
};

const dataDir = await mkdtemp(join(tmpdir(), 'returns-chaos-'));
let isBalanced = false;
try {
  say(`Chaos for ${seconds} s. Repeat it with --seconds ${seconds} --seed ${seed}.`);
  const root = await buildAndPackage();
  const world = await startWorld({ dataDir, root, random: seeded(seed + 2) });
  try {
    process.exitCode = await run(world);
    isBalanced = process.exitCode === 0;
  } finally {
    await world.close();
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  console.log(`Repeat it with: npm run chaos -- --seconds ${seconds} --seed ${seed}`);
  // The logs explain a difference.
  if (isBalanced || exitCode !== undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  else console.log(`Logs: ${join(dataDir, 'logs')}`);
  process.exit();
}
