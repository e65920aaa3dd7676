import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { listAttributes } from '../../lib/store/inbox/inbox-index.ts';
import { inboxKey, type InboxRow, encodeInboxKey } from '../../lib/store/inbox/inbox-row.ts';
import type { Api } from './api.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

/** Puts a parked delivery, or one with the given fields, into the inbox of a mode. Returns its public key. */
export const parkedDelivery = async (
  { aws }: StackInfo,
  mode: Mode,
  changes: Partial<InboxRow> = {},
): Promise<string> => {
  const row: InboxRow = {
    platform: 'shopify',
    source: 'nobody.example',
    topic: 'returns/request',
    deliveryId: randomUUID(),
    body: gzipSync('no JSON'),
    bodyHash: '0',
    receivedAt: new Date().toISOString(),
    traceId: '0'.repeat(32),
    status: 'parked',
    attempts: 1,
    settledAt: new Date().toISOString(),
    reason: 'payload_not_json',
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
    ...changes,
  };
  const key = inboxKey(row);
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  try {
    const Item = { ...row, ...listAttributes(key, row), pk: key, sk: 'DELIVERY' };
    await table.send(new PutCommand({ TableName: aws.tables[`${mode}.Table`], Item }));
  } finally {
    table.destroy();
  }
  return encodeInboxKey(key);
};

/** Returns a redrive as a case of lost responses: it needs no resource. */
export const redriving = (path: string) => async (service: Api) => async (key: string) =>
  service.post(path, {}, { key });
