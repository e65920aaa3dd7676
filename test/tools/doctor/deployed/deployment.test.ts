import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { deploymentSettings } from '../../../../lib/runtime/configuration/deployment-settings.ts';
import type { Check } from '../../../../lib/tools/doctor/check.ts';
import type { Intent } from '../../../../lib/domain/write-back/intent.ts';
import type { InboxRow, InboxStatus } from '../../../../lib/store/inbox/inbox-row.ts';
import { startEngines } from '../../../shops/inbox/engines.ts';
import { setEnvironment } from '../../../support/environment.ts';
import { checkEndpoints } from '../../../../lib/tools/doctor/checks/endpoints.ts';
import { examine } from '../../../../lib/tools/doctor/examine.ts';
import { checkInbox } from '../../../../lib/tools/doctor/checks/inbox.ts';
import { queuesPart } from '../../../../lib/tools/doctor/checks/queues.ts';
import { checkWriteBack } from '../../../../lib/tools/doctor/checks/write-back.ts';
import { tablePart } from '../../../../lib/tools/doctor/checks/table-shape.ts';
import { systemClock } from '../../../../lib/access/net/clock.ts';
import { recordAttempt, settleDelivery, storeDelivery } from '../../../../lib/store/inbox/inbox.ts';
import { putBlockedStream } from '../../../../lib/store/events/blocked-streams.ts';
import { leaseSubscription, writeSubscription } from '../../../../lib/store/events/subscriptions.ts';
import { writeIntent } from '../../../../lib/store/write-back/intents.ts';
import { transact } from '../../../../lib/store/engine/transact.ts';
import { makeEndpoint, session } from '../../../service/outbox/seed.ts';

const engines = await startEngines();
const queueUrl = (id: string) => engines.queueUrl.replace('InboxQueue', id);
setEnvironment({
  EVENTS_QUEUE_URL: queueUrl('EventsQueue'),
  EVENTS_DLQ_URL: queueUrl('EventsDeadLetters'),
  JOBS_DLQ_URL: queueUrl('JobsDeadLetters'),
  OUTBOX_DLQ_URL: queueUrl('OutboxDeadLetters'),
  WRITE_BACK_QUEUE_URL: queueUrl('WriteBackQueue'),
  WRITE_BACK_DLQ_URL: queueUrl('WriteBackDeadLetters'),
  MAILS_QUEUE_URL: queueUrl('MailsQueue'),
  MAILS_DLQ_URL: queueUrl('MailsDeadLetters'),
  STREAM_DLQ_URL: queueUrl('StreamDeadLetters'),
});

const dynamodb = new DynamoDBClient({});
const sqs = new SQSClient({});

afterAll(async () => {
  dynamodb.destroy();
  sqs.destroy();
  await engines.stop();
});

type Parts = Parameters<typeof examine>[0]['parts'];

const found = async (...parts: Parts) =>
  (await examine({ parts, limitMs: 20_000, clock: systemClock, traceId: '0'.repeat(32) })).checks;

const statuses = (checks: readonly Check[]) => Object.fromEntries(checks.map(({ check, status }) => [check, status]));
const row = (checks: readonly Check[], name: string) => checks.find(({ check }) => check === name);

const table = (changes: Partial<Parameters<typeof tablePart>[0]> = {}) =>
  found(
    tablePart({
      mode: 'standalone',
      tableName: engines.table,
      emulated: true,
      deployed: true,
      client: dynamodb,
      ...changes,
    }),
  );

const queues = (changes: Partial<Parameters<typeof queuesPart>[0]> = {}) =>
  found(
    queuesPart({
      mode: 'standalone',
      urls: deploymentSettings().queueUrls,
      deployed: true,
      client: sqs,
      ...changes,
    }),
  );

const inbox = (changes: object = {}) =>
  found({
    name: 'inbox',
    run: async (underway) =>
      checkInbox(
        { tableName: engines.table, inboxBucket: process.env['INBOX_BUCKET'], deployed: true, ...changes },
        underway,
      ),
  });

const endpoints = () => found({ name: 'webhook endpoints', run: checkEndpoints });

