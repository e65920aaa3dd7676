import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { batch } from '../../shops/inbox/support.ts';
import { useEngine } from '../../support/use-engine.ts';
import { lambda } from '../../support/lambda.ts';
import { stack } from '../../support/stack.ts';
import { sequencesOf, startReceiver } from './receiver.ts';
import * as seed from './seed.ts';
import { readEndpoint, removeEndpoint } from '../../../lib/store/events/endpoints.ts';
import { groupCount, readSubscriptions } from '../../../lib/store/events/subscriptions.ts';
import { transact } from '../../../lib/store/engine/transact.ts';

useEngine(stack().aws.dynamodb);
afterAll(() => vi.unstubAllEnvs());
const { approved, group, happen, happenIn, makeEndpoint, makeReturns, session } = seed;

const invoke = lambda('standalone');
const deliver = async (message: object) => {
  const { reply, error } = await invoke('deliverEvents', batch([{ MessageId: 'm-1', Body: JSON.stringify(message) }]));
  expect(error).toBeUndefined();
  expect(reply).toEqual({ batchItemFailures: [] });
};

describe('event delivery on the stack', () => {
  it('goes from the schedule through the queue to the receiver, under the roles of the functions', async () => {
    await using receiver = await startReceiver();
    const endpoint = await makeEndpoint(receiver.url);
    const [held = '', failing = ''] = makeReturns(2);
    const subscription = { endpointId: endpoint.id, group };

    // All kinds of streams of the outbox.
    for (const prefix of ['RETURN', 'POLICY', 'ENDPOINT', 'ERASURE', 'SUMMARY', 'ANCHOR'])
      await happenIn(`${prefix}#${endpoint.id}`, ['some.type']);
    expect((await invoke('wakeEndpoints', {})).error).toBeUndefined();
    const subjects = Array.from({ length: 6 }, () => endpoint.id);
    await vi.waitFor(() => expect(receiver.arrived.map(({ event }) => event.subject)).toEqual(subjects), 30_000);

    // Another event arrives while one of them takes long.
    const answered = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await answered.promise;
      return { status: 200 };
    };
    await happen(held, approved(1));
    const holding = deliver(subscription);
    await receiver.server.received(7);
    await deliver(subscription);
    // Longer than the worker waits for one event.
    await pause(2_200);
    answered.resolve();
    await holding;
    await vi.waitFor(() => expect(sequencesOf(receiver, held)).toEqual([1]), 30_000);

    receiver.answer = () => ({ status: 500 });
    await happen(failing, approved(1));
    await deliver(subscription);
    const tried = () => receiver.arrived.find(({ event }) => event.subject === failing);
    await vi.waitFor(() => expect(tried()).toBeDefined(), 30_000);
    receiver.answer = () => ({ status: 200 });
    await deliver({ endpointId: endpoint.id, eventId: tried()?.event.id });
    await vi.waitFor(() => expect(sequencesOf(receiver, failing)).toEqual([1]), 30_000);

    receiver.answer = () => ({ status: 410 });
    await happen(held, approved(1));
    await deliver(subscription);
    const disabledEndpoint = { disabled: { reason: 'gone' } };
    await vi.waitFor(
      async () => expect(await readEndpoint(session, endpoint.id)).toMatchObject(disabledEndpoint),
      30_000,
    );

    await transact(session, removeEndpoint((await readEndpoint(session, endpoint.id)) ?? endpoint));
    for (let one = 0; one < groupCount; one += 1) await deliver({ endpointId: endpoint.id, group: one });
    expect(await readSubscriptions(session, [endpoint.id], Date.now())).toEqual([]);
  });
});
