import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as backend from '../../lib/backend/standalone.ts';
import type { Call, Reply } from '../../lib/contract/port.ts';
import type { Result } from '../../lib/contract/result.ts';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { backendCall } from '../support/backend-call.ts';
import { setEnvironment } from '../support/environment.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';

/* The rows of each release, written by test/store/fixtures/write.ts, and read by the operations of this release. */

type Row = Record<string, AttributeValue>;
type Read = { readonly operation: string; readonly input: object; readonly output: object };
type Responses = {
  /** The instant of the responses. */
  readonly at: string;
  readonly clientId: string;
  /** The idempotency key of the approval. */
  readonly key: string;
  readonly returnId: string;
  readonly reads: readonly Read[];
};

const folder = 'test/store/fixtures';
const releases = readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

const read = (release: string, file: string): unknown =>
  JSON.parse(readFileSync(join(folder, release, file), 'utf8')) as unknown;

/** Returns a row with the bytes that JSON holds as base64. */
const withBytes = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(String(value.B), 'base64') },
    ]),
  );

/** Fields that each response signs again. */
const signed = new Set(['url', 'nextCursor', 'expiresAt', 'eligibilityToken', 'ms']);

/** Returns what a later release must respond: it may add fields. */
const lasting = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !signed.has(name));
  return Object.fromEntries(fields.map(([name, inner]) => [name, lasting(inner)]));
};

/** Returns the body that an operation must respond. A later release may have more reasons of its own. */
const bodyOf = ({ operation, output }: Read): unknown => {
  if (operation !== 'listReasons') return lasting(output);
  const { items } = output as { readonly items: readonly unknown[] };
  return { items: expect.arrayContaining(items.map((item) => expect.objectContaining(item as object) as unknown)) };
};

type Operation = (input: object, call: Call) => Promise<Result<Reply<object>>>;
const operations: Readonly<Record<string, unknown>> = backend;
const run = async (name: string, input: object, call: Call) => {
  const result = await (operations[name] as Operation)(input, call);
  return result.ok ? result.value : result.failure;
};

/** The caller whose requests wrote the fixtures. */
const callerOf = (clientId: string): Call['caller'] => ({
  clientId,
  scopes: ['returns:read', 'returns:write', 'returns:admin'],
});

describe.each(releases)('rows of the release %s', (release) => {
  const { at, clientId, key, returnId, reads } = read(release, 'responses.json') as Responses;
  const rows = (read(release, 'rows.json') as readonly Row[]).map(withBytes);
  let stack: OwnStack;
  let table: DynamoDBClient;
  const put = async (row: Row) =>
    table.send(new PutItemCommand({ TableName: stack.info.aws.tables['standalone.Table'], Item: row }));

  beforeAll(async () => {
    stack = await startOwnStack({ modes: [] });
    table = new DynamoDBClient({ ...clientSettings, endpoint: stack.info.aws.dynamodb });
    for (const row of rows) await put(row);
    for (const [name, secretString] of Object.entries(read(release, 'keys.json') as Record<string, string>))
      await stack.secrets.put(`returns-standalone-${name}`, { secretString });
  });
  afterAll(async () => {
    table.destroy();
    await stack.close();
  });
  beforeEach(() => {
    const { aws } = stack.info;
    setEnvironment({
      AWS_ENDPOINT_URL_DYNAMODB: aws.dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.secretsManager,
      AWS_ENDPOINT_URL_SQS: aws.sqs,
      AWS_ENDPOINT_URL_S3: aws.s3,
      TABLE_NAME: aws.tables['standalone.Table'],
      HISTORY_KEYS_ID: 'returns-standalone-HistoryKeys',
      SIGNING_SECRET_ID: 'returns-standalone-SigningSecret',
      EVIDENCE_BUCKET: aws.buckets['standalone.EvidenceBucket'],
      EXPORT_BUCKET: aws.buckets['standalone.ExportBucket'],
      INBOX_BUCKET: aws.buckets['standalone.InboxBucket'],
      INBOX_QUEUE_URL: aws.queues['standalone.InboxQueue'],
      INBOX_DLQ_URL: aws.queues['standalone.InboxDeadLetters'],
      INBOX_MAX_RECEIVES: '400',
      JOBS_QUEUE_URL: aws.queues['standalone.JobsQueue'],
      JOBS_MAX_ATTEMPTS: '3',
      OUTBOX_QUEUE_URL: aws.queues['standalone.OutboxQueue'],
      EVENT_SOURCE: 'urn:returns:dev',
      EVENT_TYPE_PREFIX: 'com.example.returns',
    });
    // Rows expire, so the clock stands at the time of the fixtures. Timers run as usual.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) });
    return () => vi.useRealTimers();
  });

  it('contain every kind of row', () => {
    const kinds = new Set(rows.map(({ pk, sk }) => `${pk?.S?.split('#')[0]} ${sk?.S?.split('#')[0]}`));
    expect([...kinds].map((kind) => kind.replace(/ (whk|ret|evt|STREAM)_?.*/, ''))).toEqual(
      expect.arrayContaining([
        'RETURN SNAPSHOT',
        'RETURN HISTORY',
        'ORDER FACTS',
        'ORDER LEDGER',
        'IDEMPOTENCY ANSWER',
        'PII CUSTOMER',
        'POLICIES CATALOGUE',
        'POLICY VERSION',
        'REASONS CHANGED',
        'JOB JOB',
        'JOB PART',
        'INBOX DELIVERY',
        'LOG HEAD',
        'LOG AT',
        'FEED GROUP',
        'ENDPOINTSECRETS SECRETS',
        'COUNTED RETURN',
        'STATS DAY',
      ]),
    );
  });

  it.each(reads.map((one) => [one.operation, one] as const))('give the same response of %s', async (name, one) => {
    expect(await run(name, one.input, { ...backendCall(), caller: callerOf(clientId) })).toMatchObject({
      status: 200,
      body: bodyOf(one),
    });
  });

  it('replay the stored response of an idempotency key', async () => {
    const call = { ...backendCall(), caller: callerOf(clientId), idempotencyKey: key };
    expect(await run('approve', { returnId }, call)).toMatchObject({ status: 200, replayed: true });
  });

  it('take the commands of this release, and verify with them', async () => {
    const noted = await run('addNote', { returnId, text: 'by a later release' }, backendCall());
    expect(noted).toMatchObject({ status: 200 });
    expect(await run('verifyHistory', { returnId }, backendCall())).toMatchObject({ body: { valid: true } });
  });

  it('are refused with a clear error when a newer release has changed them', async () => {
    const snapshot = rows.find(({ pk, sk }) => pk?.S === `RETURN#${returnId}` && sk?.S === 'SNAPSHOT') ?? {};
    const failure = {
      code: 'dependency_unavailable',
      detail: 'A newer release of the service wrote this data. Complete its deployment, then try again.',
    };
    await put({ ...snapshot, schema: { N: '2' } });
    expect(await run('getReturn', { returnId }, backendCall())).toMatchObject(failure);
    expect(await run('addNote', { returnId, text: 'too early' }, backendCall())).toMatchObject(failure);
    await put({ ...snapshot, summary: { B: Buffer.of(200) }, value: { B: Buffer.of(200) } });
    expect(await run('getReturn', { returnId }, backendCall())).toMatchObject(failure);
    expect(await run('listReturns', { status: 'inspected' }, backendCall())).toMatchObject(failure);
  });
});