describe('doctor check of the table', () => {
  it('passes for the table of the deployment', async () => {
    const checks = await table();
    expect(statuses(checks)).toMatchObject({
      table: 'passed',
      'table keys': 'passed',
      'table indexes': 'passed',
      'table stream': 'passed',
      'table TTL': 'passed',
    });
    expect(row(checks, 'table PITR')?.detail).toMatch(/^not applicable: /);
  });

  it('fails when the table does not exist', async () => {
    const checks = await table({ tableName: 'returns-none', emulated: false });
    expect(row(checks, 'table')).toMatchObject({
      status: 'failed',
      detail: 'the check could not run: it does not exist',
      remedy: expect.stringContaining('TABLE_NAME'),
    });
    expect(row(checks, 'table keys')?.status).toBe('skipped');
  });

  it('reports other keys, missing indexes, a missing stream and a missing TTL', async () => {
    const TableName = 'returns-other';
    const AttributeDefinitions = [{ AttributeName: 'key', AttributeType: 'S' as const }];
    const KeySchema = [{ AttributeName: 'key', KeyType: 'HASH' as const }];
    const BillingMode = 'PAY_PER_REQUEST' as const;
    await dynamodb.send(new CreateTableCommand({ TableName, AttributeDefinitions, KeySchema, BillingMode }));
    const checks = await table({ tableName: TableName });
    expect(statuses(checks)).toMatchObject({
      table: 'passed',
      'table keys': 'failed',
      'table indexes': 'failed',
      'table stream': 'failed',
      'table TTL': 'warning',
    });
    expect(row(checks, 'table indexes')?.detail).toContain('byOrder is missing');
    expect(statuses(await table({ tableName: TableName, mode: 'connected' }))).toMatchObject({
      'table stream': 'warning',
    });
  });

  it('fails without the variable when it is deployed, and is skipped otherwise', async () => {
    expect(statuses(await table({ tableName: undefined }))).toEqual({ table: 'failed' });
    expect(statuses(await table({ tableName: undefined, deployed: false }))).toEqual({ table: 'skipped' });
  });

  it('fails when DynamoDB does not answer', async () => {
    const client = new DynamoDBClient({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 });
    expect(row(await table({ client }), 'table')?.detail).toBe(
      'the check could not run: AWS is unreachable (ECONNREFUSED)',
    );
    client.destroy();
  });
});

describe('doctor check of the queues', () => {
  it('passes for the queues of the deployment, separately for each mode', async () => {
    const checks = await queues();
    expect(new Set(Object.values(statuses(checks)))).toEqual(new Set(['passed']));
    expect(checks.map(({ check }) => check)).toContain('dead letters stream');
    const connected = (await queues({ mode: 'connected' })).map(({ check }) => check);
    expect(connected).toEqual(['queue inbox', 'dead letters inbox', 'queue events', 'dead letters events']);
  });

  it('warns about dead letters, with a remedy', async () => {
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl('JobsDeadLetters'), MessageBody: '{}' }));
    expect(row(await queues(), 'dead letters jobs')).toMatchObject({
      status: 'warning',
      detail: '1 message',
      remedy: expect.stringContaining('GET /v1/jobs'),
    });
  });

  it('fails for a visibility timeout below the function’s timeout and for another redrive policy', async () => {
    const set = (id: string, Attributes: Record<string, string>) =>
      sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl(id), Attributes }));
    await set('OutboxQueue', { VisibilityTimeout: '30' });
    const other = 'arn:aws:sqs:eu-central-1:000000000000:returns-inbox-JobsDeadLetters';
    await set('EventsQueue', { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: other, maxReceiveCount: 60 }) });
    const checks = await queues();
    expect(row(checks, 'queue outbox')).toMatchObject({
      status: 'failed',
      detail: 'its visibility timeout of 30 s is shorter than the 90 s of deliverEvents',
    });
    expect(row(checks, 'queue events')?.detail).toBe('its redrive policy names another dead-letter queue');
  });

  it('fails for a missing queue and for a missing variable', async () => {
    const urls = { ...deploymentSettings().queueUrls, INBOX_DLQ_URL: queueUrl('None'), JOBS_DLQ_URL: undefined };
    const checks = await queues({ urls });
    expect(row(checks, 'dead letters inbox')?.detail).toBe('the check could not run: it does not exist');
    expect(row(checks, 'dead letters jobs')).toMatchObject({ status: 'failed', detail: 'JOBS_DLQ_URL is not set' });
  });
});

let next = 0;

const store = async (status: Extract<InboxStatus, 'received' | 'failed' | 'parked'>, minutesAgo: number) => {
  next += 1;
  const delivery: InboxRow = {
    platform: 'acme',
    source: 'shop.example',
    topic: 'returns/request',
    deliveryId: `doctor-${next}`,
    body: Buffer.from('{}'),
    bodyHash: String(next),
    receivedAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 0,
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
  };
  await storeDelivery(session, delivery);
  if (status === 'failed') await recordAttempt(session, delivery, status, 'shop_status_503');
  if (status === 'parked')
    await settleDelivery(session, delivery, { status, reason: 'payload_not_json' }, new Date().toISOString());
};

