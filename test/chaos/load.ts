import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SentRequest } from '../crash/harness.ts';
import { canRepeat } from '../crash/survive.ts';
import { api, type Answer, type Api } from '../support/api.ts';
import { create, register, send, steps, subjectOf, type Request, type StepName } from '../support/life.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { lifeOf, post, weather, type Life } from '../webhooks/storm.ts';
import type { ModeName } from './plan.ts';
import type { World } from './world.ts';

/* The load of a run: callers of the API in both modes, and a shop that sends webhooks. */

/** A request of a caller in one mode. The answer is undefined while the result is unknown. */
export type ChaosRequest = SentRequest & { readonly mode: ModeName };

const writersOfMode = 3;
const stepNames = Object.keys(steps) as readonly StepName[];
const maxSteps = 8;
/** A caller repeats a request with an unknown result a few times at once, and again after the faults. */
const attempts = 4;
const senders = 3;

/** Returns whether a response leaves the result unknown, so that the caller repeats the request under its key. */
const isUnknown = ({ status, body }: Answer): boolean =>
  status >= 500 || status === 429 || body.code === 'idempotency_key_in_progress';

/** Reads once more when the connection breaks: the server may close an idle connection at the moment of its reuse. */
const readingTwice = (service: Api): Api => ({
  ...service,
  get: async (path, options) => service.get(path, options).catch(async () => service.get(path, options)),
});

/** Returns a caller that repeats requests under their keys. */
export const openCaller = (info: StackInfo) => {
  const services = {
    connected: readingTwice(api('connected', info)),
    standalone: readingTwice(api('standalone', info)),
  };
  const once = async ({ mode, request, key }: ChaosRequest): Promise<Answer | undefined> =>
    send(services[mode], request, key).catch(() => undefined);
  return {
    services,
    /** Sends a request once and returns its answer. */
    once,
    /** Sends a request until its result is known, at most some times. A request without a key is sent once. */
    repeat: async (sent: ChaosRequest, times: number): Promise<Answer | undefined> => {
      for (let count = 0; count < times; count += 1) {
        const answer = await once(sent);
        if (answer !== undefined && !isUnknown(answer)) return (sent.answer = answer);
        if (!canRepeat(sent)) return undefined;
        await pause(200 * (count + 1));
      }
      return undefined;
    },
  };
};

export type Caller = ReturnType<typeof openCaller>;

/** Runs callers through lives of returns until the signal. Returns all requests, also those with unknown results. */
export const runCallers = async (
  caller: Caller,
  random: () => number,
  signal: AbortSignal,
): Promise<ChaosRequest[]> => {
  const all: ChaosRequest[] = [];
  const sendOne = async (mode: ModeName, request: Request): Promise<Answer | undefined> => {
    const sent: ChaosRequest = { mode, request, key: randomUUID(), answer: undefined };
    all.push(sent);
    return caller.repeat(sent, attempts);
  };
  const live = async (mode: ModeName): Promise<void> => {
    const order = { platform: 'web', orderId: randomUUID() };
    if ((await sendOne(mode, register(order, 3))) === undefined) return;
    const created = await sendOne(mode, create(order, 1 + Math.floor(random() * 3), randomUUID()));
    if (created?.status !== 201) return;
    let subject = subjectOf(order, created);
    for (let count = 0; count < maxSteps && !signal.aborted; count += 1) {
      const name = stepNames[Math.floor(random() * stepNames.length)] ?? 'approve';
      const answer = await sendOne(mode, steps[name](subject, randomUUID()));
      if (answer !== undefined && 'rmaNumber' in answer.body) subject = subjectOf(order, answer);
    }
  };
  const write = async (mode: ModeName): Promise<void> => {
    while (!signal.aborted) await live(mode);
  };
  const modes = Array.from({ length: writersOfMode }, () => ['connected', 'standalone'] as const).flat();
  await Promise.all(modes.map(write));
  return all;
};

/** The deliveries of a shop. */
export type ShopLoad = {
  readonly lives: readonly Life[];
  /** Sends deliveries until the signal, at this number a second. */
  readonly send: (signal: AbortSignal, perSecond: number) => Promise<void>;
  readonly accepted: () => number;
};

/** Opens a shop with this number of returns. It sends each delivery until the hook accepts it. */
export const openShop = (world: World, returns: number, random: () => number): ShopLoad => {
  const lives = world.shop.sell(returns).map((orderId) => lifeOf(world, orderId, random));
  const sky = weather(lives, random);
  let accepted = 0;
  return {
    lives,
    accepted: () => accepted,
    send: async (signal, perSecond) => {
      const sendAll = async (): Promise<void> => {
        for (let delivery = sky.next(); delivery !== undefined; delivery = sky.next()) {
          const ms = await post(world.info.webhooks.shopify.url, delivery);
          if (ms === undefined) sky.again(delivery);
          else accepted += 1;
          if (signal.aborted) return;
          await pause((1_000 * senders) / perSecond);
        }
      };
      await Promise.all(Array.from({ length: senders }, sendAll));
    },
  };
};
