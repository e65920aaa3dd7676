import { expect } from 'vitest';
import type { Backend } from '../../../lib/contract/port.ts';
import { isOpen } from '../../../lib/domain/write-back/intent.ts';
import { inTurn } from '../../../lib/domain/write-back/queue.ts';
import { backendCall } from '../../support/backend-call.ts';
import { act } from './acts.ts';
import {
  describeIntents,
  expectEqualMoney,
  expectNoEcho,
  expectReasons,
  spentReasons,
  type Trouble,
} from './life-checks.ts';
import { type Life, openLife, valueOf } from './life.ts';
import type { LifeStep } from './life-steps.ts';
import type { ShopWorld } from './worlds/world.ts';

/** What a life was, for messages and counts. */
export type LifeResult = {
  readonly decisions: number;
  /** The payments of the shop by our word. */
  readonly paid: number;
  /** The intents, by action and how they ended before people looked at them. */
  readonly intents: readonly string[];
  /** The actions and reasons of the intents that were left to people. */
  readonly parked: readonly string[];
};

const create = async (backend: Backend, { order, lines, returnIds }: Life, line: number, quantity: number) => {
  const { orderLineId = '', quantity: units = 1 } = lines[line % lines.length] ?? {};
  const wanted = { orderLineId, quantity: Math.min(quantity, units), reason: { code: 'fit.too_small' } };
  const created = await backend.createReturn({ order, lines: [wanted] }, backendCall());
  if (created.ok) returnIds.push(created.value.body.returnId);
  return created.ok;
};

const payByHand = async (world: ShopWorld, life: Life, at: number): Promise<boolean> => {
  const pending = (await life.returns()).flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'pending'));
  const refund = pending[at % Math.max(1, pending.length)];
  if (refund === undefined) return false;
  world.refundByHand(life.order.orderId, refund.amount.amount);
  return true;
};

const work = async (
  world: ShopWorld,
  life: Life,
  { workers, fault, kill }: Extract<LifeStep, { readonly kind: 'work' }>,
  trouble: Trouble,
): Promise<void> => {
  if (fault !== undefined) {
    const names = Object.keys(world.faults);
    const name = names[fault % names.length] ?? '';
    world.fail(name);
    for (const reason of world.faults[name] ?? []) trouble.reasons.add(reason);
    if (world.ofPlugins?.includes(name) === true) trouble.hasClerk = true;
  }
  // The request of a worker that has died may be on its way, for all that the shop shows.
  if (kill !== undefined) trouble.reasons.add('effect_unknown');
  const runs = Array.from({ length: workers }, async (_, index) =>
    kill !== undefined && index === 0 ? life.runKilled(kill) : life.run(),
  );
  await Promise.all(runs);
  // A shop reports at once what it has done, also where its answer was lost.
  if (fault !== undefined || kill !== undefined) await life.report(fault);
};

/** Takes a step. Returns whether it was a decision. */
const take = async (
  backend: Backend,
  world: ShopWorld,
  life: Life,
  step: LifeStep,
  trouble: Trouble,
): Promise<boolean> => {
  switch (step.kind) {
    case 'create':
      return create(backend, life, step.line, step.quantity);
    case 'act': {
      const returnId = life.returnIds[step.at % Math.max(1, life.returnIds.length)];
      if (returnId === undefined) return false;
      const name = await act(backend, await life.read(returnId), step.choice, world.receivesOnce);
      if (name === 'complete') life.completed.add(returnId);
      return name !== undefined;
    }
    case 'work':
      await work(world, life, step, trouble);
      return false;
    case 'report':
      if (step.times === 0) life.delay(step.from);
      for (let count = 0; count < step.times; count += 1) await life.report(step.from);
      return false;
    case 'wait':
      life.later(step.minutes);
      return false;
    case 'clerk':
      trouble.hasClerk = (await payByHand(world, life, step.at)) || trouble.hasClerk;
      return false;
  }
};

/** Runs workers and deliveries until nothing is due, except for what people must decide. */
const settle = async (world: ShopWorld, life: Life): Promise<void> => {
  await world.settle();
  for (let round = 0; round < 60; round += 1) {
    await life.report(round);
    await life.run();
    const [first] = inTurn(await life.intents());
    if (first === undefined || first.status === 'parked') return life.reportAll();
    life.later(round < 10 ? 1 : 200);
  }
  throw new Error(`the intents are not over: ${describeIntents(await life.intents()).join('\n')}`);
};

/** People look at the shop, see no effect, and let it be asked again. Then only what a clerk has spent is left. */
const expectAllAfterRetry = async (
  backend: Backend,
  world: ShopWorld,
  life: Life,
  { hasClerk }: Trouble,
): Promise<void> => {
  for (let round = 0; round < 8; round += 1) {
    const parked = (await life.intents()).filter(({ status }) => status === 'parked');
    if (parked.length === 0) break;
    for (const { id } of parked) valueOf(await backend.retryIntent({ intentId: id }, backendCall()));
    life.later(5);
    await settle(world, life);
  }
  const left = (await life.intents()).filter(
    (intent) => isOpen(intent) && !(hasClerk && spentReasons.includes(intent.reason ?? '')),
  );
  expect(describeIntents(left)).toEqual([]);
};

/** Lives a life of an order, and checks that the shop and we agree at its end. */
export const live = async (backend: Backend, world: ShopWorld, steps: readonly LifeStep[]): Promise<LifeResult> => {
  const life = openLife(backend, world);
  const trouble: Trouble = { reasons: new Set(), hasClerk: false };
  life.later(0);
  const facts = await world.facts?.(life.order.orderId);
  if (facts !== undefined) valueOf(await backend.registerOrder(facts, backendCall()));
  for (const outcome of await life.report()) expect(outcome.status).toBe(facts === undefined ? 'done' : 'ignored');
  let decisions = 0;
  for (const step of steps) {
    life.tick();
    decisions += Number(await take(backend, world, life, step, trouble));
  }
  await settle(world, life);
  // A parked intent is read again after hours.
  life.later(400);
  await settle(world, life);
  const intents = await life.intents();
  await expectReasons(world, life, intents, trouble);
  await expectEqualMoney(world, life, trouble);
  if (!intents.some(({ status, reason = '' }) => status === 'parked' && world.ofKeptUnits.includes(reason)))
    await expectAllAfterRetry(backend, world, life, trouble);
  await expectEqualMoney(world, life, trouble);
  await expectNoEcho(life);
  expect(life.wrong).toEqual([]);
  if (!trouble.hasClerk) expect([...new Set(life.parked)]).toEqual([]);
  const parked = intents.flatMap(({ status, action, reason }) => (status === 'parked' ? [`${action} ${reason}`] : []));
  return {
    decisions,
    paid: world.paid(life.order.orderId).filter(({ isOurs }) => isOurs).length,
    intents: intents.map(({ action, status, reason = '' }) => `${action} ${status} ${reason}`.trim()),
    parked,
  };
};
