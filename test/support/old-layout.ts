import { deflateRawSync } from 'node:zlib';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { Deployed } from '../../lib/local/cloudformation/deployment.ts';
import type { Return } from '../../lib/returns/model/return.ts';
import { summarizeReturn } from '../../lib/returns/summary.ts';
import { partitionIndexOf } from '../../lib/runtime/hash.ts';
import { secondDictionary } from '../../lib/store/engine/dictionary.ts';
import { returnKey } from '../../lib/store/engine/keys.ts';
import { putNew, type Write } from '../../lib/store/engine/transact.ts';

/*
 * The layout before version 2: lists had eight partitions, byStatus held all returns by status, and byCreation and
 * byDeadline held keys only. A summary had no amounts and no next step.
 */

type Indexes = NonNullable<CreateTableCommandInput['GlobalSecondaryIndexes']>;

type Projection = Indexes[number]['Projection'];

const keysOnly: Projection = { ProjectionType: 'KEYS_ONLY' };
const summaries: Projection = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['summary'] };
const projections: Readonly<Record<string, Projection>> = {
  byOrder: keysOnly,
  byCustomer: keysOnly,
  byStatus: summaries,
  byCreation: keysOnly,
  byUpdate: summaries,
  byDeadline: keysOnly,
};

/** Returns a table with the indexes of the old layout. */
export const withOldIndexes = (table: Deployed): Deployed => {
  const { GlobalSecondaryIndexes = [] } = table.properties as Pick<CreateTableCommandInput, 'GlobalSecondaryIndexes'>;
  const indexes = GlobalSecondaryIndexes.map((index) => ({ ...index, Projection: projections[index.IndexName ?? ''] }));
  return { ...table, properties: { ...table.properties, GlobalSecondaryIndexes: indexes } };
};

const oldPack = (value: object, others: readonly Buffer[], version: number): Uint8Array =>
  Buffer.concat([
    Buffer.of(version),
    deflateRawSync(JSON.stringify(value), { dictionary: Buffer.concat([secondDictionary, ...others]) }),
  ]);

/**
 * Creates a return as the old layout stored it. The row of its order number is missing.
 *
 * @param partitions the number of partitions of the lists
 */
export const writeOldReturn = (state: Return, partitions = 8): Write => {
  const { amounts: _, nextStep: __, flags: ___, openUnits: ____, ...summary } = summarizeReturn(state);
  const { id, status, order, customerId, updatedAt, dueAt } = summary;
  const shard = partitionIndexOf(id, partitions);
  const text = Buffer.from(JSON.stringify(summary));
  return putNew('return', returnKey(id), {
    version: state.version,
    value: oldPack(state, [text], 3),
    summary: oldPack(summary, [], 2),
    id,
    orderKey: `ORDER#${order.platform}#${encodeURIComponent(order.orderId)}`,
    ...(customerId === undefined ? {} : { customerKey: `CUSTOMER#${encodeURIComponent(customerId)}` }),
    statusKey: `STATUS#${status}#${shard}`,
    listKey: `RETURNS#${shard}`,
    updatedKey: `${updatedAt}#${id}`,
    ...(dueAt === undefined ? {} : { dueKey: `${dueAt}#${id}` }),
  });
};
