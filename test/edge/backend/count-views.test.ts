import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { startWorld } from '../../service/outbox/world.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { generateReturns, type Listed, storeReturns } from '../../support/listed/returns.ts';
import { ampleDeadline } from '../../support/time.ts';

const world = await startWorld();
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await world.stop();
});

/** Gives a return 200 lines whose SKUs are as long as allowed, and do not compress. */
const withLongSummary = ({ state, ...listed }: Listed): Listed => ({
  ...listed,
  state: {
    ...state,
    status: 'requested',
    managedBy: 'service',
    lines: Array.from({ length: 200 }, () => state.lines.slice(0, 1))
      .flat()
      .map((line) => ({ ...line, sku: randomBytes(150).toString('base64url') })),
  },
});

describe('countViews over long summaries', () => {
  it('reads one response of each partition, and says that there are more returns', async () => {
    setEnvironment({ LIST_PARTITIONS: '1' });
    await storeReturns(session, generateReturns(50, 7).map(withLongSummary));
    const counted = await backend.countViews({}, backendCall());
    const [toDecide] = counted.ok ? counted.value.body.views : [];
    expect(toDecide).toMatchObject({ name: 'to_decide', capped: true });
    expect(toDecide?.count).toBeGreaterThan(10);
    expect(toDecide?.count).toBeLessThan(50);
  });
});
