import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Api } from '../support/api.ts';
import { commandsIn, type Stored } from '../support/audit/stored.ts';
import { create, isExpected, register, send, steps, subjectOf, type Request, type StepName } from '../support/life.ts';

const stepNames = Object.keys(steps) as readonly StepName[];

/** The maximum number of retries because of concurrent writes. */
const busiest = 20;

const isBusy = ({ status, body }: Answer): boolean =>
  status === 503 || status === 504 || body.code === 'idempotency_key_in_progress';

/**
 * The result of a request. `unsure` means that it may have been carried out although its last response is a failure.
 */
type Fate = { readonly answer: Answer; readonly unsure: boolean };

/** Sends a request, and retries with its key during concurrent writes. The response must be documented. */
const insist = async (service: Api, request: Request): Promise<Fate> => {
  const key = randomUUID();
  let timedOut = false;
  for (let count = 1; ; count += 1) {
    const answer = await send(service, request, key);
    // Our 503 means not carried out. A 504, or a gateway that did not wait, leaves the result unknown.
    timedOut ||= answer.status > 500 && answer.body.code !== 'dependency_unavailable';
    if (isBusy(answer) && count < busiest) continue;
    if (!isExpected(request, answer))
      expect.fail(`${request.operation.name} was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
    // A PATCH has no key. Its repeat fails because of the version that the first one created.
    return { answer, unsure: timedOut && request.operation.method === 'PATCH' && answer.status === 412 };
  }
};

const begin = async (service: Api, quantity: number, first: number) => {
  const order = { platform: 'web', orderId: randomUUID() };
  await insist(service, register(order, quantity));
  const { answer: created } = await insist(service, create(order, first, randomUUID()));
  return { order, created };
};

export type Contenders = {
  readonly writers: number;
  /** The number of commands of each writer, one after the other. */
  readonly commands: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

/**
 * Sends mixed commands of many writers to one return at once. Every other writer uses the version it last read.
 *
 * @returns the return, the successful responses, and the number of commands with an unknown result
 */
export const contendForOne = async (service: Api, { writers, commands, random }: Contenders) => {
  const units = 2 * writers * commands;
  const { order, created } = await begin(service, units, units);
  const successes: Answer[] = [];
  let unsure = 0;

  const write = async (): Promise<void> => {
    let subject = subjectOf(order, created);
    for (let count = 0; count < commands; count += 1) {
      const name = stepNames[Math.floor(random() * stepNames.length)] ?? 'approve';
      const request = steps[name](subject, randomUUID());
      const bound = random() < 0.5 && request.operation.ifMatch === 'optional';
      const fate = await insist(service, bound ? { ...request, ifMatch: subject.version } : request);
      if (fate.answer.status < 300) successes.push(fate.answer);
      if (fate.unsure) unsure += 1;
      const current = await service.get(`/returns/${subject.returnId}`);
      subject = subjectOf(order, current);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { id: created.body.returnId, successes, unsure };
};

/** Checks that the history has every acknowledged command, and nothing else. */
export const demandNoLostUpdate = (
  stored: Stored,
  { id, successes, unsure }: Awaited<ReturnType<typeof contendForOne>>,
): void => {
  const versions = successes.flatMap(({ body }) => ('rmaNumber' in body && body.returnId === id ? [body.version] : []));
  expect(new Set(versions).size).toBe(versions.length);
  const commands = commandsIn(stored, id);
  expect(commands).toBeGreaterThanOrEqual(1 + successes.length);
  expect(commands).toBeLessThanOrEqual(1 + successes.length + unsure);
};

/**
 * Requests more returns of one order at once than it has units. Each successful writer approves and refunds.
 *
 * @returns the number of successful writers
 */
export const contendForUnits = async (service: Api, units: number, writers: number): Promise<number> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await insist(service, register(order, units));
  const live = async (): Promise<boolean> => {
    const { answer: created } = await insist(service, create(order, 1, randomUUID()));
    if (created.status !== 201) return false;
    const subject = subjectOf(order, created);
    await Promise.all([
      insist(service, steps.approve(subject, '')),
      insist(service, steps.recordRefund(subject, randomUUID())),
    ]);
    return true;
  };
  const got = await Promise.all(Array.from({ length: writers }, live));
  return got.filter(Boolean).length;
};
