import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { api } from '../support/api.ts';
import type { Fleet } from '../support/lambda-runtime/fleet.ts';
import type { OwnStack } from '../support/own-stack.ts';
import type { Mode } from '../../lib/tools/template/functions/function-row.ts';

/**
 * Sends the webhooks of a shop through the gateway and the queue to a return. The stack must not feed the same queues.
 */
export const deliverWebhooks = (mode: Mode, subjects: () => { fleet: Fleet; stack: OwnStack }): void => {
  let fleet: Fleet;
  let stack: OwnStack;
  let orders: string[];
  let polling: AsyncDisposable;
  let before: number;

  beforeAll(() => {
    ({ fleet, stack } = subjects());
    orders = [...stack.info.webhooks.shopify.orderIds];
    before = fleet.invocations.length;
    polling = fleet.poll();
  });
  afterAll(async () => polling[Symbol.asyncDispose]());

  const deliver = async (headers: Record<string, string>, body: Uint8Array) => {
    const url = `${fleet.urls.hooks}/webhooks/shopify`;
    const response = await fetch(url, { method: 'POST', headers, body: Uint8Array.from(body) });
    return { status: response.status, text: await response.text() };
  };
  const processed = () => fleet.next((ended) => ended.function === 'process');
  const rowOf = async (deliveryId = '') => {
    const client = new DynamoDBClient({ ...clientSettings, endpoint: stack.info.aws.dynamodb });
    const { Items = [] } = await DynamoDBDocumentClient.from(client).send(
      new ScanCommand({ TableName: stack.info.aws.tables[`${mode}.Table`] }),
    );
    return Items.find((item) => item['deliveryId'] === deliveryId);
  };

  it('creates a return from a delivery of a shop, and settles the delivery once', async () => {
    const note = 'too small';
    const { headers, body, returnGid } = stack.shop.webhook(orders.shift() ?? '', { quantity: 1, customerNote: note });
    const settled = processed();
    expect(await deliver(headers, body)).toEqual({ status: 200, text: '' });
    expect((await settled).outcome).toEqual({ kind: 'response', payload: { batchItemFailures: [] } });
    expect(await deliver(headers, body)).toEqual({ status: 200, text: '' });
    const row = await rowOf(headers['x-shopify-webhook-id']);
    expect(row).toMatchObject({ status: 'done', returnId: expect.stringMatching(/^ret_/) });
    const service = api(mode, { ...stack.info, [mode]: { url: fleet.urls.api } });
    expect(await service.get(`/returns/${String(row?.['returnId'])}`)).toMatchObject({
      status: 200,
      body: {
        status: 'requested',
        externalRefs: [{ platform: 'shopify', id: returnGid }],
        lines: [{ reason: { note } }],
      },
    });
  });

  it('rejects a delivery with another signature', async () => {
    const { headers, body } = stack.shop.webhook(orders[0] ?? '');
    const { status, text } = await deliver({ ...headers, 'x-shopify-hmac-sha256': 'AAAA' }, body);
    expect({ status, ...(JSON.parse(text) as object) }).toMatchObject({ status: 401, code: 'invalid_signature' });
    expect(await rowOf(headers['x-shopify-webhook-id'])).toBeUndefined();
  });

  it('ignores a delivery with an unknown topic', async () => {
    const { headers, body } = stack.shop.webhook(orders.shift() ?? '');
    const settled = processed();
    const unheard = { ...headers, 'x-shopify-topic': 'returns/unheard-of' };
    expect(await deliver(unheard, body)).toEqual({ status: 200, text: '' });
    await settled;
    expect(await rowOf(headers['x-shopify-webhook-id'])).toMatchObject({ status: 'ignored' });
  });

  it('leaves nothing behind', () => {
    const invocations = fleet.invocations.slice(before);
    const functions = invocations.map((one) => one.function);
    const expected = 'getReturn process process receiveWebhook receiveWebhook receiveWebhook receiveWebhook';
    expect(functions.toSorted().join(' ')).toBe(expected);
    expect(invocations.filter(({ left }) => left.length > 0)).toEqual([]);
  });
};
