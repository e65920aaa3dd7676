import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { sum } from '../../../runtime/sum.ts';
import { listKeys } from '../../../store/engine/objects.ts';
import { openSession, type Session } from '../../../store/engine/session.ts';
import { listPartitions, overdueBefore, statusPartitions } from '../../../store/inbox/inbox-index.ts';
import type { InboxStatus } from '../../../store/inbox/inbox-row.ts';
import { type Check, failed, passed, type CheckContext, unset, warning } from '../check.ts';
import { explainAwsFailure } from './aws-failure.ts';

/*
 * Checks waiting, parked and failed deliveries. They are in eight partitions of an index. It reads one page of each, so
 * its work is bounded. Import it only when TABLE_NAME is set: the store reads the variable while it loads.
 */

export type InboxExamination = {
  readonly tableName: string;
  readonly inboxBucket: string | undefined;
  readonly deployed: boolean;
};

/** A page of each partition. */
const pageSize = 100;
/** sweepInbox enqueues due deliveries every two minutes. */
const lateMs = 10 * 60_000;
const callMs = 5_000;

type CountedPage = {
  readonly count: number;
  readonly more: boolean;
  readonly items: readonly Record<string, unknown>[];
};

const readPage = async (session: Session, query: QueryCommandInput): Promise<CountedPage> => {
  const { Items = [], LastEvaluatedKey } = await session.send(new QueryCommand({ ...query, Limit: pageSize }));
  return { count: Items.length, more: LastEvaluatedKey !== undefined, items: Items };
};

/** Reads the first page of each partition. */
const readPartitions = async (
  session: Session,
  partitions: readonly string[],
  query: (partition: string) => QueryCommandInput,
): Promise<CountedPage> => {
  const pages = await Promise.all(partitions.map(async (partition) => readPage(session, query(partition))));
  return {
    count: sum(pages.map(({ count }) => count)),
    more: pages.some(({ more }) => more),
    items: pages.flatMap(({ items }) => items),
  };
};

const counted = ({ count, more }: CountedPage): string =>
  `${more ? 'at least ' : ''}${count} ${count === 1 ? 'delivery' : 'deliveries'}`;

const minutes = (ms: number): string => `${Math.floor(ms / 60_000)} min`;

type InboxCheckContext = InboxExamination & { readonly session: Session; readonly now: number };

const waiting = async ({ session, tableName, now }: InboxCheckContext): Promise<Check> => {
  const found = await readPartitions(session, listPartitions(), (partition) => ({
    TableName: tableName,
    IndexName: 'byDeadline',
    KeyConditionExpression: 'listKey = :partition AND dueKey < :before',
    ExpressionAttributeValues: { ':partition': partition, ':before': overdueBefore(now) },
  }));
  if (found.count === 0) return passed('inbox waiting', 'all deliveries are in the queue');
  const times = found.items.map(({ dueKey }) => Date.parse(String(dueKey).split('#')[0] ?? ''));
  const due = Date.parse(overdueBefore(now));
  const age = due - Math.min(...times.filter((time) => !Number.isNaN(time)), due);
  const detail = `${counted(found)} due to be enqueued again, the oldest for ${minutes(age)}`;
  return age < lateMs
    ? passed('inbox waiting', detail)
    : warning('inbox waiting', detail, 'Read the log of sweepInbox, which enqueues them every two minutes.');
};

const finalStatuses: readonly (readonly [InboxStatus, remedy: string])[] = [
  ['parked', 'Read the reasons with GET /v1/inbox/deliveries?status=parked, fix them, then replay the deliveries.'],
  ['failed', 'Read the reasons with GET /v1/inbox/deliveries?status=failed, fix them, then POST /v1/inbox/redrive.'],
];

const inStatus = async (
  { session, tableName }: InboxCheckContext,
  status: InboxStatus,
  remedy: string,
): Promise<Check> => {
  const name = `inbox ${status}`;
  const found = await readPartitions(session, statusPartitions(status), (partition) => ({
    TableName: tableName,
    IndexName: 'byStatus',
    KeyConditionExpression: 'statusKey = :partition',
    ExpressionAttributeValues: { ':partition': partition },
  }));
  return found.count === 0 ? passed(name, 'none') : warning(name, counted(found), remedy);
};

const bucket = async ({ session, inboxBucket, deployed }: InboxCheckContext): Promise<Check> => {
  const name = 'inbox bucket';
  if (!inboxBucket) return unset(name, 'INBOX_BUCKET', deployed);
  await listKeys(session, { bucket: inboxBucket, prefix: 'deliveries/', limit: 1 }, callMs);
  return passed(name, `${inboxBucket} is readable`);
};

type Row = {
  readonly name: string;
  readonly action: string;
  readonly variable: string;
  readonly check: (context: InboxCheckContext) => Promise<Check>;
};

const rows: readonly Row[] = [
  { name: 'inbox waiting', action: 'dynamodb:Query', variable: 'TABLE_NAME', check: waiting },
  ...finalStatuses.map(([status, remedy]) => ({
    name: `inbox ${status}`,
    action: 'dynamodb:Query',
    variable: 'TABLE_NAME',
    check: async (context: InboxCheckContext) => inStatus(context, status, remedy),
  })),
  { name: 'inbox bucket', action: 's3:ListBucket', variable: 'INBOX_BUCKET', check: bucket },
];

/** Counts waiting, parked and failed deliveries, and checks that the bucket of large bodies is readable. */
export const checkInbox = async (
  examination: InboxExamination,
  { clock, end }: CheckContext,
): Promise<readonly Check[]> => {
  const now = clock.now();
  using session = openSession(Math.min(end, now + callMs));
  return await Promise.all(
    rows.map(async ({ name, action, variable, check }) => {
      try {
        return await check({ ...examination, session, now });
      } catch (error) {
        const { detail, remedy } = explainAwsFailure(error, { action, variable });
        return failed(name, `the check could not run: ${detail}`, remedy);
      }
    }),
  );
};
