import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { RecordedRefund } from '../../domain/returns/commands/money/recorded-refund.ts';
import type { Order, OrderOrigin, OrderRef } from '../../domain/returns/model/order.ts';
import { emptyLedger, type Ledger } from '../../domain/returns/money/order-ledger.ts';
import { retentionConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { dueAttributesIn } from '../engine/due.ts';
import {
  type Key,
  ledgerKey,
  orderIdOfLink,
  orderKey,
  orderLinkKey,
  orderNumberKey,
  orderNumberPartition,
  orderOfPartition,
  orderPartition,
  originKey,
  refundKey,
} from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { dataSubjectOf } from '../personal/text-references.ts';
import { put, putNew, putVersion, remove, removeVersion, type Write } from '../engine/transact.ts';

/** A recorded refund, and the fingerprint of the request that recorded it. */
export type StoredRefund = { readonly refund: RecordedRefund; readonly fingerprint: string };

/** Returns the ids at the platform of the recorded refunds of an order. Strongly consistent. */
export const readRefundIds = async (session: Session, ref: OrderRef): Promise<readonly string[]> => {
  const { pk, sk } = refundKey(ref, '');
  const items = await queryAll<{ readonly sk: string }>(session, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :refund)',
    ExpressionAttributeValues: { ':pk': pk, ':refund': sk },
    ProjectionExpression: 'sk',
    ConsistentRead: true,
  });
  return items.map((item) => decodeURIComponent(item.sk.slice(sk.length)));
};

/** Returns a refund of an order by its id at the platform, or undefined. */
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

/** The ledger of an order, and its version (0 when there is none). */
type LedgerRecord = { readonly ledger: Ledger; readonly ledgerVersion: number };

/** An order with its ledger. */
export type OrderRecord = LedgerRecord & { readonly order: Order };

/** An order with its ledger, or only the ledger when the facts are unknown or deleted. */
export type KnownOrder = LedgerRecord & { readonly order: Order | undefined };

const config = configured(retentionConfig);

type Item = {
  readonly sk: string;
  readonly version: number;
  readonly value: string | Uint8Array;
  /** The version of the order with which the ledger was written. */
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
    origin: items.find(({ sk }) => sk === originKey(ref).sk),
    ledger: items.find(({ sk }) => sk === ledgerKey(ref).sk),
  };
};

/** Returns an order with the order that it replaces: what the platform says, or else the exchange. */
const withOrigin = (order: Order, linked: OrderOrigin | undefined): Order => {
  const origin = order.facts.origin ?? linked;
  return origin === undefined ? order : { ...order, origin };
};

/** Leads from the order of a new item to the order and the return that it replaces. The order may be unknown yet. */
export const writeOrigin = (ref: OrderRef, origin: OrderOrigin): Write =>
  put('origin', originKey(ref), { value: pack(origin) });

/** Reads the order and its ledger together. The ledger is never newer than the order. */
export const readKnownOrder = async (session: Session, ref: OrderRef): Promise<KnownOrder> => {
  for (;;) {
    const { facts, origin, ledger } = await readItems(session, ref);
    // A query may read one item before and another one after the same transaction. Then the ledger is newer than the
    // facts.
    if (facts !== undefined && (ledger?.orderVersion ?? 0) > facts.version) continue;
    return {
      order: facts && withOrigin(unpack(facts.value) as Order, origin && (unpack(origin.value) as OrderOrigin)),
      ledger: ledger === undefined ? emptyLedger : (unpack(ledger.value) as Ledger),
      ledgerVersion: ledger?.version ?? 0,
    };
  }
};

/** Reads an order with its ledger; undefined without facts. */
export const readOrder = async (session: Session, ref: OrderRef): Promise<OrderRecord | undefined> => {
  const { order, ...account } = await readKnownOrder(session, ref);
  return order && { order, ...account };
};

/**
 * Replaces version `before` of the ledger. It also fails when the order has changed since that read.
 *
 * @param order version 0 when its facts are deleted
 */
export const writeLedger = (
  order: Pick<Order, 'platform' | 'orderId' | 'version'>,
  ledger: Ledger,
  before: number,
): Write => {
  const attributes = { version: before + 1, orderVersion: order.version, value: pack(ledger) };
  return putVersion('ledger', ledgerKey(order), attributes, before);
};

