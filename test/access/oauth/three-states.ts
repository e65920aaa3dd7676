import { second } from './harness.ts';
import { startWorld, type CallOutcome, type World } from './world.ts';

/** A fault of a dependency and its expected effect. */
export type Fault = {
  readonly arrange: (world: World) => void | Promise<void>;
  readonly fix: (world: World) => void | Promise<void>;
  /** Lets the time of the fault pass, while a call waits for a token. `before`: earlier token requests. */
  readonly wait?: (world: World, before: number) => Promise<void>;
  /** The same for background work, for which the handler's `finally` waits at most one second each time. */
  readonly waitInBackground?: (world: World, before: number, draining: Promise<void>) => Promise<void>;
  /** The number of calls that it makes for that. */
  readonly callsInBackground?: number;
  readonly reason: string;
  /** The header that names the time of the next attempt. */
  readonly retryAfter: string;
  /** The expected number of token requests. */
  readonly posts: number;
  /** The expected number of reads of the secret, from a cold start. */
  readonly reads: number;
};

export const unavailable = (reason: string, retryAfter?: string): CallOutcome => ({
  status: 503,
  code: 'dependency_unavailable',
  reason,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** The result of a run of calls. */
type Course = {
  readonly outcomes: readonly CallOutcome[];
  /** Token requests before the fault was fixed. */
  readonly posts: number;
  /** Reads of the secret, from the start until then. */
  readonly reads: number;
  /** The tokens that the API received. */
  readonly shown: readonly (string | undefined)[];
};

const good: CallOutcome = { status: 200 };

/** Makes two calls that need a token, and one after the fault is fixed and its time has passed. */
const callUntilFixed = async (world: World, fault: Fault): Promise<Course> => {
  const before = world.posts();
  const calling = world.call();
  await fault.wait?.(world, before);
  const outcomes = [await calling, await world.call()];
  await world.drain();
  const during = { posts: world.posts() - before, reads: world.secrets.reads() };
  await fault.fix(world);
  world.clock.advance(Number(fault.retryAfter) * second);
  outcomes.push(await world.call());
  return { outcomes, ...during, shown: world.shown() };
};

const withoutToken = async (fault: Fault): Promise<Course> => {
  await using world = await startWorld();
  await fault.arrange(world);
  return await callUntilFixed(world, fault);
};

const afterA401 = async (fault: Fault): Promise<Course> => {
  await using world = await startWorld();
  await world.call();
  world.api.revoked.add('token-1');
  await fault.arrange(world);
  return await callUntilFixed(world, fault);
};

/** Runs with an ageing token: the first call starts a renewal, the last one finds a renewed token. */
const withAnAgeingToken = async (fault: Fault): Promise<Course> => {
  await using world = await startWorld();
  await world.call();
  world.clock.advance(2_880 * second);
  await fault.arrange(world);
  const outcomes = [await world.call()];
  const draining = world.drain();
  await fault.waitInBackground?.(world, 1, draining);
  await draining;
  outcomes.push(await world.call());
  await world.drain();
  const during = { posts: world.posts() - 1, reads: world.secrets.reads() };
  await fault.fix(world);
  world.clock.advance(Number(fault.retryAfter) * second);
  outcomes.push(await world.call());
  await world.drain();
  outcomes.push(await world.call());
  return { outcomes, ...during, shown: world.shown() };
};

const failsAtOnce = ({ reason, retryAfter, posts, reads }: Fault) => {
  const failed = unavailable(reason, retryAfter);
  return { outcomes: [failed, failed, good], posts, reads };
};

/** All states of a token that a fault of the token endpoint is tested against, with the expected effects. */
export const states = [
  ['without a token', withoutToken, (fault: Fault): Course => ({ ...failsAtOnce(fault), shown: ['token-1'] })],
  [
    'with an ageing token',
    withAnAgeingToken,
    ({ posts, reads, callsInBackground = 0 }: Fault): Course => ({
      outcomes: [good, good, good, good],
      posts,
      // The secret was due as well.
      reads: reads + 1,
      shown: [...Array<string>(4 + callsInBackground).fill('token-1'), 'token-2'],
    }),
  ],
  [
    'with a token that the API rejects',
    afterA401,
    // Each call tries the token, and once more over another connection.
    (fault: Fault): Course => ({ ...failsAtOnce(fault), shown: [...Array<string>(6).fill('token-1'), 'token-2'] }),
  ],
] as const;
