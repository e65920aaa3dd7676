import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { endedStatuses } from '../../../lib/domain/returns/rules/states.ts';
import type { Summary } from '../../../lib/domain/returns/summary.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { writeIndexed } from '../../../lib/store/returns/returns.ts';
import { visitWork } from '../../../lib/store/returns/summaries.ts';
import { startWorld } from '../../service/outbox/world.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { returnsInView, views } from '../../support/listed/queries.ts';
import { generateReturns, type Listed, storeReturns } from '../../support/listed/returns.ts';
import { compareLists } from '../../support/listed/walk.ts';
import { inSoak, runs, runsEveryCase } from '../../support/samples.ts';
import { ampleDeadline } from '../../support/time.ts';

const seed = 20261129;
/** More than a page examines for its filters, and with every case more than the engine examines for a status. */
const returns = generateReturns(runsEveryCase() ? 1_100 : 300, seed);

const world = await startWorld();
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await world.stop();
});

/** Sets the number of partitions of the lists. */
const divide = (partitions: number) => setEnvironment({ LIST_PARTITIONS: String(partitions) });

/** Writes returns again without a change, as a command writes them after the number of partitions has grown. */
const rewrite = async (some: readonly Listed[]) => {
  for (const { state } of some) expect(await transact(session, writeIndexed(state))).toEqual({ written: true });
};

/** The least share of lists with returns. A property over empty lists would prove nothing. */
const filled = 0.15;

describe('listReturns over generated returns', () => {
  it('returns what a filter over all returns selects, in order, for any filters, sort and limits', async () => {
    divide(1);
    await storeReturns(session, returns);
    expect(await compareLists(returns, runs(180), seed)).toBeGreaterThan(filled);
  });

  it('finds the returns of each saved view, which countViews counts', async () => {
    const counted = await backend.countViews({}, backendCall());
    if (!counted.ok) throw new Error(counted.failure.detail);
    const { at } = counted.value.body;
    const expected = views.map((name) => {
      const found = returnsInView(name, returns, at).map(({ createdAt }) => createdAt);
      const [oldestAt] = found.toSorted();
      return { name, count: found.length, ...(oldestAt !== undefined && { oldestAt }), capped: false };
    });
    expect(counted.value.body.views).toEqual(expected);
    expect(expected.filter(({ count }) => count === 0)).toEqual([]);
    const ended = views
      .flatMap((name) => returnsInView(name, returns, at))
      .filter(({ status }) => endedStatuses.has(status));
    expect(ended.length).toBeGreaterThan(0);
  });

  it('counts a part of the returns with work when they are too many, and says so', async () => {
    const visited: Summary[] = [];
    expect(await visitWork(session, 5, (summary) => visited.push(summary))).toBe(false);
    const open = visited.filter(({ status }) => !endedStatuses.has(status));
    expect(open).toHaveLength(5);
  });

  it('returns the same after the number of partitions has grown, while half of the returns have moved', async () => {
    divide(4);
    await rewrite(returns.filter((_, index) => index % 2 === 0));
    expect(await compareLists(returns, runs(90), seed + 1)).toBeGreaterThan(filled);
  });

  it.each(inSoak('returns the same when all returns are spread over four partitions'))('%s', async () => {
    divide(4);
    await rewrite(returns.filter((_, index) => index % 2 === 1));
    expect(await compareLists(returns, runs(180), seed + 2)).toBeGreaterThan(filled);
  });
});