/** Returns the number by which people know an order: its id when it has no number. */
const numberOf = ({ orderId, facts }: Order): string => facts.number ?? orderId;

/** Leads from a number of an order to the order. An earlier number leads to it too. */
export const writeOrderNumber = (ref: OrderRef, number: string): Write =>
  put('orderNumber', orderNumberKey(number, ref), {});

/** Writes an order, and its ledger without changes. */
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
  // A concurrent write of the ledger fails, and so detects the changed facts.
  writeLedger(order, known.ledger, known.ledgerVersion),
  ...(known.order !== undefined && numberOf(known.order) === numberOf(order)
    ? []
    : [writeOrderNumber(order, numberOf(order))]),
];

/** Leads from a customer of a shop to an order. An order without a customer is a person of its own. */
export const writeOrderLink = (subject: string, ref: OrderRef): Write =>
  put('orderLink', orderLinkKey(subject, ref), {});

/** Returns the orders that a customer has links to: at most `limit`. The order may have another customer since. */
export const readOrderLinks = async (
  session: Session,
  subject: string,
  platform: string,
  limit: number,
): Promise<readonly OrderRef[]> => {
  const { pk, sk } = orderLinkKey(subject, { platform, orderId: '' });
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
    ProjectionExpression: 'sk',
  };
  const links = await queryAll<Key>(session, query, limit);
  return links.flatMap((link) => {
    const orderId = orderIdOfLink(link.sk);
    return orderId === undefined ? [] : [{ platform, orderId }];
  });
};

/** Returns registered orders as last written, unordered, without those that are unknown. Eventually consistent. */
export const readOrderFacts = async (session: Session, refs: readonly OrderRef[]): Promise<readonly Order[]> => {
  const keys = new Map(refs.map(orderKey).map((key) => [key.pk, key]));
  const items = (await batchGet(session, [...keys.values()], ['value'])) as Pick<Item, 'value'>[];
  return items.map(({ value }) => unpack(value) as Order);
};

/** Returns registered orders with their ledgers, by the partition of the order. Eventually consistent. */
export const readOrderRecords = async (
  session: Session,
  refs: readonly OrderRef[],
): Promise<ReadonlyMap<string, Pick<OrderRecord, 'order' | 'ledger'>>> => {
  const keys = new Map(refs.flatMap((ref) => [orderKey(ref), ledgerKey(ref)]).map((key) => [key.pk + key.sk, key]));
  const items = (await batchGet(session, [...keys.values()], ['pk', 'sk', 'value'])) as (Key & Pick<Item, 'value'>)[];
  const byOrder = Map.groupBy(items, ({ pk }) => pk);
  return new Map(
    [...byOrder].flatMap(([pk, rows]) => {
      const [facts, ledger] = ['FACTS', 'LEDGER'].map((kind) => rows.find(({ sk }) => sk === kind)?.value);
      if (facts === undefined) return [];
      const known = ledger === undefined ? emptyLedger : (unpack(ledger) as Ledger);
      return [[pk, { order: unpack(facts) as Order, ledger: known }] as const];
    }),
  );
};

/** Returns the orders that have a number, or have had it, on all platforms: at most `limit`. */
export const readOrdersByNumber = async (
  session: Session,
  number: string,
  limit: number,
): Promise<readonly OrderRef[]> => {
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': orderNumberPartition(number) },
  };
  return (await queryAll<Key>(session, query, limit)).map(({ sk }) => orderOfPartition(sk));
};

/**
 * Removes the facts of an order. The ledger and the recorded refunds stay: they hold only numbers and ids. Without them
 * an order that a shop sends again could be returned and refunded twice.
 */
export const removeOrderFacts = ({ order, ledger, ledgerVersion }: OrderRecord): Write[] => [
  remove('orderLink', orderLinkKey(dataSubjectOf(order), order)),
  removeVersion('order', orderKey(order), order.version),
  // A concurrent write of the ledger fails, and so detects the removed facts.
  writeLedger(order, ledger, ledgerVersion),
];
