import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backendCall } from '../../support/backend-call.ts';
import { startSchedules } from '../schedules/support.ts';
import { openLife, valueOf } from './life.ts';
import { openWorlds } from './worlds/worlds.ts';

const { secrets, backendWith } = await startSchedules();
const backend = backendWith({});
const worlds = await openWorlds(backend, secrets);

beforeAll(worlds.begin);
afterAll(worlds.end);

describe('goods that arrive in two parts at commercetools', () => {
  it('are written in order when both are inspected before the shop has the second part', async () => {
    const world = worlds.all.find(({ platform }) => platform === 'commercetools');
    if (world === undefined) throw new Error('no commercetools');
    const life = openLife(backend, world);
    life.later(0);
    const facts = await world.facts?.(life.order.orderId);
    if (facts !== undefined) valueOf(await backend.registerOrder(facts, backendCall()));
    const line = life.lines.find(({ quantity }) => quantity > 1);
    const wanted = { orderLineId: line?.orderLineId ?? '', quantity: 2, reason: { code: 'fit.too_small' } };
    const created = valueOf(await backend.createReturn({ order: life.order, lines: [wanted] }, backendCall()));
    const { returnId } = created;
    if (created.status === 'requested') valueOf(await backend.approve({ returnId }, backendCall()));
    const lines = [{ lineId: created.lines[0]?.lineId ?? '', quantity: 1 }];
    const found = lines.map((units) => ({ ...units, outcome: 'accept' as const, disposition: 'restock' as const }));
    const receive = async () => {
      life.tick();
      valueOf(await backend.receive({ returnId, lines }, backendCall()));
    };
    const inspect = async () => {
      life.tick();
      valueOf(await backend.inspect({ returnId, lines: found }, backendCall()));
    };
    await receive();
    await life.run();
    await inspect();
    await receive();
    await inspect();
    await life.run();
    const ended = { status: 'confirmed', by: 'request' };
    expect((await life.intents()).toSorted((a, b) => (a.returnVersion ?? 0) - (b.returnVersion ?? 0))).toMatchObject([
      { action: 'receive', ...ended },
      { action: 'inspect', ...ended, reason: 'with_inspect', requests: 0 },
      { action: 'receive', ...ended },
      { action: 'inspect', ...ended, requests: 1 },
    ]);
  });
});
