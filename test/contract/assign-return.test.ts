import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { putUser } from '../support/known-user.ts';
import { createReturn } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { operator, userToken, webApi } from '../support/users.ts';

type User = { readonly userId: string; readonly name: string };

describe.each(contractModes(import.meta.filename))('%s assignReturn', (mode) => {
  const service = contractApi(mode);
  let user: User;
  beforeAll(async () => {
    user = await putUser(stack(), { userId: `staff|${randomUUID()}`, name: 'Rui Braga' });
  });
  const assigned = async (userId: string | null = user.userId) => {
    const { id } = await createReturn(service);
    return { id, answer: await service.post(`/returns/${id}/assignee`, { userId }) };
  };

  it('returns 200 with the assignee', async () => {
    const { id, answer } = await assigned();
    expect(answer).toMatchObject({ status: 200, body: { returnId: id, status: 'requested', version: 2 } });
    expect(answer.body).toHaveProperty('assignee', { id: user.userId });
  });

  it('shows readers the id of the assignee', async () => {
    const { id } = await assigned();
    const { body } = await service.get(`/returns/${id}`, { client: 'returns-reader' });
    expect(body).toHaveProperty('assignee', { id: user.userId });
  });

  it('adds an entry to the history, and none for the same assignee again', async () => {
    const { id } = await assigned();
    expect(await service.post(`/returns/${id}/assignee`, { userId: user.userId })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect((await service.get(`/returns/${id}/history`)).body.items).toMatchObject([
      {},
      { type: 'return.assigned', data: { assignee: { id: user.userId } } },
    ]);
  });

  it('removes the assignee with null', async () => {
    const { id } = await assigned();
    const { body } = await service.post(`/returns/${id}/assignee`, { userId: null });
    expect(body).toMatchObject({ version: 3 });
    expect(body).not.toHaveProperty('assignee');
  });

  it('changes nothing with null on a return without an assignee', async () => {
    expect((await assigned(null)).answer).toMatchObject({ status: 200, body: { version: 1 } });
  });

  it('returns 404 for a user who has sent no command', async () => {
    expect((await assigned(`staff|${randomUUID()}`)).answer).toMatchObject({
      status: 404,
      body: { code: 'user_not_found', errors: [{ path: '/userId', code: 'unknown' }] },
    });
  });

  it('returns 400 for `me` of a client', async () => {
    expect((await assigned('me')).answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/userId', code: 'format' }] },
    });
    expect(await service.get('/returns?assignee=me')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path: '/assignee', code: 'format' }] },
    });
  });

  it('lists the returns of an assignee: the open ones, the ended ones, or all', async () => {
    const other = await putUser(stack(), { userId: `staff|${randomUUID()}`, name: 'Eva Lima' });
    const [first, second] = [(await assigned(other.userId)).id, (await assigned(other.userId)).id];
    await service.post(`/returns/${first}/reject`, { code: 'final_sale' });
    const list = async (query: string) => {
      const { body } = await service.get(`/returns?assignee=${encodeURIComponent(other.userId)}${query}`);
      return (body as unknown as Output<'listReturns'>).items.map(({ returnId }) => returnId);
    };
    await expect.poll(async () => list('')).toEqual([second, first]);
    expect(await list('&open=true')).toEqual([second]);
    expect(await list('&open=false')).toEqual([first]);
    expect(await list('&view=to_decide')).toEqual([second]);
    expect(await list('&assigned=false')).toEqual([]);
  });

  it('lists the user among the users', async () => {
    const { status, body } = await service.get('/users', { client: 'returns-reader' });
    expect(status).toBe(200);
    expect((body as unknown as Output<'listUsers'>).items).toContainEqual(user);
  });
});

describe('assignReturn of a signed-in user', () => {
  const clients = contractApi('standalone');
  const web = webApi('standalone');

  it('assigns the return to the caller by `me`, and lists the caller from then on', async () => {
    const { id } = await createReturn(clients);
    const token = await userToken(operator);
    const answer = await web.post(`/returns/${id}/assignee`, { userId: 'me' }, { token });
    expect(answer).toMatchObject({ status: 200, body: { assignee: { id: operator } } });
    expect((await web.get(`/returns?assignee=me&open=true&limit=200`, { token })).status).toBe(200);
    const { body } = await web.get('/users', { token });
    expect((body as unknown as Output<'listUsers'>).items).toContainEqual({
      userId: operator,
      name: 'Ana Silva',
      me: true,
    });
  });
});
