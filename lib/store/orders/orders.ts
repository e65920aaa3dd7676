import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { RecordedRefund } from '../../returns/commands/money/record-refund.ts';
import type { Order, OrderRef } from '../../returns/model/order.ts';
import { emptyLedger, type Ledger } from '../../returns/money/ledger.ts';
import { retentionConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { dueAttributesIn } from '../engine/due.ts';
import { ledgerKey, orderKey, orderPartition, refundKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putVersion, removeVersion, type Write } from '../engine/transact.ts';

/** A recorded refund, and the fingerprint of the request that recorded it. */
export type StoredRefund = { readonly refund: RecordedRefund; readonly fingerprint: string };

/** A refund of an order by its id at the platform, or undefined. */
export const readRefund = async (
  session: Session,
  ref: OrderRef,
  externalId: string,
): Promise<StoredRefund | undefined> => {
  const item = await getItem<{ value: string | Uint8Array; fingerprint: string }>(session, refundKey(ref, externalId));
  return item === undefined
    ? undefined
    : { refund: unpack(item.value) as RecordedRefund, fingerprint: item.fingerprint };
};

/** Records a refund, once. */
export const writeRefund = ({ refund, fingerprint }: StoredRefund): Write =>
  putNew('refund', refundKey(refund.order, refund.external.id), { value: pack(refund), fingerprint });

/** The ledger of an order, and its version (0 where there is none yet). */
type LedgerRecord = { readonly ledger: Ledger; readonly ledgerVersion: number };

/** An order with its ledger. */
export type OrderRecord = LedgerRecord & { readonly order: Order };

/** The same, or the ledger alone of an order whose facts are not known, or no longer. */
export type KnownOrder = LedgerRecord & { readonly order: Order | undefined };

const config = configured(retentionConfig);

type Item = {
  readonly sk: string;
  readonly version: number;
  readonly value: string | Uint8Array;
  /** Of a ledger: the version of the order that it was written with. */
  readonly orderVersion?: number;
};

const readItems = async (session: Session, ref: OrderRef) => {
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :facts AND :ledger',
      ExpressionAttributeValues: {
        ':pk': orderPartition(ref),
        ':facts': orderKey(ref).sk,
        ':ledger': ledgerKey(ref).sk,
      },
      ConsistentRead: true,
    }),
  );
  const items = Items as Item[];
  return {
    facts: items.find(({ sk }) => sk === orderKey(ref).sk),
    ledger: items.find(({ sk }) => sk === ledgerKey(ref).sk),
  };
};

/** What is known of an order, read together. The ledger is never newer than the order. */
export const readKnownOrder = async (session: Session, ref: OrderRef): Promise<KnownOrder> => {
  for (;;) {
    const { facts, ledger } = await readItems(session, ref);
    // A query may see one item before and another after the same transaction: the ledger must not vouch for old facts.
    if (facts !== undefined && (ledger?.orderVersion ?? 0) > facts.version) continue;
    return {
      order: facts && (unpack(facts.value) as Order),
      ledger: ledger === undefined ? emptyLedger : (unpack(ledger.value) as Ledger),
      ledgerVersion: ledger?.version ?? 0,
    };
  }
};

/** An order with its ledger, read together, or undefined. */
export const readOrder = async (session: Session, ref: OrderRef): Promise<OrderRecord | undefined> => {
  const { order, ...account } = await readKnownOrder(session, ref);
  return order && { order, ...account };
};

/** The ledger in place of version `before`. Fails too when the order has changed since it was read with it. */
export const writeLedger = (order: Order, ledger: Ledger, before: number): Write => {
  const attributes = { version: before + 1, orderVersion: order.version, value: pack(ledger) };
  return putVersion('ledger', ledgerKey(order), attributes, before);
};

/** An order, new or in place of what was known of it, with a ledger that says what it said. */
export const writeOrder = (order: Order, known: KnownOrder): Write[] => [
  putVersion(
    'order',
    orderKey(order),
    {
      version: order.version,
      value: pack(order),
      ...dueAttributesIn('orders', orderPartition(order), config().orderDays),
    },
    known.order?.version ?? 0,
  ),
  // Whoever moves the ledger thereby notices that the facts have changed.
  writeLedger(order, known.ledger, known.ledgerVersion),
];

/**
 * Removes the facts of an order. Its ledger and the refunds that were recorded stay: they are numbers and ids alone, and
 * without them an order that a shop tells of once more could be returned and paid twice.
 */
export const removeOrderFacts = ({ order, ledger, ledgerVersion }: OrderRecord): Write[] => [
  removeVersion('order', orderKey(order), order.version),
  // Whoever moves the ledger thereby notices that the facts are gone.
  writeLedger(order, ledger, ledgerVersion),
];
