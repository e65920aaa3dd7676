import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, table } from './client.ts';

/** `received` and `failed` are still to be processed; the others are settled for good, unless replayed by hand. */
export type InboxStatus = 'received' | 'done' | 'ignored' | 'parked' | 'failed';

export type InboxRow = {
  readonly platform: string;
  /** The shop's domain. */
  readonly source: string;
  readonly deliveryId: string;
  readonly topic: string;
  readonly eventId?: string;
  readonly triggeredAt?: string;
  readonly apiVersion?: string;
  /** The exact bytes that were signed, gzipped. */
  readonly body: Uint8Array;
  /** SHA-256 of those bytes, in hex. */
  readonly bodyHash: string;
  readonly receivedAt: string;
  readonly traceId: string;
  readonly status: InboxStatus;
  readonly attempts: number;
  readonly lastError?: string;
  readonly settledAt?: string;
  readonly returnId?: string;
  readonly reason?: string;
  /** Epoch seconds: DynamoDB deletes the row after it. */
  readonly expiresAt: number;
};

export const isSettled = ({ status }: Pick<InboxRow, 'status'>): boolean =>
  status !== 'received' && status !== 'failed';

const enc = encodeURIComponent;
const sk = 'DELIVERY';

/**
 * The partition key of a delivery, which is also what travels through the queue. The topic is a part of it: it is not
 * signed, and a delivery that comes with a false one first must not stand in the way of the true one.
 */
export const inboxKey = (row: Pick<InboxRow, 'platform' | 'source' | 'topic' | 'deliveryId'>): string =>
  `INBOX#${row.platform}#${enc(row.source)}#${enc(row.topic)}#${enc(row.deliveryId)}`;

/** The marker of a signed body: the ids in the headers are not signed, so a replay may carry another one. */
const bodyKey = (row: InboxRow): string =>
  `INBOXBODY#${row.platform}#${enc(row.source)}#${enc(row.topic)}#${row.bodyHash}`;

const keyOf = (pk: string) => ({ TableName: table, Key: { pk, sk } });

/** The delivery of that key, as last written. */
export const readDelivery = async (key: string): Promise<InboxRow | undefined> => {
  const { Item } = await documentClient().send(new GetCommand({ ...keyOf(key), ConsistentRead: true }));
  return Item as InboxRow | undefined;
};

const putOnce = (pk: string, item: object) => ({
  Put: { TableName: table, Item: { pk, sk, ...item }, ConditionExpression: 'attribute_not_exists(pk)' },
});

const lostTo = (error: unknown, code: string): boolean =>
  error instanceof TransactionCanceledException && (error.CancellationReasons ?? []).some(({ Code }) => Code === code);

/** The delivery that was there first: under the same id, or with the same signed body. */
const readFirst = async (row: InboxRow): Promise<{ key: string; row: InboxRow } | undefined> => {
  const key = inboxKey(row);
  const same = await readDelivery(key);
  if (same !== undefined) return { key, row: same };
  const { Item } = await documentClient().send(new GetCommand({ ...keyOf(bodyKey(row)), ConsistentRead: true }));
  const other = typeof Item?.['delivery'] === 'string' ? Item['delivery'] : undefined;
  const found = other === undefined ? undefined : await readDelivery(other);
  return other !== undefined && found !== undefined ? { key: other, row: found } : undefined;
};

export type Stored =
  | { readonly kind: 'new'; readonly key: string }
  | { readonly kind: 'duplicate'; readonly key: string; readonly row: InboxRow };

/**
 * Stores a delivery unless it is known: by its id, and where `markBody` says so by its signed bytes.
 *
 * @throws what the store throws: the caller must not answer the shop with a success
 */
export const storeDelivery = async (row: InboxRow, options: { readonly markBody: boolean }): Promise<Stored> => {
  const key = inboxKey(row);
  const marker = putOnce(bodyKey(row), { delivery: key, expiresAt: row.expiresAt });
  const TransactItems = [putOnce(key, row), ...(options.markBody ? [marker] : [])];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await documentClient().send(new TransactWriteCommand({ TransactItems }));
      return { kind: 'new', key };
    } catch (error) {
      const first = lostTo(error, 'ConditionalCheckFailed') ? await readFirst(row) : undefined;
      if (first !== undefined) return { kind: 'duplicate', ...first };
      // Two copies of one delivery at the same instant: the other one has been written by the next attempt.
      if (attempt === 3 || !lostTo(error, 'TransactionConflict')) throw error;
    }
  }
};

/** Writes to an unsettled row; says whether it still was one. */
const update = async (key: string, expression: string, values: Record<string, unknown>): Promise<boolean> => {
  try {
    await documentClient().send(
      new UpdateCommand({
        ...keyOf(key),
        UpdateExpression: expression,
        ConditionExpression: '#status IN (:received, :failed)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':received': 'received', ':failed': 'failed', ...values },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};

export type Settlement =
  | { readonly status: 'done'; readonly returnId: string }
  | { readonly status: 'ignored' | 'parked'; readonly reason: string };

/** Settles a delivery once; a worker that comes later changes nothing and learns so. */
export const settleDelivery = (key: string, settlement: Settlement, at: string): Promise<boolean> => {
  const [name, value] =
    settlement.status === 'done' ? ['returnId', settlement.returnId] : ['reason', settlement.reason];
  return update(key, `SET #status = :status, settledAt = :at, ${name} = :value ADD attempts :one`, {
    ':status': settlement.status,
    ':at': at,
    ':value': value,
    ':one': 1,
  });
};

/** Records a failed attempt; `status` is `failed` for the last one. Never overwrites what another worker settled. */
export const recordAttempt = (key: string, status: 'received' | 'failed', lastError: string): Promise<boolean> =>
  update(key, 'SET #status = :status, lastError = :error ADD attempts :one', {
    ':status': status,
    ':error': lastError,
    ':one': 1,
  });
