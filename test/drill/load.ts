import { randomUUID } from 'node:crypto';
import { api } from '../support/api.ts';
import { create, lives, register, send, steps, subjectOf, type Subject } from '../support/life.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';

export type LoadSettings = {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Answers before `midway` begins, and after its end. */
  readonly before: number;
  readonly after: number;
};

const writers = 5;

/**
 * Runs writers through lives of returns, and calls `midway` once. They continue to write meanwhile.
 *
 * @returns the number of answers, and the failures of the service, as sentences
 */
export const runLoad = async (
  info: StackInfo,
  { random, before, after }: LoadSettings,
  midway: () => Promise<void>,
): Promise<{ readonly answers: number; readonly failures: readonly string[] }> => {
  const service = api('standalone', info);
  let answers = 0;
  const failures: string[] = [];
  let halfway: Promise<void> | undefined;
  let end = Infinity;
  const isOver = () => answers >= end;

  const sendOnce = async (request: Parameters<typeof send>[1]) => {
    const answer = await send(service, request, randomUUID());
    answers += 1;
    if (answer.status >= 500) failures.push(`${request.operation.name}: ${answer.status} ${answer.body.code}`);
    if (answers === before) {
      halfway = midway().finally(() => (end = answers + after));
      // Its failure is reported at the end.
      halfway.catch(() => undefined);
    }
    return answer;
  };

  const liveOnce = async (): Promise<void> => {
    const order = { platform: 'web', orderId: randomUUID() };
    await sendOnce(register(order, 3));
    const created = await sendOnce(create(order, 1 + Math.floor(random() * 3), randomUUID()));
    if (created.status !== 201) return;
    let subject: Subject = subjectOf(order, created);
    const life = lives[Math.floor(random() * lives.length)] ?? [];
    for (const name of life) {
      if (isOver()) return;
      const answer = await sendOnce(steps[name](subject, randomUUID()));
      if (answer.status < 300 && 'rmaNumber' in answer.body) subject = subjectOf(order, answer);
    }
  };

  const write = async (): Promise<void> => {
    while (!isOver()) await liveOnce();
  };
  await Promise.all(Array.from({ length: writers }, write));
  await halfway;
  return { answers, failures };
};
