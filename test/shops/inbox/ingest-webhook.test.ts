import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import type { WebhookRequest } from '../../../lib/shops/platforms/platform.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { reopenDelivery } from '../../../lib/store/inbox/inbox-replay.ts';
import { readDelivery, recordAttempt, settleDelivery } from '../../../lib/store/inbox/inbox.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { ampleDeadline } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { authentic, keyOfBody, only, outside, platformWith, post, startLosingEngine } from './support.ts';

const engines = await startEngines();
const { messages, empty, row, rows } = outside(engines);

afterAll(engines.stop);
beforeEach(empty);
afterEach(restoreEnvironment);

let next = 0;
/** Returns a delivery that no other test uses. */
const fresh = () => {
  next += 1;
  const body = `{"n":${next}}`;
  return { deliveryId: `d-${next}`, body, key: keyOfBody(body) };
};
const handlerFor = (deliveryId: string, topic = 'returns/request') =>
  ingestWebhook(only(platformWith({ verification: authentic({ deliveryId, topic }) })));

/** Returns the receiver of a container that starts in another environment. */
const receiverIn = (environment: Record<string, string>) => {
  stubEnvironment(environment);
  return ingestWebhook;
};

const keysIn = async () => (await messages()).map(({ Body }) => JSON.parse(Body ?? '').key as string);

