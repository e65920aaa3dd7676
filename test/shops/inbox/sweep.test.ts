import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepInbox } from '../../../lib/shops/inbox/sweep.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { inboxKey, type InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { recordAttempt, settleDelivery, storeDelivery } from '../../../lib/store/inbox/inbox.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { outside } from './support.ts';

const engines = await startEngines();
const { messages, empty } = outside(engines);

afterAll(engines.stop);
beforeEach(async () => {
  restoreEnvironment();
  await sweepInbox({}, contextWith());
  await empty();
});

let next = 0;

/** Stores a delivery of this age, as a receiver leaves it that dies before it enqueues the key. */
const strandRow = async (secondsAgo: number): Promise<InboxRow> => {
  next += 1;
  const row: InboxRow = {
    platform: 'acme',
    source: 'shop.example',
    topic: 'returns/request',
    deliveryId: `s-${next}`,
    body: Buffer.from('{}'),
    bodyHash: String(next),
    receivedAt: new Date(Date.now() - secondsAgo * 1000).toISOString(),
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 0,
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  };
  using session = openSession(ampleDeadline());
  await storeDelivery(session, row);
  return row;
};

const strand = async (secondsAgo: number): Promise<string> => inboxKey(await strandRow(secondsAgo));

const enqueuedKeys = async (): Promise<readonly string[]> => {
  const all: string[] = [];
  for (;;) {
    const some = await messages();
    if (some.length === 0) return all.toSorted();
    all.push(...some.map(({ Body }) => (JSON.parse(Body ?? '') as { key: string }).key));
  }
};

describe('sweepInbox', () => {
  test('enqueues each delivery once that has waited for two minutes', async () => {
    const old = await strand(121);
    await strand(100);
    expect(await sweepInbox({}, contextWith())).toEqual({ enqueued: 1, failed: 0 });
    expect(await enqueuedKeys()).toEqual([old]);
    expect(await sweepInbox({}, contextWith())).toEqual({ enqueued: 0, failed: 0 });
  });

  test('leaves deliveries alone that a worker has attempted', async () => {
    const [postponed, settled, failed] = [await strandRow(300), await strandRow(300), await strandRow(300)];
    using session = openSession(ampleDeadline());
    await recordAttempt(session, postponed, 'received', 'shop_status_503');
    await settleDelivery(session, settled, { status: 'done', returnId: 'ret_1' }, new Date().toISOString());
    await recordAttempt(session, failed, 'failed', 'shop_status_503');
    expect(await sweepInbox({}, contextWith())).toEqual({ enqueued: 0, failed: 0 });
  });

  test('reads every partition, with more deliveries than one request returns', async () => {
    const keys = await Promise.all(Array.from({ length: 130 }, async () => strand(300)));
    expect(await sweepInbox({}, contextWith())).toEqual({ enqueued: 130, failed: 0 });
    expect(await enqueuedKeys()).toEqual(keys.toSorted());
  });

  test('loses no delivery in two concurrent runs', async () => {
    const keys = await Promise.all(Array.from({ length: 30 }, async () => strand(300)));
    await Promise.all([sweepInbox({}, contextWith()), sweepInbox({}, contextWith())]);
    expect([...new Set(await enqueuedKeys())]).toEqual(keys.toSorted());
    expect(await sweepInbox({}, contextWith())).toEqual({ enqueued: 0, failed: 0 });
  });

  test('fails while the queue is missing, and enqueues the deliveries when it exists', async () => {
    const key = await strand(300);
    const unused = `http://127.0.0.1:${await freePort()}`;
    stubEnvironment({ AWS_ENDPOINT_URL_SQS: unused, INBOX_QUEUE_URL: `${unused}/inbox` });
    await expect(sweepInbox({}, contextWith())).rejects.toMatchObject({ name: 'InboxNotSwept' });
    restoreEnvironment();
    expect(await sweepInbox({}, contextWith())).toEqual({ enqueued: 1, failed: 0 });
    expect(await enqueuedKeys()).toEqual([key]);
  });

  test('ends in time, and the next run continues', async () => {
    const key = await strand(300);
    await expect(sweepInbox({}, contextWith(5_000))).rejects.toMatchObject({ name: 'InboxNotSwept' });
    expect(await sweepInbox({}, contextWith())).toEqual({ enqueued: 1, failed: 0 });
    expect(await enqueuedKeys()).toEqual([key]);
  });
});
