import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { StackEvent } from '../../lib/tools/local/events.ts';
import { api, tokenOf, type Api } from '../support/api.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { hooksOf } from './support.ts';
import { registerOrder, returnOf } from '../support/scenario.ts';

const note = `too small, says ${randomUUID()}`;

/** Tests the logs of both modes for a shop's deliveries, retries included. It stops the connected mode. */
export const logsOfDeliveries = (stackOf: () => OwnStack): void => {
  let stack: OwnStack;
  beforeAll(() => void (stack = stackOf()));

  const processed = (event: StackEvent) => event.type === 'invoked' && event.function === 'process';

  const deliver = async (headers: Record<string, string>, body: Uint8Array): Promise<number> =>
    (await fetch(stack.info.webhooks.shopify.url, { method: 'POST', headers, body: Uint8Array.from(body) })).status;

  /** Delivers a customer's return and returns the path of our return. */
  const arrive = async (orderId: string): Promise<string> => {
    const { headers, body } = stack.shop.webhook(orderId, { quantity: 1, customerNote: note });
    expect(await deliver(headers, body)).toBe(200);
    const [row] = await hooksOf(stack, 'connected').settled(headers['x-shopify-webhook-id']);
    return `/returns/${String(row?.['returnId'])}`;
  };

  /** Causes rejections and failures, because they write more log entries than successes. */
  const goWrong = async (service: Api, orderId: string): Promise<void> => {
    const { headers, body } = stack.shop.webhook(orderId, { quantity: 1, customerNote: note });
    expect(await deliver({ ...headers, 'x-shopify-hmac-sha256': 'AAAA' }, body)).toBe(401);
    const parked = stack.next(processed);
    expect(await deliver({ ...headers, 'x-shopify-topic': 'returns/unheard-of' }, body)).toBe(200);
    await parked;
    const order = await registerOrder(service);
    expect((await service.post('/returns', returnOf(order, 99))).status).toBe(422);
    expect((await service.post('/returns', JSON.stringify({ [note]: 1 }))).status).toBe(400);
    await stack.standalone.stop();
    expect((await service.post('/returns', returnOf(order))).status).toBe(503);
    const postponed = stack.next(processed);
    expect(await deliver(headers, body)).toBe(200);
    await postponed;
    const deliveryId = headers['x-shopify-webhook-id'];
    const hooks = hooksOf(stack, 'connected');
    const [, waiting] = (await hooks.inbox(deliveryId)).toSorted((a, b) =>
      String(a['status']) < String(b['status']) ? -1 : 1,
    );
    expect(waiting).toMatchObject({ status: 'received', lastError: 'dependency_unavailable' });
    await stack.standalone.start();
    expect(await hooks.settled(deliveryId)).toContainEqual(expect.objectContaining({ status: 'done' }));
    const { body: found } = await service.get(`/returns?platform=shopify&orderId=${orderId}`);
    expect(found.items).toHaveLength(1);
  };

  const logs = async (): Promise<string> => {
    const folder = join(stack.dataDir, 'logs');
    const names = await readdir(folder);
    expect(names.toSorted()).toEqual([
      'connected-access.log',
      'connected.log',
      'standalone-access.log',
      'standalone.log',
    ]);
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
  };

  it('contain ids but no secrets and no personal data, from webhook to approval and while the service is down', async () => {
    const { clients, webhooks } = stack.info;
    const [orderId = '', another = ''] = stack.shop.sell(2);
    const service = api('connected', stack.info);
    const path = await arrive(orderId);
    const { customer } = stack.shop.order(orderId);
    const read = await service.get(path);
    expect(read.body).toMatchObject({ customer: { email: customer.email }, lines: [{ reason: { note } }] });
    const headers = { 'returns-on-behalf-of': 'agent-7' };
    expect((await service.post(`${path}/approve`, {}, { headers })).status).toBe(200);
    expect((await service.get(`${path}/history`)).status).toBe(200);
    await goWrong(service, another);
    await stack.connected.stop();

    const text = await logs();
    const expectedMessages = ['delivery received', 'delivery settled', 'delivery rejected', 'delivery postponed'];
    expect(expectedMessages.filter((words) => !text.includes(words))).toEqual([]);
    const customers = [customer, stack.shop.order(another).customer].flatMap(({ email, name }) => [email, name]);
    const signing = stack.secrets.get('returns-standalone-SigningSecret').secretString ?? '';
    const forbidden = [
      ...clients.map(({ clientSecret }) => clientSecret),
      webhooks.shopify.secret,
      stack.shop.accessToken,
      signing,
      // The beginning of every JWT.
      'eyJ',
      (await tokenOf('returns-admin', stack.info)).split('.')[2] ?? '',
      ...customers,
      'Ada Marker',
      'marker-',
      note,
    ];
    expect(forbidden.filter((word) => text.includes(word))).toEqual([]);
  });
};
