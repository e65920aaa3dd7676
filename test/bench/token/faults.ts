import { connectedPackages } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';
import type { Reply, Severing } from '../world.ts';
import { askers } from './candidates.ts';
import type { Outcome } from './simulation/container.ts';
import { failed, minute, second, withTrial, type Trial } from './trial.ts';

/** The result of a fault, and its figure, for which less is better. */
type Toll = { readonly text: string; readonly value: number };

type Fault = {
  readonly name: string;
  /** The maximum for ours, where the project promises one. */
  readonly maximum?: number;
  readonly undergo: (trial: Trial) => Promise<Toll>;
};

const failures = (outcomes: readonly Outcome[]): Toll => {
  const value = failed(outcomes);
  return { text: `${value} of ${outcomes.length}`, value };
};

const unavailable: Reply = { status: 503, body: { error: 'temporarily_unavailable' } };

/** Returns the reply once and then nothing. */
const once = (reply: Reply): (() => Reply | undefined) => {
  const replies = [reply];
  return () => replies.shift();
};

/** Changes a warm container, or what it reaches, and counts the failures of later calls. */
const later =
  (change: (trial: Trial) => void, count: number, every: number) =>
  async (trial: Trial): Promise<Toll> => {
    await trial.calls(1, 0);
    change(trial);
    return failures(await trial.calls(count, every));
  };

/** Freezes a container repeatedly, with this effect on its connections. */
const frozen = (effect: string, severing: Severing, count: number, ms: number): Fault => ({
  name: `${effect} while frozen for ${ms < minute ? `${ms / second} s` : `${ms / minute} min`}: failed calls`,
  maximum: 0,
  undergo: async (trial) => {
    await trial.calls(1, 0);
    const outcomes: Outcome[] = [];
    for (let thaw = 0; thaw < count; thaw += 1) outcomes.push(await trial.thaw(severing, ms));
    return failures(outcomes);
  },
});

/** Returns the durations of calls that are slower than any without a fault. */
const slow = (outcomes: readonly Outcome[]): readonly number[] =>
  outcomes.map(({ ms }) => ms).filter((ms) => ms >= 500);

const findLeaks = (secret: string, outcomes: readonly Outcome[], log: string): readonly string[] => [
  ...(outcomes.some(({ answer }) => answer.includes(secret)) ? ['in the answer'] : []),
  ...(log.includes(secret) ? ['in the log'] : []),
];

/** The faults, each from a cold start on. A call a minute keeps a container warm and its token young. */
const faults: readonly Fault[] = [
  {
    name: 'token endpoint down for 10 min from minute 55 on, a call a second: failed calls',
    maximum: 0,
    undergo: async ({ world, calls }) => {
      await calls(1, 0);
      await calls(55, minute);
      world.situation.tokenFault = () => unavailable;
      return failures(await calls(600, second));
    },
  },
  {
    name: 'token endpoint down from the first call on, a call a second: token requests in 10 min',
    undergo: async ({ world, calls }) => {
      world.situation.tokenFault = () => unavailable;
      await calls(600, second);
      const { tokenRequests: value } = world.counts;
      return { text: String(value), value };
    },
  },
  {
    name: 'token revoked: failed calls',
    maximum: 0,
    undergo: later(({ world }) => world.revoke(), 100, second),
  },
  {
    name: 'secret rotated, tokens of 5 min: failed calls',
    maximum: 0,
    undergo: async (trial) => {
      trial.world.situation.lifetime = 300;
      return later(({ world }) => world.rotate(), 100, 10 * second)(trial);
    },
  },
  {
    name: 'API says 401 once to a good token: failed calls',
    undergo: later(({ world }) => (world.situation.apiFault = once({ status: 401, body: {} })), 100, second),
  },
  {
    name: 'token endpoint says 500 once at the renewal: failed calls',
    undergo: later(({ world }) => (world.situation.tokenFault = once({ status: 500, body: {} })), 100, minute),
  },
  {
    name: '50 calls at once with an expired token: token requests',
    undergo: async ({ world, calls, burst }) => {
      await calls(1, 0);
      const before = world.counts.tokenRequests;
      const outcomes = await burst(50, 61 * minute);
      const value = world.counts.tokenRequests - before;
      return {
        text: failed(outcomes) === 0 ? String(value) : `${value}, ${failures(outcomes).text} calls failed`,
        value,
      };
    },
  },
  {
    name: 'token endpoint takes 2 s at the renewal: calls that waited, and ms in all',
    undergo: async ({ world, calls }) => {
      await calls(1, 0);
      world.situation.tokenDelay = 2_000;
      const waited = slow(await calls(70, minute));
      const value = Math.round(waited.reduce((sum, ms) => sum + ms, 0));
      return { text: `${waited.length}, ${value}`, value };
    },
  },
  frozen('closed (FIN)', 'end', 100, second),
  frozen('closed (FIN)', 'end', 100, 5 * minute),
  frozen('reset', 'reset', 100, second),
  frozen('reset', 'reset', 100, 5 * minute),
  frozen('forgotten', 'mute', 5, 5 * minute),
  {
    name: 'client secret quoted in error_description: seen',
    maximum: 0,
    undergo: async ({ world, calls, log }) => {
      world.situation.tokenFault = (form) => {
        const description = `wrong secret: ${form.get('client_secret')}`;
        return { status: 400, body: { error: 'invalid_request', error_description: description } };
      };
      const outcomes = await calls(1, 0);
      const found = findLeaks(world.marker, outcomes, await log());
      return { text: found.length === 0 ? 'nowhere' : found.join(', '), value: found.length };
    },
  },
];

/** Measures calls while their dependencies fail. */
export const tokenFaults: Bench = {
  summary: 'failed calls and more, when what the connected mode reaches fails',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'each fault from a cold start on, on a virtual clock',
  run: async ({ report }) => {
    const rows: string[][] = [];
    const remarks: string[] = [];
    for (const { name, maximum, undergo } of faults) {
      const tolls = await Promise.all(askers.map(async (one) => withTrial(one, undergo)));
      rows.push([name, ...tolls.map(({ text }) => text)]);
      if (maximum !== undefined)
        remarks.push(compareWithTarget({ what: name, maximum }, tolls[0]?.value ?? Number.NaN));
      report(rows.at(-1)?.join(' | ') ?? '');
    }
    return [{ title: 'faults', table: [['', ...askers.map(({ name }) => name)], ...rows], remarks }];
  },
};
