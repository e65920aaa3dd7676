import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, vi } from 'vitest';
import type { Output } from '../../../lib/contract/contract.ts';
import type { Backend } from '../../../lib/contract/port.ts';
import type { Result } from '../../../lib/contract/result.ts';
import type { OrderRef } from '../../../lib/domain/returns/model/order.ts';
import { type Intent, isOpen } from '../../../lib/domain/write-back/intent.ts';
import { inTurn } from '../../../lib/domain/write-back/queue.ts';
import { writeBack } from '../../../lib/service/write-back/write-back.ts';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import { platformEffects } from '../../../lib/shops/platforms/effects.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { takeWriteBackLease } from '../../../lib/store/write-back/lease.ts';
import { backendCall } from '../../support/backend-call.ts';
import { ampleDeadline } from '../../support/time.ts';
import { act, type OwnReturn } from './acts.ts';
import { type Kill, killed } from './kill.ts';
import type { LifeStep } from './life-steps.ts';
import { openWorker } from './worker.ts';
import type { Report, ShopWorld } from './worlds/world.ts';

const start = Date.parse('2026-11-29T12:00:00.000Z');

/** What a life was, for messages and counts. */
export type Told = {
  readonly decisions: number;
  /** The payments of the shop by our word. */
  readonly paid: number;
  /** The intents, by action and how they ended before people looked at them. */
  readonly intents: readonly string[];
  /** The actions and reasons of the intents that were left to people. */
  readonly parked: readonly string[];
};

/** What may have gone wrong in a life. */
type Trouble = { readonly reasons: Set<string>; hasClerk: boolean };

/** Reasons of intents that a clerk causes, who does the same at the shop. */
const clerkReasons = [
  'refund_exists',
  'exceeds_payment',
  'amount_differs',
  'refund_unclear',
  'refund_exceeds_payments',
];

const valueOf = <Body>(result: Result<{ readonly body: Body }>): Body => {
  if (result.ok) return result.value.body;
  throw new Error(`${result.failure.code} ${result.failure.detail ?? ''}`);
};

/** The order of a life, and what is done with it. */
export const openLife = (backend: Backend, world: ShopWorld) => {
  const { run, intents: intentsOf } = openWorker(backend);
  const { orderId, lines } = world.sell();
  const order: OrderRef = { platform: world.platform, orderId };
  const returnIds: string[] = [];
  let minutes = 0;

  const later = (count: number): void => {
    minutes += count;
    vi.setSystemTime(start + minutes * 60_000);
  };
  const intents = async (): Promise<readonly Intent[]> => intentsOf(order);
  const read = async (returnId: string): Promise<OwnReturn> =>
    valueOf(await backend.getReturn({ returnId }, backendCall()));
  const returns = async (): Promise<readonly OwnReturn[]> => {
    const listed = valueOf(await backend.listReturns({ ...order, limit: 200 }, backendCall()));
    return Promise.all(listed.items.map(async ({ returnId }) => read(returnId)));
  };

  const rowOf = ({ topic, body }: Report): InboxRow => ({
    platform: world.platform,
    source: world.source,
    topic,
    deliveryId: randomUUID(),
    body: gzipSync(JSON.stringify(body)),
    bodyHash: '0',
    receivedAt: new Date().toISOString(),
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 1,
    expiresAt: 0,
  });
  const deliver = async (row: InboxRow) =>
    runDelivery(backend, world.translator, row, `key/${row.deliveryId}`, Date.now() + 30_000);
  const rowsFrom = (from: number): readonly InboxRow[] => {
    const all = world.reports(orderId);
    const first = from % all.length;
    return [...all.slice(first), ...all.slice(0, first)].map(rowOf);
  };
  /** Delivers what the shop reports now, from one of its reports on. */
  const report = async (from = 0) => {
    const outcomes = [];
    for (const row of rowsFrom(from)) outcomes.push(await deliver(row));
    return outcomes;
  };
  /** Delivers it as often as needed, while the worker runs. */
  const reportAll = async (from = 0): Promise<void> => {
    let rows = rowsFrom(from);
    for (let round = 0; rows.length > 0; round += 1) {
      expect(round).toBeLessThan(20);
      const late: InboxRow[] = [];
      for (const row of rows) if ((await deliver(row)).status === 'retry') late.push(row);
      rows = late;
      if (rows.length > 0) later(100);
      await run(order);
    }
  };

  const runKilled = async (kill: Kill): Promise<void> => {
    const worker = killed(backend, platformEffects, kill);
    const handler = writeBack(worker.backend, worker.effects);
    await run(order, handler);
    if (!worker.isDead()) return;
    // Its lease stays until the time of the function is over.
    using session = openSession(ampleDeadline());
    await takeWriteBackLease(session, order, { owner: 'dead', until: Date.now() + 60_000, now: Date.now() });
  };

  return {
    order,
    lines,
    returnIds,
    later,
    intents,
    read,
    returns,
    report,
    reportAll,
    run: async () => run(order),
    runKilled,
  };
};

type Life = ReturnType<typeof openLife>;

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
  }
  // The request of a worker that has died may be on its way, for all that the shop shows.
  if (kill !== undefined) trouble.reasons.add('effect_unknown');
  const runs = Array.from({ length: workers }, async (_, index) =>
    kill !== undefined && index === 0 ? life.runKilled(kill) : life.run(),
  );
  await Promise.all(runs);
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
      return (
        returnId !== undefined &&
        (await act(backend, await life.read(returnId), step.choice, world.receivesOnce)) !== undefined
      );
    }
    case 'work':
      await work(world, life, step, trouble);
      return false;
    case 'report':
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

