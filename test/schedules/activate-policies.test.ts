import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Input } from '../../lib/contract/contract.ts';
import type { Backend } from '../../lib/contract/port.ts';
import { activatePolicies } from '../../lib/schedules/activate-policies.ts';
import { openSession } from '../../lib/store/engine/session.ts';
import { readDomainEvents } from '../../lib/store/events/outbox.ts';
import { allowing } from '../jobs/seed.ts';
import { backendCall } from '../support/backend-call.ts';
import { ampleDeadline, contextWith } from '../support/time.ts';
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
  if (!result.ok) throw new Error('refused');
  return result.value.body;
};

/** A policy for a seller of its own, with a draft. */
const newPolicy = async (): Promise<string> => {
  const document = { ...allowing(30, `seller-${(sellers += 1)}`) };
  return must(await backend.createPolicy({ name: 'Standard', document }, backendCall())).policyId;
};
const redraft = async (policyId: string) =>
  must(await backend.saveDraft({ policyId, copyOf: 1 }, { ...backendCall(), ifMatch: 0 }));
const publish = async (policyId: string, period: Partial<Input<'publish'>> = {}) =>
  must(await backend.publish({ policyId, ...period }, backendCall()));

/** What was told of a policy, in its order; the sequences of that are 1, 2, 3, … */
const told = async (policyId: string) => {
  using session = openSession(ampleDeadline());
  const all = await readDomainEvents(session, `POLICY#${policyId}`, 0, 9_999);
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1));
  return all.map(({ type, data, at, actor }) => ({ type, data, at, by: actor.clientId }));
};
const run = async () => activatePolicies({}, contextWith());

test('a version is told of as it is published, and at once as superseded where the next decides at once', async () => {
  const policyId = await newPolicy();
  await publish(policyId, { effectiveUntil: day(90) });
  await redraft(policyId);
  goTo(1);
  await publish(policyId);
  const data = { policyId, name: 'Standard' };
  expect(await told(policyId)).toEqual([
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
  expect(await run()).toEqual({ told: 0 });
});

test('one whose date is to come is told of when it comes, once though two runs come at once and late', async () => {
  const policyId = await newPolicy();
  await publish(policyId);
  await redraft(policyId);
  await publish(policyId, { effectiveFrom: day(1) });
  const { revision } = must(await backend.getPolicy({ policyId }, backendCall()));
  expect(await run()).toEqual({ told: 0 });
  goTo(3);
  const both = await Promise.all([run(), run()]);
  expect(both[0].told + both[1].told).toBe(1);
  const succession = {
    type: 'policy.superseded',
    at: day(3),
    by: 'schedule:activate-policies',
    data: { policyId, version: 1, supersededBy: 2, effectiveUntil: day(1) },
  };
  expect((await told(policyId)).slice(2)).toEqual([succession]);
  // A clock that is set back tells nothing again, and no caller's If-Match fails for what was told.
  goTo(0.5);
  expect(await run()).toEqual({ told: 0 });
  goTo(4);
  expect(await run()).toEqual({ told: 0 });
  expect(must(await backend.getPolicy({ policyId }, backendCall())).revision).toBe(revision);
});

test('after days without a run everything in between is told, also what never came to decide', async () => {
  const policyId = await newPolicy();
  await publish(policyId);
  for (const effectiveFrom of [day(5), day(2)]) {
    await redraft(policyId);
    await publish(policyId, { effectiveFrom });
  }
  goTo(4);
  expect(await run()).toEqual({ told: 1 });
  goTo(9);
  expect(await run()).toEqual({ told: 1 });
  expect((await told(policyId)).slice(3).map(({ data }) => data)).toEqual([
    { policyId, version: 1, supersededBy: 3, effectiveUntil: day(2) },
    { policyId, version: 2, supersededBy: 3, effectiveUntil: day(5) },
  ]);
});

test('what was archived, or ends by itself, is superseded by nothing', async () => {
  const [archived, ending] = [await newPolicy(), await newPolicy()];
  await publish(archived);
  await redraft(archived);
  await publish(archived, { effectiveFrom: day(3) });
  await backend.archive({ policyId: archived, at: day(2) }, backendCall());
  await publish(ending, { effectiveUntil: day(1) });
  goTo(10);
  expect(await run()).toEqual({ told: 0 });
  expect((await told(archived)).slice(2)).toEqual([
    {
      type: 'policy.archived',
      at: day(0),
      by: 'test',
      data: { policyId: archived, name: 'Standard', archivedFrom: day(2) },
    },
  ]);
});

test('a request that is repeated is told of once', async () => {
  const policyId = await newPolicy();
  const call = backendCall();
  const first = await backend.publish({ policyId }, call);
  expect(await backend.publish({ policyId }, call)).toMatchObject({ ok: first.ok, value: { replayed: true } });
  expect(await told(policyId)).toHaveLength(1);
});
