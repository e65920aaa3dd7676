import { createHash } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Reply, Word } from './container.ts';
import type { Received } from './wire.ts';

export const weights = ['whole', 'slim'] as const;
export type Weight = (typeof weights)[number];

export type Container = AsyncDisposable & {
  readonly call: (name: string, ...args: readonly unknown[]) => Promise<unknown>;
  /** Moves its wall clock forward, as a freeze does. */
  readonly sleep: (ms: number) => void;
  /** Stops its process during a change. */
  readonly frozen: (meanwhile: () => Promise<void>) => Promise<void>;
  /** Ends it, and returns the lines that it printed. */
  readonly printed: () => Promise<string[]>;
};

/** Returns the state of a process as Linux reports it: `T` is stopped. */
const stateOf = async ({ pid }: ChildProcess): Promise<string> =>
  /\) (\w)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? '';

const startContainer = async (bundle: string, environment: Record<string, string>): Promise<Container> => {
  const child = fork(join(import.meta.dirname, 'container.ts'), [pathToFileURL(bundle).href], {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const printed = child.stdout === null ? Promise.resolve('') : text(child.stdout);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const wait = (id: number): Promise<unknown> => {
    const reply = Promise.withResolvers<unknown>();
    waiting.set(id, reply);
    return reply.promise;
  };
  child.on('message', ({ id, value, failure }: Reply) => {
    if (failure === undefined) waiting.get(id)?.resolve(value);
    else waiting.get(id)?.reject(new Error(failure));
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the container ended with ${code}`));
  });
  const sendWord = (word: Word) => void child.send(word);
  let calls = 0;
  await wait(calls);
  return {
    call: (name, ...args) => {
      calls += 1;
      sendWord({ id: calls, name, args });
      return wait(calls);
    },
    sleep: (ms) => sendWord({ sleep: ms }),
    frozen: async (meanwhile) => {
      child.kill('SIGSTOP');
      while ((await stateOf(child)) !== 'T') await nextTurn();
      await meanwhile();
      child.kill('SIGCONT');
    },
    printed: async () => {
      child.disconnect();
      return (await printed).split('\n').filter((line) => line !== '');
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
};

/** Runs a part in a container of each weight, both at once. */
export const inBoth = async <Outcome>(
  bundleOf: (weight: Weight) => string,
  part: (start: (environment: Record<string, string>) => Promise<Container>) => Promise<Outcome>,
): Promise<Record<Weight, Outcome>> => {
  const [whole, slim] = await Promise.all(
    weights.map((weight) => part((environment) => startContainer(bundleOf(weight), environment))),
  );
  return { whole, slim } as Record<Weight, Outcome>;
};

const changing = new Set([
  'amz-sdk-invocation-id',
  'x-amz-date',
  'x-amz-content-sha256',
  'host',
  'traceparent',
  'returns-trace-id',
]);

/** Returns a body without the ports and tokens that differ from run to run. A large one is shown by its hash. */
const bodyShown = (body: string): string => {
  const masked = body.replaceAll(/127\.0\.0\.1:\d+/g, 'origin').replace(/"ClientRequestToken":"[^"]*"/, '');
  return masked.length < 2_000 ? masked : createHash('sha256').update(masked).digest('hex');
};

/** Returns a received request, without the parts that differ from run to run. */
export const comparable = ({ headers, body, ...request }: Received) => ({
  ...request,
  body: bodyShown(body),
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !changing.has(name))
      .map(([name, value]): [string, string] => [name, String(value).replaceAll(/Credential=[^,]*|Signature=\w+/g, '')])
      .toSorted(([a], [b]) => a.localeCompare(b)),
  ),
});
