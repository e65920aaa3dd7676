import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../../lib/contract/result.ts';
import { backendCall } from '../../support/backend-call.ts';
import { startSchedules } from '../schedules/support.ts';
import { openLife } from './life.ts';
import { openWorker } from './worker.ts';
import { openWorlds } from './worlds/worlds.ts';

const { secrets, backendWith } = await startSchedules();
const backend = backendWith({});
const worlds = await openWorlds(backend, secrets);
const { enable } = openWorker(backend);
const world = worlds.woocommerce;

beforeAll(worlds.begin);
afterAll(worlds.end);

const on = { approve: 'on', reject: 'on', cancel: 'on', close: 'on', refund: 'on' } as const;
const dailyRefunds = [{ amount: 1_000_000_00, currency: 'USD' }];

type Life = ReturnType<typeof openLife>;
const intentFor = async (life: Pick<Life, 'intents'>, action: string) =>
  (await life.intents()).find((intent) => intent.action === action);

const bodyOf = <Body>(result: Result<{ readonly body: Body }>): Body => {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value.body;
};

/** Starts the life of an order with an approved return. */
const approved = async () => {
  const life = openLife(backend, world);
  life.later(0);
  await life.report();
  const lines = [{ orderLineId: '311', quantity: 1, reason: { code: 'fit.too_small' } }];
  const { returnId, status, ...created } = bodyOf(
    await backend.createReturn({ order: life.order, lines }, backendCall()),
  );
  if (status === 'requested') bodyOf(await backend.approve({ returnId }, backendCall()));
  const refund = async () => {
    const units = [{ lineId: created.lines[0]?.lineId ?? '', quantity: 1 }];
    bodyOf(await backend.receive({ returnId, lines: units }, backendCall()));
    const found = units.map((unit) => ({ ...unit, outcome: 'accept' as const, disposition: 'restock' as const }));
    bodyOf(await backend.inspect({ returnId, lines: found }, backendCall()));
    bodyOf(await backend.refund({ returnId }, backendCall()));
  };
  return { ...life, returnId, refund };
};

describe('an intent that was planned to be compared', () => {
  it('is not sent when its action is on since', async () => {
    await enable(world.platform, { actions: { approve: 'shadow' } });
    const life = await approved();
    await life.run();
    expect(await life.intents()).toMatchObject([{ action: 'approve', status: 'shadow' }]);
    await enable(world.platform, { actions: on, dailyRefunds });
    life.later(7 * 60);
    await life.run();
    expect(await life.intents()).toMatchObject([{ action: 'approve', status: 'shadow', requests: 0 }]);
  });
});

describe('an intent behind a parked one', () => {
  it('runs at once when people say that the first was not done', async () => {
    await enable(world.platform, { actions: on, dailyRefunds });
    const life = await approved();
    world.fail('rejected_before');
    await life.refund();
    await life.run();
    const first = await intentFor(life, 'approve');
    expect(first).toMatchObject({ status: 'parked', reason: 'shop_status_400' });
    expect(await intentFor(life, 'receive')).toMatchObject({ status: 'planned', reason: 'held' });
    bodyOf(await backend.resolveIntent({ intentId: first?.id ?? '', outcome: 'not_done' }, backendCall()));
    expect((await intentFor(life, 'receive'))?.dueAt).toBe(new Date().toISOString());
    await life.run();
    expect(await intentFor(life, 'refund')).toMatchObject({ status: 'confirmed' });
  });
});

describe('a parked intent behind one that waits', () => {
  it('keeps its reason', async () => {
    await enable(world.platform, { actions: on });
    const life = await approved();
    await life.refund();
    await life.run();
    const refund = { action: 'refund', status: 'parked', reason: 'daily_limit_reached' };
    expect(await intentFor(life, 'refund')).toMatchObject(refund);
    life.later(59);
    const lines = [{ orderLineId: '313', quantity: 1, reason: { code: 'fit.too_small' } }];
    const other = bodyOf(await backend.createReturn({ order: life.order, lines }, backendCall()));
    if (other.status === 'requested') bodyOf(await backend.approve({ returnId: other.returnId }, backendCall()));
    world.fail('failed_before');
    await life.run();
    expect((await life.intents()).map(({ status }) => status).toSorted()).toEqual(['confirmed', 'parked', 'sent']);
    life.later(1);
    await life.run();
    expect(await intentFor(life, 'refund')).toMatchObject(refund);
  });
});

describe('an approval that was taken back after a request without an answer', () => {
  it('ends once the request can have no effect any more', async () => {
    await enable(world.platform, { actions: on });
    const life = await approved();
    world.fail('cut_before');
    await life.run();
    bodyOf(await backend.cancel({ returnId: life.returnId, code: 'changed_mind' }, backendCall()));
    life.later(2);
    await life.run();
    expect(await intentFor(life, 'approve')).toMatchObject({
      status: 'cancelled',
      reason: 'return_cancelled',
      requests: 1,
    });
    expect(await intentFor(life, 'cancel')).toMatchObject({ status: 'confirmed' });
  });
});

describe('the creation of a return that was left to people', () => {
  it('is recognised before a delivery reports it, when it comes after all', async () => {
    const life = openLife(backend, worlds.shopify);
    life.later(0);
    await life.report();
    const line = life.lines.find(({ quantity }) => quantity > 1);
    const lines = [{ orderLineId: line?.orderLineId ?? '', quantity: 1, reason: { code: 'fit.too_small' } }];
    bodyOf(await backend.createReturn({ order: life.order, lines }, backendCall()));
    worlds.shopify.fail('stuck');
    await life.run();
    life.later(5);
    await life.run();
    expect(await intentFor(life, 'approve')).toMatchObject({ status: 'parked', reason: 'effect_unknown' });
    await worlds.shopify.settle();
    expect((await life.report()).map(({ status }) => status)).toContain('retry');
    await life.reportAll();
    expect(await intentFor(life, 'approve')).toMatchObject({ status: 'confirmed', requests: 1 });
    expect(await life.returns()).toHaveLength(1);
  });
});

describe('an intent of a shop that was stopped for a week', () => {
  it('is not left to people because the shop is busy once', async () => {
    await enable(world.platform, { actions: on, isStopped: true });
    const life = await approved();
    for (let day = 0; day < 8; day += 1) {
      await life.run();
      life.later(24 * 60);
    }
    await enable(world.platform, { actions: on });
    world.fail('failed_before');
    await life.run();
    expect(await life.intents()).toMatchObject([{ action: 'approve', status: 'sent', requests: 1 }]);
    life.later(5);
    await life.run();
    expect(await life.intents()).toMatchObject([{ action: 'approve', status: 'confirmed' }]);
  });
});
