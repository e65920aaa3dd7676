import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../../lib/contract/port.ts';
import { getInboxDelivery } from '../../../lib/service/operations/inbox/list-inbox-deliveries.ts';
import { replay } from '../../../lib/service/operations/inbox/replay.ts';
import { processInbox } from '../../../lib/shops/inbox/process.ts';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import type { Translator } from '../../../lib/shops/platforms/platform.ts';
import { encodeInboxKey } from '../../../lib/store/inbox/inbox-row.ts';
import { type Answer, startServer } from '../../support/http-server.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { authentic, backendWith, batch, keyOfBody, only, outside, platformWith, post, prepared } from './support.ts';

const engines = await startEngines();
const { messages, empty, row, rows } = outside(engines);

afterAll(engines.stop);
beforeEach(empty);
afterEach(() => vi.unstubAllEnvs());

const [maxInRow, maxShown, maxBytes] = [300 * 1024, 1024 * 1024, 6 * 1024 * 1024];

/** Returns a JSON body that gzip reduces by only a quarter. */
const noisy = (bytes: number): string => JSON.stringify({ noise: randomBytes((bytes * 3) / 4).toString('base64') });
/** Returns a body that gzip reduces to almost nothing. */
const even = (bytes: number): string => JSON.stringify({ even: 'x'.repeat(bytes - '{"even":""}'.length) });

let next = 0;
/** Returns a delivery that no other test uses. */
const fresh = (body = noisy(2_000_000)) => {
  next += 1;
  const deliveryId = `l-${next}`;
  const key = keyOfBody(body);
  return {
    deliveryId,
    body,
    key,
    handler: ingestWebhook(only(platformWith({ verification: authentic({ deliveryId }) }))),
  };
};

const bodyAt = (stored: Record<string, unknown> | undefined) => `${engines.bodies}/${String(stored?.['bodyKey'])}`;
const accepted = { statusCode: 200, body: '' };

/** Returns the exports of a module in a container whose S3 is another server. */
const elsewhere = async <Module>(origin: string, load: () => Promise<Module>): Promise<Module> => {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', origin);
  vi.resetModules();
  return load();
};
const receiverAt = async (origin: string) =>
  (await elsewhere(origin, async () => import('../../../lib/edge/webhooks/ingest-webhook.ts'))).ingestWebhook;
const workerAt = async (origin: string) =>
  (await elsewhere(origin, async () => import('../../../lib/shops/inbox/process.ts'))).processInbox;

const call = (): Call => ({
  caller: { clientId: 'operator', scopes: ['returns:admin'] },
  dryRun: false,
  traceId: '0'.repeat(32),
  causationId: 'request-1',
  deadline: ampleDeadline(),
});
const shown = async (key: string) => {
  const read = await getInboxDelivery({ deliveryKey: encodeInboxKey(key) }, call());
  if (!read.ok) throw new Error(read.failure.code);
  return read.value.body.body;
};

/** Returns a worker and the bodies that it passed to the platform. */
const worker = (run = processInbox) => {
  const bodies: unknown[] = [];
  const prepare: Translator['prepare'] = async ({ body }) => {
    bodies.push(body);
    return prepared;
  };
  return { work: run(backendWith().backend, { acme: platformWith({ prepare }) }), bodies };
};

