import { second } from './harness.ts';
import { startWorld, type Seen, type World } from './world.ts';

/** Something that goes wrong outside, and what comes of it. */
export type Fault = {
  readonly arrange: (world: World) => void | Promise<void>;
  readonly mend: (world: World) => void | Promise<void>;
  /** Lets the time pass that the fault takes, while a call waits for a token. `before`: token requests until now. */
  readonly wait?: (world: World, before: number) => Promise<void>;
  /** The same beside a call, in whose `finally` the handler waits a second at most. */
  readonly waitBeside?: (world: World, before: number) => Promise<void>;
  readonly reason: string;
  /** The header that tells the caller when to come back. */
  readonly retryAfter: string;
  /** How often the token endpoint is asked. */
  readonly posts: number;
  /** The same beside a call. */
  readonly postsBeside?: number;
  /** How often the secret is read, from a cold start. */
  readonly reads: number;
};

export const unavailable = (reason: string, retryAfter?: string): Seen => ({
  status: 503,
  code: 'dependency_unavailable',
  reason,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** What a run of calls has come to. */
type Course = {
  readonly seen: readonly Seen[];
  /** Token requests for it, before the fault was mended. */
  readonly posts: number;
  /** Reads of the secret, from the start until then. */
  readonly reads: number;
  /** The tokens that the API was shown. */
  readonly shown: readonly (string | undefined)[];
};

const good: Seen = { status: 200 };

/** Two calls that need a token, and one when the fault is mended and its time has passed. */
const callUntilMended = async (world: World, fault: Fault): Promise<Course> => {
  const before = world.posts();
  const calling = world.call();
  await fault.wait?.(world, before);
  const seen = [await calling, await world.call()];
  const during = { posts: world.posts() - before, reads: world.secrets.reads() };
  await fault.mend(world);
  world.clock.advance(Number(fault.retryAfter) * second);
  seen.push(await world.call());
  return { seen, ...during, shown: world.shown() };
};

const withoutToken = async (fault: Fault): Promise<Course> => {
  await using world = await startWorld();
  await fault.arrange(world);
  return await callUntilMended(world, fault);
};

const afterA401 = async (fault: Fault): Promise<Course> => {
  await using world = await startWorld();
  await world.call();
  world.api.revoked.add('token-1');
  await fault.arrange(world);
  return await callUntilMended(world, fault);
};

/** The first call finds the token worth renewing, the last one finds it renewed. */
const withAnAgeingToken = async (fault: Fault): Promise<Course> => {
  await using world = await startWorld();
  await world.call();
  world.clock.advance(2_880 * second);
  await fault.arrange(world);
  const seen = [await world.call()];
  const settling = world.settle();
  await fault.waitBeside?.(world, 1);
  await settling;
  seen.push(await world.call());
  await world.settle();
  const during = { posts: world.posts() - 1, reads: world.secrets.reads() };
  await fault.mend(world);
  world.clock.advance(Number(fault.retryAfter) * second);
  seen.push(await world.call());
  await world.settle();
  seen.push(await world.call());
  return { seen, ...during, shown: world.shown() };
};

const failsAtOnce = ({ reason, retryAfter, posts, reads }: Fault) => {
  const failed = unavailable(reason, retryAfter);
  return { seen: [failed, failed, good], posts, reads };
};

/** What a fault of the token endpoint is tried against, every state that a token can be in, and what must come of it. */
export const states = [
  ['without a token', withoutToken, (fault: Fault): Course => ({ ...failsAtOnce(fault), shown: ['token-1'] })],
  [
    'with an ageing token',
    withAnAgeingToken,
    ({ posts, postsBeside = posts, reads }: Fault): Course => ({
      seen: [good, good, good, good],
      posts: postsBeside,
      // The secret was due as well.
      reads: reads + 1,
      shown: [...Array<string>(4).fill('token-1'), 'token-2'],
    }),
  ],
  [
    'with a token that the API refuses',
    afterA401,
    (fault: Fault): Course => ({ ...failsAtOnce(fault), shown: ['token-1', 'token-1', 'token-2'] }),
  ],
] as const;
