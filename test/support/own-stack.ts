import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackEvent } from '../../lib/tools/local/events.ts';
import { afterAll } from 'vitest';
import { startStack } from '../../lib/tools/local/stack.ts';
import type { StackOptions } from '../../lib/tools/local/stack-options.ts';
import { recordLogs, recordLogsLive, plant } from './emitted/record.ts';
import { secretsOfStack } from './emitted/search.ts';
import { callRecordIn, stackDataDir } from './stack.ts';
import { timeScale } from './slow-limits.ts';
import { bundleRoot } from './bundles.ts';

type Waiter = { readonly fits: (event: StackEvent) => boolean; readonly resolve: (event: StackEvent) => void };

type OwnOptions = Pick<
  StackOptions,
  | 'engine'
  | 'existingTable'
  | 'mailSender'
  | 'modes'
  | 'offer'
  | 'platforms'
  | 'ports'
  | 'processingMs'
  | 'returnTerms'
  | 'root'
  | 'schedules'
  | 'serviceUrl'
  | 'sharedToken'
  | 'shops'
  | 'streams'
  | 'timeScale'
  | 'tokenAuthorizer'
  | 'writeBack'
>;

/** Starts a stack whose events are recorded, and can be awaited. */
const observedStack = async (dataDir: string, options: OwnOptions) => {
  const events: StackEvent[] = [];
  const waiters = new Set<Waiter>();
  const onEvent = (event: StackEvent) => {
    events.push(event);
    for (const waiter of waiters) if (waiter.fits(event)) waiter.resolve(event);
  };
  const stack = await startStack({
    streams: false,
    schedules: false,
    timeScale,
    root: bundleRoot(),
    ...options,
    dataDir,
    onEvent,
    // The roles of a stack with an existing table name that table. Those of an adapter are others.
    ...(options.existingTable === undefined &&
      options.offer === undefined && { callRecord: callRecordIn(stackDataDir()) }),
  });
  return {
    ...stack,
    /** The stack's persistent files, its logs among them. */
    dataDir,
    events,
    /** Resolves with the first event from now on that fits. */
    next: async (fits: Waiter['fits']): Promise<StackEvent> => {
      const { promise, resolve } = Promise.withResolvers<StackEvent>();
      const waiter = { fits, resolve };
      waiters.add(waiter);
      return promise.finally(() => waiters.delete(waiter));
    },
  };
};

/**
 * Starts a stack for one test file that stops parts of it. Its events are recorded, and can be awaited. The tables'
 * streams and the schedules invoke its functions only where the test asks for it.
 *
 * @param options.dataDir a folder with the data of an earlier stack. The stack removes it when it closes.
 */
export const startOwnStack = async ({
  dataDir: earlier,
  ...options
}: OwnOptions & { readonly dataDir?: string } = {}) => {
  const dataDir = earlier ?? (await mkdtemp(join(tmpdir(), 'returns-')));
  const stack = await observedStack(dataDir, options);
  return {
    ...stack,
    close: async () => {
      await stack.close();
      recordLogs(dataDir);
      plant(await secretsOfStack(dataDir));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

export type OwnStack = Awaited<ReturnType<typeof startOwnStack>>;
/** The members that may close the stack or stop its parts are left out. */
export type SharedStack = Omit<OwnStack, 'close' | 'connected' | 'standalone' | 'engine'>;

const memo = Symbol.for('returns.shared-stack');
const worker = globalThis as { [memo]?: Promise<SharedStack> };

/** Starts a stack that all files of a worker share. */
export const startForWorker = async (options: OwnOptions) => {
  // The run removes this folder with its own, after the workers have ended.
  const dataDir = await mkdtemp(join(stackDataDir(), 'shared-'));
  recordLogsLive(dataDir);
  // No test waits for its close, and it is idle for most of the run.
  return observedStack(dataDir, options);
};

/**
 * Returns a stack with events that all files of a worker share: starting one costs more than most files do. It ends
 * with the worker. Other files leave returns, deliveries and policies in it, so each test has its own orders.
 */
export const sharedStack = async (): Promise<SharedStack> => {
  const stack = await (worker[memo] ??= startForWorker({ platforms: 'shopify,commercetools' }));
  afterAll(async () => plant(await secretsOfStack(stack.dataDir)));
  return stack;
};
