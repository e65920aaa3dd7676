import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Output } from '../../lib/contract/contract.ts';
import { sign } from '../../lib/shops/platforms/woocommerce/verify.ts';
import { addSources } from '../shops/platforms/platform-secret.ts';
import { startSite, withdrawalNote, withdrawn } from '../shops/platforms/woocommerce-site.ts';
import { api } from '../support/api.ts';
import { lambda } from '../support/lambda.ts';
import { eur } from '../support/orders.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';
import { orderPath, shopOrder } from '../support/scenario.ts';
import { modes, type Mode } from '../../lib/tools/template/functions/function-row.ts';
import { ofEachWay, orderPlatform } from './platforms/shop.ts';
import { hooksOf } from './support.ts';

type Withdrawal = Output<'getWithdrawal'>;

const secret = 'hushThisIsAWebhookSecret';
const platform = 'woocommerce';

let stack: OwnStack;
let site: Awaited<ReturnType<typeof startSite>>;
beforeAll(async () => {
  site = await startSite();
  site.accept('ck_first', 'cs_first');
  site.permitWrites(true);
  stack = await startOwnStack({ platforms: platform, writeBack: orderPlatform(platform, 'standalone') });
  const access = { consumerKey: 'ck_first', consumerSecret: 'cs_first', apiUrl: site.server.origin };
  await addSources(stack.secrets, platform, ofEachWay(platform, { webhookSecrets: [secret], ...access }));
});
afterAll(async () => {
  await stack.close();
  await site.server[Symbol.asyncDispose]();
});

/** Marks an order as the form of the site does. */
const withdraw = (id: number, type = 'The full order', note: object = {}) => {
  const email = `ada-${id}@example.com`;
  const name = { first_name: 'Ada', last_name: 'Lovelace', country: 'DE' };
  site.put(withdrawn({ id, number: String(id), billing: { ...name, email }, shipping: name }));
  site.notes.set(String(id), [withdrawalNote(type, { ...note })]);
};

/** Sends a delivery of an order, and returns its settled row. */
const deliver = async (mode: Mode, id: number) => {
  const body = Buffer.from(JSON.stringify({ ...site.orders.get(String(id)), n: randomUUID() }));
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-source': 'https://shop.example/',
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-resource': 'order',
    'x-wc-webhook-event': 'updated',
    'x-wc-webhook-signature': sign(body, secret),
    'x-wc-webhook-id': '1',
    'x-wc-webhook-delivery-id': randomUUID(),
  };
  const hooks = hooksOf(stack, mode);
  const before = new Set((await hooks.rows({ platform })).map(({ pk }) => pk));
  expect(await hooks.deliver({ headers, body }, `${platform}/${mode}`)).toEqual({ status: 200, text: '' });
  const [row = {}] = await hooks.settledRows({ platform }, ({ pk }) => before.has(pk));
  return row;
};

/** The numbers of orders differ, because the connected mode stores in the table of the service. */
const idOf = (mode: Mode, order: number) => 1000 * (modes.indexOf(mode) + 1) + order;

const service = (mode: Mode) => api(mode, stack.info);

