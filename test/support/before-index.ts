import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import type { Deployed } from '../../lib/tools/template/cloudformation/deployment.ts';
import type { Return } from '../../lib/domain/returns/model/return.ts';
import type { Write } from '../../lib/store/engine/transact.ts';
import { writeReturn } from '../../lib/store/returns/returns.ts';

/* A table and its returns before the index byStatus was added to the template. */

const index = 'byStatus';
const attribute = 'statusKey';

type Shape = Pick<CreateTableCommandInput, 'GlobalSecondaryIndexes' | 'AttributeDefinitions'>;

/** Returns a table without the index. */
export const withoutIndex = (table: Deployed): Deployed => {
  const { GlobalSecondaryIndexes = [], AttributeDefinitions = [] } = table.properties as Shape;
  return {
    ...table,
    properties: {
      ...table.properties,
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.filter(({ IndexName }) => IndexName !== index),
      AttributeDefinitions: AttributeDefinitions.filter(({ AttributeName }) => AttributeName !== attribute),
    },
  };
};

/** Returns the writes of a return without the key of the index. The row of its order number is missing too. */
export const writeUnindexed = (state: Return): Write[] =>
  writeReturn(state, [], undefined).map((write) => {
    const { Put } = write.action;
    if (Put?.Item === undefined) throw new Error('a return is written by a put');
    const { [attribute]: _, ...Item } = Put.Item;
    return { ...write, action: { Put: { ...Put, Item } } };
  });