describe('body of a delivery', () => {
  test('is in the row while an answer can show it', async () => {
    for (const body of [noisy(maxInRow), even(maxShown)]) {
      const { deliveryId, handler, key } = fresh(body);
      expect(await handler(post(body))).toEqual(accepted);
      const stored = await row(deliveryId);
      expect(stored).not.toHaveProperty('bodyKey');
      expect(gunzipSync(stored?.['body'] as Uint8Array).toString()).toBe(body);
      expect(await shown(key)).toEqual({ encoding: 'utf8', content: body });
    }
  });

  test('is an object when it is larger, gzipped or unchanged', async () => {
    for (const body of [noisy(500_000), even(maxShown + 1), noisy(maxBytes - 100)]) {
      const { deliveryId, handler, key } = fresh(body);
      expect(await handler(post(body))).toEqual(accepted);
      const stored = await row(deliveryId);
      const digest = (text: string) => createHash('sha256').update(text).digest('hex');
      expect(stored).toMatchObject({ bodyHash: digest(body), bodyKey: `deliveries/${digest(key)}/${digest(body)}` });
      expect(stored).not.toHaveProperty('body');
      const object = await fetch(bodyAt(stored));
      expect(gunzipSync(await object.arrayBuffer()).toString()).toBe(body);
    }
  });

  test('is shown by a link that is valid for five minutes', async () => {
    const { handler, body, key } = fresh();
    await handler(post(body));
    const now = Date.now();
    const link = await shown(key);
    if (!('url' in link)) throw new Error('no link');
    expect(Date.parse(link.expiresAt) - now).toBeGreaterThanOrEqual(300_000);
    expect(Date.parse(link.expiresAt) - now).toBeLessThan(310_000);
    const { searchParams } = new URL(link.url);
    expect(searchParams.get('X-Amz-Expires')).toBe('300');
    expect(searchParams.get('response-content-encoding')).toBe('gzip');
    expect(searchParams.get('response-content-disposition')).toBe('attachment');
    expect(gunzipSync(await (await fetch(link.url)).arrayBuffer()).toString()).toBe(body);
  });

  test('is stored once when its delivery is repeated, under its id or another', async () => {
    const { deliveryId, handler, body } = fresh();
    await handler(post(body));
    const stored = await row(deliveryId);
    await fetch(bodyAt(stored), { method: 'DELETE' });
    const again = ingestWebhook(only(platformWith({ verification: authentic({ deliveryId: `${deliveryId}-again` }) })));
    expect([await handler(post(body)), await again(post(body))]).toEqual([accepted, accepted]);
    expect((await fetch(bodyAt(stored))).status).toBe(404);
    expect(await row(`${deliveryId}-again`)).toBeUndefined();
    // The delivery is enqueued on each arrival, because it is not settled.
    expect(await messages()).toHaveLength(3);
  });

  test('has one row for concurrent copies', async () => {
    const { deliveryId, handler, body } = fresh();
    const before = (await rows()).length;
    const answers = await Promise.all(Array.from({ length: 5 }, async () => handler(post(body))));
    expect(answers).toEqual(answers.map(() => accepted));
    expect(await rows()).toHaveLength(before + 1);
    expect((await fetch(bodyAt(await row(deliveryId)))).status).toBe(200);
  });

  test('is not replaced by another body under the same delivery id', async () => {
    const { deliveryId, handler, body } = fresh();
    const other = noisy(1_000_000);
    await handler(post(body));
    expect(await handler(post(other))).toEqual(accepted);
    const stored = (await rows()).filter((each) => each['deliveryId'] === deliveryId);
    const texts = stored.map(async (each) => gunzipSync(await (await fetch(bodyAt(each))).arrayBuffer()).toString());
    expect(new Set(await Promise.all(texts))).toEqual(new Set([body, other]));
  });
});

