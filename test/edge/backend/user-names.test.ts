import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Input } from '../../../lib/contract/contract.ts';
import type { Call, User } from '../../../lib/contract/port.ts';
import { sha256Of } from '../../../lib/domain/returns/history/canonical-json.ts';
import { startContainer } from '../../../lib/runtime/container.ts';
import { table } from '../../../lib/store/engine/client.ts';
import { type Key, userNameKey, userNamesPartition } from '../../../lib/store/engine/keys.ts';
import { queryAll } from '../../../lib/store/engine/query-pages.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { eraseUserName } from '../../../lib/store/personal/erasure.ts';
import { prepareUserName, readUserNames } from '../../../lib/store/personal/user-names.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { orderFacts } from '../../support/orders.ts';
import { documentFor } from '../../support/policies.ts';
import { reasonFacts } from '../../support/reasons.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline } from '../../support/time.ts';
import { inSoak } from '../../support/samples.ts';

const engines = await startEngines();
afterAll(async () => engines.stop());

const callBy = (user: User): Call => {
  const { caller, ...call } = backendCall();
  return { ...call, caller: { clientId: 'console', scopes: caller.scopes, user } };
};

const createPolicy = async (call: Call) => backend.createPolicy({ name: 'Standard', document: documentFor() }, call);

/** Requests a return of a new order. */
const request = async (): Promise<string> => {
  const order = { platform: 'web', orderId: randomUUID() };
  const observedAt = new Date().toISOString();
  await backend.registerOrder({ ...order, ...orderFacts(), observedAt } as Input<'registerOrder'>, backendCall());
  const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }];
  const created = await backend.createReturn({ order, lines }, backendCall());
  if (!created.ok) throw new Error(created.failure.code);
  return created.value.body.returnId;
};

/** Approves a new return as a user, and returns its id. */
const approve = async (user: User) => {
  const id = await request();
  expect(await backend.approve({ returnId: id }, callBy(user))).toMatchObject({ ok: true });
  return id;
};

const historyOf = async (returnId: string) => {
  const read = await backend.getHistory({ returnId }, backendCall());
  if (!read.ok) throw new Error(read.failure.code);
  return read.value.body.items;
};
const userOf = async (returnId: string) => (await historyOf(returnId)).at(-1)?.actor.user;

/** Overwrites what the role of any command may write: the names of a user. */
const overwrite = async ({ id }: User, nameDigest: string, row: object) => {
  using session = openSession(ampleDeadline());
  await session.send(new PutCommand({ TableName: table(), Item: { ...userNameKey(id, nameDigest), ...row } }));
};

const rowsOf = async ({ id }: User) => {
  using session = openSession(ampleDeadline());
  return await queryAll<Key & { readonly name?: string; readonly salt?: string }>(session, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': userNamesPartition(id) },
    ConsistentRead: true,
  });
};
const namesOf = async (user: User) => (await rowsOf(user)).map(({ name = '' }) => name).toSorted();

const newUser = (name: string): User => ({ id: `auth0|${randomUUID()}#1`, name });

