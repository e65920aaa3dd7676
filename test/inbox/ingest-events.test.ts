import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ingestEvents } from '../../lib/inbox/ingest-events.ts';
import { receivers } from '../../lib/platforms/receivers.ts';
import type { JsonObject } from '../../lib/runtime/json.ts';
import { startPlatformSecret } from '../platforms/platform-secret.ts';
import { restoreEnvironment, setEnvironment, stubEnvironment } from '../support/environment.ts';
import { startServer } from '../support/http-server.ts';
import { hearLines } from '../support/standard-output.ts';
import { contextWith } from '../support/time.ts';
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
/** A message of commercetools' that no other test uses. */
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
const announced = async () => (await messages()).map(({ Body }) => JSON.parse(Body ?? '').key as string);
const keyOf = (id: string) => `INBOX#commercetools#acme-project#ReturnInfoAdded#${id}`;

describe('receiveEvents', () => {
  test('stores and announces an event, once however often it comes', async () => {
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
    expect(await announced()).toEqual([keyOf(message.id), keyOf(message.id)]);
  });

  test('stores a message to the byte', async () => {
    const message = fresh();
    const text = ` ${JSON.stringify(message)}\n`;
    expect(await run(queued(text))).toEqual({ batchItemFailures: [] });
    expect(gunzipSync((await row(message.id))?.['body'] as Uint8Array).toString()).toBe(text);
  });

  test('takes what it can of a batch, and has the others brought again', async () => {
    const [first, last] = [fresh(), fresh()];
    const answer = await run(queued(first, 'nonsense', last));
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'm-1' }] });
    expect(new Set(await announced())).toEqual(new Set([keyOf(first.id), keyOf(last.id)]));
  });

  test('drops messages of projects that are not ours, and counts them', async () => {
    const lines: string[] = [];
    hearLines((line) => void lines.push(line));
    const [ours, foreign] = [fresh(), fresh({ projectKey: 'not-ours' })];
    expect(await run(queued(foreign, ours, fresh({ projectKey: 'nor-this' })))).toEqual({ batchItemFailures: [] });
    vi.restoreAllMocks();
    expect(await announced()).toEqual([keyOf(ours.id)]);
    expect(lines.filter((line) => line.includes('"message":"message dropped"'))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('"ForeignMessages":1'))).toHaveLength(2);
  });

  test('drops none that was sent after the secret was last read: its project may be new', async () => {
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
    expect(await announced()).toEqual([`INBOX#commercetools#new-project#ReturnInfoAdded#${message.id}`]);
  });

  test.each([
    ['no platform takes', { source: 'aws.events', detail: {} }, 'no_platform_takes_it'],
    ['is of a source that is not ours', bridged(fresh({ projectKey: 'not-ours' })), 'unknown_source'],
    ['says nothing', {}, 'no_platform_takes_it'],
  ])('fails an event that %s, so that it is put aside and not lost', async (_, event, message) => {
    await expect(run(event)).rejects.toMatchObject({ name: 'EventNotTaken', message });
    expect(await announced()).toEqual([]);
  });

  test('takes an event of Shopify’s bus, and not as a message of the queue', async () => {
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

  test('takes from the queue what Lambda gave up before', async () => {
    const message = fresh();
    const record = {
      version: '1.0',
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: bridged(message),
      responsePayload: { errorType: 'EventNotTaken' },
    };
    expect(await run(queued(record))).toEqual({ batchItemFailures: [] });
    expect(await announced()).toEqual([keyOf(message.id)]);
  });

  test('takes nothing for a platform that is not enabled', async () => {
    stubEnvironment({ PLATFORMS: 'shopify' });
    await expect(ingestEvents(receivers)(bridged(fresh()), contextWith())).rejects.toMatchObject({
      message: 'no_platform_takes_it',
    });
  });

  test('fails while the queue is down, and takes the event when it comes again', async () => {
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
    expect(await announced()).toEqual([keyOf(message.id)]);
  });
});
