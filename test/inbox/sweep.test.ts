import { afterAll, beforeEach, expect, test } from 'vitest';
import { sweepInbox } from '../../lib/inbox/sweep.ts';
import { freePort } from '../../lib/local/ports.ts';
import { openSession } from '../../lib/store/engine/session.ts';
import { inboxKey, type InboxRow } from '../../lib/store/inbox/inbox-row.ts';
import { recordAttempt, settleDelivery, storeDelivery } from '../../lib/store/inbox/inbox.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';
import { ampleDeadline, contextWith } from '../support/time.ts';
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

/** Stores a delivery that was received so long ago, as a receiver does that dies before it announces it. */
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
  await storeDelivery(session, row, { markBody: false });
  return row;
};

const strand = async (secondsAgo: number): Promise<string> => inboxKey(await strandRow(secondsAgo));

const announced = async (): Promise<readonly string[]> => {
  const all: string[] = [];
  for (;;) {
    const some = await messages();
    if (some.length === 0) return all.toSorted();
    all.push(...some.map(({ Body }) => (JSON.parse(Body ?? '') as { key: string }).key));
  }
};

test('announces again what has waited for two minutes, and that once', async () => {
  const old = await strand(121);
  await strand(100);
  expect(await sweepInbox({}, contextWith())).toEqual({ announced: 1, failed: 0 });
  expect(await announced()).toEqual([old]);
  expect(await sweepInbox({}, contextWith())).toEqual({ announced: 0, failed: 0 });
});

test('leaves alone what a worker has had in its hands', async () => {
  const [postponed, settled, givenUp] = [await strandRow(300), await strandRow(300), await strandRow(300)];
  using session = openSession(ampleDeadline());
  await recordAttempt(session, postponed, 'received', 'shop_status_503');
  await settleDelivery(session, settled, { status: 'done', returnId: 'ret_1' }, new Date().toISOString());
  await recordAttempt(session, givenUp, 'failed', 'shop_status_503');
  expect(await sweepInbox({}, contextWith())).toEqual({ announced: 0, failed: 0 });
});

test('goes through more than a request takes, in every partition', async () => {
  const keys = await Promise.all(Array.from({ length: 130 }, async () => strand(300)));
  expect(await sweepInbox({}, contextWith())).toEqual({ announced: 130, failed: 0 });
  expect(await announced()).toEqual(keys.toSorted());
});

test('forgets nothing when two run at once', async () => {
  const keys = await Promise.all(Array.from({ length: 30 }, async () => strand(300)));
  await Promise.all([sweepInbox({}, contextWith()), sweepInbox({}, contextWith())]);
  expect([...new Set(await announced())]).toEqual(keys.toSorted());
  expect(await sweepInbox({}, contextWith())).toEqual({ announced: 0, failed: 0 });
});

test('fails while there is no queue, and announces once there is one', async () => {
  const key = await strand(300);
  const nobody = `http://127.0.0.1:${await freePort()}`;
  stubEnvironment({ AWS_ENDPOINT_URL_SQS: nobody, INBOX_QUEUE_URL: `${nobody}/inbox` });
  await expect(sweepInbox({}, contextWith())).rejects.toMatchObject({ name: 'InboxNotSwept' });
  restoreEnvironment();
  expect(await sweepInbox({}, contextWith())).toEqual({ announced: 1, failed: 0 });
  expect(await announced()).toEqual([key]);
});

test('ends in time, and the next run goes on', async () => {
  const key = await strand(300);
  await expect(sweepInbox({}, contextWith(5_000))).rejects.toMatchObject({ name: 'InboxNotSwept' });
  expect(await sweepInbox({}, contextWith())).toEqual({ announced: 1, failed: 0 });
  expect(await announced()).toEqual([key]);
});
