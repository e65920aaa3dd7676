import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../../lib/contract/errors.ts';
import { fail } from '../../../lib/runtime/result.ts';
import { listInboxDeliveries } from '../../../lib/service/operations/inbox/list-inbox-deliveries.ts';
import { processInbox } from '../../../lib/shops/inbox/process.ts';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import type { Prepared, Translator } from '../../../lib/shops/platforms/platform.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { decodeInboxKey } from '../../../lib/store/inbox/inbox-row.ts';
import { readDelivery, recordAttempt } from '../../../lib/store/inbox/inbox.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { maxReceives, startEngines } from './engines.ts';
import {
  authentic,
  backendWith,
  batch,
  only,
  orderInput,
  ours,
  outside,
  platformWith,
  post,
  prepared,
  preparedOf,
  failed,
  requestInput,
  remote,
  keyOfBody,
} from './support.ts';

const engines = await startEngines();
const { deadLetters, messages, empty, row } = outside(engines);

afterAll(engines.stop);
beforeEach(empty);
afterEach(restoreEnvironment);

let next = 0;
/** Receives a delivery of its own and takes its message from the queue. */
const arrive = async (text?: string) => {
  next += 1;
  const body = text ?? `{"n":${next}}`;
  const deliveryId = `p-${next}`;
  await ingestWebhook(only(platformWith({ verification: authentic({ deliveryId }) })))(post(body));
  return {
    deliveryId,
    message: await messages(),
    key: keyOfBody(body),
  };
};

const run = (
  backend: Parameters<typeof processInbox>[0],
  prepare?: Translator['prepare'],
  refetch?: Translator['refetchReturn'],
) =>
  processInbox(backend, {
    acme: platformWith({ ...(prepare && { prepare }), ...(refetch && { refetchReturn: refetch }) }),
  });

const answering =
  (outcome: Prepared): Translator['prepare'] =>
  async () =>
    outcome;

