import { table } from './client.ts';
import { dueKeyOf, statusKeyOf } from './inbox-index.ts';
import type { InboxRow, InboxRun } from './inbox.ts';
import type { Write } from './transact.ts';

/** As many earlier outcomes as a delivery remembers. */
const mostRuns = 10;

const runOf = ({ status, settledAt, returnId, reason, lastError }: InboxRow): InboxRun => ({
  status,
  ...(settledAt !== undefined && { settledAt }),
  ...(returnId !== undefined && { returnId }),
  ...(reason !== undefined && { reason }),
  ...(lastError !== undefined && { lastError }),
});

/** A delivery that ended, as it is to be worked on once more: how it ended is among its runs. */
export const reopened = (row: InboxRow): InboxRow => {
  const { settledAt: _, returnId: __, reason: ___, lastError: ____, ...kept } = row;
  return { ...kept, status: 'received', runs: [...(row.runs ?? []), runOf(row)].slice(-mostRuns) };
};

/**
 * Opens a delivery again, unless it has changed since it was read; it is to be announced like one that has just come.
 *
 * @param at now, as an instant
 */
export const writeReopened = (key: string, row: InboxRow, at: string): Write => ({
  guards: 'delivery',
  action: {
    Update: {
      TableName: table,
      Key: { pk: key, sk: 'DELIVERY' },
      UpdateExpression:
        'SET #status = :received, statusKey = :statusKey, dueKey = :dueKey, runs = :runs REMOVE settledAt, returnId, reason, lastError',
      ConditionExpression: '#status = :was AND attempts = :attempts',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':received': 'received',
        ':statusKey': statusKeyOf(key, 'received'),
        ':dueKey': dueKeyOf(key, at),
        ':runs': reopened(row).runs,
        ':was': row.status,
        ':attempts': row.attempts,
      },
    },
  },
});