describe.each(modes)('withdrawals of a shop in the %s mode', (mode) => {
  const sourceOf = (id: number) => ({ platform: orderPlatform(platform, mode), externalId: `order-${id}` });
  const found = async (id: number): Promise<Withdrawal[]> => {
    const { body } = await service(mode).get('/withdrawals?limit=100');
    const ids = (body as unknown as Output<'listWithdrawals'>).items.map(({ withdrawalId }) => withdrawalId);
    const read = await Promise.all(ids.map(async (one) => (await service(mode).get(`/withdrawals/${one}`)).body));
    return (read as unknown as Withdrawal[]).filter(({ source }) => source?.externalId === `order-${id}`);
  };

  it('stores one withdrawal with the time of the shop, and matches it to the order', async () => {
    const id = idOf(mode, 1);
    withdraw(id);
    for (let count = 1; count <= 3; count += 1) expect(await deliver(mode, id)).toMatchObject({ status: 'done' });
    const order = { platform: orderPlatform(platform, mode), orderId: String(id) };
    expect(await found(id)).toMatchObject([
      {
        status: 'matched',
        declaredAt: '2017-03-22T08:30:12.000Z',
        source: sourceOf(id),
        declaration: { name: 'Ada Lovelace', email: `ada-${id}@example.com`, contract: String(id) },
        match: { order },
        receipt: { status: 'due' },
      },
    ]);
  });

  it('leaves specific items to staff, whose match stays', async () => {
    const id = idOf(mode, 2);
    withdraw(id, 'Specific items only');
    expect(await deliver(mode, id)).toMatchObject({ status: 'done' });
    const [withdrawal] = await found(id);
    expect(withdrawal).toMatchObject({
      status: 'declared',
      declaration: { lines: expect.stringContaining('Specific') },
    });
    const match = {
      order: { platform: orderPlatform(platform, mode), orderId: String(id) },
      lines: [{ orderLineId: '311', quantity: 1 }],
    };
    expect(await service(mode).post(`/withdrawals/${withdrawal?.withdrawalId}/match`, match)).toMatchObject({
      status: 200,
    });
    expect(await deliver(mode, id)).toMatchObject({ status: 'done' });
    expect(await found(id)).toMatchObject([{ status: 'matched', match }]);
  });

  it('does not declare a mistake again', async () => {
    const id = idOf(mode, 3);
    withdraw(id);
    await deliver(mode, id);
    const [withdrawal] = await found(id);
    await service(mode).post(`/withdrawals/${withdrawal?.withdrawalId}/withdraw`, { reason: 'mistake' });
    expect(await deliver(mode, id)).toMatchObject({ status: 'done' });
    expect(await found(id)).toMatchObject([{ status: 'withdrawn' }]);
  });
});

describe('the intent to cancel an order in the standalone mode', () => {
  it('cancels the order at the shop, with the token that may write', async () => {
    const [mode, id] = ['standalone', idOf('standalone', 4)] as const;
    const order = { platform: orderPlatform(platform, mode), orderId: String(id) };
    const setting = `/write-back/shops/${order.platform}`;
    const none = { headers: { 'if-none-match': '*' } };
    expect(await service(mode).put(setting, { actions: { cancel_order: 'on' } }, none)).toMatchObject({ status: 201 });
    withdraw(id);
    await deliver(mode, id);
    expect((await lambda(mode, stack.info)('sweepIntents', {})).error).toBeUndefined();
    await vi.waitFor(
      async () => {
        const { body: list } = await service(mode).get(`/write-back/intents?platform=${order.platform}`);
        expect((list as unknown as Output<'listIntents'>).items).toContainEqual(
          expect.objectContaining({ order, action: 'cancel_order', status: 'confirmed', by: 'request' }),
        );
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(site.orders.get(String(id))).toMatchObject({ status: 'cancelled' });
  });
});

describe('matchWithdrawals in the standalone mode', () => {
  it('matches by order number, e-mail address and name, with the permissions of its role', async () => {
    const service = api('standalone', stack.info);
    const [order, number] = [{ platform: 'web', orderId: randomUUID() }, randomUUID()];
    const delivered = new Date().toISOString();
    const lines = [{ lineId: '1', quantity: 2, unitPrice: eur(1000), deliveries: [{ quantity: 2, at: delivered }] }];
    const customer = { id: 'ada', email: 'ada@example.com', name: 'Ada' };
    expect(await service.put(orderPath(order), shopOrder({ number, lines, customer }))).toMatchObject({ status: 201 });
    const content = { name: 'Ada', email: 'Ada@example.com', contract: `Order ${number}` };
    const { withdrawalId } = (await service.post('/withdrawals', content)).body as unknown as Withdrawal;
    expect(await lambda('standalone', stack.info)('matchWithdrawals', {})).not.toHaveProperty('error');
    expect((await service.get(`/withdrawals/${withdrawalId}`)).body).toMatchObject({
      status: 'matched',
      match: { order },
      returns: [{ lines: [{ orderLineId: '1', quantity: 2 }] }],
    });
  });
});
