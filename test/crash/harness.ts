import { randomUUID } from 'node:crypto';
import { startEngine, type Engine } from '../../lib/tools/local/engine/engine.ts';
import { freePort } from '../../lib/tools/local/ports.ts';
import { api, type Answer } from '../support/api.ts';
import { readStored, type Stored } from '../support/audit/stored.ts';
import { create, register, send, steps, subjectOf, type Request, type StepName } from '../support/life.ts';
import { startOwnStack } from '../support/own-stack.ts';

/** A request and its response. The response is undefined when the result is unknown. */
export type SentRequest = { readonly request: Request; readonly key: string; answer: Answer | undefined };

/** The process to kill: the functions, or the engine below them. */
export type Victim = 'service' | 'engine';

export type Load = {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** The number of responses after which the victim is killed. */
  readonly answers: number;
};

const writers = 5;
const stepNames = Object.keys(steps) as readonly StepName[];
const maxSteps = 6;

/** Returns whether a response leaves the result unknown: a dependency was unreachable or too slow. */
const isLost = (answer: Answer | undefined): boolean =>
  answer === undefined || answer.status === 503 || answer.status === 504;

/** Starts the standalone mode on its own engine. Both can be killed under load and restarted with their data. */
export const startMortal = async () => {
  // The engine starts again where the functions expect it.
  const dynamodb = await freePort();
  const stack = await startOwnStack({ modes: ['standalone'], ports: { dynamodb } });
  const service = api('standalone', stack.info);
  let engine: Engine = stack.engine;

  const revive: Readonly<Record<Victim, () => Promise<void>>> = {
    service: async () => stack.standalone.start(),
    engine: async () => {
      engine = await startEngine(stack.dataDir, dynamodb);
    },
  };
  const kill = async (victim: Victim) => (victim === 'service' ? stack.standalone.kill() : engine.kill?.());

  /** Repeats a request under its first key. */
  const repeat = async ({ request, key }: SentRequest): Promise<Answer> => send(service, request, key);

  /** Runs writers through lives of returns until the victim is killed. Returns all sent requests. */
  const liveUntilKilled = async (victim: Victim, { random, answers }: Load): Promise<SentRequest[]> => {
    const sent: SentRequest[] = [];
    let left = answers;
    const dying = new AbortController();
    let death: Promise<void> | undefined;

    const sendOnce = async (request: Request): Promise<Answer | undefined> => {
      const sentRequest: SentRequest = { request, key: randomUUID(), answer: undefined };
      sent.push(sentRequest);
      const answer = await repeat(sentRequest).catch(() => undefined);
      left -= 1;
      if (left === 0) {
        dying.abort();
        death = kill(victim);
      }
      if (!isLost(answer)) sentRequest.answer = answer;
      return sentRequest.answer;
    };

    const live = async (): Promise<void> => {
      const order = { platform: 'web', orderId: randomUUID() };
      const registered = await sendOnce(register(order, 3));
      // Without its order no return is possible.
      if (registered === undefined) return;
      const created = await sendOnce(create(order, 1 + Math.floor(random() * 3), randomUUID()));
      if (created?.status !== 201) return;
      let subject = subjectOf(order, created);
      for (let count = 0; count < maxSteps && !dying.signal.aborted; count += 1) {
        const name = stepNames[Math.floor(random() * stepNames.length)] ?? 'approve';
        const answer = await sendOnce(steps[name](subject, randomUUID()));
        if (answer !== undefined && 'rmaNumber' in answer.body) subject = subjectOf(order, answer);
      }
    };

    const write = async (): Promise<void> => {
      while (!dying.signal.aborted) await live();
    };
    await Promise.all(Array.from({ length: writers }, write));
    await death;
    return sent;
  };

  return {
    liveUntilKilled,
    repeat,
    revive: async (victim: Victim) => revive[victim](),
    stored: async (): Promise<Stored> => readStored(stack.info),
    close: async () => {
      await stack.close();
      await engine.close();
    },
  };
};

export type Mortal = Awaited<ReturnType<typeof startMortal>>;
