import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { type OwnStack, startOwnStack } from '../../support/own-stack.ts';

/* The shops that npm start serves: they deliver what happens there, and take what commands want. */

/** How the deliveries of each act end. */
const platforms: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
  adobe: { order: 200, return: 200 },
  bigcommerce: { order: 200, refund: 200 },
  commercetools: { order: 'queued', return: 'queued' },
  medusa: { order: 'nothing', return: 200 },
  saleor: { order: 200, return: 200 },
  vtex: { order: 'nothing', return: 200 },
  woocommerce: { order: 200, refund: 200 },
};
/** The platforms whose orders are registered before something comes back. */
const hasOrders = (platform: string): boolean => ['adobe', 'bigcommerce', 'woocommerce'].includes(platform);
/** The platforms whose customers request returns. Others report returns that are decided. */
const requested = ['adobe', 'vtex'] as const;

type Done = { readonly orderId: string; readonly returnId?: string; readonly delivered: number | string };

let stack: OwnStack;
beforeAll(async () => {
  const names = Object.keys(platforms);
  stack = await startOwnStack({
    platforms: ['shopify', ...names].join(','),
    shops: names,
    writeBack: names.join(','),
    streams: true,
  });
});
afterAll(async () => stack.close());

const act = async (platform: string, what: string, orderId?: string) => {
  const query = orderId === undefined ? '' : `?order=${encodeURIComponent(orderId)}`;
  const response = await fetch(`${stack.info.shopsUrl}/${platform}/${what}${query}`, { method: 'POST' });
  return { status: response.status, body: (await response.json()) as Done & { readonly error?: string } };
};
const service = () => api('standalone', stack.info);
/** Repeats a check until it holds: workers process deliveries and intents later. */
const eventually = async (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 200 });

/** Waits for our return of an order. */
const ourReturn = async (platform: string, orderId: string) => {
  let returnId = '';
  await eventually(async () => {
    const query = new URLSearchParams({ platform, orderId }).toString();
    const { status, body } = await service().get(`/returns?${query}`);
    const { items } = body as unknown as { readonly items: readonly { readonly returnId: string }[] };
    expect({ status, count: items.length }).toEqual({ status: 200, count: 1 });
    returnId = items[0]?.returnId ?? '';
  });
  return returnId;
};

const rows = Object.entries(platforms).flatMap(([platform, done]) =>
  Object.entries(done).map(([what, delivered]) => [platform, what, delivered] as const),
);

describe('shop of the local stack', () => {
  it.each(rows)('%s: %s is delivered (%s), and what we have is that of the shop', async (platform, what, delivered) => {
    const { status, body } = await act(platform, what);
    expect({ status, delivered: body.delivered }).toEqual({ status: 200, delivered });
    if (what === 'return') await ourReturn(platform, body.orderId);
    else if (!hasOrders(platform)) return;
    const path = `/orders/${platform}/${encodeURIComponent(body.orderId)}`;
    await eventually(async () => {
      const found = await service().get(path);
      expect(found).toMatchObject({ status: 200, body: { completeness: 'full' } });
    });
  });

  it('says what is missing', async () => {
    expect(await act('medusa9', 'order')).toMatchObject({
      status: 404,
      body: {
        error: expect.stringContaining(
          'No shop of medusa9 runs here. There are: shopify, adobe, bigcommerce, commercetools',
        ),
      },
    });
    expect(await act('woocommerce', 'return')).toMatchObject({
      status: 404,
      body: { error: 'A shop of woocommerce knows no "return". It knows: order, refund.' },
    });
    expect(await act('woocommerce', 'refund', '1')).toMatchObject({
      status: 404,
      body: { error: 'The shop of woocommerce has no order 1. Make one with "order".' },
    });
    expect(await act('shopify', 'return')).toMatchObject({ status: 200, body: { delivered: 200 } });
  });
});

const switchOn = async (platform: string) => {
  const none = { headers: { 'if-none-match': '*' } };
  const set = await service().put(`/write-back/shops/${platform}`, { actions: { approve: 'on' } }, none);
  expect(set).toMatchObject({ status: 201 });
};

describe('log of the local stack', () => {
  it('names a platform whose deliveries are not accepted', async () => {
    const url = `${stack.info.hooks.url}/webhooks/standard/local`;
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const lines = (await readFile(join(stack.dataDir, 'logs', 'connected.log'), 'utf8')).split('\n');
    const line = lines.find((text) => text.includes('platform_not_enabled')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ message: 'delivery rejected', platform: 'standard' });
  });
});

describe.each(requested)('%s of the local stack', (platform) => {
  it('is asked to approve a return that it has, and reports it without a second intent', async () => {
    await switchOn(platform);
    const { orderId, returnId: externalId } = (await act(platform, 'return')).body;
    const returnId = await ourReturn(platform, orderId);
    expect(await service().get(`/returns/${returnId}`)).toMatchObject({ body: { status: 'requested' } });
    expect(await service().post(`/returns/${returnId}/approve`, {})).toMatchObject({ status: 200 });
    await eventually(async () => {
      const { body } = await service().get(`/write-back/intents?returnId=${returnId}`);
      expect(body).toMatchObject({ items: [{ action: 'approve', status: 'confirmed', externalId, by: 'request' }] });
    });
  });
});

describe('WooCommerce of the local stack', () => {
  it('does what a command wants', async () => {
    await switchOn('woocommerce');
    const { orderId } = (await act('woocommerce', 'order')).body;
    await eventually(async () => expect((await service().get(`/orders/woocommerce/${orderId}`)).status).toBe(200));
    const created = await service().post('/returns', {
      order: { platform: 'woocommerce', orderId },
      lines: [{ orderLineId: `${orderId}1`, quantity: 1, reason: { code: 'fit.too_small' } }],
    });
    const { returnId } = created.body;
    expect(await service().post(`/returns/${returnId}/approve`, {})).toMatchObject({ status: 200 });
    await eventually(async () => {
      const { body } = await service().get(`/write-back/intents?returnId=${returnId}`);
      expect(body).toMatchObject({ items: [{ action: 'approve', status: 'confirmed' }] });
    });
    const { url } = stack.info.shops['woocommerce'] ?? { url: '' };
    const authorization = `Basic ${Buffer.from('ck_local:cs_local').toString('base64')}`;
    const notes = await fetch(`${url}/wp-json/wc/v3/orders/${orderId}/notes`, { headers: { authorization } });
    expect(await notes.json()).toMatchObject([{ note: expect.stringMatching(/^Return .* approved\. \[wbi_/) }]);
  });
});
