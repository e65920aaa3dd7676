import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import type { StackInfo } from '../../lib/tools/local/stack-info.ts';
import { newBacktestPartitions } from '../../lib/domain/policies/backtest/job.ts';
import { policyVersionKey } from '../../lib/store/engine/keys.ts';
import type { BacktestJob, BulkJob } from '../../lib/store/jobs/job.ts';
import { writeNewJob } from '../../lib/store/jobs/jobs.ts';
import { decisionPartitionCount } from '../../lib/store/policies/decisions.ts';
import { nameTable } from './environment.ts';
import { documentFor } from './policies.ts';

/** Puts items unchanged into the table of the standalone mode. */
const putAll = async (
  { dynamodb, tables }: StackInfo['aws'],
  items: readonly Record<string, unknown>[],
): Promise<void> => {
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: dynamodb }));
  try {
    for (const Item of items) await table.send(new PutCommand({ TableName: tables['standalone.Table'], Item }));
  } finally {
    table.destroy();
  }
};

const putJob = async (aws: StackInfo['aws'], ...job: Parameters<typeof writeNewJob>): Promise<void> => {
  nameTable();
  await putAll(
    aws,
    writeNewJob(...job).flatMap(({ action }) => action.Put?.Item ?? []),
  );
};

/** Creates a bulk job that approves one return, without a message, two minutes ago. */
export const lostBulk = async (
  { aws }: StackInfo,
  returnId: string,
  createdBy: BulkJob['createdBy'],
): Promise<string> => {
  const at = new Date(Date.now() - 120_000).toISOString();
  const job: BulkJob = {
    id: `job_${ulid()}`,
    kind: 'bulk',
    status: 'open',
    request: { command: 'approve', items: 1, dryRun: false },
    body: {},
    scopes: ['returns:write'],
    traceId: '0'.repeat(32),
    createdAt: at,
    createdBy,
    updatedAt: at,
  };
  await putJob(aws, job, [{ shard: 0, done: false, items: [{ returnId }], results: [] }]);
  return job.id;
};

/** Creates a job without a message, as after a loss of its messages: it waits until a caller reads it. */
export const waitingJob = async ({ aws }: StackInfo, changes: Partial<BacktestJob> = {}): Promise<string> => {
  const now = new Date().toISOString();
  const job: BacktestJob = {
    id: `job_${ulid()}`,
    kind: 'backtest',
    status: 'open',
    request: {
      policyId: `pol_${ulid()}`,
      version: 1,
      revision: 1,
      from: '2020-01-01T00:00:00Z',
      until: '2020-01-02T00:00:00Z',
      limit: 100,
      source: 'decisions',
    },
    createdAt: now,
    createdBy: { clientId: 'test' },
    updatedAt: now,
    ...changes,
  };
  const document = documentFor() as Exclude<Parameters<typeof writeNewJob>[2], undefined>;
  await putJob(aws, job, newBacktestPartitions(job.request.limit, decisionPartitionCount), document);
  return job.id;
};

/** Makes a version of a policy unreadable: no release of ours has written it. */
export const spoilVersion = async ({ aws }: StackInfo, policyId: string, version: number): Promise<void> =>
  putAll(aws, [{ ...policyVersionKey(policyId, version), version: 1, head: 'spoiled', value: 'spoiled' }]);
