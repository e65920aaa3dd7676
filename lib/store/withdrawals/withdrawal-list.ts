import { encodeTime } from 'ulid';
import { listsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { reminderDueAt } from '../../domain/withdrawals/commands/remind.ts';
import {
  type HeldRefund,
  type HeldRefundStatus,
  receiptStatuses,
  receiptStatusOf,
  refundStatuses,
  refundStatusOf,
  withdrawalStatuses,
  type ReceiptStatus,
  type Withdrawal,
  type WithdrawalStatus,
} from '../../domain/withdrawals/model/withdrawal.ts';
import { type Bounds, type IndexPartitions, readIndexPage } from '../engine/index-page.ts';
import { positionAt } from '../engine/indexes.ts';
import { type Key, withdrawalOfPartition, withdrawalsPartition } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';

/* Lists of withdrawals. A list reads the summaries that an index holds. */

type Packed = string | Uint8Array;

const lists = configured(listsConfig);

/** A withdrawal in a list. */
export type WithdrawalSummary = Pick<
  Withdrawal,
  'id' | 'status' | 'version' | 'declaredAt' | 'createdAt' | 'updatedAt' | 'language' | 'platform'
> & {
  readonly receipt: ReceiptStatus;
  readonly refund?: Pick<HeldRefund, 'dueBy'> & { readonly status: HeldRefundStatus };
  readonly order?: NonNullable<Withdrawal['match']>['order'];
};

/** Returns the summary of a withdrawal. */
export const summaryOf = (state: Withdrawal): WithdrawalSummary => {
  const { id, status, version, declaredAt, createdAt, updatedAt, language, platform, match, refund } = state;
  const refundStatus = refundStatusOf(state);
  return {
    id,
    status,
    version,
    declaredAt,
    createdAt,
    updatedAt,
    language,
    receipt: receiptStatusOf(state.receipt),
    ...(refund !== undefined &&
      refundStatus !== undefined && { refund: { status: refundStatus, dueBy: refund.dueBy } }),
    ...(platform !== undefined && { platform }),
    ...(match !== undefined && { order: match.order }),
  };
};

/** The value by which the engine leaves out rows of a list: all statuses, because the indexes hold one attribute. */
const filterValue = (status: WithdrawalStatus, receipt: ReceiptStatus, refund: HeldRefundStatus | undefined): string =>
  [status, receipt, ...(refund === undefined ? [] : [refund])].join('/');

/** Withdrawals whose refund was reported as overdue are apart in byDeadline: a run counts them and reads none of them. */
const overdueRange = 'OVERDUE#';
/** Sorts after all times. */
const never = '~';

/**
 * Returns the place of a withdrawal in byDeadline, by its next reminder; undefined for one that no run needs.
 *
 * @param isErased whether its texts are erased
 */
export const dueKeyOf = (state: Withdrawal, isErased = false): string | undefined => {
  const due = reminderDueAt(state, isErased);
  if (refundStatusOf(state) === 'overdue') return overdueRange + positionAt(due ?? never, state.id);
  return due && positionAt(due, state.id);
};

/** Returns the attributes by which the indexes find a withdrawal. */
export const indexAttributes = (state: Withdrawal): Record<string, string> => {
  const { id, status, receipt, updatedAt } = state;
  const dueKey = dueKeyOf(state);
  return {
    id,
    returnStatus: filterValue(status, receiptStatusOf(receipt), refundStatusOf(state)),
    listKey: withdrawalsPartition(partitionIndexOf(id, lists().partitions)),
    updatedKey: positionAt(updatedAt, id),
    ...(dueKey === undefined ? {} : { dueKey }),
  };
};

/** Returns the partitions of all withdrawals in the indexes. */
export const withdrawalPartitions = (): readonly string[] =>
  Array.from({ length: lists().partitions }, (_, index) => withdrawalsPartition(index));

/** The letters of a ULID that hold its time. */
const timeLetters = 10;
const idAt = (instant: string): string => `wdr_${encodeTime(Math.max(0, Date.parse(instant)), timeLetters)}`;

/** The indexes of all withdrawals, by the order of their rows. */
const indexes = {
  createdAt: { name: 'byCreation', attribute: 'listKey', sort: 'id' },
  updatedAt: { name: 'byUpdate', attribute: 'listKey', sort: 'updatedKey' },
} as const;

/** Returns the query of all withdrawals, the newest first. */
export const creationQuery = (): IndexPartitions => ({ ...indexes.createdAt, partitions: withdrawalPartitions() });

/** What a list selects, and its order. `to` is excluded. */
export type WithdrawalFilter = {
  readonly status?: WithdrawalStatus;
  readonly receipt?: ReceiptStatus;
  readonly refund?: HeldRefundStatus;
  readonly from?: string;
  readonly to?: string;
  readonly updatedFrom?: string;
  readonly sort?: keyof typeof indexes;
};

const inMilliseconds = (instant: string): string => new Date(instant).toISOString();

const listQuery = ({ status, receipt, refund, sort = 'createdAt' }: WithdrawalFilter): IndexPartitions => {
  const query = { ...indexes[sort], partitions: withdrawalPartitions() };
  if (status === undefined && receipt === undefined && refund === undefined) return query;
  const values = (status === undefined ? withdrawalStatuses : [status]).flatMap((ofStatus) =>
    (receipt === undefined ? receiptStatuses : [receipt]).flatMap((ofReceipt) =>
      (refund === undefined ? [undefined, ...refundStatuses] : [refund]).map((ofRefund) =>
        filterValue(ofStatus, ofReceipt, ofRefund),
      ),
    ),
  );
  return { ...query, only: { attribute: 'returnStatus', values } };
};

/** Returns the range of positions of a list after a position. */
export const listBounds = ({ from, to, updatedFrom, sort }: WithdrawalFilter, after: string | undefined): Bounds => {
  const isByUpdate = sort === 'updatedAt';
  const lowest = isByUpdate ? updatedFrom && inMilliseconds(updatedFrom) : from && idAt(from);
  const end = after ?? (isByUpdate || to === undefined ? undefined : idAt(to));
  return { ...(lowest !== undefined && { from: lowest }), ...(end !== undefined && { before: end }) };
};

/** Returns whether a withdrawal is within the periods of a list. The range of positions is one of them. */
const isWithin = ({ from, to, updatedFrom, sort }: WithdrawalFilter, { id, updatedAt }: WithdrawalSummary): boolean =>
  sort === 'updatedAt'
    ? (from === undefined || id >= idAt(from)) && (to === undefined || id < idAt(to))
    : updatedFrom === undefined || updatedAt >= inMilliseconds(updatedFrom);

/** Returns the position of a withdrawal in a list. */
export const listPosition = ({ sort }: WithdrawalFilter, { id, updatedAt }: WithdrawalSummary): string =>
  sort === 'updatedAt' ? positionAt(updatedAt, id) : id;

/** Withdrawals by descending position. `rest` reports that lower ones follow `last`. */
export type WithdrawalPage = {
  readonly items: readonly WithdrawalSummary[];
  readonly rest: boolean;
  readonly last?: string;
};

/**
 * Returns a page of withdrawals: the newest first, or those that changed last. Eventually consistent, as indexes are.
 *
 * @param after the last position of the previous page
 * @param limit the maximum that it reads of each partition
 */
export const readWithdrawals = async (
  session: Session,
  filter: WithdrawalFilter,
  after: string | undefined,
  limit: number,
): Promise<WithdrawalPage> => {
  const { items, ...page } = await readIndexPage(session, listQuery(filter), listBounds(filter, after), limit);
  const summaries = items.map(({ item }) => unpack(item['summary'] as Packed) as WithdrawalSummary);
  return { ...page, items: summaries.filter((summary) => isWithin(filter, summary)) };
};

/** Iterates over the ids of withdrawals in a range of byDeadline, by ascending position in each partition. */
async function* readRange(session: Session, from: string, to: string, limit?: number): AsyncGenerator<string[]> {
  for (const partition of withdrawalPartitions())
    for await (const page of queryPages<Pick<Key, 'pk'>>(session, {
      IndexName: 'byDeadline',
      KeyConditionExpression: 'listKey = :partition AND dueKey BETWEEN :from AND :to',
      ProjectionExpression: 'pk',
      ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
      Limit: limit,
    }))
      // The index holds the keys of the table, and not the id.
      yield page.map(({ pk }) => withdrawalOfPartition(pk));
}

/** Iterates over the ids of withdrawals whose next reminder is due, the oldest of each partition first. */
export async function* readDueReminders(session: Session, now: string, limit: number): AsyncGenerator<string[]> {
  for (const range of ['', overdueRange]) yield* readRange(session, `${range}0`, `${range}${now}~`, limit);
}

/** Iterates over the ids of withdrawals whose refund was reported as overdue, and is unpaid. */
export const readOverdue = (session: Session): AsyncGenerator<string[]> =>
  readRange(session, overdueRange, `${overdueRange}${never}~`);
