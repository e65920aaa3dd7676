import { beforeAll, describe, expect, it } from 'vitest';
import { startSchedules } from '../../../service/schedules/support.ts';
import { attacks } from './attacks.ts';
import { attackWorld, judge } from './judge.ts';
import { makeWorld, type World } from './world.ts';

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});

describe('attacks on the stored rows of withdrawals', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(backend, engines.table, 1);
  });

  it('leave no failure where there was none', async () => {
    const verdicts = await Promise.all(world.targets.map(async (target) => judge(backend, target, world.root)));
    expect(verdicts).toEqual(world.targets.map(() => ({ offline: undefined, online: undefined })));
  });

  it('are all named: on anchored entries offline, otherwise by verifyWithdrawalHistory', async () => {
    const { count, offline, unnamed } = await attackWorld({ backend, table: engines.table, world }, 1, 90);
    expect(unnamed).toEqual([]);
    expect(Object.keys(count).toSorted()).toEqual(Object.keys(attacks).toSorted());
    expect(offline['rewrite the chain with the stolen keys']).toBe(count['rewrite the chain with the stolen keys']);
    const verdicts = await Promise.all(world.targets.map(async (target) => judge(backend, target, world.root)));
    expect(verdicts).toEqual(world.targets.map(() => ({ offline: undefined, online: undefined })));
  });
});
