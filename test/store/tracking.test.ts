import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { Parcel } from '../../lib/domain/returns/model/goods.ts';
import { appendEntries } from '../../lib/domain/returns/history/history.ts';
import { addMacs } from '../../lib/domain/returns/history/mac.ts';
import { api } from '../support/api.ts';
import { useEngine } from '../support/use-engine.ts';
import { stackRing } from '../support/stack-keys.ts';
import { lister } from '../support/lister.ts';
import { sealed } from '../support/return-case.ts';
import { createReturn } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { openTable } from '../support/table.ts';
import { ampleDeadline } from '../support/time.ts';

const service = api('standalone');

const { list, readAll } = lister(service);
const table = openTable();
afterAll(() => table.close());
/** Returns the store of a function, on the stack's engine. */
const openStore = async () => {
  const { current } = await stackRing();
  useEngine(stack().aws.dynamodb);
  const [{ writeTrackingChanges: moveTracking, writeReturn }, { transact }, { openSession }] = await Promise.all([
    import('../../lib/store/returns/returns.ts'),
    import('../../lib/store/engine/transact.ts'),
    import('../../lib/store/engine/session.ts'),
  ]);
  const stored = new Map<string, readonly string[]>();
  /** Replaces the parcels of a return by ones with these tracking numbers. */
  const send = async (returnId: string, ...numbers: readonly string[]) => {
    const before = await table.snapshot(returnId);
    const parcels = numbers.map(
      (trackingNumber): Parcel => ({
        id: 'pcl_01KAJ3X5D2E7Y3K5M8PRA0FJCV',
        direction: 'inbound',
        trackingNumber: sealed(trackingNumber),
        status: 'label_created',
        contents: [],
        events: [],
      }),
    );
    const metadata = { actor: { clientId: 'test' }, causationId: '1', correlationId: '1', policyVersion: null };
    const event = { type: 'return.updated', data: {} } as const;
    const { state, entries } = appendEntries(before, [event], { ...metadata, at: new Date().toISOString() });
    using session = openSession(ampleDeadline());
    const moved = moveTracking(stored.get(returnId) ?? [], [...new Set(numbers)], returnId);
    stored.set(returnId, numbers);
    return await transact(session, [
      ...writeReturn({ ...state, parcels }, addMacs(entries, current), before),
      ...moved,
    ]);
  };
  return { send };
};

describe('tracking numbers', () => {
  it('find all returns with a parcel of that number, newest first', async () => {
    const { send } = await openStore();
    const [one, two] = [await createReturn(service), await createReturn(service)];
    const [shared, own] = [`1Z 999/AA#${randomUUID()}`, randomUUID()];
    expect(await send(one.id, shared, own, shared)).toEqual({ written: true });
    expect(await send(two.id, shared)).toEqual({ written: true });
    expect(await readAll({ trackingNumber: shared })).toEqual([two.id, one.id]);
    expect(await readAll({ trackingNumber: shared, limit: '1' })).toEqual([two.id, one.id]);
    expect(await readAll({ trackingNumber: shared, status: 'approved' })).toEqual([]);
    expect(await readAll({ trackingNumber: own })).toEqual([one.id]);
    expect(await readAll({ trackingNumber: own.slice(1) })).toEqual([]);
  });

  it('find no return after its parcels lost the number', async () => {
    const { send } = await openStore();
    const [one, two] = [await createReturn(service), await createReturn(service)];
    const [shared, other] = [randomUUID(), randomUUID()];
    await send(one.id, shared);
    await send(two.id, shared);
    expect(await send(one.id, other)).toEqual({ written: true });
    expect(await readAll({ trackingNumber: shared })).toEqual([two.id]);
    expect(await readAll({ trackingNumber: other })).toEqual([one.id]);
  });

  it('stay stored when a command changes something else', async () => {
    const { send } = await openStore();
    const { id } = await createReturn(service);
    const number = randomUUID();
    await send(id, number);
    expect((await service.post(`/returns/${id}/approve`)).status).toBe(200);
    expect((await list({ trackingNumber: number })).body.items).toMatchObject([{ returnId: id, version: 3 }]);
  });
});
