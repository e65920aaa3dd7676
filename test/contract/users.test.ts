import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { entryHash } from '../../lib/domain/returns/history/history.ts';
import { api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { documentFor } from '../support/policies.ts';
import { createReturn, registerOrder, returnOf } from '../support/scenario.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';
import { stack, stackDataDir } from '../support/stack.ts';
import { storedEntry } from '../support/stored-entry.ts';
import { auditor, author, operator, signedToken, userToken, webApi, webUrl } from '../support/users.ts';

const { audience, console: users } = stack();

/** Returns the actor of a user. The connected mode forwards the id of the person to the service. */
const actorOf = (mode: Mode, id: string, name?: string) =>
  mode === 'standalone'
    ? { clientId: users.clientId, user: { id, ...(name !== undefined && { name }) } }
    : { clientId: 'returns-integration', onBehalfOf: `${users.clientId}/${id}` };

const rejected = (status: number, code: string, fieldError: string) => ({
  status,
  body: { code, errors: [{ code: fieldError }] },
});

describe.each(contractModes(import.meta.filename))('%s API for users', (mode) => {
  const clients = contractApi(mode);
  const web = webApi(mode);
  const as = async (user: string, headers: Record<string, string> = {}) => ({ token: await userToken(user), headers });

  it('records the user of a command in the history, whose hash holds', async () => {
    const { id } = await createReturn(clients);
    const approved = await web.post(`/returns/${id}/approve`, {}, await as(operator));
    expect(approved.status).toBe(200);
    const { status, body } = await web.get(`/returns/${id}/history`, await as(auditor));
    expect(status).toBe(200);
    const { items } = body as unknown as Output<'getHistory'>;
    expect(items[1]?.actor).toMatchObject(actorOf(mode, operator, 'Ana Silva'));
    const digests = items.flatMap(({ actor }) => actor.user?.nameDigest ?? []);
    expect(digests).toHaveLength(mode === 'standalone' ? 1 : 0);
    const stored = items.map(storedEntry);
    expect(stored.map(entryHash)).toEqual(stored.map(({ hash }) => hash));
    expect(JSON.stringify(stored)).not.toContain('Ana Silva');
  });

  it('records the user of a command in the history of a withdrawal', async () => {
    const own = randomUUID();
    const content = { name: `Ada ${own}`, email: `ada-${own}@example.com`, contract: own };
    const { withdrawalId } = (await clients.post('/withdrawals', content))
      .body as unknown as Output<'declareWithdrawal'>;
    const path = `/withdrawals/${withdrawalId}`;
    const sent = { sentAt: new Date().toISOString(), channel: 'email' };
    expect(await web.post(`${path}/receipt/sent`, sent, await as(operator))).toMatchObject({ status: 200 });
    const { body } = await web.get(`${path}/history`, await as(auditor));
    const { items } = body as unknown as Output<'getWithdrawalHistory'>;
    expect(items.at(-1)?.actor).toMatchObject(actorOf(mode, operator, 'Ana Silva'));
  });

  it('shows the author of a note with the name to readers, and without it to the writer', async () => {
    const { id } = await createReturn(clients);
    const added = await web.post(`/returns/${id}/notes`, { text: 'Box is torn.' }, await as(operator));
    expect(JSON.stringify(added.body)).not.toContain('Ana Silva');
    const { body } = await web.get(`/returns/${id}`, await as(auditor));
    expect(body).toMatchObject({ notes: [{ actor: actorOf(mode, operator, 'Ana Silva') }] });
  });

  it('gives two users with the same Idempotency-Key a return each, and repeats that of one user', async () => {
    const [order, key] = [await registerOrder(clients), randomUUID()];
    const create = async (user: string) => web.post('/returns', returnOf(order), { ...(await as(user)), key });
    const [first, second, again] = [await create(operator), await create(author), await create(operator)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.returnId).not.toBe(first.body.returnId);
    expect(again.body.returnId).toBe(first.body.returnId);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('accepts no cursor of another user', async () => {
    const { id } = await createReturn(clients);
    await clients.post(`/returns/${id}/approve`);
    const path = `/returns/${id}/history?limit=1`;
    const { nextCursor } = (await web.get(path, await as(operator))).body;
    const next = `${path}&cursor=${encodeURIComponent(String(nextCursor))}`;
    // All users of the connected mode are one client of the service, on behalf of different persons.
    expect((await web.get(next, await as(auditor))).body.code).toBe('invalid_cursor');
    expect((await web.get(next, await as(operator))).status).toBe(200);
  });

  it('rejects the header by which a client names a person', async () => {
    const { id } = await createReturn(clients);
    const headers = { 'returns-on-behalf-of': 'other-client' };
    const answer = await web.post(`/returns/${id}/approve`, {}, await as(operator, headers));
    expect(answer).toMatchObject(rejected(400, 'invalid_request', 'unexpected'));
  });

  it.each(['cross-site', 'same-site'])('rejects a request from a page of another site (%s)', async (site) => {
    const answer = await web.get('/returns', await as(operator, { 'sec-fetch-site': site }));
    expect(answer).toMatchObject(rejected(403, 'cross_site_request', 'enum'));
  });

  it.each(['same-origin', 'none'])('serves a request of its own page (%s)', async (site) => {
    expect((await web.get('/returns?limit=1', await as(operator, { 'sec-fetch-site': site }))).status).toBe(200);
  });

  it('answers no preflight request, so pages of other origins send no token', async () => {
    const answer = await fetch(`${webUrl(mode)}/v1/returns`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('rejects a user without the scope', async () => {
    const { id } = await createReturn(clients);
    expect((await web.post(`/returns/${id}/approve`, {}, await as(auditor))).status).toBe(403);
    expect((await web.post('/exports', { format: 'csv' }, await as(operator))).status).toBe(403);
  });

  it('rejects tokens of clients, and a request without a token', async () => {
    expect((await web.get('/returns', { client: 'returns-admin' })).status).toBe(401);
    expect((await web.get('/returns', { token: null })).status).toBe(401);
  });

  it.each([
    ['another client than those of ConsoleClients', { client_id: 'returns-admin' }, 'client'],
    ['a client as the subject', { sub: users.clientId }, 'user'],
    ['a client as the subject at Auth0', { sub: `${users.clientId}@clients` }, 'user'],
    ['the mark of an application at Entra ID', { idtyp: 'app' }, 'user'],
    ['the grant of a client', { gty: 'client-credentials' }, 'user'],
    ['no subject', { sub: undefined }, 'user'],
    ['a subject with a space', { sub: 'Ana Silva' }, 'user'],
    ['a subject that is too long', { sub: 'u'.repeat(201) }, 'user'],
  ])('rejects a token with its audience and %s', async (_, claims, fieldError) => {
    const token = await signedToken(claims);
    expect(await web.get('/returns', { token })).toMatchObject(rejected(401, 'invalid_token', fieldError));
  });

  it('leaves out a name that cannot be shown', async () => {
    const { id } = await createReturn(clients);
    const sub = `user-${randomUUID()}`;
    const token = await signedToken({ sub, name: 'Ana\u202ESilva' });
    expect((await web.post(`/returns/${id}/approve`, {}, { token })).status).toBe(200);
    const { body } = await clients.get(`/returns/${id}/history`);
    expect(body.items[1]?.actor).toMatchObject(actorOf(mode, sub));
    expect(JSON.stringify(body)).not.toContain('Silva');
  });

  it('has no token of a user on the API for clients', async () => {
    expect((await clients.get('/returns', { token: await userToken(author) })).status).toBe(401);
    const token = await signedToken({ aud: [audience, users.audience] });
    expect(await clients.get('/returns', { token })).toMatchObject(rejected(401, 'invalid_token', 'client'));
    expect((await web.get('/returns?limit=1', { token })).status).toBe(200);
  });

  it('takes no claim or header of a client for a user', async () => {
    const { id } = await createReturn(clients);
    const token = await signedToken({ aud: audience, client_id: 'returns-partner', sub: operator, name: 'Ana Silva' });
    const headers = { callers: 'users', 'x-callers': 'users', stagevariables: '{"callers":"users"}' };
    expect((await clients.post(`/returns/${id}/approve`, {}, { token, headers })).status).toBe(200);
    const { body } = await clients.get(`/returns/${id}/history`);
    expect(JSON.stringify(body.items[1]?.actor)).not.toContain(operator);
  });
});

describe('standalone name of a user', () => {
  const clients = api('standalone');
  const web = webApi('standalone');

  /** Runs an erasure of a user, and returns its report. */
  const erase = async (request: object): Promise<Output<'eraseCustomer'>['report']> => {
    const started = await clients.post('/erasures', request);
    expect(started.status).toBe(201);
    return vi.waitFor(
      async () => {
        const job = (await clients.get(`/jobs/${started.body.jobId}`)).body as unknown as Output<'eraseCustomer'>;
        expect(job.status).toBe('done');
        return job.report;
      },
      { timeout: 120_000, interval: 250 },
    );
  };

  it('is erased from histories and notes, and the id stays', async () => {
    const { id } = await createReturn(clients);
    const sub = `user-${randomUUID()}`;
    const token = await signedToken({ sub, name: 'Marker Employee' });
    await web.post(`/returns/${id}/notes`, { text: 'Box is torn.' }, { token });
    const read = async () => [
      (await clients.get(`/returns/${id}`)).body,
      (await clients.get(`/returns/${id}/history`)).body,
    ];
    expect(JSON.stringify(await read())).toContain('Marker Employee');
    const erased = { texts: 0, files: 0, deliveries: 0 };
    expect(await erase({ userId: sub, countOnly: true })).toEqual({
      erased: { persons: 1, ...erased },
      kept: { returns: 0 },
    });
    expect(JSON.stringify(await read())).toContain('Marker Employee');
    expect(await erase({ userId: sub })).toEqual({ erased: { persons: 1, ...erased }, kept: { returns: 0 } });
    const [shown, history] = await read();
    const actor = { clientId: users.clientId, user: { id: sub, erased: true } };
    expect(shown).toMatchObject({ notes: [{ actor }] });
    expect(history?.items[1]?.actor).toMatchObject(actor);
    expect(history?.items[1]?.actor.user).not.toHaveProperty('name');
    expect(JSON.stringify([shown, history])).not.toContain('Marker Employee');
    expect((await clients.get(`/returns/${id}/history/verification`)).body).toMatchObject({ valid: true });
    expect(await erase({ userId: sub })).toMatchObject({ erased: { persons: 0 } });
  });

  it('is in no log line, and the id is in that of the request', async () => {
    const { id } = await createReturn(clients);
    const sub = `user-${randomUUID()}`;
    const token = await signedToken({ sub, name: 'Marker Employee' });
    await web.post(`/returns/${id}/approve`, {}, { token });
    const log = join(stackDataDir(), 'logs/standalone.log');
    const text = await vi.waitFor(
      async () => {
        const written = await readFile(log, 'utf8');
        expect(written).toContain(`"userId":"${sub}"`);
        return written;
      },
      { timeout: 120_000, interval: 250 },
    );
    expect(text).not.toContain('Marker Employee');
  });

  it.each([
    [{ userId: 'u', withdrawalId: 'wdr_01KAJ3V9Z8QW4T6R2M5N7P0XYB' }, '/userId'],
    [{ userId: 'u', platform: 'web' }, '/platform'],
    [{ userId: 'a b' }, '/userId'],
  ])('is not erased by the request %j', async (request, path) => {
    const answer = await clients.post('/erasures', request);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ path }] } });
  });

  it('is in no policy and in no job: these have the id', async () => {
    const token = await userToken(author);
    const created = await web.post('/policies', { name: 'Of a user', document: documentFor() }, { token });
    expect(created.status).toBe(201);
    const draft = await clients.get(`/policies/${created.body.policyId}/versions/1`);
    expect(draft.body).toMatchObject({ createdBy: actorOf('standalone', author) });
    const job = await web.post('/erasures', { userId: `user-${randomUUID()}`, countOnly: true }, { token });
    expect(job.body).toMatchObject({ createdBy: actorOf('standalone', author) });
    expect(JSON.stringify([created.body, draft.body, job.body])).not.toContain('Bruno Costa');
  });
});
