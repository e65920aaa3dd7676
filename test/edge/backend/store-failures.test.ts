import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReturn, getReturn } from '../../../lib/edge/backend/standalone.ts';
import type { Call } from '../../../lib/contract/port.ts';
import { setEnvironment } from '../../support/environment.ts';
import { ringText } from '../../support/history-keys.ts';
import { order, orderLine } from '../../support/orders.ts';
import { ampleDeadline } from '../../support/time.ts';
import { inSoak } from '../../support/samples.ts';

/** The engine's reaction to a request. Each test sets it. */
let engine: RequestListener;
const server = createServer((request, response) => {
  request.resume();
  engine(request, response);
});
let requests = 0;

const reject =
  (status: number, type: string): RequestListener =>
  (_, response) => {
    requests += 1;
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'marker-of-the-inside' }),
    );
  };

const read = async (deadline = ampleDeadline()) => {
  const call: Call = {
    caller: { clientId: 'test', scopes: ['returns:read'] },
    dryRun: false,
    traceId: '0'.repeat(32),
    causationId: 'test',
    deadline,
  };
  return getReturn({ returnId: 'ret_00000000000000000000000000' }, call);
};

beforeEach(async () => {
  requests = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  setEnvironment({
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TABLE_NAME: 'unit',
    HISTORY_KEYS_ID: 'history-keys',
  });
});
afterEach(async () => {
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
});

describe('store failures', () => {
  it('end a request at the deadline when the store hangs', async () => {
    engine = () => undefined;
    expect(await read(Date.now() + 800)).toMatchObject({ ok: false, failure: { code: 'timeout' } });
  });

  it('return dependency_unavailable when nothing listens', async () => {
    await new Promise((resolve) => server.close(resolve));
    expect(await read()).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable', retryAfterSeconds: 1 },
    });
  });

  it.each<readonly [number, string]>([
    [400, 'ThrottlingException'],
    ...inSoak<readonly [number, string]>([400, 'ProvisionedThroughputExceededException']),
    [500, 'InternalServerError'],
  ])('cause retries on %s %s, and then dependency_unavailable', async (status, type) => {
    engine = reject(status, type);
    const answer = await read();
    expect(answer).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable' } });
    expect(JSON.stringify(answer)).not.toContain('marker');
    expect(requests).toBe(3);
  });

  it('are not reported as a busy store when the cause is our defect', async () => {
    engine = reject(400, 'ValidationException');
    await expect(read()).rejects.toThrow(/marker/);
  });

  /** Returns the history keys and a store with one order. A foreign transaction holds item `held`, from the end. */
  const heldAt =
    (held: number): RequestListener =>
    (request, response) => {
      const answer = (status: number, body: object) => {
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(JSON.stringify(body));
      };
      const target = String(request.headers['x-amz-target']).split('.').at(-1);
      if (target === 'GetItem') return answer(200, {});
      if (target === 'GetSecretValue') return answer(200, { VersionId: '1', SecretString: ringText() });
      const value = JSON.stringify(order({ lines: [orderLine()] }));
      const facts = { pk: { S: 'ORDER#shopify#1001' }, sk: { S: 'FACTS' }, version: { N: '1' }, value: { S: value } };
      if (target === 'Query') return answer(200, { Items: [facts] });
      // The items of a new return: snapshot, entry, ledger, RMA number, actor key, idempotency key.
      const CancellationReasons = Array.from({ length: 6 }, (_, index) => ({
        Code: index === 6 - held ? 'TransactionConflict' : 'None',
      }));
      return answer(400, {
        __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
        CancellationReasons,
      });
    };

  it.each(
    inSoak(
      ['an identical request holds its key', 1, 'idempotency_key_in_progress'],
      ['other transactions hold the ledger', 4, 'dependency_unavailable'],
    ),
  )('are returned after many retries when %s', async (_, held, code) => {
    engine = heldAt(held);
    setEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: process.env['AWS_ENDPOINT_URL_DYNAMODB'] });
    const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'other' } }];
    const answer = await createReturn(
      { order: { platform: 'shopify', orderId: '1001' }, lines },
      {
        caller: { clientId: 'test', scopes: ['returns:write'] },
        dryRun: false,
        idempotencyKey: 'key',
        traceId: '0'.repeat(32),
        causationId: 'test',
        deadline: ampleDeadline(),
      },
    );
    expect(answer).toMatchObject({ ok: false, failure: { code, retryAfterSeconds: 1 } });
  });
});
