import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { purgeInbox } from '../../../lib/service/schedules/purge-inbox.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { settleDelivery, storeDelivery } from '../../../lib/store/inbox/inbox.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { ampleDeadline, contextWith, withTimeLeft } from '../../support/time.ts';
import { startSchedules } from './support.ts';

const { engines } = await startSchedules();
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const days = 86_400_000;
const now = Date.parse('2026-11-22T12:00:00.000Z');

/** Stores a delivery of this age in days, as its receiver does. */
const receive = async (deliveryId: string, daysAgo: number): Promise<InboxRow> => {
  const receivedAt = new Date(now - daysAgo * days).toISOString();
  const row: InboxRow = {
    platform: 'acme',
    source: 'shop.example',
    topic: 'returns/request',
    deliveryId,
    body: Buffer.from('{}'),
    bodyHash: deliveryId,
    receivedAt,
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 0,
    expiresAt: Math.floor(Date.parse(receivedAt) / 1000) + 30 * 86_400,
  };
  using session = openSession(ampleDeadline());
  await storeDelivery(session, row);
  return row;
};

/** Stores a settled delivery of this age in days. */
const deliver = async (deliveryId: string, daysAgo: number): Promise<void> => {
  const row = await receive(deliveryId, daysAgo);
  using session = openSession(ampleDeadline());
  const order = { platform: 'acme', orderId: '7' };
  await settleDelivery(session, row, { status: 'done', returnId: 'ret_1', order }, row.receivedAt);
};

/** Returns the rows of each delivery: the delivery and two links. */
const storedRows = async (): Promise<readonly string[]> => {
  const { Items = [] } = await table.send(new ScanCommand({ TableName: engines.table, ConsistentRead: true }));
  return Items.flatMap(({ pk, delivery }) => {
    const key = String(delivery ?? pk);
    return key.startsWith('INBOX#') ? [key.slice(key.lastIndexOf('#') + 1)] : [];
  }).toSorted();
};
const three = (id: string) => [id, id, id];

describe('purgeInbox', () => {
  test('deletes each expired delivery once with all rows that lead to it, in concurrent runs too, and no younger one', async () => {
    const old = Array.from({ length: 20 }, (_, index) => `old-${index}`);
    await Promise.all(old.map(async (id, index) => deliver(id, 30.01 + index)));
    await deliver('young', 29.99);
    expect(await storedRows()).toHaveLength(3 * 21);
    const both = await Promise.all([0, 1].map(async () => purgeInbox({}, contextWith(), now)));
    expect(both.every(({ through }) => through)).toBe(true);
    expect(both.reduce((sum, { purged }) => sum + purged, 0)).toBeGreaterThanOrEqual(20);
    expect(await storedRows()).toEqual(three('young'));
    expect(await purgeInbox({}, contextWith(), now)).toEqual({ purged: 0, through: true });
  });

  test('deletes an expired delivery that no worker has attempted', async () => {
    await receive('unattempted', 31);
    expect(await purgeInbox({}, contextWith(), now)).toMatchObject({ purged: 1, through: true });
    expect(await storedRows()).not.toContain('unattempted');
  });

  test('postpones deliveries when its time ends', async () => {
    await deliver('waiting', 40);
    expect(await withTimeLeft(9_000, async (context) => purgeInbox({}, context, now))).toEqual({
      purged: 0,
      through: false,
    });
    expect(await storedRows()).toContain('waiting');
    // After two days without a run, the next run deletes all deliveries that have expired by then.
    expect(await purgeInbox({}, contextWith(), now + 2 * days)).toEqual({ purged: 2, through: true });
    expect(await storedRows()).toEqual([]);
  });

  test('fails while the table denies access, and deletes the delivery afterwards', async () => {
    await deliver('stuck', 40);
    const denial = { __type: 'com.amazonaws.dynamodb.v20120810#AccessDeniedException', message: 'no' };
    await using denying = await startServer(async () => ({ status: 400, body: Buffer.from(JSON.stringify(denial)) }));
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: denying.origin });
    await expect(purgeInbox({}, contextWith(), now)).rejects.toMatchObject({
      name: 'ScheduleFailed',
      message: 'AccessDeniedException',
    });
    restoreEnvironment();
    expect(await purgeInbox({}, contextWith(), now)).toEqual({ purged: 1, through: true });
  });
});
