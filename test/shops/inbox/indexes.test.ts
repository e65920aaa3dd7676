import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import { listInboxDeliveries } from '../../../lib/service/operations/inbox/list-inbox-deliveries.ts';
import { replay } from '../../../lib/service/operations/inbox/replay.ts';
import { sweepInbox } from '../../../lib/shops/inbox/sweep.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { encodeInboxKey, inboxKey, type InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { recordAttempt, settleDelivery, storeDelivery } from '../../../lib/store/inbox/inbox.ts';
import { backendCall } from '../../support/backend-call.ts';
import { forward, isFor } from '../../support/engine.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { authentic, only, platformWith, post, storedRow } from './support.ts';

const engines = await startEngines();

afterAll(engines.stop);
afterEach(restoreEnvironment);

type Consumed = { readonly GlobalSecondaryIndexes?: Readonly<Record<string, { readonly CapacityUnits: number }>> };

/** Starts a proxy before the engine that records the write units of each index, one record for each write. */
const startMeter = async () => {
  const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const paid: Record<string, number>[] = [];
  const server = await startServer(async (request) => {
    if (!isFor(request, 'PutItem') && !isFor(request, 'UpdateItem')) return forward(request, engine);
    const metered = JSON.stringify({ ...(JSON.parse(request.body) as object), ReturnConsumedCapacity: 'INDEXES' });
    const answer = await forward(request, engine, metered);
    const { ConsumedCapacity } = JSON.parse(answer.body.toString()) as { ConsumedCapacity: Consumed };
    const units = Object.entries(ConsumedCapacity.GlobalSecondaryIndexes ?? {});
    paid.push(Object.fromEntries(units.map(([name, { CapacityUnits }]) => [name, CapacityUnits])));
    return answer;
  });
  stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: server.origin });
  return { ...server, paid };
};

let next = 0;

/** Stores a delivery of this age, as its receiver does. */
const receive = async (minutesAgo: number, source = 'shop.example'): Promise<InboxRow> => {
  next += 1;
  const row: InboxRow = {
    ...storedRow(),
    source,
    deliveryId: `i-${next}`,
    receivedAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  };
  using session = openSession(ampleDeadline());
  await storeDelivery(session, row);
  return row;
};

const settle = async (row: InboxRow): Promise<void> => {
  using session = openSession(ampleDeadline());
  await settleDelivery(session, row, { status: 'ignored', reason: 'topic' }, new Date().toISOString());
};

const attempt = async (row: InboxRow): Promise<void> => {
  using session = openSession(ampleDeadline());
  await recordAttempt(session, row, 'received', 'shop_status_503');
};

const idOf = (row: InboxRow): string => encodeInboxKey(inboxKey(row));

/** Lists the ids of deliveries, in pages of this size. */
const list = async (filter: Parameters<typeof listInboxDeliveries>[0], limit = 50): Promise<readonly string[]> => {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const found = await listInboxDeliveries({ ...filter, limit, ...(cursor !== '' && { cursor }) }, backendCall());
    if (!found.ok) throw new Error(found.failure.detail);
    ids.push(...found.value.body.items.map(({ deliveryKey }) => deliveryKey));
    cursor = found.value.body.nextCursor;
  }
  return ids;
};

describe('indexes of deliveries', () => {
  it('cost a receipt one write, and its first attempt one in each', async () => {
    await using meter = await startMeter();
    await ingestWebhook(only(platformWith({ verification: authentic({ deliveryId: 'metered' }) })))(
      post('{"metered":1}'),
    );
    await settle(await receive(0));
    expect(meter.paid).toEqual([{ byDeadline: 1 }, { byDeadline: 1 }, { byCreation: 1, byStatus: 1, byDeadline: 1 }]);
  });
});

describe('listInboxDeliveries', () => {
  it('lists waiting, attempted, settled and reopened deliveries once each, latest received first, in pages of any size', async () => {
    const [source, receivedFrom] = ['lists.example', new Date(Date.now() - 60 * 60_000).toISOString()];
    const rows = await Promise.all(Array.from({ length: 12 }, async (_, index) => receive(50 - index, source)));
    const by = (state: number): readonly InboxRow[] => rows.filter((_, index) => index % 4 === state);
    await Promise.all(by(1).map(async (row) => attempt(row)));
    await Promise.all([...by(2), ...by(3)].map(settle));
    for (const row of by(3))
      expect(await replay({ deliveryKey: idOf(row) }, backendCall())).toMatchObject({ ok: true });
    const newestFirst = (some: readonly InboxRow[]): readonly string[] => some.map(idOf).toReversed();
    const unsettled = rows.filter((row) => !by(2).includes(row));
    for (const limit of [1, 2, 5, 50]) {
      expect(await list({ source, receivedFrom }, limit)).toEqual(newestFirst(rows));
      expect(await list({ source, receivedFrom, status: 'received' }, limit)).toEqual(newestFirst(unsettled));
      expect(await list({ source, receivedFrom, status: 'ignored' }, limit)).toEqual(newestFirst(by(2)));
    }
  });

  it('lists a delivery with the status received before and after the sweeper enqueues it', async () => {
    const row = await receive(5);
    expect(await list({ status: 'received' })).toContain(idOf(row));
    await sweepInbox({}, contextWith());
    expect((await list({ status: 'received' })).filter((id) => id === idOf(row))).toHaveLength(1);
    expect((await list({})).filter((id) => id === idOf(row))).toHaveLength(1);
  });
});
