import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { decodeTime, encodeTime } from 'ulid';
import { table } from '../engine/client.ts';
import { customerLookup } from '../engine/indexes.ts';
import type { Session } from '../engine/session.ts';

const prefix = 'ret_';
/** Lower than no id and higher than all. */
const highest = '~';
/** Letters of a ULID that are its time. */
const timeLetters = 10;
/** Whoever asked for more than that asked for very many. */
const mostCounted = 1000;

/**
 * When returns of a customer were asked for since a time, the last ones first: epoch milliseconds, up to a thousand.
 * Eventually consistent, as indexes are.
 *
 * @param except the id of a return that is not to be among them
 */
export const returnTimesOf = async (
  session: Session,
  customerId: string,
  since: number,
  except?: string,
): Promise<number[]> => {
  const { name, attribute, sort, partitions } = customerLookup(customerId);
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      ExpressionAttributeValues: {
        ':partition': partitions[0],
        ':from': `${prefix}${encodeTime(since, timeLetters)}`,
        ':to': highest,
      },
      ProjectionExpression: '#sort',
      ScanIndexForward: false,
      Limit: mostCounted,
    }),
  );
  return Items.map((item) => String(item[sort]))
    .filter((id) => id !== except)
    .map((id) => decodeTime(id.slice(prefix.length)));
};