describe('processInbox', () => {
  test('registers the order, requests the return, and settles the delivery', async () => {
    const { deliveryId, message, key } = await arrive();
    const { backend, calls } = backendWith();
    expect(await run(backend)(batch(message), contextWith())).toEqual({ batchItemFailures: [] });
    const stored = await row(deliveryId);
    expect(stored).toMatchObject({ status: 'done', returnId: 'ret_1', attempts: 1, settledAt: expect.any(String) });
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      ['registerOrder', orderInput],
      ['createReturn', requestInput],
    ]);
    expect(calls[1]?.call).toMatchObject({
      caller: { clientId: 'inbox', scopes: ['returns:write'], onBehalfOf: 'acme:shop.example' },
      dryRun: false,
      traceId: stored?.['traceId'],
      causationId: key,
      idempotencyKey: expect.stringMatching(/^inbox-[\w-]{43}$/),
    });
    expect(calls[1]?.call.deadline).toBeLessThan(ampleDeadline());
  });

  test('separates orders of two shops, and finds the delivery by the platform of its order', async () => {
    const own = { ...preparedOf({ ...remote, platform: 'acme-two' }), order: { ...orderInput, platform: 'acme-two' } };
    const { deliveryId, message, key } = await arrive();
    await run(backendWith().backend, answering(own))(batch(message), contextWith());
    expect(await row(deliveryId)).toMatchObject({ orderId: '7', orderPlatform: 'acme-two' });
    const listed = async (filter: object) => {
      const call = {
        caller: { clientId: 'a', scopes: [] },
        dryRun: false,
        traceId: 't',
        causationId: '',
        deadline: ampleDeadline(),
      };
      const found = await listInboxDeliveries(filter, call);
      return found.ok ? found.value.body.items.map(({ deliveryKey }) => decodeInboxKey(deliveryKey)) : found.failure;
    };
    expect(await listed({ platform: 'acme-two', orderId: '7' })).toEqual([key]);
    expect(await listed({ platform: 'acme', orderId: '7' })).not.toContain(key);
    expect(await listed({ platform: 'acme' })).toContain(key);
  });

  test('passes the parsed body to the platform', async () => {
    const deliveries: unknown[] = [];
    const { message } = await arrive('{"name":"Grüße"}');
    await run(backendWith().backend, async (delivery) => (deliveries.push(delivery), prepared))(
      batch(message),
      contextWith(),
    );
    expect(deliveries).toEqual([{ source: 'shop.example', topic: 'returns/request', body: { name: 'Grüße' } }]);
  });

  test('uses one idempotency key per request, and another after the shop has changed it', async () => {
    const { backend, calls } = backendWith();
    const { message } = await arrive();
    const changed = { ...remote, lines: remote.lines.map((line) => ({ ...line, quantity: 1 })) };
    await run(backend)(batch(message), contextWith());
    await run(backend)(batch((await arrive()).message), contextWith());
    await run(backend, answering(preparedOf(changed)))(batch((await arrive()).message), contextWith());
    const keys = calls.filter(({ name }) => name === 'createReturn').map(({ call }) => call.idempotencyKey);
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test('deletes the message of a settled delivery without a second run', async () => {
    const { message } = await arrive();
    const { backend, calls } = backendWith();
    await run(backend)(batch(message), contextWith());
    await run(backend)(batch(message), contextWith());
    expect(calls).toHaveLength(2);
  });

  test('treats duplicate_return as done, with the return that it names', async () => {
    const { deliveryId, message } = await arrive();
    const { backend } = backendWith({
      createReturn: () => failed('duplicate_return', 'ret_9'),
      getReturn: () => ({ ok: true, value: { status: 200, body: ours({ returnId: 'ret_9' }) } }),
    });
    expect(await run(backend)(batch(message), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'done', returnId: 'ret_9' });
  });

  test('continues with the existing facts when a return has frozen them', async () => {
    const { deliveryId, message } = await arrive();
    await run(backendWith({ registerOrder: () => failed('order_facts_frozen') }).backend)(
      batch(message),
      contextWith(),
    );
    expect(await row(deliveryId)).toMatchObject({ status: 'done' });
  });

  test.each<[code: ErrorCode, path?: string, reason?: string]>([
    ['order_line_not_found'],
    ['quantity_exceeds_returnable'],
    ['currency_mismatch'],
    ['reason_unknown'],
    ['dependency_refused'],
    ['operation_not_offered'],
    ['invalid_request', '/lines/0/quantity', 'invalid_request at /lines/0/quantity: maximum'],
    // Such a path may have a text of the shop.
    ['invalid_request', '/lines/Ada Marker'],
  ])('parks a delivery that meets %s %s', async (code, path = '', reason = code) => {
    const { deliveryId, message } = await arrive();
    const operation = code === 'currency_mismatch' ? 'registerOrder' : 'createReturn';
    const errors = [{ path, code: 'maximum' as const, message: 'must be less' }];
    const answers = { [operation]: () => fail({ code, detail: code, ...(path !== '' && { errors }) }) };
    expect(await run(backendWith(answers).backend)(batch(message), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'parked', reason });
    expect(await deadLetters()).toEqual([]);
  });

  test.each([
    [
      { kind: 'parked', reason: 'payload_unexpected', path: '/order' },
      { status: 'parked', reason: 'payload_unexpected at /order' },
    ],
    [
      { kind: 'ignored', reason: 'topic_not_handled' },
      { status: 'ignored', reason: 'topic_not_handled' },
    ],
  ] as const)('settles the platform outcome %j', async (outcome, expected) => {
    const { deliveryId, message } = await arrive();
    expect(await run(backendWith().backend, answering(outcome))(batch(message), contextWith())).toEqual({
      batchItemFailures: [],
    });
    expect(await row(deliveryId)).toMatchObject(expected);
  });

  test('parks a body that is not JSON', async () => {
    const { deliveryId, message } = await arrive('{"truncated');
    await run(backendWith().backend)(batch(message), contextWith());
    expect(await row(deliveryId)).toMatchObject({ status: 'parked', reason: 'payload_not_json' });
  });

  test.each<ErrorCode>([
    'dependency_unavailable',
    'timeout',
    'rate_limited',
    'internal_error',
    'idempotency_key_in_progress',
  ])('retries after %s, with a delay', async (code) => {
    const { deliveryId, message } = await arrive();
    const result = await run(backendWith({ createReturn: () => failed(code) }).backend)(batch(message), contextWith());
    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: message[0]?.MessageId }] });
    expect(await row(deliveryId)).toMatchObject({ status: 'received', attempts: 1, lastError: code });
    expect(await messages()).toEqual([]);
  });

  test('retries when the shop does not answer or an unexpected error is thrown', async () => {
    const { deliveryId, message } = await arrive();
    await run(backendWith().backend, answering({ kind: 'retry', reason: 'shop_unreachable' }))(
      batch(message),
      contextWith(),
    );
    expect(await row(deliveryId)).toMatchObject({ status: 'received', lastError: 'shop_unreachable' });
    await run(backendWith().backend, () => Promise.reject(new TypeError('personal data')))(
      batch(message),
      contextWith(),
    );
    expect(await row(deliveryId)).toMatchObject({ status: 'received', lastError: 'unexpected:TypeError', attempts: 2 });
  });

  test('gives up after the last receive, with the reason in the dead letter and in the row', async () => {
    const { deliveryId, message, key } = await arrive();
    const { backend } = backendWith({ createReturn: () => failed('timeout') });
    expect(await run(backend)(batch(message, maxReceives), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'failed', lastError: 'timeout' });
    const [letter] = await deadLetters();
    expect(JSON.parse(letter?.Body ?? '')).toEqual({ key });
    expect(letter?.MessageAttributes?.['reason']?.StringValue).toBe('timeout');
    // A redriven message is processed like any other.
    expect(await run(backendWith().backend)(batch(message), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'done' });
  });

  test('dead-letters messages that name no delivery and processes the rest of the batch', async () => {
    const { deliveryId, message } = await arrive();
    const bodies = [
      '',
      'garbage',
      '{}',
      'null',
      '{"key":"ORDER#acme#7"}',
      '{"key":"INBOX#acme#shop.example#returns#missing"}',
    ];
    const malformed = bodies.map((Body, index) => ({ MessageId: `odd-${index}`, ReceiptHandle: 'none', Body }));
    expect(await run(backendWith().backend)(batch([...malformed, ...message]), contextWith())).toEqual({
      batchItemFailures: [],
    });
    expect(await row(deliveryId)).toMatchObject({ status: 'done' });
    const reasons = (await deadLetters()).map(({ MessageAttributes }) => MessageAttributes?.['reason']?.StringValue);
    expect(reasons).toHaveLength(6);
    expect(reasons.filter((reason) => reason === 'message_invalid')).toHaveLength(5);
    expect(reasons).toContain('delivery_missing');
  });

  test('never overwrites a settled delivery with a late failure', async () => {
    const { deliveryId, message, key } = await arrive();
    const slow: Translator['prepare'] = async () => {
      await run(backendWith().backend)(batch(message), contextWith());
      return { kind: 'retry', reason: 'shop_timeout' };
    };
    expect(await run(backendWith().backend, slow)(batch(message), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'done', returnId: 'ret_1' });
    using session = openSession(ampleDeadline());
    const settled = await readDelivery(session, key);
    expect(settled && (await recordAttempt(session, settled, 'failed', 'late'))).toBe(false);
    expect(await row(deliveryId)).not.toHaveProperty('lastError');
  });

  test('sends each step with the version that it was computed for, and refetches after a conflict', async () => {
    const approved = { ...remote, status: 'approved' } as const;
    const refetches: number[] = [];
    const { backend, calls } = backendWith({
      createReturn: () => failed('duplicate_return', 'ret_1'),
      getReturn: () => ({ ok: true, value: { status: 200, body: ours({ version: 4 + refetches.length }) } }),
      approve: () =>
        refetches.length < 3 ? failed('version_mismatch') : { ok: true, value: { body: ours({ status: 'rejected' }) } },
    });
    const refetch: Translator['refetchReturn'] = async () => {
      refetches.push(calls.length);
      // The third refetch finds that the approval was withdrawn meanwhile.
      return { ok: true, value: refetches.length < 3 ? approved : { ...remote, status: 'requested' } };
    };
    const { deliveryId, message } = await arrive();
    await run(backend, answering(preparedOf(approved)), refetch)(batch(message), contextWith());
    const steps = calls.filter(({ name }) => name === 'approve').map(({ call }) => call.ifMatch);
    expect(steps).toEqual([4, 5]);
    expect(refetches).toHaveLength(3);
    expect(await row(deliveryId)).toMatchObject({ status: 'done', returnId: 'ret_1' });
  });

  test('adds the admin scope only to a step that requires it', async () => {
    const { backend, calls } = backendWith({
      createReturn: () => ({
        ok: true,
        value: {
          status: 201,
          body: ours({ allowedActions: [{ action: 'approve', scope: 'returns:admin', allowed: true }] }),
        },
      }),
      approve: () => ({ ok: true, value: { body: ours({ status: 'expired' }) } }),
    });
    const { message } = await arrive();
    await run(backend, answering(preparedOf({ ...remote, status: 'approved' })))(batch(message), contextWith());
    const scopes = calls.map(({ name, call }) => [name, call.caller.scopes]);
    expect(scopes.slice(1)).toEqual([
      ['createReturn', ['returns:write']],
      ['approve', ['returns:write', 'returns:admin']],
    ]);
  });

  test('parks a rejection of our return, and retries after repeated version conflicts', async () => {
    const approved = answering(preparedOf({ ...remote, status: 'approved' }));
    const first = await arrive();
    await run(backendWith({ approve: () => failed('invalid_transition') }).backend, approved)(
      batch(first.message),
      contextWith(),
    );
    expect(await row(first.deliveryId)).toMatchObject({ status: 'parked', reason: 'invalid_transition' });
    const second = await arrive();
    const refetch: Translator['refetchReturn'] = async () => ({
      ok: true,
      value: { ...remote, status: 'approved' },
    });
    await run(
      backendWith({ approve: () => failed('version_mismatch') }).backend,
      approved,
      refetch,
    )(batch(second.message), contextWith());
    expect(await row(second.deliveryId)).toMatchObject({ status: 'received', lastError: 'version_mismatch' });
  });

  test.each([
    ['retryable', { status: 'received', lastError: 'shop_timeout' }],
    ['permanent', { status: 'parked', reason: 'shop_timeout' }],
  ] as const)('settles the delivery when a refetch fails: %s', async (kind, expected) => {
    const refetch: Translator['refetchReturn'] = async () => ({
      ok: false,
      failure: { kind, reason: 'shop_timeout' },
    });
    const { deliveryId, message } = await arrive();
    const { backend } = backendWith({ createReturn: () => failed('duplicate_return', 'ret_1') });
    await run(
      backend,
      answering(preparedOf({ ...remote, status: 'approved' })),
      refetch,
    )(batch(message), contextWith());
    expect(await row(deliveryId)).toMatchObject(expected);
  });

  test('books a refund once for its return, before the steps, and a refund without a return with the order', async () => {
    const refund = {
      platform: 'acme',
      orderId: '7',
      externalId: '70',
      amount: { amount: 100, currency: 'EUR' },
      occurredAt: '2026-11-02T00:00:00Z',
    };
    const { backend, calls } = backendWith();
    const { message } = await arrive();
    await run(backend, answering(preparedOf(remote, [refund], [{ ...refund, externalId: '71' }])))(
      batch(message),
      contextWith(),
    );
    expect(calls.filter(({ name }) => name === 'recordRefund').map(({ input }) => input)).toEqual([
      { ...refund, returnId: 'ret_1' },
      { ...refund, externalId: '71' },
    ]);
    const known = ours({
      refunds: [{ external: { platform: 'acme', externalId: '70' }, amount: refund.amount }] as never,
    });
    const later = backendWith({ createReturn: () => ({ ok: true, value: { status: 201, body: known } }) });
    await run(later.backend, answering(preparedOf(remote, [refund])))(batch((await arrive()).message), contextWith());
    expect(later.calls.map(({ name }) => name)).toEqual(['registerOrder', 'createReturn']);
  });

  test('leaves the message in the queue when the store is down', async () => {
    const { deliveryId, message } = await arrive();
    await using store = await startServer(() => 'reset');
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: store.origin });
    const { backend, calls } = backendWith();
    const result = await processInbox(backend, { acme: platformWith({}) })(batch(message, maxReceives), contextWith());
    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: message[0]?.MessageId }] });
    expect(store.requests.length).toBeGreaterThan(0);
    expect(calls).toEqual([]);
    expect(await deadLetters()).toEqual([]);
    restoreEnvironment();
    // Once the store answers again, the same message is processed like any other.
    expect(await run(backend)(batch(message), contextWith())).toEqual({ batchItemFailures: [] });
    expect(await row(deliveryId)).toMatchObject({ status: 'done' });
  });
});