describe('ingestWebhook', () => {
  test('stores the exact bytes, enqueues only the key, and answers 200 with an empty body', async () => {
    const { deliveryId } = fresh();
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    const key = keyOfBody(bytes);
    expect(await handlerFor(deliveryId)(post(bytes))).toEqual({ statusCode: 200, body: '' });
    const stored = await row(deliveryId);
    expect(stored).toMatchObject({
      pk: key,
      sk: 'DELIVERY',
      platform: 'acme',
      source: 'shop.example',
      topic: 'returns/request',
      status: 'received',
      attempts: 0,
      bodyHash: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(stored?.['traceId']).toMatch(/^[0-9a-f]{32}$/);
    expect(stored?.['expiresAt']).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400);
    expect(gunzipSync(stored?.['body'] as Uint8Array).equals(bytes)).toBe(true);
    const [message, ...others] = await messages();
    expect(others).toEqual([]);
    expect(message?.Body).toBe(JSON.stringify({ key }));
  });

  test('stores one row of a repeated delivery and enqueues it again until it is settled', async () => {
    const { deliveryId, body, key } = fresh();
    const handler = handlerFor(deliveryId);
    await handler(post(body));
    expect(await handler(post(body))).toEqual({ statusCode: 200, body: '' });
    expect(await keysIn()).toEqual([key, key]);
    using session = openSession(ampleDeadline());
    const stored = await readDelivery(session, key);
    if (stored === undefined) throw new Error('not stored');
    await settleDelivery(session, stored, { status: 'parked', reason: 'x' }, '2026-11-21T08:00:00Z');
    expect(await handler(post(body))).toEqual({ statusCode: 200, body: '' });
    expect(await keysIn()).toEqual([]);
    expect((await row(deliveryId))?.['status']).toBe('parked');
  });

  test('lets a late worker neither settle nor fail the replay of a delivery that another worker settled', async () => {
    const { deliveryId, body, key } = fresh();
    await handlerFor(deliveryId)(post(body));
    using session = openSession(ampleDeadline());
    const read = async () => {
      const found = await readDelivery(session, key);
      if (found === undefined) throw new Error('not stored');
      return found;
    };
    const late = { status: 'parked', reason: 'late' } as const;
    for (const settled of ['2026-11-21T08:00:00Z', '2026-11-21T09:00:00Z']) {
      const slow = await read();
      expect(await settleDelivery(session, slow, { status: 'parked', reason: 'first' }, settled)).toBe(true);
      expect(await reopenDelivery(session, key, await read(), new Date().toISOString())).toBe(true);
      expect(await settleDelivery(session, slow, late, new Date().toISOString())).toBe(false);
      expect(await recordAttempt(session, slow, 'failed', 'late')).toBe(false);
      expect(await read()).toMatchObject({ status: 'received' });
    }
    expect(await settleDelivery(session, await read(), { status: 'done' }, new Date().toISOString())).toBe(true);
  });

  test('stores a replayed body once under any unsigned topics and ids, and stores the true delivery too', async () => {
    const { body, deliveryId } = fresh();
    const replay = async (topic: string, id: string) => {
      const platform = platformWith({ verification: authentic({ deliveryId: id, topic }) });
      await ingestWebhook(only({ ...platform, hasTopic: (name) => name === 'returns/request' }))(post(body));
    };
    for (let count = 0; count < 15; count += 1) await replay(`made.up_${count}`, `${deliveryId}-${count}`);
    await replay('returns/request', deliveryId);
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const topics = (await rows()).filter((one) => one['bodyHash'] === bodyHash).map(({ topic }) => String(topic));
    expect(new Set(topics)).toEqual(new Set(['returns/request', 'unknown']));
    expect(topics).toHaveLength(2);
  });

  test('treats a signed body under another id as the same delivery', async () => {
    const { deliveryId, body, key } = fresh();
    await handlerFor(deliveryId)(post(body));
    expect(await handlerFor(`${deliveryId}-replayed`)(post(body))).toEqual({ statusCode: 200, body: '' });
    expect(await row(`${deliveryId}-replayed`)).toBeUndefined();
    expect(await keysIn()).toEqual([key, key]);
  });

  test('stores another signed body under a known id', async () => {
    const { deliveryId, body } = fresh();
    const other = fresh();
    await handlerFor(deliveryId)(post(body));
    await handlerFor(deliveryId)(post(other.body));
    using session = openSession(ampleDeadline());
    expect(await readDelivery(session, other.key)).toMatchObject({ deliveryId, status: 'received' });
  });

  test('stores one event once in other bytes when its id is signed', async () => {
    const { deliveryId, body } = fresh();
    const before = (await rows()).length;
    const verification = authentic({ deliveryId, isIdSigned: true });
    for (const bytes of [body, ` ${body}`]) await ingestWebhook(only(platformWith({ verification })))(post(bytes));
    expect(await rows()).toHaveLength(before + 1);
    expect(new Set(await keysIn()).size).toBe(1);
  });

  test('stores equal bodies separately where a topic may repeat them', async () => {
    const { deliveryId, body } = fresh();
    await handlerFor(deliveryId, 'returns/reopen')(post(body));
    await handlerFor(`${deliveryId}-again`, 'returns/reopen')(post(body));
    expect(await row(`${deliveryId}-again`)).toBeDefined();
  });

  test('nozzlegear/ShopifySharp#919: stores one row of ten concurrent copies', async () => {
    const { deliveryId, body } = fresh();
    const before = (await rows()).length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => handlerFor(deliveryId)(post(body))));
    expect(answers).toEqual(answers.map(() => ({ statusCode: 200, body: '' })));
    expect(await rows()).toHaveLength(before + 1);
  });

  test.each([
    ['invalid_signature', 401, { kind: 'rejected', reason: 'signature_mismatch' }],
    ['invalid_signature', 401, { kind: 'rejected', reason: 'unknown_source' }],
    ['invalid_request', 400, { kind: 'malformed', header: 'X-Shopify-Topic' }],
    ['internal_error', 500, { kind: 'unverifiable', reason: 'no_usable_secret' }],
  ] as const)('answers %s with %i and stores nothing', async (code, status, verification) => {
    const before = (await rows()).length;
    const answer = await ingestWebhook(only(platformWith({ verification })))(post('{}'));
    expect(answer.statusCode).toBe(status);
    expect(answer.headers?.['content-type']).toBe('application/problem+json');
    expect(JSON.parse(answer.body ?? '')).toMatchObject({
      code,
      status,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await rows()).toHaveLength(before);
    expect(await messages()).toEqual([]);
  });

  test('uses one name for a source, however its path is written', async () => {
    const sources: unknown[] = [];
    const platform = {
      ...platformWith({}),
      authenticate: async ({ source }: WebhookRequest) => {
        sources.push(source);
        return { kind: 'rejected', reason: 'unknown_source' } as const;
      },
    };
    for (const source of ['acme', 'ACME', 'Ac%2Fme', '__proto__'])
      await ingestWebhook(only(platform))({ ...post('{}'), pathParameters: { platform: 'shopify', source } });
    expect(sources).toEqual(['acme', 'acme', 'ac%2fme', '__proto__']);
  });

  test('rejects a body above 6 MiB before it verifies anything', async () => {
    const platform = { ...platformWith({}), authenticate: () => Promise.reject(new Error('must not be called')) };
    expect((await ingestWebhook(only(platform))(post('x'.repeat(6 * 1024 * 1024 + 1)))).statusCode).toBe(413);
  });

  test('answers 503 when our own secrets are unreadable', async () => {
    const platform = { ...platformWith({}), authenticate: () => Promise.reject(new Error('secret-in-message')) };
    const answer = await ingestWebhook(only(platform))(post('{}'));
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain('secret-in-message');
  });

  test('answers 503 when the queue is down, and enqueues the next delivery', async () => {
    const { deliveryId, body, key } = fresh();
    await using queue = await startServer(() => 'reset');
    const receiveElsewhere = receiverIn({
      AWS_ENDPOINT_URL_SQS: queue.origin,
      INBOX_QUEUE_URL: engines.queueUrl.replace(/^http:[/][/][^/]+/, queue.origin),
    });
    const reply = await receiveElsewhere(only(platformWith({ verification: authentic({ deliveryId }) })))(post(body));
    expect(reply).toMatchObject({ statusCode: 503, body: expect.stringContaining('dependency_unavailable') });
    expect(queue.requests.length).toBeGreaterThan(0);
    restoreEnvironment();
    expect((await handlerFor(deliveryId)(post(body))).statusCode).toBe(200);
    expect(await keysIn()).toEqual([key]);
  });

  test('enqueues a delivery once when the response of the store is lost', async () => {
    const { deliveryId, body, key } = fresh();
    await using engine = await startLosingEngine();
    const receiveElsewhere = receiverIn({ AWS_ENDPOINT_URL_DYNAMODB: engine.origin });
    const reply = await receiveElsewhere(only(platformWith({ verification: authentic({ deliveryId }) })))(post(body));
    expect([engine.isLost(), reply, await keysIn()]).toEqual([true, { statusCode: 200, body: '' }, [key]]);
  });

  test.each([
    ['is down', 'reset'],
    ['hangs', 'hang'],
  ] as const)('answers 503 and enqueues nothing when the store %s', async (_, answer) => {
    await using engine = await startServer(() => {
      // The clock advances by the timeout when a request hangs.
      if (answer === 'hang') vi.advanceTimersByTime(4_000);
      return answer;
    });
    const { deliveryId, body } = fresh();
    const receiveElsewhere = receiverIn({ AWS_ENDPOINT_URL_DYNAMODB: engine.origin });
    // In other cases the client pauses by a timer before it retries.
    if (answer === 'hang') vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const started = Date.now();
    const reply = await receiveElsewhere(only(platformWith({ verification: authentic({ deliveryId }) })))(post(body));
    // The shop waits for five seconds.
    expect(Date.now() - started).toBeLessThan(5_000);
    vi.useRealTimers();
    expect(reply).toMatchObject({ statusCode: 503, body: expect.stringContaining('dependency_unavailable') });
    expect(engine.requests.length).toBeGreaterThan(0);
    expect(await messages()).toEqual([]);
  });
});

