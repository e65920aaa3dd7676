import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../lib/backend/standalone.ts';
import type { Input } from '../../lib/contract/contract.ts';
import type { Call, User } from '../../lib/contract/port.ts';
import { startContainer } from '../../lib/runtime/container.ts';
import { openSession } from '../../lib/store/engine/session.ts';
import { readUserNames, userNameWrites } from '../../lib/store/personal/personal.ts';
import { startEngines } from '../inbox/engines.ts';
import { backendCall } from '../support/backend-call.ts';
import { documentFor } from '../support/policies.ts';
import { reasonFacts } from '../support/reasons.ts';
import { ampleDeadline } from '../support/time.ts';

const engines = await startEngines();
afterAll(async () => engines.stop());

const callBy = (user: User): Call => {
  const { caller, ...call } = backendCall();
  return { ...call, caller: { clientId: 'console', scopes: caller.scopes, user } };
};

const createPolicy = async (call: Call) => backend.createPolicy({ name: 'Standard', document: documentFor() }, call);

const nameOf = async ({ id }: User) => {
  using session = openSession(ampleDeadline());
  return (await readUserNames(session, [{ actor: { user: { id } } }])).get(id);
};

const newUser = (name: string): User => ({ id: `auth0|${randomUUID()}#1`, name });

describe('name of a user', () => {
  it('is read by a promise that rejects for a damaged entry', async () => {
    using session = openSession(ampleDeadline());
    // A synchronous error would leave the other reads of a call without a handler, which ends a container.
    const read = readUserNames(session, [{}] as unknown as Parameters<typeof readUserNames>[1]);
    await expect(read).rejects.toThrow(TypeError);
  });

  it('is stored with the first command, and again when it changes', async () => {
    const user = newUser('Ana Silva');
    expect(await nameOf(user)).toBeUndefined();
    await createPolicy({ ...callBy(user), dryRun: true });
    expect(await nameOf(user)).toBeUndefined();
    expect(await createPolicy(callBy(user))).toMatchObject({ ok: true });
    expect(await nameOf(user)).toEqual({ name: 'Ana Silva' });
    expect(await createPolicy(callBy({ ...user, name: 'Ana Costa' }))).toMatchObject({ ok: true });
    expect(await nameOf(user)).toEqual({ name: 'Ana Costa' });
  });

  it('stays when a later token has none', async () => {
    const user = newUser('Ana Silva');
    await createPolicy(callBy(user));
    await createPolicy(callBy({ id: user.id }));
    expect(await nameOf(user)).toEqual({ name: 'Ana Silva' });
  });

  it('costs no write after the first command of a container', async () => {
    const user = newUser('Ana Silva');
    const writes = () => userNameWrites(user).writes.length;
    expect(writes()).toBe(1);
    await createPolicy(callBy(user));
    expect(writes()).toBe(0);
    expect(userNameWrites({ ...user, name: 'Ana Costa' }).writes).toHaveLength(1);
    expect(userNameWrites({ id: user.id }).writes).toEqual([]);
    expect(userNameWrites(undefined).writes).toEqual([]);
    startContainer();
    expect(writes()).toBe(1);
  });

  it('is not stored by an operation that records no actor', async () => {
    const user = newUser('Ana Silva');
    const input = { ...reasonFacts, code: 'shop.of_a_user' } as Input<'putReason'>;
    expect(await backend.putReason(input, callBy(user))).toMatchObject({ ok: true });
    expect(await nameOf(user)).toBeUndefined();
  });

  it('lets concurrent commands of one user succeed, each of which writes the name', async () => {
    const user = newUser('Ana Silva');
    const made = await Promise.all(Array.from({ length: 8 }, async () => createPolicy(callBy(user))));
    expect(made.map(({ ok }) => ok)).toEqual(made.map(() => true));
    expect(await nameOf(user)).toEqual({ name: 'Ana Silva' });
  });

  it('is not more than a thousand times in the memory of a container', () => {
    for (let index = 0; index <= 1_000; index += 1) userNameWrites({ id: `u${index}`, name: 'n' }).stored();
    expect(userNameWrites({ id: 'u1000', name: 'n' }).writes).toEqual([]);
    expect(userNameWrites({ id: 'u0', name: 'n' }).writes).toHaveLength(1);
  });
});
