import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { emptyLedger, type Ledger } from '../returns/ledger.ts';
import type { Order, OrderRef } from '../returns/order.ts';
import { table } from './client.ts';
import { ledgerKey, orderKey, orderPartition } from './keys.ts';
import { pack, unpack } from './pack.ts';
import type { Session } from './session.ts';
import { holdVersion, putVersion, type Write } from './transact.ts';

/** An order, its ledger, and the ledger's version (0 where there is none yet). */
export type OrderRecord = { readonly order: Order; readonly ledger: Ledger; readonly ledgerVersion: number };

type Item = { readonly sk: string; readonly version: number; readonly value: string | Uint8Array };

/** An order with its ledger, read together, or undefined. */
export const readOrder = async (session: Session, ref: OrderRef): Promise<OrderRecord | undefined> => {
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
  const facts = items.find(({ sk }) => sk === orderKey(ref).sk);
  const ledger = items.find(({ sk }) => sk === ledgerKey(ref).sk);
  if (facts === undefined) return undefined;
  return {
    order: unpack(facts.value) as Order,
    ledger: ledger === undefined ? emptyLedger : (unpack(ledger.value) as Ledger),
    ledgerVersion: ledger?.version ?? 0,
  };
};

/** The ledger in place of version `before`. Fails too when the order has changed since it was read with it. */
export const writeLedger = (ref: OrderRef, ledger: Ledger, before: number): Write =>
  putVersion('ledger', ledgerKey(ref), { version: before + 1, value: pack(ledger) }, before);

/** A new order, with the ledger that commands rely on from then on, or one in place of what was known of it. */
export const writeOrder = (order: Order, known: OrderRecord | undefined): Write[] => [
  putVersion('order', orderKey(order), { version: order.version, value: pack(order) }, known?.order.version ?? 0),
  // Who holds the ledger holds the order too: a command pays for one condition instead of two.
  writeLedger(order, known?.ledger ?? emptyLedger, known?.ledgerVersion ?? 0),
];

/** Demands that no return has moved the ledger since it was read, and nobody has changed the order. */
export const holdLedger = (ref: OrderRef, version: number): Write => holdVersion('ledger', ledgerKey(ref), version);
