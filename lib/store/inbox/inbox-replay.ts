import { type Checkpoint, readCursor, writeCursor } from '../engine/checkpoint.ts';
import { table } from '../engine/client.ts';
import type { Session } from '../engine/session.ts';
import { updateIf, type Write } from '../engine/transact.ts';
import { dueKeyOf, statusKeyOf } from './inbox-index.ts';
import type { ListedRow } from './inbox-list.ts';
import type { InboxRun } from './inbox-row.ts';

/** A shop whose changes are read: a platform, and a key of `sources` in its secret. */
export type ShopSource = { readonly platform: string; readonly source: string };

/** How far a shop's changes have been read. The cursor is as the platform wrote it. */
export type ShopCheckpoint = Checkpoint;

const keyOf = ({ platform, source }: ShopSource) => ({
  pk: `RECONCILE#${platform}#${encodeURIComponent(source)}`,
  sk: 'CURSOR',
});

/** Reads how far a shop's changes have been read. */
export const readShopCheckpoint = async (session: Session, origin: ShopSource): Promise<ShopCheckpoint> =>
  readCursor(session, keyOf(origin));

/** Writes how far a shop's changes have been read; undefined where another run was faster. */
export const writeShopCheckpoint = async (
  session: Session,
  origin: ShopSource,
  read: ShopCheckpoint,
  cursor: string,
): Promise<ShopCheckpoint | undefined> => writeCursor(session, keyOf(origin), read, cursor);

/** As many earlier outcomes as a delivery remembers. */
const maxRuns = 10;

const runOf = ({ status, settledAt, returnId, reason, lastError }: ListedRow): InboxRun => ({
  status,
  ...(settledAt !== undefined && { settledAt }),
  ...(returnId !== undefined && { returnId }),
  ...(reason !== undefined && { reason }),
  ...(lastError !== undefined && { lastError }),
});

/** A delivery that ended, as it is to be worked on once more: how it ended is among its runs. */
export const reopenRow = (row: ListedRow): ListedRow => {
  const { settledAt: _, returnId: __, reason: ___, lastError: ____, ...kept } = row;
  return { ...kept, status: 'received', runs: [...(row.runs ?? []), runOf(row)].slice(-maxRuns) };
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
    ':dueKey': dueKeyOf(key, at),
    ':runs': reopenRow(row).runs,
    ':was': row.status,
    ':attempts': row.attempts,
  },
});

/**
 * Opens a delivery again, unless it has changed since it was read; it is to be announced like one that has just come.
 *
 * @param at now, as an instant
 */
export const writeReopened = (key: string, row: ListedRow, at: string): Write => ({
  guards: 'delivery',
  action: { Update: updateOf(key, row, at) },
});

/** The same by itself; says whether the delivery was as it was read. */
export const reopenDelivery = async (session: Session, key: string, row: ListedRow, at: string): Promise<boolean> =>
  updateIf(session, updateOf(key, row, at));
