import type { DynamoDBStreamEvent } from 'aws-lambda';
import { ulid } from 'ulid';
import type { Call } from '../../../lib/contract/port.ts';
import type { CloudEvent } from '../../../lib/domain/events/cloud-event.ts';
import type { DomainEvent } from '../../../lib/domain/events/domain-events.ts';
import { domainEventKey } from '../../../lib/store/engine/keys.ts';
import { ampleDeadline } from '../../support/time.ts';

export const returnStreamOf = (name = ulid()) => `RETURN#ret_${name}`;

export const domainEventOf = (sequence: number, data: object = {}): DomainEvent => ({
  sequence,
  type: 'return.updated',
  at: new Date(1_770_000_000_000 + sequence).toISOString(),
  actor: { clientId: 'test' },
  data,
  causationId: 'test',
  correlationId: '0'.repeat(32),
  from: 'requested',
  to: 'requested',
  policyVersion: null,
});

/** Returns a batch of the table's stream, in the given order. */
export const streamOf = (
  records: readonly { readonly stream: string; readonly sequence: number }[],
): DynamoDBStreamEvent => ({
  Records: records.map(({ stream, sequence }, index) => {
    const { pk, sk } = domainEventKey(stream, sequence);
    return {
      eventName: 'INSERT',
      dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: String(1000 + index) },
    };
  }),
});

export const readerCall = (): Call => ({
  caller: { clientId: 'reader', scopes: ['returns:read'] },
  deadline: ampleDeadline(),
  traceId: '0'.repeat(32),
  causationId: 'test',
  dryRun: false,
});

/** Returns the place of an event: its subject and sequence. */
export const named = ({ subject, data }: CloudEvent): string => `${subject}/${data.sequence}`;
