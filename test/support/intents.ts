import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import type { Intent } from '../../lib/domain/write-back/intent.ts';
import { writeIntent } from '../../lib/store/write-back/intents.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { nameTable } from './environment.ts';

/** Puts a parked refund, or an intent with the given fields, into the table. A field with undefined is left out. */
export const putIntent = async (
  { aws }: StackInfo,
  changes: { readonly [Name in keyof Intent]?: Intent[Name] | undefined } = {},
): Promise<Intent> => {
  const at = changes.plannedAt ?? new Date().toISOString();
  const refund: Intent = {
    id: `wbi_${ulid()}`,
    version: 1,
    order: { platform: 'web', orderId: randomUUID() },
    action: 'refund',
    returnId: `ret_${ulid()}`,
    refundId: `rfd_${ulid()}`,
    status: 'parked',
    plannedAt: at,
    updatedAt: at,
    shop: { platform: 'woocommerce', source: 'shop.example.com' },
    runs: 1,
    requests: 1,
    askedAt: at,
    reason: 'effect_unknown',
    traceId: '0'.repeat(32),
  };
  const merged = Object.entries({ ...refund, ...changes }).filter(([, value]) => value !== undefined);
  const intent = Object.fromEntries(merged) as Intent;
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  nameTable();
  try {
    const { Item } = writeIntent(intent).action.Put ?? {};
    await table.send(new PutCommand({ TableName: aws.tables['standalone.Table'], Item }));
  } finally {
    table.destroy();
  }
  return intent;
};
