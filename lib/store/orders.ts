import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { emptyLedger, type Ledger } from '../returns/money/ledger.ts';
import type { Order, OrderRef } from '../returns/order.ts';
import { table } from './client.ts';
import { ledgerKey, orderKey, orderPartition } from './keys.ts';
import { pack, unpack } from './pack.ts';
import type { Session } from './session.ts';
import { putVersion, type Write } from './transact.ts';

/** An order, its ledger, and the ledger's version (0 where there is none yet). */
export type OrderRecord = { readonly order: Order; readonly ledger: Ledger; readonly ledgerVersion: number };

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
      TableName: table,
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

/** An order with its ledger, read together, or undefined. The ledger is never newer than the order. */
export const readOrder = async (session: Session, ref: OrderRef): Promise<OrderRecord | undefined> => {
  for (;;) {
    const { facts, ledger } = await readItems(session, ref);
    if (facts === undefined) return undefined;
    // A query may see one item before and another after the same transaction: the ledger must not vouch for old facts.
    if ((ledger?.orderVersion ?? 0) > facts.version) continue;
    return {
      order: unpack(facts.value) as Order,
      ledger: ledger === undefined ? emptyLedger : (unpack(ledger.value) as Ledger),
      ledgerVersion: ledger?.version ?? 0,
    };
  }
};

/** The ledger in place of version `before`. Fails too when the order has changed since it was read with it. */
export const writeLedger = (order: Order, ledger: Ledger, before: number): Write => {
  const attributes = { version: before + 1, orderVersion: order.version, value: pack(ledger) };
  return putVersion('ledger', ledgerKey(order), attributes, before);
};

/** An order, new or in place of what was known of it, with a ledger that says what it said. */
export const writeOrder = (order: Order, known: OrderRecord | undefined): Write[] => [
  putVersion('order', orderKey(order), { version: order.version, value: pack(order) }, known?.order.version ?? 0),
  // Whoever moves the ledger thereby notices that the facts have changed.
  writeLedger(order, known?.ledger ?? emptyLedger, known?.ledgerVersion ?? 0),
];