describe('ingestWebhook with a front before the hooks', () => {
  const value = 'v'.repeat(32);
  const next = 'n'.repeat(32);

  /** Returns the answer of a container whose front secret has this content. */
  const answered = async (secret: object, headers: Record<string, string>) => {
    await using manager = await startServer(({ body }) =>
      body.includes('"unit/webhooks/front"')
        ? {
            status: 200,
            body: JSON.stringify({ Name: 'front', VersionId: 'v1', SecretString: JSON.stringify(secret) }),
          }
        : { status: 400 },
    );
    const receiver = receiverIn({ HOOKS_FRONT: 'on', AWS_ENDPOINT_URL_SECRETS_MANAGER: manager.origin });
    const { deliveryId, body } = fresh();
    const verification = authentic({ deliveryId });
    const { statusCode } = await receiver(only(platformWith({ verification })))(post(body, headers));
    const storedRow = await row(deliveryId);
    return {
      statusCode,
      stored: storedRow !== undefined,
      shown: JSON.stringify(storedRow ?? {}).includes(headers['x-returns-front-secret'] || '-'),
    };
  };

  test.each([
    ['the value', { values: [value] }, { 'x-returns-front-secret': value }, 200],
    ['the next value of a rotation', { values: [value, next] }, { 'x-returns-front-secret': next }, 200],
    ['another value', { values: [value] }, { 'x-returns-front-secret': next }, 401],
    ['no value', { values: [value] }, {}, 401],
    ['an empty value, though the secret has one', { values: [''] }, { 'x-returns-front-secret': '' }, 503],
    ['any value, though the secret has none', { values: [] }, { 'x-returns-front-secret': value }, 503],
  ])('answers a delivery with %s', async (_, secret, headers, statusCode) => {
    expect(await answered(secret, headers)).toEqual({ statusCode, stored: statusCode === 200, shown: false });
  });
});
