import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession, type Session } from '../../lib/store/engine/session.ts';
import { startWorld } from '../service/outbox/world.ts';
import { setEnvironment } from '../support/environment.ts';
import { generateReturns, storeReturns } from '../support/listed/returns.ts';
import { compareLists } from '../support/listed/walk.ts';
import { ampleDeadline } from '../support/time.ts';

/** The lists of each collection of returns. */
const runs = Number(process.env['RUNS'] ?? 600);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

describe.each([
  [1, 40],
  [1, 1_200],
  [4, 400],
  [4, 2_500],
  [64, 1_000],
])('lists over %i partitions with %i returns', (partitions, count) => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let session: Session;
  beforeAll(async () => {
    world = await startWorld();
    setEnvironment({ LIST_PARTITIONS: String(partitions) });
    session = openSession(ampleDeadline());
  });
  afterAll(async () => {
    session[Symbol.dispose]();
    await world.stop();
    // Otherwise the next world would use the engine of this one.
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: undefined });
  });

  it(`equal a filter over all returns in ${runs} queries, SEED=${seed}`, { timeout: 3_600_000 }, async () => {
    const returns = generateReturns(count, seed + partitions + count);
    await storeReturns(session, returns);
    expect(await compareLists(returns, runs, seed)).toBeGreaterThan(0.2);
  });
});
