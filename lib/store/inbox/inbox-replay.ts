import { type Checkpoint, readCursor, writeCursor } from '../engine/checkpoint.ts';
import { table } from '../engine/client.ts';
import type { Session } from '../engine/session.ts';
import { updateIf, type Write } from '../engine/transact.ts';
import { positionOf, statusKeyOf } from './inbox-index.ts';
import type { ListedRow } from './inbox-list.ts';
import type { InboxRun } from './inbox-row.ts';

/** A shop that is reconciled: a platform, and a key of `sources` in its secret. */
export type ShopSource = { readonly platform: string; readonly source: string };

/** The progress of a shop's reconciliation. The platform defines the cursor. */
export type ShopCheckpoint = Checkpoint;

const keyOf = ({ platform, source }: ShopSource, sk: 'CURSOR' | 'SUBSCRIPTIONS') => ({
  pk: `RECONCILE#${platform}#${encodeURIComponent(source)}`,
  sk,
});

/** Reads the progress of a shop's reconciliation. */
export const readShopCheckpoint = async (session: Session, origin: ShopSource): Promise<ShopCheckpoint> =>
  readCursor(session, keyOf(origin, 'CURSOR'));

/** Writes the progress of a shop's reconciliation; undefined when another run was faster. */
export const writeShopCheckpoint = async (
  session: Session,
  origin: ShopSource,
  read: ShopCheckpoint,
  cursor: string,
): Promise<ShopCheckpoint | undefined> => writeCursor(session, keyOf(origin, 'CURSOR'), read, cursor);

/** Reads when the subscriptions of a shop were checked. */
export const readSubscriptionCheck = async (session: Session, origin: ShopSource): Promise<Checkpoint> =>
  readCursor(session, keyOf(origin, 'SUBSCRIPTIONS'));

/** Records that a check of the subscriptions of a shop begins; undefined when another run was faster. */
export const writeSubscriptionCheck = async (
  session: Session,
  origin: ShopSource,
  read: Checkpoint,
): Promise<Checkpoint | undefined> => writeCursor(session, keyOf(origin, 'SUBSCRIPTIONS'), read, 'begun');

/** The maximum of earlier runs in a delivery. */
const maxRuns = 10;

const runOf = ({ status, settledAt, returnId, reason, lastError }: ListedRow): InboxRun => ({
  status,
  ...(settledAt !== undefined && { settledAt }),
  ...(returnId !== undefined && { returnId }),
  ...(reason !== undefined && { reason }),
  ...(lastError !== undefined && { lastError }),
});

/** Reopens a settled delivery: its result moves to its runs. */
export const reopenRow = (row: ListedRow): ListedRow => {
  const { settledAt: _, returnId: __, reason: ___, lastError: ____, ...rest } = row;
  return { ...rest, status: 'received', runs: [...(row.runs ?? []), runOf(row)].slice(-maxRuns) };
};

const updateOf = (key: string, row: ListedRow, at: string) => ({
  TableName: table(),
  Key: { pk: key, sk: 'DELIVERY' },
  UpdateExpression:
    'SET #status = :received, statusKey = :statusKey, dueKey = :dueKey, runs = :runs REMOVE settledAt, returnId, reason, lastError',
  ConditionExpression: '#status = :was AND attempts = :attempts',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: {
    ':received': 'received',
    ':statusKey': statusKeyOf(key, 'received'),
    ':dueKey': positionOf(key, at),
    ':runs': reopenRow(row).runs,
    ':was': row.status,
    ':attempts': row.attempts,
  },
});

/**
 * Writes a reopened delivery, unless it has changed since it was read. It waits for a worker like a new one.
 *
 * @param at now, as an instant
 */
export const writeReopened = (key: string, row: ListedRow, at: string): Write => ({
  guards: 'delivery',
  action: { Update: updateOf(key, row, at) },
});

/** Reopens a delivery; returns whether it had not changed since it was read. */
export const reopenDelivery = async (session: Session, key: string, row: ListedRow, at: string): Promise<boolean> =>
  updateIf(session, updateOf(key, row, at));
