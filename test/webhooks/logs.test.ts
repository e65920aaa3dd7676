import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StackEvent } from '../../lib/local/events.ts';
import { api, tokenOf, type Api } from '../support/api.ts';
import { startOwnStack, type OwnStack } from '../support/own-stack.ts';
import { hooksOf } from './support.ts';
import { registerOrder, returnOf } from '../support/scenario.ts';

const note = `too small, says ${randomUUID()}`;

let stack: OwnStack;
beforeAll(async () => void (stack = await startOwnStack()));
afterAll(async () => stack.close());

const processed = (event: StackEvent) => event.type === 'invoked' && event.function === 'process';

const deliver = async (headers: Record<string, string>, body: Uint8Array): Promise<number> =>
  (await fetch(stack.info.webhooks.shopify.url, { method: 'POST', headers, body: Uint8Array.from(body) })).status;

/** A customer's return as it arrives from the shop: the path of what it became. */
const arrive = async (orderId: string): Promise<string> => {
  const { headers, body } = stack.shop.webhook(orderId, { quantity: 1, customerNote: note });
  expect(await deliver(headers, body)).toBe(200);
  const [row] = await hooksOf(stack, 'connected').settled(headers['x-shopify-webhook-id']);
  return `/returns/${String(row?.['returnId'])}`;
};

/** What is refused, on the way in and after it, leaves more words than what goes well. */
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
};

const logs = async (): Promise<string> => {
  const folder = join(stack.dataDir, 'logs');
  const names = await readdir(folder);
  expect(names.toSorted()).toEqual(['connected.log', 'standalone.log']);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
};

it('writes down ids, and nothing of secrets or of people, from a webhook to the approval', async () => {
  const { clients, webhooks } = stack.info;
  const [orderId = '', another = ''] = webhooks.shopify.orderIds;
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
  const told = ['delivery received', 'delivery settled', 'delivery refused', 'delivery postponed'];
  expect(told.filter((words) => !text.includes(words))).toEqual([]);
  const customers = [customer, stack.shop.order(another).customer].flatMap(({ email, name }) => [email, name]);
  const signing = stack.secrets.get('returns-standalone-SigningSecret').secretString ?? '';
  const forbidden = [
    ...clients.map(({ clientSecret }) => clientSecret),
    webhooks.shopify.secret,
    stack.shop.accessToken,
    signing,
    // How every JWT begins.
    'eyJ',
    (await tokenOf('returns-admin', stack.info)).split('.')[2] ?? '',
    ...customers,
    'Ada Marker',
    'marker-',
    note,
  ];
  expect(forbidden.filter((word) => text.includes(word))).toEqual([]);
});