describe('name of a user', () => {
  it('is read by a promise that rejects for a damaged entry', async () => {
    using session = openSession(ampleDeadline());
    // A synchronous error would leave the other reads of a call without a handler, which ends a container.
    const read = readUserNames(session, [{}] as unknown as Parameters<typeof readUserNames>[1]);
    await expect(read).rejects.toThrow(TypeError);
  });

  it('is stored with the first command, and each other name beside it', async () => {
    const user = newUser('Ana Silva');
    await createPolicy({ ...callBy(user), dryRun: true });
    expect(await namesOf(user)).toEqual([]);
    await createPolicy(callBy(user));
    expect(await namesOf(user)).toEqual(['Ana Silva']);
    await createPolicy(callBy({ ...user, name: 'Ana Costa' }));
    startContainer();
    await createPolicy(callBy(user));
    expect(await namesOf(user)).toEqual(['Ana Costa', 'Ana Silva']);
  });

  it('is shown in each entry as it was then, and the hash covers its digest', async () => {
    const user = newUser('Ana Silva');
    const first = await approve(user);
    const second = await approve({ ...user, name: 'Ana Costa' });
    const third = await approve({ id: user.id });
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await userOf(first)).toEqual({ id: user.id, nameDigest: digest, name: 'Ana Silva' });
    expect(await userOf(second)).toEqual({ id: user.id, nameDigest: digest, name: 'Ana Costa' });
    expect(await userOf(third)).toEqual({ id: user.id });
    const entry = (await historyOf(first)).at(-1);
    const { name: _, ...stored } = entry?.actor.user ?? { id: '' };
    const { hash, mac: __, ...hashed } = { ...entry, actor: { ...entry?.actor, user: stored } };
    expect(sha256Of(hashed)).toBe(hash);
    expect(sha256Of({ ...hashed, actor: { ...hashed.actor, user: { id: user.id } } })).not.toBe(hash);
  });

  it('is not shown when the role of another command has overwritten it, even by another name of the user', async () => {
    const [user, other] = [newUser('Ana Silva'), newUser('Bruno Costa')];
    const [id, second, of] = [await approve(user), await approve({ ...user, name: 'Ana Costa' }), await approve(other)];
    const digest = (await userOf(id))?.nameDigest ?? '';
    const renamed = (await rowsOf(user)).find(({ name }) => name === 'Ana Costa');
    const [foreign] = await rowsOf(other);
    const salt = (await rowsOf(user))[0]?.salt;
    const heard = hearLines((line) => expect(line).not.toMatch(/Silva|Costa|Mallory/));
    for (const row of [{ name: 'Mallory', salt }, { name: 'Mallory' }, { ...renamed }, { ...foreign }]) {
      await overwrite(user, digest, { name: row.name, salt: row.salt });
      expect(await userOf(id)).toEqual({ id: user.id, nameDigest: digest });
    }
    expect(heard).toHaveBeenCalled();
    heard.mockRestore();
    expect(await userOf(second)).toMatchObject({ name: 'Ana Costa' });
    expect(await userOf(of)).toMatchObject({ name: 'Bruno Costa' });
    expect(await backend.verifyHistory({ returnId: id }, backendCall())).toMatchObject({
      ok: true,
      value: { body: { valid: true } },
    });
  });

  it('is in notes too, without the digest', async () => {
    const user = newUser('Ana Silva');
    const id = await request();
    await backend.addNote({ returnId: id, text: 'Box is torn.' }, callBy(user));
    const read = await backend.getReturn({ returnId: id }, backendCall());
    const notes = read.ok ? read.value.body.notes : [];
    expect(notes[0]?.actor.user).toEqual({ id: user.id, name: 'Ana Silva' });
  });

  it('is erased from all histories with all names of the user, and a later name is another one', async () => {
    const user = newUser('Ana Silva');
    const [first, second] = [await approve(user), await approve({ ...user, name: 'Ana Costa' })];
    using session = openSession(ampleDeadline());
    expect(await eraseUserName(session, user.id, true)).toBe(1);
    expect(await userOf(first)).toMatchObject({ name: 'Ana Silva' });
    expect(await eraseUserName(session, user.id, false)).toBe(1);
    for (const id of [first, second])
      expect(await userOf(id)).toEqual({ id: user.id, nameDigest: expect.any(String), erased: true });
    expect(await rowsOf(user)).toEqual((await rowsOf(user)).map(({ pk, sk }) => ({ pk, sk, erased: true })));
    expect(await eraseUserName(session, user.id, false)).toBe(0);
    // The container still knows the salt, and writes no name again.
    expect(await userOf(await approve({ ...user, name: 'Ana Costa' }))).toMatchObject({ erased: true });
    startContainer();
    const later = await approve(user);
    expect(await userOf(later)).toMatchObject({ name: 'Ana Silva' });
    expect((await userOf(later))?.nameDigest).not.toBe((await userOf(first))?.nameDigest);
    expect(await userOf(first)).toMatchObject({ erased: true });
  });

  it('has one row for each name, however many containers store it', async () => {
    const user = newUser('Ana Silva');
    for (let container = 0; container < 3; container += 1) {
      startContainer();
      await createPolicy(callBy(user));
    }
    expect(await rowsOf(user)).toHaveLength(1);
  });

  it('costs no write after the first command of a container', async () => {
    const user = newUser('Ana Silva');
    using session = openSession(ampleDeadline());
    const writes = async (of: User | undefined = user) => (await prepareUserName(session, of)).writes.length;
    // The name for histories, and the row in the list of users.
    expect(await writes()).toBe(2);
    await createPolicy(callBy(user));
    expect(await writes()).toBe(0);
    expect(await writes({ ...user, name: 'Ana Costa' })).toBe(2);
    expect(await writes({ id: user.id })).toBe(0);
    expect((await prepareUserName(session, undefined)).writes).toEqual([]);
    startContainer();
    expect(await writes()).toBe(2);
  });

  it('is not stored by an operation that records no actor', async () => {
    const user = newUser('Ana Silva');
    const input = { ...reasonFacts, code: 'shop.of_a_user' } as Input<'putReason'>;
    expect(await backend.putReason(input, callBy(user))).toMatchObject({ ok: true });
    expect(await namesOf(user)).toEqual([]);
  });

  it.each(inSoak('lets concurrent commands of one user succeed, each of which writes the name'))('%s', async () => {
    const user = newUser('Ana Silva');
    const created = await Promise.all(Array.from({ length: 8 }, async () => createPolicy(callBy(user))));
    expect(created.map(({ ok }) => ok)).toEqual(created.map(() => true));
    expect(await namesOf(user)).toEqual(['Ana Silva']);
  });

  it('is not more than a hundred times in the memory of a container', async () => {
    using session = openSession(ampleDeadline());
    const see = async (id: string) => prepareUserName(session, { id, name: 'n' });
    (await see('u0')).stored();
    expect((await see('u0')).writes).toEqual([]);
    for (let index = 1; index <= 100; index += 1) (await see(`u${index}`)).stored();
    expect((await see('u100')).writes).toEqual([]);
    expect((await see('u0')).writes).toHaveLength(2);
  });
});