describe('ingestWebhook with a large body', () => {
  test.each<[string, Answer]>([
    ['is down', 'reset'],
    ['hangs', 'hang'],
    ['is busy', { status: 503 }],
    ['rejects', { status: 403 }],
  ])('answers 503, stores nothing and enqueues nothing while S3 %s', async (_, answer) => {
    await using s3 = await startServer(() => {
      // The clock advances by the timeout when a request hangs.
      if (answer === 'hang') vi.advanceTimersByTime(1_500);
      return answer;
    });
    const { deliveryId, body, handler, key } = fresh(noisy(500_000));
    const there = await receiverAt(s3.origin);
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const started = Date.now();
    const reply = await there(only(platformWith({ verification: authentic({ deliveryId }) })))(post(body));
    // The shop waits for five seconds.
    expect(Date.now() - started).toBeLessThan(5_000);
    vi.useRealTimers();
    expect(reply).toMatchObject({ statusCode: 503, body: expect.stringContaining('dependency_unavailable') });
    expect(s3.requests.map(({ method }) => method)).toEqual(
      typeof answer === 'object' && 'status' in answer && answer.status === 403 ? ['PUT'] : ['PUT', 'PUT'],
    );
    expect(await row(deliveryId)).toBeUndefined();
    expect(await messages()).toEqual([]);

    expect(await handler(post(body))).toEqual(accepted);
    expect(await row(deliveryId)).toMatchObject({ status: 'received', bodyKey: expect.any(String) });
    expect((await messages()).map(({ Body }) => JSON.parse(Body ?? '').key as string)).toEqual([key]);
  });

  test('retries a failed S3 request once', async () => {
    let requests = 0;
    await using s3 = await startServer(() => ((requests += 1) === 1 ? 'reset' : { status: 200 }));
    const { deliveryId, body } = fresh(noisy(500_000));
    const there = await receiverAt(s3.origin);
    expect(await there(only(platformWith({ verification: authentic({ deliveryId }) })))(post(body))).toEqual(accepted);
    expect(requests).toBe(2);
    expect(await row(deliveryId)).toMatchObject({ status: 'received' });
  });

  test('makes no S3 request for a body that fits into its row', async () => {
    await using s3 = await startServer(() => 'reset');
    const { deliveryId } = fresh('');
    const there = await receiverAt(s3.origin);
    expect(
      await there(only(platformWith({ verification: authentic({ deliveryId }) })))(post(`{"id":"${deliveryId}"}`)),
    ).toEqual(accepted);
    expect(s3.requests).toEqual([]);
  });
});

describe('processInbox with a large body', () => {
  test('reads the body, also for a replay', async () => {
    const { deliveryId, handler, body, key } = fresh();
    await handler(post(body));
    const { work, bodies } = worker();
    expect(await work(batch(await messages()), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'done' });
    const replayed = await replay({ deliveryKey: encodeInboxKey(key) }, { ...call(), idempotencyKey: deliveryId });
    expect(replayed).toMatchObject({ ok: true, value: { body: { status: 'received' } } });
    expect(await work(batch(await messages()), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'done', attempts: 2, runs: [{ status: 'done' }] });
    expect(bodies).toEqual([JSON.parse(body), JSON.parse(body)]);
  });

  test.each<[string, Answer]>([
    ['is down', 'reset'],
    ['is busy', { status: 500 }],
    ['has no such bucket', { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }],
    ['rejects', { status: 403 }],
  ])('retries later while S3 %s', async (_, answer) => {
    const { deliveryId, handler, body } = fresh();
    await handler(post(body));
    const [message] = await messages();
    if (message === undefined) throw new Error('not announced');
    await using s3 = await startServer(() => answer);
    const away = worker(await workerAt(s3.origin));
    expect(await away.work(batch([message]), contextWith())).toEqual({
      batchItemFailures: [{ itemIdentifier: message.MessageId }],
    });
    expect(await row(deliveryId)).toMatchObject({ status: 'received', lastError: 'payload_unavailable', attempts: 1 });

    const { work, bodies } = worker();
    expect(await work(batch([message]), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'done' });
    expect([...away.bodies, ...bodies]).toEqual([JSON.parse(body)]);
  });

  test('parks a delivery whose body is missing', async () => {
    const { deliveryId, handler, body } = fresh();
    await handler(post(body));
    await fetch(bodyAt(await row(deliveryId)), { method: 'DELETE' });
    const { work, bodies } = worker();
    expect(await work(batch(await messages()), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'parked', reason: 'payload_missing' });
    expect(bodies).toEqual([]);
  });
});
