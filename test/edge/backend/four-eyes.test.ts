import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Call, Caller } from '../../../lib/contract/port.ts';
import { startWorld } from '../../service/outbox/world.ts';
import { backendCall } from '../../support/backend-call.ts';
import { setEnvironment } from '../../support/environment.ts';
import { documentFor } from '../../support/policies.ts';
import { inSoak } from '../../support/samples.ts';

const world = await startWorld();
afterAll(world.stop);

const requireSecond = (fourEyes: 'off' | 'on') => setEnvironment({ FOUR_EYES: fourEyes });

/** Returns a call of a client, optionally of a user, or for a person. */
const by = (person: Partial<Caller>): Call => ({
  ...backendCall(),
  caller: { clientId: 'console', scopes: ['returns:read', 'returns:write', 'returns:admin'], ...person },
});
const user = (id: string, clientId = 'console') => by({ clientId, user: { id } });
const agent = (onBehalfOf: string) => by({ onBehalfOf });

/** Creates a draft by the first person. The others save it, one after another. */
const draftBy = async (first: Call, ...others: readonly Call[]): Promise<string> => {
  const document = documentFor(randomUUID());
  const created = await backend.createPolicy({ name: 'Rules', document }, first);
  if (!created.ok) throw new Error(created.failure.detail);
  const { policyId } = created.value.body;
  for (const [index, call] of others.entries()) {
    const saved = await backend.saveDraft({ policyId, document }, { ...call, ifMatch: index + 1 });
    if (!saved.ok) throw new Error(saved.failure.detail);
    expect(saved.value.body).not.toHaveProperty('savedBy');
  }
  return policyId;
};

const publish = async (policyId: string, call: Call) =>
  backend.publish({ policyId }, { ...call, idempotencyKey: randomUUID() });

const rejected = { ok: false, failure: { code: 'second_person_required' } };
const published = { ok: true, value: { body: { status: 'published' } } };

describe('publish with FourEyes', () => {
  it('rejects each person who saved a revision, and accepts another one', async () => {
    requireSecond('on');
    const policyId = await draftBy(user('ada'), user('bob'), user('ada'), agent('partner/eve'));
    // The same user signs in with another client, also in front of the connected mode.
    for (const call of [user('ada'), user('bob', 'other'), agent('partner/eve'), agent('other/eve')])
      expect(await publish(policyId, call)).toMatchObject(rejected);
    expect(await publish(policyId, { ...user('ada'), dryRun: true })).toMatchObject(rejected);
    expect(await publish(policyId, user('eve'))).toMatchObject(published);
  });

  it('distinguishes the persons of a client, and no requests of a client without a person', async () => {
    requireSecond('on');
    expect(await publish(await draftBy(by({})), by({}))).toMatchObject(rejected);
    expect(await publish(await draftBy(by({})), agent('partner/ada'))).toMatchObject(published);
    expect(await publish(await draftBy(by({})), by({ clientId: 'other' }))).toMatchObject(published);
  });

  it('counts the persons of the next version from its first revision', async () => {
    requireSecond('on');
    const policyId = await draftBy(user('ada'));
    expect(await publish(policyId, user('bob'))).toMatchObject(published);
    const next = { ...user('bob'), ifMatch: 0 };
    expect(await backend.saveDraft({ policyId, document: documentFor(randomUUID()) }, next)).toMatchObject({
      ok: true,
    });
    expect(await publish(policyId, user('bob'))).toMatchObject(rejected);
    expect(await publish(policyId, user('ada'))).toMatchObject(published);
  });

  it.each(inSoak('records the last 20 persons of a draft'))('%s', async () => {
    requireSecond('on');
    const savers = Array.from({ length: 20 }, (_, index) => user(`user-${index}`));
    const policyId = await draftBy(user('first'), ...savers);
    for (const call of savers) expect(await publish(policyId, call)).toMatchObject(rejected);
    expect(await publish(policyId, user('first'))).toMatchObject(published);
  });

  it('accepts the author when it is off', async () => {
    requireSecond('off');
    expect(await publish(await draftBy(user('ada')), user('ada'))).toMatchObject(published);
  });
});
