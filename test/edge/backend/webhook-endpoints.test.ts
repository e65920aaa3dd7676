import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import * as backend from '../../../lib/edge/backend/standalone.ts';
import type { Output } from '../../../lib/contract/contract.ts';
import type { Call, Reply } from '../../../lib/contract/port.ts';
import type { Result } from '../../../lib/contract/result.ts';
import { eventId } from '../../../lib/domain/events/cloud-event.ts';
import { unpack } from '../../../lib/store/engine/pack.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { readEndpoint, readEndpointSecrets, writeEndpoint } from '../../../lib/store/events/endpoints.ts';
import { appendEvents, eventPartitionOf } from '../../../lib/store/events/event-partitions.ts';
import { updateWebhookDelivery } from '../../../lib/store/events/webhook-deliveries.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { backendCall } from '../../support/backend-call.ts';
import { forward } from '../../support/engine.ts';
import { setEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { ampleDeadline } from '../../support/time.ts';

const engines = await startEngines();
let isUp = true;
const { origin, pathname } = new URL(engines.outboxUrl);
const queue = await startServer(async (request) => (isUp ? forward(request, origin) : 'reset'));
setEnvironment({ AWS_ENDPOINT_URL_SQS: queue.origin, OUTBOX_QUEUE_URL: `${queue.origin}${pathname}` });

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const sqs = new SQSClient({});
afterAll(async () => {
  table.destroy();
  sqs.destroy();
  await queue[Symbol.asyncDispose]();
  await engines.stop();
});

const url = 'https://hooks.example.com/returns';
type Endpoint = Output<'createWebhookEndpoint'>;

const bodyIn = <Body>(result: Result<Reply<Body>>): Body => {
  if (!result.ok) throw new Error(result.failure.code);
  return result.value.body;
};
const codes = (results: readonly Result<unknown>[]) =>
  results.map((result) => (result.ok ? 'ok' : result.failure.code)).toSorted();
const create = async () => backend.createWebhookEndpoint({ url }, backendCall());
const list = async () => bodyIn(await backend.listWebhookEndpoints({}, backendCall())).items;

afterEach(async () => {
  await Promise.all(
    (await list()).map(async ({ endpointId: id }) => backend.deleteWebhookEndpoint({ endpointId: id }, backendCall())),
  );
});

describe('webhook endpoints', () => {
  it('are limited to 50, also for concurrent requests', async () => {
    const first = bodyIn(await create());
    using session = openSession(ampleDeadline());
    const known = await readEndpoint(session, first.endpointId);
    if (known === undefined) throw new Error('not there');
    const others = Array.from({ length: 47 }, () => writeEndpoint({ ...known, id: `whk_${ulid()}` }));
    await transact(session, others);
    const results = await Promise.all(Array.from({ length: 5 }, create));
    expect(codes(results)).toEqual([...Array.from({ length: 3 }, () => 'endpoint_limit_reached'), 'ok', 'ok']);
    expect(await list()).toHaveLength(50);
    await backend.deleteWebhookEndpoint({ endpointId: first.endpointId }, backendCall());
    expect((await create()).ok).toBe(true);
  });

  it('rotate their secret one request at a time, also for concurrent requests', async () => {
    const { endpointId } = bodyIn(await create());
    const results = await Promise.all(
      Array.from({ length: 4 }, async () => backend.rotateWebhookSecret({ endpointId }, backendCall())),
    );
    const bodies = results.map((result): Endpoint => bodyIn(result)).toSorted((a, b) => a.version - b.version);
    expect(bodies.map(({ version }) => version)).toEqual([2, 3, 4, 5]);
    using session = openSession(ampleDeadline());
    const secrets = await readEndpointSecrets(session, endpointId);
    expect(secrets.map(({ secret }) => secret)).toEqual([bodies[3]?.secret, bodies[2]?.secret]);
    expect(secrets.map(({ expiresAt }) => expiresAt === undefined)).toEqual([true, false]);
  });

  it('are deleted once, during concurrent changes', async () => {
    const { endpointId } = bodyIn(await create());
    const results = await Promise.all([
      backend.deleteWebhookEndpoint({ endpointId }, backendCall()),
      backend.deleteWebhookEndpoint({ endpointId }, backendCall()),
      backend.rotateWebhookSecret({ endpointId }, backendCall()),
      backend.updateWebhookEndpoint({ endpointId, enabled: false }, backendCall()),
    ]);
    expect(codes(results.slice(0, 2))).toEqual(['endpoint_not_found', 'ok']);
    using session = openSession(ampleDeadline());
    expect(await readEndpointSecrets(session, endpointId)).toEqual([]);
    expect((await list()).filter(({ endpointId: id }) => id === endpointId)).toEqual([]);
  });

  it.each<[string, (endpointId: string, call: Call) => Promise<Result<unknown>>]>([
    ['changed', async (endpointId, call) => backend.updateWebhookEndpoint({ endpointId, enabled: false }, call)],
    ['rotated', async (endpointId, call) => backend.rotateWebhookSecret({ endpointId }, call)],
    ['deleted', async (endpointId, call) => backend.deleteWebhookEndpoint({ endpointId }, call)],
  ])('are not %s at an outdated version', async (_, perform) => {
    const { endpointId } = bodyIn(await create());
    const { version } = bodyIn(await backend.updateWebhookEndpoint({ endpointId, description: 'x' }, backendCall()));
    const stale = await perform(endpointId, { ...backendCall(), ifMatch: version - 1 });
    expect(codes([stale])).toEqual(['version_mismatch']);
    expect(await list()).toMatchObject([{ endpointId, version, enabled: true }]);
    expect(codes([await perform(endpointId, { ...backendCall(), ifMatch: version })])).toEqual(['ok']);
  });

  it('return a secret again for its key, until it signs no more', async () => {
    const call = backendCall();
    const { endpointId, secret } = bodyIn(await backend.createWebhookEndpoint({ url }, call));
    const again = async () => bodyIn(await backend.createWebhookEndpoint({ url }, call));
    expect(await again()).toMatchObject({ endpointId, secret });
    await backend.rotateWebhookSecret({ endpointId, overlapHours: 1 }, backendCall());
    expect(await again()).toMatchObject({ version: 1, secret });
    await backend.rotateWebhookSecret({ endpointId, overlapHours: 0 }, backendCall());
    const later = await again();
    expect(later).toMatchObject({ endpointId, version: 1 });
    expect(later).not.toHaveProperty('secret');
  });

  it('store secrets only in Secrets Manager', async () => {
    const { endpointId, secret = '' } = bodyIn(await create());
    const { secret: next = '' } = bodyIn(await backend.rotateWebhookSecret({ endpointId }, backendCall()));
    const { Items = [] } = await table.send(new ScanCommand({ TableName: engines.table }));
    const holding = Items.filter((item) => {
      const packed = item['value'] as string | Uint8Array | undefined;
      const text = JSON.stringify([item, packed === undefined ? null : unpack(packed)]);
      return text.includes(secret) || text.includes(next);
    });
    expect(holding.map(({ pk }) => String(pk))).toEqual([`ENDPOINTSECRETS#${endpointId}`]);
    expect(Items.some(({ pk }) => String(pk).startsWith('IDEMPOTENCY#'))).toBe(true);
  });

  it('start with events after their creation', async () => {
    const { endpointId: id } = bodyIn(await create());
    using session = openSession(ampleDeadline());
    expect((await readEndpoint(session, id))?.begins).toEqual(Array.from({ length: 64 }, () => 0));
    const [stream, log] = ['RETURN#ret_1', eventPartitionOf('RETURN#ret_1')];
    const logged = [1, 2, 3].map((sequence) => ({ stream, sequence, type: 'return.requested' }));
    await appendEvents(session, log, 0, [{ stream, before: 0, logged }], Date.now());
    const { endpointId: later } = bodyIn(await create());
    const begins = (await readEndpoint(session, later))?.begins;
    expect(begins?.flatMap((position, index) => (position === 0 ? [] : [[index, position]]))).toEqual([[log, 3]]);
  });

  /** Returns an event that was sent to an endpoint. */
  const sent = async (endpointId: string) => {
    using session = openSession(ampleDeadline());
    const at = new Date().toISOString();
    const what = { place: 'RETURN#ret_1', sequence: 1, type: 'return.approved' };
    const id = eventId(what.place, { sequence: 1, at });
    const one = { ...what, endpointId, eventId: id, status: 'failed' as const, attempts: [], updatedAt: at };
    await updateWebhookDelivery(session, one, () => one, Date.now());
    return id;
  };

  it('send the worker the names of the deliveries to repeat', async () => {
    const { endpointId } = bodyIn(await create());
    const id = await sent(endpointId);
    const trial = { ...backendCall(), dryRun: true };
    expect((await backend.redeliverWebhook({ endpointId, eventId: id }, trial)).ok).toBe(true);
    const call = backendCall();
    for (let count = 0; count < 2; count += 1)
      expect((await backend.redeliverWebhook({ endpointId, eventId: id }, call)).ok).toBe(true);
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: process.env['OUTBOX_QUEUE_URL'], MaxNumberOfMessages: 10 }),
    );
    expect(Messages.map(({ Body }) => JSON.parse(Body ?? '') as unknown)).toEqual([{ endpointId, eventId: id }]);
  });

  it('report an unreachable queue, and finish with the repeat', async () => {
    const { endpointId } = bodyIn(await create());
    const id = await sent(endpointId);
    const call = backendCall();
    isUp = false;
    const lost = await backend.redeliverWebhook({ endpointId, eventId: id }, call);
    isUp = true;
    expect(lost).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable', retryAfterSeconds: 1 } });
    expect(await backend.redeliverWebhook({ endpointId, eventId: id }, call)).toMatchObject({ ok: true });
  });
});
