import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { answerOf } from '../answer.ts';

/*
 * The floor of a list: one query by AWS's document client, and its items as JSON. Each item has the fields of the
 * response as attributes of its own. It has no validation, authorisation, filter or cursor.
 */

const { BARE_TABLE = '', BARE_LIST = '', BARE_ORDER = '' } = process.env;

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const handler = async ({ queryStringParameters }: APIGatewayProxyEventV2) => {
  const { Items } = await client.send(
    new QueryCommand({
      TableName: BARE_TABLE,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': BARE_LIST },
      ScanIndexForward: BARE_ORDER === 'ascending',
      Limit: Number(queryStringParameters?.['limit']),
    }),
  );
  return answerOf(200, { items: Items });
};