const describeIntents = (intents: readonly Intent[]) =>
  intents.map(({ action, status, reason, requests, runs, refundId, seen, by }) =>
    [action, status, reason, `requests ${requests}`, `runs ${runs}`, refundId, seen, by].join(' '),
  );

/** Runs workers and deliveries until nothing is due, except for what people must decide. */
const settle = async (world: ShopWorld, life: Life): Promise<void> => {
  await world.settle();
  for (let round = 0; round < 60; round += 1) {
    await life.report(round);
    await life.run();
    const [first] = inTurn(await life.intents());
    if (first === undefined || first.status === 'parked') return life.reportAll();
    life.later(round < 10 ? 3 : 200);
  }
  throw new Error(`the intents are not over: ${describeIntents(await life.intents()).join('\n')}`);
};

type OwnRefund = Output<'getReturn'>['refunds'][number];
const idOf = ({ external, providerRef }: OwnRefund): string | undefined => external?.externalId ?? providerRef;

/** The money of the shop and ours are the same: each payment by our word is a refund of ours, once. */
const expectEqualMoney = async (world: ShopWorld, life: Life, { hasClerk }: Trouble): Promise<void> => {
  const paid = world.paid(life.order.orderId);
  const returns = await life.returns();
  const refunds = returns.flatMap((own) => own.refunds);
  const succeeded = refunds.filter(({ status }) => status === 'succeeded');
  const byUs = paid.filter(({ isOurs }) => isOurs);
  for (const { externalId, amount } of byUs)
    expect(
      succeeded.filter((refund) => idOf(refund) === externalId).map((refund) => refund.amount.amount),
      `payment ${externalId}`,
    ).toEqual([amount]);
  const ids = new Set(paid.map(({ externalId }) => externalId));
  expect(succeeded.filter((refund) => !ids.has(idOf(refund) ?? ''))).toEqual([]);
  if (hasClerk) return;
  expect(byUs.length).toBe(paid.length);
  expect(succeeded.length).toBe(byUs.length);
  for (const { discrepancies, recoveryDue } of returns) {
    expect(discrepancies).toEqual([]);
    expect(recoveryDue?.amount ?? 0).toBe(0);
  }
};

const versionsOf = async (life: Life) => (await life.returns()).map(({ returnId, version }) => [returnId, version]);

/** Nothing more happens, however often the shop reports its state, and the worker runs. */
const expectNoEcho = async (life: Life): Promise<void> => {
  const before = await versionsOf(life);
  const count = (await life.intents()).length;
  for (let round = 0; round < 2; round += 1) {
    await life.reportAll(round);
  }
  expect(await versionsOf(life)).toEqual(before);
  expect((await life.intents()).length).toBe(count);
};

const expectReasons = async (
  world: ShopWorld,
  life: Life,
  intents: readonly Intent[],
  { reasons, hasClerk }: Trouble,
): Promise<void> => {
  const isRefused = (await life.returns()).some(({ lines }) => lines.some(({ quantities }) => quantities.refused > 0));
  const allowed = new Set([...reasons, ...(hasClerk ? clerkReasons : []), ...(isRefused ? world.afterRefusal : [])]);
  const left = intents.filter(({ status }) => status === 'parked');
  expect(describeIntents(left.filter(({ reason = '' }) => !allowed.has(reason)))).toEqual([]);
  if (world.isMoneySafe && !hasClerk)
    expect(describeIntents(left.filter(({ action }) => action === 'refund'))).toEqual([]);
};

/** People look at the shop, see no effect, and let it be asked again. Then nothing is left. */
const expectAllAfterRetry = async (backend: Backend, world: ShopWorld, life: Life): Promise<void> => {
  for (let round = 0; round < 8; round += 1) {
    const parked = (await life.intents()).filter(({ status }) => status === 'parked');
    if (parked.length === 0) break;
    for (const { id } of parked) valueOf(await backend.retryIntent({ intentId: id }, backendCall()));
    life.later(5);
    await settle(world, life);
  }
  expect(describeIntents((await life.intents()).filter(isOpen))).toEqual([]);
};

/** Lives a life of an order, and checks that the shop and we agree at its end. */
export const live = async (backend: Backend, world: ShopWorld, steps: readonly LifeStep[]): Promise<Told> => {
  const life = openLife(backend, world);
  const trouble: Trouble = { reasons: new Set(), hasClerk: false };
  life.later(0);
  const facts = await world.facts?.(life.order.orderId);
  if (facts !== undefined) valueOf(await backend.registerOrder(facts, backendCall()));
  for (const outcome of await life.report()) expect(outcome.status).toBe(facts === undefined ? 'done' : 'ignored');
  let decisions = 0;
  for (const step of steps) decisions += Number(await take(backend, world, life, step, trouble));
  await settle(world, life);
  // A parked intent is read again after hours.
  life.later(400);
  await settle(world, life);
  const intents = await life.intents();
  await expectReasons(world, life, intents, trouble);
  await expectEqualMoney(world, life, trouble);
  if (
    !trouble.hasClerk &&
    !intents.some(({ status, reason = '' }) => status === 'parked' && world.afterRefusal.includes(reason))
  )
    await expectAllAfterRetry(backend, world, life);
  await expectEqualMoney(world, life, trouble);
  await expectNoEcho(life);
  const parked = intents.flatMap(({ status, action, reason }) => (status === 'parked' ? [`${action} ${reason}`] : []));
  return {
    decisions,
    paid: world.paid(life.order.orderId).filter(({ isOurs }) => isOurs).length,
    intents: intents.map(({ action, status, reason = '' }) => `${action} ${status} ${reason}`.trim()),
    parked,
  };
};