describe('doctor check of the inbox', () => {
  it('passes when the inbox is empty', async () => {
    expect(statuses(await inbox())).toEqual({
      'inbox waiting': 'passed',
      'inbox parked': 'passed',
      'inbox failed': 'passed',
      'inbox bucket': 'passed',
    });
  });

  it('warns about parked, failed and overdue deliveries', async () => {
    await store('parked', 0);
    await store('parked', 0);
    await store('failed', 0);
    await store('received', 5);
    expect(row(await inbox(), 'inbox waiting')).toMatchObject({ status: 'passed' });
    await store('received', 33);
    const checks = await inbox();
    expect(row(checks, 'inbox parked')).toMatchObject({ status: 'warning', detail: '2 deliveries' });
    expect(row(checks, 'inbox failed')).toMatchObject({ status: 'warning', detail: '1 delivery' });
    expect(row(checks, 'inbox waiting')).toMatchObject({
      status: 'warning',
      detail: '2 deliveries due to be enqueued again, the oldest for 31 min',
    });
  });

  it('fails when the bucket is missing', async () => {
    expect(row(await inbox({ inboxBucket: 'returns-none' }), 'inbox bucket')).toMatchObject({
      status: 'failed',
      remedy: expect.stringContaining('INBOX_BUCKET'),
    });
    expect(row(await inbox({ inboxBucket: undefined }), 'inbox bucket')?.detail).toBe('INBOX_BUCKET is not set');
  });
});

describe('doctor check of the webhook endpoints', () => {
  it('passes without endpoints and with an enabled endpoint', async () => {
    expect(row(await endpoints(), 'webhook endpoints')?.detail).toBe('0 endpoints, none disabled');
    await makeEndpoint('https://receiver.example/hooks');
    expect(statuses(await endpoints())).toEqual({
      'webhook endpoints': 'passed',
      'webhook failures': 'passed',
      'webhook streams': 'passed',
      'webhook backlog': 'passed',
    });
  });

  it('warns about disabled and failing endpoints, blocked streams and delays, without URLs', async () => {
    const at = new Date().toISOString();
    await makeEndpoint('https://gone.example/marker', { disabled: { at, reason: 'gone' } });
    const { id, begins } = await makeEndpoint('https://failing.example/marker');
    const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
    const lease = { endpointId: id, group: 1, owner: 'doctor' };
    const earlier = Date.now() - 600_000;
    const taken = await leaseSubscription(session, lease, begins, earlier);
    if (taken === 'held') throw new Error('the subscription is held');
    const failing = { since: hoursAgo(5), attempts: 9, retryAt: earlier };
    await transact(session, [
      writeSubscription(lease, { positions: taken.positions, failing, dueAt: hoursAgo(1) }, earlier),
      putBlockedStream(id, 1, {
        stream: 'RETURN#x',
        from: 1,
        upTo: 2,
        attempts: 3,
        since: hoursAgo(2),
        retryAt: earlier,
      }),
    ]);
    const checks = await endpoints();
    expect(row(checks, 'webhook endpoints')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^3 endpoints, 1 disabled: whk_\w+ \(gone\)$/),
    });
    expect(row(checks, 'webhook failures')).toMatchObject({
      status: 'warning',
      detail: `${id}: no success for 5 h`,
    });
    expect(row(checks, 'webhook streams')?.detail).toBe('1 blocked by a failed event, the oldest for 120 min');
    expect(row(checks, 'webhook backlog')).toMatchObject({
      status: 'warning',
      detail: '0 events not read yet; a retry is 60 min overdue',
    });
    expect(JSON.stringify(checks)).not.toContain('marker');
  });
});

describe('doctor check of write-back', () => {
  it('counts parked intents, and no others', async () => {
    const check = async () => found({ name: 'write-back parked', run: checkWriteBack });
    expect(await check()).toEqual([{ check: 'write-back parked', status: 'passed', detail: 'none' }]);
    const at = new Date().toISOString();
    const intent = (id: string, status: Intent['status']): Intent => ({
      id,
      version: 1,
      order: { platform: 'web', orderId: 'marker' },
      action: 'approve',
      status,
      plannedAt: at,
      updatedAt: at,
      runs: 0,
      requests: 0,
      traceId: '0'.repeat(32),
    });
    await transact(session, [writeIntent(intent('wbi_1', 'parked')), writeIntent(intent('wbi_2', 'planned'))]);
    expect(row(await check(), 'write-back parked')).toMatchObject({ status: 'warning', detail: '1 intent' });
  });
});

it('doctor examine keeps the results of other parts when one part throws', async () => {
  const checks = await found(
    {
      name: 'broken',
      run: async () => {
        throw new TypeError('a secret value');
      },
    },
    { name: 'whole', run: async () => [{ check: 'whole', status: 'passed', detail: 'yes' }] },
  );
  expect(statuses(checks)).toEqual({ broken: 'failed', whole: 'passed' });
  expect(row(checks, 'broken')?.detail).toBe('the check itself failed: TypeError');
});
