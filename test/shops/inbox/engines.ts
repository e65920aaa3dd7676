import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { createBuckets } from '../../../lib/tools/local/emulators/objects.ts';
import { startVersions } from '../../../lib/tools/local/emulators/object-versions.ts';
import { createQueues, startQueues } from '../../../lib/tools/local/emulators/queues.ts';
import { startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { setEnvironment } from '../../support/environment.ts';
import { createHistoryKeys, unitKeysId, unitReceipts } from '../../support/history-keys.ts';
import { slowLimits } from '../../support/slow-limits.ts';
import { packagedTemplate } from '../../support/bundles.ts';

export const maxReceives = 3;

/**
 * Starts DynamoDB, SQS, S3 and Secrets Manager locally and points the environment at them.
 * It creates the tables, queues, buckets and history keys that the bundle deploys.
 */
export const startEngines = async () => {
  slowLimits();
  const dataDir = await mkdtemp(join(tmpdir(), 'inbox-'));
  const closers = openClosers();
  closers.add(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await startEngine(dataDir, 0);
  closers.add(engine.close);
  const sqs = await startQueues(dataDir, 0);
  closers.add(sqs.close);
  const s3 = await startVersions(sqs.url);
  closers.add(s3.close);
  const secrets = await openSecrets(join(dataDir, 'secrets.json'));
  await createHistoryKeys(secrets);
  const manager = await startSecretsManager(secrets, 0);
  closers.add(manager.close);
  const deployment = deploy(await packagedTemplate('standalone'), { mode: 'inbox', parameters: {}, sqs: sqs.url });
  const tables = deployment.ofType('AWS::DynamoDB::Table');
  const queues = deployment.ofType('AWS::SQS::Queue');
  await createTables(engine, tables);
  const buckets = deployment.ofType('AWS::S3::Bucket');
  await createQueues(sqs.url, queues);
  await createBuckets(s3.url, buckets);
  const refOf = (logicalId: string): string => {
    const found = [...tables, ...queues, ...buckets].find((resource) => resource.logicalId === logicalId);
    if (found === undefined) throw new Error(`the template has no ${logicalId}`);
    return found.local.ref;
  };
  const [table, queueUrl, deadLetterUrl] = [refOf('Table'), refOf('InboxQueue'), refOf('InboxDeadLetters')];
  const jobsUrl = refOf('JobsQueue');
  const outboxUrl = refOf('OutboxQueue');
  const writeBackUrl = refOf('WriteBackQueue');
  const bucket = refOf('InboxBucket');
  const evidence = refOf('EvidenceBucket');
  const exported = refOf('ExportBucket');
  setEnvironment({
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: manager.url,
    TABLE_NAME: table,
    INBOX_QUEUE_URL: queueUrl,
    INBOX_DLQ_URL: deadLetterUrl,
    INBOX_BUCKET: bucket,
    EVIDENCE_BUCKET: evidence,
    EXPORT_BUCKET: exported,
    JOBS_QUEUE_URL: jobsUrl,
    OUTBOX_QUEUE_URL: outboxUrl,
    WRITE_BACK_QUEUE_URL: writeBackUrl,
    INBOX_MAX_RECEIVES: String(maxReceives),
    JOBS_MAX_ATTEMPTS: '3',
    RECONCILE_FIRST_HOURS: '24',
    HISTORY_KEYS_ID: unitKeysId,
    ...unitReceipts,
    PLATFORM_SECRETS: 'unit',
    EVENT_SOURCE: 'urn:returns:unit',
    EVENT_TYPE_PREFIX: 'com.example.returns',
  });
  /** The endpoint of the inbox objects, without a signature check. */
  const bodies = `${s3.url}/${bucket}`;
  /** The endpoint of all buckets, without a signature check. */
  const bucketUrls = [bucket, evidence, exported].map((name) => `${s3.url}/${name}`);
  return { bucketUrls, table, queueUrl, deadLetterUrl, jobsUrl, outboxUrl, writeBackUrl, bodies, stop: closers.close };
};
