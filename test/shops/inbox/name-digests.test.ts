import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { processInbox } from '../../../lib/shops/inbox/process.ts';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import type { Prepared } from '../../../lib/shops/platforms/platform.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { removeDelivery, readExpiredDeliveries } from '../../../lib/store/inbox/inbox-expired.ts';
import { nameDigest, readOrCreateNameKey, nameLinksPartition } from '../../../lib/store/inbox/inbox-names.ts';
import { startPlatformSecret } from '../platforms/platform-secret.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { maxReceives, startEngines } from './engines.ts';
import { authentic, backendWith, batch, only, outside, platformWith, post, failed } from './support.ts';

const engines = await startEngines();
const shops = await startPlatformSecret();
shops.put({ 'two.example': { orderPlatform: 'acme-two' } });
const { messages, empty, row } = outside(engines);
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());

afterAll(async () => {
  session[Symbol.dispose]();
  await shops.close();
  await engines.stop();
});
beforeEach(empty);

type Outcome = Prepared | Error;

/** Receives a body and processes it once, with the given outcome of the platform. */
const worked = async (body: object, outcome: Outcome, { receives = 1, source = 'shop.example' } = {}) => {
  const deliveryId = randomUUID();
  const verification = authentic({ deliveryId, source });
  await ingestWebhook(only(platformWith({ verification })))(post(JSON.stringify({ ...body, trace: deliveryId })));
  const prepare = async () => {
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const { backend } = backendWith({ registerOrder: () => failed('timeout') });
  await processInbox(backend, { acme: platformWith({ prepare }) })(batch(await messages(), receives), contextWith());
  return (await row(deliveryId)) ?? {};
};

const parked: Prepared = { kind: 'parked', reason: 'payload_unexpected' };
const ignored: Prepared = { kind: 'ignored', reason: 'nothing_named' };
const retry: Prepared = { kind: 'retry', reason: 'shop_unreachable' };

const digest = async (kind: 'email' | 'customer', value: string, platform = 'acme') =>
  nameDigest(await readOrCreateNameKey(session), platform, { kind, value });

const linksTo = async (found: Record<string, unknown>): Promise<string[]> => {
  const { Items = [] } = await table.send(new ScanCommand({ TableName: engines.table, ConsistentRead: true }));
  return Items.filter(({ delivery, pk }) => delivery === found['pk'] && String(pk).startsWith('INBOXOF#'))
    .map(({ pk }) => String(pk))
    .toSorted();
};

describe('delivery without a readable order', () => {
  const body = { customer: { id: 'c-1', email: 'Ada@example.com' } };

  it.each([
    ['is parked', parked, 1],
    ['is ignored', ignored, 1],
    ['is given up', retry, maxReceives],
    ['is given up by an error', new TypeError('unforeseen'), maxReceives],
  ] as const)('has a row for each name in its body when it %s', async (_, outcome, receives) => {
    const found = await worked(body, outcome, { receives });
    const digests = [await digest('email', 'ada@example.com'), await digest('customer', 'c-1')];
    expect(found).toMatchObject({ nameDigests: digests });
    expect(await linksTo(found)).toEqual(digests.map(nameLinksPartition).toSorted());
  });

  it('has no rows while it is retried', async () => {
    const found = await worked(body, retry);
    expect(found).toMatchObject({ status: 'received' });
    expect(await linksTo(found)).toEqual([]);
  });

  it('has rows for at most three names when it is ignored', async () => {
    const many = { all: Array.from({ length: 30 }, (_, id) => ({ customer_id: `c-${id}` })) };
    expect(await linksTo(await worked(many, ignored))).toHaveLength(3);
    expect(await linksTo(await worked(many, parked))).toHaveLength(20);
  });

  it("has digests for the platform of its shop's orders", async () => {
    const found = await worked(body, parked, { source: 'two.example' });
    expect(found).toMatchObject({
      nameDigests: [await digest('email', 'ada@example.com', 'acme'), await digest('customer', 'c-1', 'acme-two')],
    });
  });

  it('is deleted with its rows after its retention', async () => {
    const found = await worked(body, parked);
    const over = { receivedBefore: '2999-01-01T00:00:00Z', now: Number(found['expiresAt']) };
    for (const pages of readExpiredDeliveries(session, over, 50))
      for await (const page of pages) for (const one of page) await removeDelivery(session, one, over.now);
    expect(await linksTo(found)).toEqual([]);
  });
});

it('has one key for all workers, also when two create it concurrently', async () => {
  const found = await Promise.all([readOrCreateNameKey(session), readOrCreateNameKey(session)]);
  expect(found[0]).toHaveLength(32);
  expect(found[1]).toEqual(found[0]);
});
