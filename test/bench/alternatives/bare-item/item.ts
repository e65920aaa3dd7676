import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/*
 * The floor of the standalone mode: a return is one item, read and put by one command of AWS's document client.
 * It has no validation, authorisation, order, ledger, history or idempotency.
 */

export const { TABLE_NAME = '' } = process.env;

export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const keyOf = (returnId: string) => ({ pk: `BARE#${returnId}`, sk: 'RETURN' });
