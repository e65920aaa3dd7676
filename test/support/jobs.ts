import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { clientSettings } from '../../lib/local/aws.ts';
import type { StackInfo } from '../../lib/local/stack-info.ts';
import { newParts, type Job } from '../../lib/policies/backtest/job.ts';
import { decisionShards } from '../../lib/store/decisions.ts';
import { writeNewJob } from '../../lib/store/jobs.ts';
import { documentFor } from './policies.ts';

/** A job that no worker knows of, as one is whose messages were lost: it waits for as long as nobody reads it again. */
export const waitingJob = async ({ aws }: StackInfo, changes: Partial<Job> = {}): Promise<string> => {
  const now = new Date().toISOString();
  const job: Job = {
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
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  try {
    const document = documentFor() as Parameters<typeof writeNewJob>[2];
    for (const { action } of writeNewJob(job, newParts(job.request.limit, decisionShards), document))
      if (action.Put !== undefined)
        await table.send(new PutCommand({ ...action.Put, TableName: 'returns-standalone-Table' }));
  } finally {
    table.destroy();
  }
  return job.id;
};
