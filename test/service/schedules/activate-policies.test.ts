import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Input } from '../../../lib/contract/contract.ts';
import type { Backend } from '../../../lib/contract/port.ts';
import { activatePolicies } from '../../../lib/service/schedules/activate-policies.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readDomainEvents } from '../../../lib/store/events/outbox.ts';
import { allowing } from '../jobs/seed.ts';
import { backendCall } from '../../support/backend-call.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { startSchedules } from './support.ts';

const { backendWith } = await startSchedules();
const backend: Backend = backendWith({});

const days = 86_400_000;
const start = Date.parse('2026-11-22T12:00:00.000Z');
const day = (count: number) => new Date(start + count * days).toISOString();
const goTo = (count: number) => void vi.setSystemTime(start + count * days);
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => void vi.useRealTimers());

let sellers = 0;

const must = <Value>(result: { ok: true; value: { body: Value } } | { ok: false }): Value => {
  if (!result.ok) throw new Error('the command failed');
  return result.value.body;
};

/** Creates a policy with a draft for a seller of its own. */
const newPolicy = async (): Promise<string> => {
  const document = { ...allowing(30, `seller-${(sellers += 1)}`) };
  return must(await backend.createPolicy({ name: 'Standard', document }, backendCall())).policyId;
};
const redraft = async (policyId: string) =>
  must(await backend.saveDraft({ policyId, copyOf: 1 }, { ...backendCall(), ifMatch: 0 }));
const publish = async (policyId: string, period: Partial<Input<'publish'>> = {}) =>
  must(await backend.publish({ policyId, ...period }, backendCall()));

/** Returns the events of a policy in their order, and checks that their sequences are 1, 2, 3, … */
const eventsOf = async (policyId: string) => {
  using session = openSession(ampleDeadline());
  const all = await readDomainEvents(session, `POLICY#${policyId}`, 0, 9_999);
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
  return all.map(({ type, data, at, actor }) => ({ type, data, at, by: actor.clientId }));
};
const run = async () => activatePolicies({}, contextWith());

describe('activatePolicies', () => {
  test('publishing emits policy.published, and policy.superseded when the version takes effect immediately', async () => {
    const policyId = await newPolicy();
    await publish(policyId, { effectiveUntil: day(90) });
    await redraft(policyId);
    goTo(1);
    await publish(policyId);
    const data = { policyId, name: 'Standard' };
    expect(await eventsOf(policyId)).toEqual([
      {
        type: 'policy.published',
        at: day(0),
        by: 'test',
        data: { ...data, version: 1, effectiveFrom: day(0), effectiveUntil: day(90) },
      },
      { type: 'policy.published', at: day(1), by: 'test', data: { ...data, version: 2, effectiveFrom: day(1) } },
      {
        type: 'policy.superseded',
        at: day(1),
        by: 'test',
        data: { policyId, version: 1, supersededBy: 2, effectiveUntil: day(1) },
      },
    ]);
    expect(await run()).toEqual({ emitted: 0 });
  });

  test('emits policy.superseded once on the effective date, in late and concurrent runs too', async () => {
    const policyId = await newPolicy();
    await publish(policyId);
    await redraft(policyId);
    await publish(policyId, { effectiveFrom: day(1) });
    const { revision } = must(await backend.getPolicy({ policyId }, backendCall()));
    expect(await run()).toEqual({ emitted: 0 });
    goTo(3);
    const both = await Promise.all([run(), run()]);
    expect(both[0].emitted + both[1].emitted).toBe(1);
    const succession = {
      type: 'policy.superseded',
      at: day(3),
      by: 'schedule:activate-policies',
      data: { policyId, version: 1, supersededBy: 2, effectiveUntil: day(1) },
    };
    expect((await eventsOf(policyId)).slice(2)).toEqual([succession]);
    // An earlier clock emits nothing again. The events do not change the revision, so that no If-Match fails.
    goTo(0.5);
    expect(await run()).toEqual({ emitted: 0 });
    goTo(4);
    expect(await run()).toEqual({ emitted: 0 });
    expect(must(await backend.getPolicy({ policyId }, backendCall())).revision).toBe(revision);
  });

  test('emits all missed events after days without a run, also for versions that never took effect', async () => {
    const policyId = await newPolicy();
    await publish(policyId);
    for (const effectiveFrom of [day(5), day(2)]) {
      await redraft(policyId);
      await publish(policyId, { effectiveFrom });
    }
    goTo(4);
    expect(await run()).toEqual({ emitted: 1 });
    goTo(9);
    expect(await run()).toEqual({ emitted: 1 });
    expect((await eventsOf(policyId)).slice(3).map(({ data }) => data)).toEqual([
      { policyId, version: 1, supersededBy: 3, effectiveUntil: day(2) },
      { policyId, version: 2, supersededBy: 3, effectiveUntil: day(5) },
    ]);
  });

  test('emits no policy.superseded for a policy that is archived or has an end date', async () => {
    const [archived, ending] = [await newPolicy(), await newPolicy()];
    await publish(archived);
    await redraft(archived);
    await publish(archived, { effectiveFrom: day(3) });
    await backend.archive({ policyId: archived, at: day(2) }, backendCall());
    await publish(ending, { effectiveUntil: day(1) });
    goTo(10);
    expect(await run()).toEqual({ emitted: 0 });
    expect((await eventsOf(archived)).slice(2)).toEqual([
      {
        type: 'policy.archived',
        at: day(0),
        by: 'test',
        data: { policyId: archived, name: 'Standard', archivedFrom: day(2) },
      },
    ]);
  });

  test('a repeated publish request emits one event', async () => {
    const policyId = await newPolicy();
    const call = backendCall();
    const first = await backend.publish({ policyId }, call);
    expect(await backend.publish({ policyId }, call)).toMatchObject({ ok: first.ok, value: { replayed: true } });
    expect(await eventsOf(policyId)).toHaveLength(1);
  });
});
