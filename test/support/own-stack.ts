import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackEvent } from '../../lib/local/events.ts';
import { inject } from 'vitest';
import { startStack, type StackOptions } from '../../lib/local/stack.ts';
import { keepLogs, plant } from './emitted/record.ts';
import { secretsOfStack } from './emitted/search.ts';
import { callRecordIn, timeScale } from './stack.ts';

type Waiter = { readonly fits: (event: StackEvent) => boolean; readonly resolve: (event: StackEvent) => void };

type OwnOptions = Pick<
  StackOptions,
  'engine' | 'sharedToken' | 'returnTerms' | 'platforms' | 'streams' | 'schedules' | 'ways'
>;

/**
 * A stack for one test file that takes parts of it down. What happens in it is kept, and can be awaited. Its functions are
 * fed from the tables' streams, and invoked on their schedules, only where the test asks for that.
 */
export const startOwnStack = async (options: OwnOptions = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-'));
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
    ...options,
    root: inject('root'),
    dataDir,
    onEvent,
    callRecord: callRecordIn(inject('dataDir')),
  });
  return {
    ...stack,
    /** Where the stack keeps what outlives a run, its logs among it. */
    dataDir,
    events,
    /** The first event from now on that fits. */
    next: async (fits: Waiter['fits']): Promise<StackEvent> => {
      const { promise, resolve } = Promise.withResolvers<StackEvent>();
      const waiter = { fits, resolve };
      waiters.add(waiter);
      return promise.finally(() => waiters.delete(waiter));
    },
    close: async () => {
      await stack.close();
      keepLogs(dataDir);
      plant(await secretsOfStack(dataDir));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

export type OwnStack = Awaited<ReturnType<typeof startOwnStack>>;
