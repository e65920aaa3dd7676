import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { sign } from '../../lib/shops/platforms/shopify/headers.ts';
import { encodeInboxKey } from '../../lib/store/inbox/inbox-row.ts';
import { api } from '../support/api.ts';
import { sharedStack } from '../support/own-stack.ts';
import { registerOrder, returnOf } from '../support/scenario.ts';
import { hooksOf } from './support.ts';

const stack = await sharedStack();
const [orderId = ''] = stack.shop.sell(1);
const hooks = hooksOf(stack, 'standalone');
const service = api('standalone', stack.info);
const topic = 'returns/request';

/** Delivers a body without a readable order and returns the key of the delivery once it is settled. */
const settled = async (text: string, status = 'parked'): Promise<string> => {
  const { headers } = stack.shop.webhook(orderId);
  const body = Buffer.from(text);
  const deliveryId = randomUUID();
  const signature = sign(body, stack.info.webhooks.shopify.secret);
  const own = { 'x-shopify-topic': topic, 'x-shopify-webhook-id': deliveryId, 'x-shopify-hmac-sha256': signature };
  expect(await hooks.deliver({ headers: { ...headers, ...own }, body })).toMatchObject({ status: 200 });
  const [row] = await hooks.settled(deliveryId);
  expect(row).toMatchObject({ status });
  expect(row).not.toHaveProperty('orderId');
  return String(row?.['pk']);
};

/** Counts the rows that lead to a delivery. */
const linksTo = async (key: string): Promise<number> => {
  const { aws } = stack.info;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: aws.dynamodb }));
  try {
    let links = 0;
    const pages = paginateScan(
      { client },
      {
        TableName: aws.tables['standalone.Table'],
        FilterExpression: 'delivery = :key AND begins_with(pk, :links)',
        ExpressionAttributeValues: { ':key': key, ':links': 'INBOXOF#' },
      },
    );
    for await (const { Items = [] } of pages) links += Items.length;
    return links;
  } finally {
    client.destroy();
  }
};

const statusOf = async (key: string) => (await service.get(`/inbox/deliveries/${encodeInboxKey(key)}`)).status;

const erase = async (subject: object) => {
  const started = await service.post('/erasures', subject);
  for (;;) {
    const worked = stack.next((event) => event.type === 'invoked' && event.function === 'runJob');
    const job = (await service.get(`/jobs/${started.body.jobId}`)).body as unknown as Output<'eraseCustomer'>;
    if (!['queued', 'running'].includes(job.status)) return job;
    await worked;
  }
};

describe('deliveries without a readable order', () => {
  it('are erased with the person that their bodies name', async () => {
    const mark = randomUUID();
    const customer = { id: `customer-${mark}`, email: `Ada.${mark}@example.com`, name: 'Ada Marker' };
    const number = `#${mark}`;
    const order = await registerOrder(service, { customer, number });
    const externalRefs = [{ platform: 'shopify', id: `gid://shopify/Return/${mark}` }];
    expect((await service.post('/returns', returnOf(order, 1, { externalRefs }))).status).toBe(201);
    const id = 'none';
    const bodies = [
      { id, contact: { email: ` ${customer.email.toLowerCase()}` } },
      { id, note: `Please write to <${customer.email}>.` },
      { id, customer: { id: customer.id }, email: customer.email },
      { id, order: { admin_graphql_api_id: `gid://shopify/Order/${order.orderId}` } },
      { id, order: { name: number } },
      { id: mark },
    ].map((body) => JSON.stringify(body));
    const found = await Promise.all(
      [...bodies, `email=${encodeURIComponent(customer.email)}&`].map(async (body) => settled(body)),
    );
    const others = await Promise.all(
      [
        { id, customer: { id: 'customer-7' }, email: `eva.${mark}@example.com` },
        // The id of a line is no customer name.
        { id, line_items: [{ id: customer.id, product_id: order.orderId }] },
      ].map(async (body) => settled(JSON.stringify(body))),
    );

    const subject = { platform: 'shopify', customerId: customer.id };
    const deliveries = found.length;
    expect(await erase({ ...subject, countOnly: true })).toMatchObject({ report: { erased: { deliveries } } });
    expect(await Promise.all(found.map(statusOf))).toEqual(found.map(() => 200));
    expect(await erase(subject)).toMatchObject({ status: 'done', report: { erased: { deliveries, persons: 1 } } });
    expect(await Promise.all(found.map(statusOf))).toEqual(found.map(() => 404));
    expect(await Promise.all(found.map(linksTo))).toEqual(found.map(() => 0));
    expect(await Promise.all(others.map(statusOf))).toEqual([200, 200]);
  });

  it('are erased with an order whose shop names no customer', async () => {
    const email = `${randomUUID()}@example.com`;
    const order = await registerOrder(service, { customer: { email } });
    const ignored = `{"order_id":"${order.orderId}"}`;
    const keys = [await settled(JSON.stringify({ id: 'none', email })), await settled(ignored, 'ignored')];
    expect(await erase(order)).toMatchObject({ status: 'done', report: { erased: { deliveries: 2 } } });
    expect(await Promise.all(keys.map(statusOf))).toEqual([404, 404]);
  });
});
