import * as shapes from '#contract/answers.js';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboxBackend } from '../../../lib/contract/inbox/sync.ts';
import * as operations from '../../../lib/contract/operations.ts';
import { forward } from '../../../lib/edge/backend/forward.ts';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import { processInbox } from '../../../lib/shops/inbox/process.ts';
import { startHarness } from '../../access/oauth/harness.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { contextWith } from '../../support/time.ts';
import { startEngines } from './engines.ts';
import { authentic, backendWith, batch, only, outside, platformWith, post } from './support.ts';

const engines = await startEngines();
const { deadLetters, messages, empty, row } = outside(engines);

afterAll(engines.stop);
beforeEach(empty);
afterEach(restoreEnvironment);

const marker = 'marker-4d0e@example.com';

/** Starts a Returns Service of another contract, and the operations that forward to it. */
const startForeign = async () => {
  const harness = await startHarness();
  const body = JSON.stringify({ id: 12_345, customer: { email: marker } });
  const service = await startServer(() => ({ status: 200, body }));
  stubEnvironment({
    SERVICE_URL: service.origin,
    AUTH_URL: harness.idp.server.origin,
    CLIENT_SECRET_ID: 'unit',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
  });
  const createReturn: InboxBackend['createReturn'] = (input, call) =>
    forward(operations.createReturn, shapes.createReturn, input, call);
  const getReturn: InboxBackend['getReturn'] = (input, call) =>
    forward(operations.getReturn, shapes.getReturn, input, call);
  return {
    service,
    createReturn,
    getReturn,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
};

describe('worker of the inbox in front of a service that does not speak the contract', () => {
  it.each(['createReturn', 'getReturn'] as const)('parks a delivery after the answer to %s', async (name) => {
    await using foreign = await startForeign();
    const deliveryId = `foreign-${name}`;
    const platform = platformWith({ verification: authentic({ deliveryId }) });
    await ingestWebhook(only(platform))(post(JSON.stringify({ name })));
    const duplicate = { ok: false, failure: { code: 'duplicate_return', detail: 'x', returnId: 'ret_1' } };
    // The return exists, so it is read.
    const { backend } = backendWith(name === 'getReturn' ? { createReturn: () => duplicate } : {});
    const connected = Object.assign(Object.create(backend) as InboxBackend, { [name]: foreign[name] });
    const handler = processInbox(connected, { acme: platform });
    const result = await handler(batch(await messages()), contextWith());
    expect(result).toEqual({ batchItemFailures: [] });
    const stored = await row(deliveryId);
    expect(stored).toMatchObject({ status: 'parked', reason: 'dependency_refused' });
    expect(JSON.stringify(stored)).not.toContain(marker);
    expect(foreign.service.requests).toHaveLength(1);
    expect(await deadLetters()).toEqual([]);
  });
});
