import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Entity, Service } from 'electrodb';

/*
 * The standalone mode on ElectroDB: a return is one item with the fields of a response as attributes, and each change is
 * an event. It has no order, ledger, idempotency or hash chain. Nested fields are `any`, which ElectroDB does not check.
 * https://electrodb.dev/en/modeling/entities/
 */

const table = process.env['TABLE_NAME'] ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const text = { type: 'string', required: true } as const;
const nested = { type: 'any' } as const;

export const attributes = {
  returnId: text,
  status: {
    type: ['requested', 'approved', 'rejected', 'cancelled', 'received', 'completed'],
    required: true,
  },
  version: { type: 'number', required: true },
  refundStatus: text,
  requestedAt: text,
  createdAt: text,
  updatedAt: text,
  order: nested,
  lines: nested,
  /** The other fields of a response, each of which is an object or a list. */
  details: nested,
} as const;

export const returns = new Entity(
  {
    model: { entity: 'return', version: '1', service: 'returns' },
    attributes,
    indexes: { byId: { pk: { field: 'pk', composite: ['returnId'] }, sk: { field: 'sk', composite: [] } } },
  },
  { client, table },
);

const events = new Entity(
  {
    model: { entity: 'event', version: '1', service: 'returns' },
    attributes: {
      returnId: text,
      version: { type: 'number', required: true, padding: { length: 6, char: '0' } },
      type: text,
      at: text,
      actor: nested,
    },
    indexes: {
      byReturn: { pk: { field: 'pk', composite: ['returnId'] }, sk: { field: 'sk', composite: ['version'] } },
    },
  },
  { client, table },
);

export const service = new Service({ returns, events });
