import { beforeAll, describe, expect, it } from 'vitest';
import { startSchedules } from '../service/schedules/support.ts';
import { attacks } from '../domain/withdrawals/attacks/attacks.ts';
import { attackWorld } from '../domain/withdrawals/attacks/judge.ts';
import { makeWorld, type World } from '../domain/withdrawals/attacks/world.ts';

const total = Number(process.env['ATTACKS'] ?? 10_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const { engines, backendWith } = await startSchedules();
const backend = backendWith({});

describe('attacks on the stored rows of withdrawals', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(backend, engines.table, 2);
  }, 600_000);

  it(`names each of ${total} attacks, SEED=${seed}`, async () => {
    const { count, offline, unnamed } = await attackWorld({ backend, table: engines.table, world }, seed, total);
    const lines = Object.entries(count).map(
      ([kind, attacked]) => `${String(attacked).padStart(6)} ${kind}: ${offline[kind] ?? 0} named offline`,
    );
    process.stderr.write(`${lines.toSorted().join('\n')}\n`);
    expect(unnamed).toEqual([]);
    expect(Object.keys(count).toSorted()).toEqual(Object.keys(attacks).toSorted());
  });
});
