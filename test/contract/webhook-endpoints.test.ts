import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../support/api.ts';
import { contractApi, contractModes } from '../support/contract-api.ts';
import { startServer, type Received } from '../support/http-server.ts';
import { createReturn } from '../support/scenario.ts';
import { stack } from '../support/stack.ts';
import { createEndpoint, endpointIn, putSent, silent, type Endpoint } from '../support/webhook-endpoints.ts';

const base = '/webhook-endpoints';
const unknown = `${base}/whk_00000000000000000000000000`;
const ifMatch = (version: number) => ({ headers: { 'if-match': `"${version}"` } });
const bodyOf = ({ body }: Answer) => body as unknown as Record<string, unknown>;

/** Verifies an event as a receiver does, with a secret. */
const verified = ({ body, headers }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

const rejected = (code: string, path?: string) => ({
  code,
  ...(path === undefined ? {} : { errors: [{ path }] }),
});

describe.each(contractModes(import.meta.filename))('%s webhook endpoints', (mode) => {
  let service: Api;
  beforeAll(() => {
    service = contractApi(mode);
  });

  it('returns the secret of a new endpoint once, and again for a repeated request', async () => {
    const key = randomUUID();
    const request = { url: silent, eventTypes: ['return.approved', 'refund.*'], description: 'The shop' };
    const first = await service.post(base, request, { key });
    const { secret = '', ...view } = endpointIn(first);
    const path = `${base}/${view.endpointId}`;
    try {
      expect(first.status).toBe(201);
      expect([first.headers.get('location'), first.headers.get('etag')]).toEqual([`/v1${path}`, '"1"']);
      expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
      expect(view).toMatchObject({ ...request, enabled: true, version: 1, secrets: [{ createdAt: view.createdAt }] });
      const again = await service.post(base, request, { key });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
      expect(await service.post(base, { url: silent }, { key })).toMatchObject({
        status: 422,
        body: rejected('idempotency_key_reused', 'header:Idempotency-Key'),
      });
      const read = await service.get(path);
      expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', view]);
      const { items, nextCursor } = bodyOf(await service.get(base)) as { items: Endpoint[]; nextCursor: null };
      expect([items.find(({ endpointId: id }) => id === view.endpointId), nextCursor]).toEqual([view, null]);
    } finally {
      await service.delete(path);
    }
  });

  it('creates nothing in a dry run', async () => {
    const trial = await service.post(`${base}?dryRun=true`, { url: silent }, { key: null });
    expect(trial).toMatchObject({ status: 201, body: { url: silent, eventTypes: ['*'] } });
    expect(endpointIn(trial).secret).toBeUndefined();
    expect(await service.get(`${base}/${trial.body.endpointId}`)).toMatchObject({ status: 404 });
  });

  it('sends nothing to private addresses, in any notation', async () => {
    const urls = [
      'http://hooks.example.com/',
      'https://ada:pass@hooks.example.com/',
      'https://hooks.example.com/#returns',
      'https://10.0.0.1/',
      'https://0x0a.1/',
      'https://167772161/',
      'https://[::ffff:10.0.0.1]/',
      'https://[64:ff9b::a9fe:a9fe]/',
      'https://localhost/',
      'https://vault.internal/',
    ];
    for (const url of urls) {
      const answer = await service.post(base, { url });
      expect([url, answer.status, answer.body]).toMatchObject([url, 422, rejected('endpoint_url_forbidden', '/url')]);
    }
    await using created = await createEndpoint(service);
    expect(await service.patch(created.path, { url: 'https://192.168.0.1/' }, ifMatch(1))).toMatchObject({
      status: 422,
    });
  });

  it.each([
    [{ url: silent, eventTypes: ['return.lost'] }, '/eventTypes/0'],
    [{ url: silent, eventTypes: [] }, '/eventTypes'],
    [{ url: 'hooks.example.com' }, '/url'],
  ])('returns 400 for %j', async (request, path) => {
    expect(await service.post(base, request)).toMatchObject({ status: 400, body: rejected('invalid_request', path) });
  });

  it('changes an endpoint at the version of If-Match, and disables and enables it', async () => {
    await using created = await createEndpoint(service, { description: 'The shop' });
    const { path } = created;
    expect(await service.patch(path, { enabled: false })).toMatchObject({ status: 428 });
    const off = await service.patch(path, { enabled: false, description: null }, ifMatch(1));
    expect(off).toMatchObject({ status: 200, body: { enabled: false, disabled: { reason: 'requested' }, version: 2 } });
    expect(bodyOf(off)).not.toHaveProperty('description');
    expect(await service.patch(path, { enabled: true }, ifMatch(1))).toMatchObject({
      status: 412,
      body: rejected('version_mismatch', 'header:If-Match'),
    });
    const same = await service.patch(path, { enabled: false }, ifMatch(2));
    expect([same.headers.get('etag'), same.body]).toEqual(['"2"', off.body]);
    const on = await service.patch(path, { enabled: true, eventTypes: ['items.*'] }, ifMatch(2));
    expect(on).toMatchObject({ status: 200, body: { enabled: true, eventTypes: ['items.*'], version: 3 } });
    expect(bodyOf(on)).not.toHaveProperty('disabled');
  });

  it('deletes an endpoint once', async () => {
    const { path, endpoint } = await createEndpoint(service);
    expect(await service.delete(path, ifMatch(2))).toMatchObject({ status: 412 });
    expect(await service.delete(`${path}?dryRun=true`)).toMatchObject({ status: 200 });
    expect(await service.delete(path, ifMatch(1))).toMatchObject({
      status: 200,
      body: { endpointId: endpoint.endpointId, version: 1 },
    });
    for (const answer of [await service.delete(path), await service.get(path), await service.post(`${path}/secret`)])
      expect(answer).toMatchObject({ status: 404, body: rejected('endpoint_not_found', '/endpointId') });
  });

  it('signs with both secrets during a rotation, and with two at most', async () => {
    await using receiver = await startServer(() => ({ status: 204 }));
    await using created = await createEndpoint(service, { url: `${receiver.origin}/hooks` });
    const { path, endpoint } = created;
    const key = randomUUID();
    const second = await service.post(`${path}/secret`, { overlapHours: 1 }, { key });
    expect(second).toMatchObject({
      status: 200,
      body: { version: 2, secrets: [{ createdAt: expect.any(String) }, { expiresAt: expect.any(String) }] },
    });
    const again = await service.post(`${path}/secret`, { overlapHours: 1 }, { key });
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', second.body]);
    await service.post(`${path}/test`, undefined, { key: null });
    const third = await service.post(`${path}/secret`);
    expect(endpointIn(third).secrets).toHaveLength(2);
    await service.post(`${path}/test`, undefined, { key: null });
    const last = await service.post(`${path}/secret`, { overlapHours: 0 });
    expect(endpointIn(last).secrets).toHaveLength(1);
    await service.post(`${path}/test`, undefined, { key: null });
    const secrets = [endpoint, ...[second, third, last].map(endpointIn)].map(({ secret = '' }) => secret);
    expect(new Set(secrets).size).toBe(4);
    const opens = receiver.requests.map((request) =>
      secrets.map((secret) => {
        try {
          return verified(request, secret) !== undefined;
        } catch {
          return false;
        }
      }),
    );
    expect(opens).toEqual([
      [true, true, false, false],
      [false, true, true, false],
      [false, false, false, true],
    ]);
  });

  it('tests an endpoint, also a disabled one, and returns the result', async () => {
    let status = 204;
    await using receiver = await startServer(() => ({ status, body: status === 204 ? '' : 'not now' }));
    await using created = await createEndpoint(service, { url: `${receiver.origin}/hooks` });
    const { path, endpoint } = created;
    await service.patch(path, { enabled: false }, ifMatch(1));
    const test = async () => bodyOf(await service.post(`${path}/test`, undefined, { key: null }));
    expect(await test()).toMatchObject({ delivered: true, attempt: { status: 204, ms: expect.any(Number) } });
    const [request] = receiver.requests;
    if (request === undefined) throw new Error('nothing came');
    expect(verified(request, endpoint.secret ?? '')).toMatchObject({
      specversion: '1.0',
      id: request.headers['webhook-id'],
      type: 'com.example.returns.webhook_endpoint.test',
      subject: endpoint.endpointId,
    });
    status = 503;
    expect(await test()).toMatchObject({ delivered: false, attempt: { status: 503, response: 'not now' } });
    expect(receiver.requests).toHaveLength(2);
    await service.patch(path, { url: silent }, ifMatch(2));
    expect(await test()).toMatchObject({ delivered: false, attempt: { error: 'connect' } });
    expect(await service.post(`${unknown}/test`, undefined, { key: null })).toMatchObject({ status: 404 });
  });

  it('lists the deliveries of an endpoint, the newest event first', async () => {
    await using created = await createEndpoint(service);
    const { path, endpoint } = created;
    const ids: string[] = [];
    for (const day of [1, 2, 3, 4, 5, 6, 7]) {
      const { eventId } = await putSent(stack(), endpoint.endpointId, {
        updatedAt: `2026-11-0${day}T08:00:00.000Z`,
        ...(day % 2 === 0 ? { status: 'delivered', type: 'refund.succeeded' } : {}),
      });
      ids.unshift(eventId);
    }
    type Page = { items: { eventId: string }[]; nextCursor: string | null };
    const page = async (query: string) => {
      const { items, nextCursor } = bodyOf(await service.get(`${path}/deliveries?${query}`)) as Page;
      return { found: items.map(({ eventId }) => eventId), nextCursor };
    };
    const walked: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { found, nextCursor } = await page(`limit=3${next === '' ? '' : `&cursor=${encodeURIComponent(next)}`}`);
      expect(found.length).toBeLessThanOrEqual(3);
      walked.push(...found);
      next = nextCursor;
    }
    expect(walked).toEqual(ids);
    const even = ids.filter((_, index) => index % 2 === 1);
    expect(await page('status=delivered')).toEqual({ found: even, nextCursor: null });
    expect(await page('type=refund.succeeded&from=2026-11-04T00:00:00Z')).toEqual({
      found: even.slice(0, 2),
      nextCursor: null,
    });
    expect(await service.get(`${path}/deliveries?cursor=none`)).toMatchObject({
      status: 400,
      body: rejected('invalid_cursor', '/cursor'),
    });
    expect(await service.get(`${unknown}/deliveries`)).toMatchObject({ status: 404 });
  });

  it('shows a delivery with its attempts and its exact request', async () => {
    await using created = await createEndpoint(service, { url: `${silent}?of=returns` });
    const { path, endpoint } = created;
    const { id } = await createReturn(service);
    const stream = `RETURN#${id}`;
    const { body } = await service.get(`/returns/${id}/history`);
    const at = body.items[0]?.at ?? '';
    const { eventId, updatedAt } = await putSent(stack(), endpoint.endpointId, {
      place: stream,
      type: 'return.requested',
      updatedAt: at,
    });
    const read = bodyOf(await service.get(`${path}/deliveries/${eventId}`));
    expect(read).toMatchObject({
      eventId,
      subject: id,
      sequence: 1,
      status: 'failed',
      attempts: [{ status: 500, response: 'no' }],
      request: {
        url: `${silent}?of=returns`,
        headers: { 'webhook-id': eventId, 'webhook-timestamp': String(Math.floor(Date.parse(updatedAt) / 1000)) },
      },
    });
    const request = read['request'] as { body: string };
    expect(JSON.parse(request.body)).toMatchObject({
      id: eventId,
      type: 'com.example.returns.return.requested',
      time: at,
      subject: id,
    });
    // Every other kind of event is found by the same path.
    for (const other of [
      'POLICY#pol_1',
      'ENDPOINT#whk_1',
      'ERASURE#job_1',
      'SUMMARY#2026-11-22',
      'ANCHOR#2026-11-22',
    ]) {
      const missing = await putSent(stack(), endpoint.endpointId, { place: other });
      const delivery = await service.get(`${path}/deliveries/${missing.eventId}`);
      expect(delivery).toMatchObject({ status: 200, body: { subject: other.slice(other.indexOf('#') + 1) } });
      expect(bodyOf(delivery)).not.toHaveProperty('request');
    }
    expect(await service.get(`${path}/deliveries/evt_00000000000000000000000000`)).toMatchObject({
      status: 404,
      body: rejected('webhook_delivery_not_found', '/eventId'),
    });
  });

  it('sends named deliveries again, and the failed ones of a period', async () => {
    await using created = await createEndpoint(service);
    const { path, endpoint } = created;
    const sent = [];
    for (const day of [1, 2, 3, 4]) {
      const updatedAt = `2026-11-0${day}T08:00:00.000Z`;
      const status = day === 3 ? 'delivered' : 'failed';
      sent.push(await putSent(stack(), endpoint.endpointId, { updatedAt, status }));
    }
    const key = randomUUID();
    const again = `${path}/deliveries/${sent[2]?.eventId}/redeliver`;
    expect(await service.post(again, {}, { key })).toMatchObject({ status: 200, body: { eventId: sent[2]?.eventId } });
    expect((await service.post(again, {}, { key })).headers.get('idempotency-replayed')).toBe('true');
    const range = { from: '2026-11-02T00:00:00Z', until: '2026-11-05T00:00:00Z' };
    const trial = await service.post(`${path}/redeliveries?dryRun=true`, { ...range, status: 'any' }, { key: null });
    expect(trial).toMatchObject({ status: 200, body: { redelivered: 3, looked: 3, nextCursor: null } });
    const first = await service.post(`${path}/redeliveries`, { ...range, limit: 2 });
    expect(first).toMatchObject({ status: 200, body: { redelivered: 1, looked: 2, nextCursor: expect.any(String) } });
    const cursor = bodyOf(first)['nextCursor'];
    const rest = await service.post(`${path}/redeliveries`, { ...range, limit: 2, cursor });
    expect(rest).toMatchObject({ status: 200, body: { redelivered: 1, looked: 1, nextCursor: null } });
    expect(await service.post(`${path}/redeliveries`, { ...range, status: 'any', cursor })).toMatchObject({
      status: 400,
      body: rejected('invalid_cursor', '/cursor'),
    });
    await service.patch(path, { enabled: false }, ifMatch(1));
    const disabled = { status: 409, body: rejected('endpoint_disabled') };
    expect(await service.post(again)).toMatchObject(disabled);
    expect(await service.post(`${path}/redeliveries`, range)).toMatchObject(disabled);
  });
});
