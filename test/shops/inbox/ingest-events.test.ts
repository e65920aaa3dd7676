import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ingestEvents } from '../../../lib/shops/inbox/ingest-events.ts';
import { receivers } from '../../../lib/shops/platforms/receivers.ts';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import { startPlatformSecret } from '../platforms/platform-secret.ts';
import { restoreEnvironment, setEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { hearLines } from '../../support/standard-output.ts';
import { contextWith } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { batch, outside } from './support.ts';

setEnvironment({ PLATFORMS: 'shopify,commercetools' });
const engines = await startEngines();
const store = await startPlatformSecret();
store.put({ 'acme-project': {}, 'acme.myshopify.com': {} });
const { messages, empty, row } = outside(engines);

afterAll(async () => {
  await store.close();
  await engines.stop();
});
beforeEach(empty);
afterEach(restoreEnvironment);

let next = 0;
/** Returns a commercetools message that no other test uses. */
const fresh = (changes: JsonObject = {}) => {
  next += 1;
  const id = `message-${next}`;
  const resource = { typeId: 'order', id: 'o-1' };
  return { notificationType: 'Message', projectKey: 'acme-project', id, type: 'ReturnInfoAdded', resource, ...changes };
};
const bridged = (detail: unknown): JsonObject => ({
  id: 'event-1',
  source: 'aws.partner/commercetools.com/acme-project/returns',
  'detail-type': 'ReturnInfoAdded',
  detail,
});
const queued = (...bodies: readonly unknown[]) =>
  batch(
    bodies.map((body, index) => ({
      MessageId: `m-${index}`,
      Body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  );
const run = async (event: Parameters<ReturnType<typeof ingestEvents>>[0]) =>
  ingestEvents(receivers)(event, contextWith());
const enqueuedKeys = async () => (await messages()).map(({ Body }) => JSON.parse(Body ?? '').key as string);
const keyOf = (id: string) => `INBOX#commercetools#acme-project#ReturnInfoAdded#${id}`;

describe('ingestEvents', () => {
  test('stores and enqueues an event once, however often it arrives', async () => {
    const message = fresh();
    expect(await run(bridged(message))).toBeUndefined();
    expect(await run(bridged(message))).toBeUndefined();
    const stored = await row(message.id);
    expect(stored).toMatchObject({
      platform: 'commercetools',
      source: 'acme-project',
      status: 'received',
      attempts: 0,
    });
    expect(JSON.parse(gunzipSync(stored?.['body'] as Uint8Array).toString())).toEqual(message);
    expect(await enqueuedKeys()).toEqual([keyOf(message.id), keyOf(message.id)]);
  });

  test('stores the exact bytes of a message', async () => {
    const message = fresh();
    const text = ` ${JSON.stringify(message)}\n`;
    expect(await run(queued(text))).toEqual({ batchItemFailures: [] });
    expect(gunzipSync((await row(message.id))?.['body'] as Uint8Array).toString()).toBe(text);
  });

  test('ingests the good records of a batch and reports the others for a retry', async () => {
    const [first, last] = [fresh(), fresh()];
    const answer = await run(queued(first, 'nonsense', last));
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-1' }] });
    expect(new Set(await enqueuedKeys())).toEqual(new Set([keyOf(first.id), keyOf(last.id)]));
  });

  test('drops and counts messages of unknown projects', async () => {
    const lines: string[] = [];
    hearLines((line) => void lines.push(line));
    const [ours, foreign] = [fresh(), fresh({ projectKey: 'not-ours' })];
    expect(await run(queued(foreign, ours, fresh({ projectKey: 'nor-this' })))).toEqual({ batchItemFailures: [] });
    vi.restoreAllMocks();
    expect(await enqueuedKeys()).toEqual([keyOf(ours.id)]);
    expect(lines.filter((line) => line.includes('"message":"message dropped"'))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('"ForeignMessages":1'))).toHaveLength(2);
  });

  test('keeps a message that was sent after the last read of the secret: its project may be new', async () => {
    const message = fresh({ projectKey: 'new-project' });
    const later = (sentAt: number) => {
      const { Records } = queued(message);
      return {
        Records: Records.map((one) => ({ ...one, attributes: { ...one.attributes, SentTimestamp: String(sentAt) } })),
      };
    };
    await run(queued(fresh({ projectKey: 'not-ours' })));
    const reads = store.reads();
    expect(await run(later(Date.now() + 1_000))).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-0' }] });
    expect(store.reads()).toBe(reads);
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
    vi.advanceTimersByTime(10_000);
    store.put({ 'acme-project': {}, 'acme.myshopify.com': {}, 'new-project': {} });
    expect(await run(later(Date.now()))).toEqual({ batchItemFailures: [] });
    vi.useRealTimers();
    expect(await enqueuedKeys()).toEqual([`INBOX#commercetools#new-project#ReturnInfoAdded#${message.id}`]);
  });

  test.each([
    ['belongs to no platform', { source: 'aws.events', detail: {} }, 'no_platform_takes_it'],
    ['has an unknown source', bridged(fresh({ projectKey: 'not-ours' })), 'unknown_source'],
    ['has no content', {}, 'no_platform_takes_it'],
  ])('fails an event that %s, so that Lambda dead-letters it', async (_, event, message) => {
    await expect(run(event)).rejects.toMatchObject({ name: 'EventNotTaken', message });
    expect(await enqueuedKeys()).toEqual([]);
  });

  test('accepts an event of Shopify’s bus, but not as a queue message', async () => {
    const metadata = {
      'X-Shopify-Topic': 'returns/approve',
      'X-Shopify-Shop-Domain': 'acme.myshopify.com',
      'X-Shopify-Webhook-Id': 'by-bus-1',
    };
    const event = { source: 'aws.partner/shopify.com/1/x', detail: { metadata, payload: { id: 1 } } };
    expect(await run(queued(event))).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-0' }] });
    await run(event);
    expect(await row('by-bus-1')).toMatchObject({ platform: 'shopify', topic: 'returns/approve' });
  });

  test('accepts from the queue an event that Lambda gave up before', async () => {
    const message = fresh();
    const record = {
      version: '1.0',
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: bridged(message),
      responsePayload: { errorType: 'EventNotTaken' },
    };
    expect(await run(queued(record))).toEqual({ batchItemFailures: [] });
    expect(await enqueuedKeys()).toEqual([keyOf(message.id)]);
  });

  test('accepts nothing for a platform that is not enabled', async () => {
    stubEnvironment({ PLATFORMS: 'shopify' });
    await expect(ingestEvents(receivers)(bridged(fresh()), contextWith())).rejects.toMatchObject({
      message: 'no_platform_takes_it',
    });
  });

  test('fails while the queue is down and accepts the event when it arrives again', async () => {
    const message = fresh();
    await using queue = await startServer(() => 'reset');
    stubEnvironment({
      AWS_ENDPOINT_URL_SQS: queue.origin,
      INBOX_QUEUE_URL: engines.queueUrl.replace(/^http:[/][/][^/]+/, queue.origin),
    });
    await expect(ingestEvents(receivers)(bridged(message), contextWith())).rejects.toMatchObject({
      name: 'EventNotTaken',
    });
    restoreEnvironment();
    await run(bridged(message));
    expect(await enqueuedKeys()).toEqual([keyOf(message.id)]);
  });
});
