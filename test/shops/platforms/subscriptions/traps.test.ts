import { afterAll, describe, expect, it } from 'vitest';
import { parseSource } from '../../../../lib/shops/platforms/shared/http/sources.ts';
import { readHook } from '../../../../lib/shops/platforms/subscription.ts';
import { platformSubscriptions } from '../../../../lib/shops/platforms/subscriptions.ts';
import { translators } from '../../../../lib/shops/platforms/translators.ts';
import { startBigCommerceWorld } from './bigcommerce-world.ts';
import { startCommercetoolsWorld } from './commercetools-world.ts';
import { startSaleorWorld } from './saleor-world.ts';
import { startShopifyWorld } from './shopify-world.ts';
import { closeSecret, openSecret } from './subscription-world.ts';
import { startVtexWorld } from './vtex-world.ts';
import { startWooCommerceWorld } from './woocommerce-world.ts';

await openSecret();
afterAll(closeSecret);

const soon = () => Date.now() + 20_000;
const secret = 'a-secret-of-the-hook-0123456789';
const of = (platform: string) => {
  const found = platformSubscriptions[platform];
  if (found === undefined) throw new Error(`there are none for ${platform}`);
  return found;
};
const statesOf = (result: Awaited<ReturnType<ReturnType<typeof of>['read']>>) =>
  result.ok ? Object.fromEntries(result.value.map(({ topic, state }) => [topic, state])) : result.failure;
const failed = (reason: string, kind = 'permanent') => ({ ok: false, failure: { kind, reason } });

describe('WooCommerce subscriptions', () => {
  it('are enabled without a secret, and created only with one', async () => {
    const world = await startWooCommerceWorld();
    const { repair } = of('woocommerce');
    const { address } = world;
    expect(await repair('shop', { address }, soon())).toEqual(failed('hook_secret_missing'));
    expect(world.addresses()).toEqual([]);
    await repair('shop', { address, secret }, soon());
    expect([...world.webhooks.values()].map((webhook) => webhook.secret)).toEqual([secret, secret, secret]);
    world.disableAll();
    expect(await repair('shop', { address }, soon())).toMatchObject({ ok: true });
    expect([...world.webhooks.values()]).toEqual(
      ['order.created', 'order.updated', 'order.restored'].map((topic) =>
        expect.objectContaining({ topic, status: 'active', secret }),
      ),
    );
    await world.close();
  });

  it('are read by a key that may not write, and not changed', async () => {
    const world = await startWooCommerceWorld();
    const { address } = world;
    await of('woocommerce').repair('shop', { address, secret }, soon());
    world.disableAll();
    world.forbidWrites();
    expect(await of('woocommerce').repair('shop', { address }, soon())).toEqual(failed('shop_status_401', 'retryable'));
    expect(statesOf(await of('woocommerce').read('shop', { address }, soon()))).toMatchObject({
      'order.updated': 'disabled',
    });
    await world.close();
  });

  it('of another address and path are left alone', async () => {
    const world = await startWooCommerceWorld();
    world.webhooks.set('7', {
      id: 7,
      name: 'Accounting',
      status: 'active',
      topic: 'order.updated',
      delivery_url: 'https://books.example/hook?key=private',
      secret: 'of another team',
    });
    const result = await of('woocommerce').read('shop', { address: world.address }, soon());
    expect(statesOf(result)).toMatchObject({ 'order.updated': 'missing' });
    expect(JSON.stringify(result)).not.toContain('private');
    await of('woocommerce').repair('shop', { address: world.address, secret }, soon());
    expect(world.webhooks.get('7')).toMatchObject({ delivery_url: 'https://books.example/hook?key=private' });
    expect(world.addresses()).toHaveLength(4);
    await world.close();
  });
});

describe('BigCommerce subscriptions', () => {
  it('of a wildcard count for each topic that it reports', async () => {
    const world = await startBigCommerceWorld();
    const { address, source, hooks } = world;
    hooks.set('1', { id: 1, scope: 'store/order/transaction/*', destination: address, is_active: true });
    expect(statesOf(await of('bigcommerce').read(source, { address }, soon()))).toEqual({
      'store/order/created': 'missing',
      'store/order/updated': 'missing',
      'store/order/statusUpdated': 'missing',
      'store/order/refund/created': 'missing',
      'store/order/transaction/created': 'active',
      'store/order/transaction/updated': 'active',
    });
    world.disableAll();
    await of('bigcommerce').repair(source, { address }, soon());
    expect(hooks.get('1')).toMatchObject({ is_active: true });
    expect(world.writes()).toBe(5);
    await world.close();
  });
});

describe('commercetools subscriptions', () => {
  it('are denied to a client without their scope, which still reads orders', async () => {
    const world = await startCommercetoolsWorld();
    world.state.granted = ['view_orders', 'view_payments'];
    const { address, source } = world;
    expect(await of('commercetools').read(source, { address }, soon())).toEqual(
      failed('shop_token:ClientRejected', 'retryable'),
    );
    const changes = await translators['commercetools']?.fetchChanges?.(source, { since: '2026-11-01' }, soon());
    expect(changes).toMatchObject({ ok: true });
    await world.close();
  });

  it('are found at the URL of the queue, with any key, and those of others stay', async () => {
    const world = await startCommercetoolsWorld();
    const { address, source, state } = world;
    const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/123456789012/returns-events';
    expect(await of('commercetools').repair(source, { address: queueUrl }, soon())).toMatchObject({ ok: true });
    const [[id = '', made] = []] = state.subscriptions;
    expect(made).toMatchObject({
      destination: { type: 'SQS', queueUrl, region: 'eu-central-1', authenticationMode: 'IAM' },
      changes: [{ resourceTypeId: 'order' }],
    });
    if (made !== undefined) state.subscriptions.set(id, { ...made, key: 'of-the-operator', messages: [] });
    expect(statesOf(await of('commercetools').read(source, { address }, soon()))).toMatchObject({
      ResourceUpdated: 'active',
      ReturnInfoAdded: 'missing',
    });
    await of('commercetools').repair(source, { address }, soon());
    expect(state.subscriptions.size).toBe(1);
    world.moveAll(world.formerAddress);
    await of('commercetools').repair(source, { address }, soon());
    expect(world.addresses()).toEqual([queueUrl.replace('returns-events', 'former-events'), queueUrl]);
    await world.close();
  });

  it('have no address of HTTP', async () => {
    const address = 'https://hooks.example/webhooks/commercetools/acme-prod';
    expect(await of('commercetools').repair('acme-prod', { address }, soon())).toEqual(failed('address_unsupported'));
  });

  it('leave the scopes of the client to the answer of the token endpoint', async () => {
    const world = await startCommercetoolsWorld();
    const missing = async () => translators['commercetools']?.missingScopes?.(world.source, soon());
    expect(await missing()).toEqual({ ok: true, value: [] });
    world.state.granted = ['manage_orders'];
    expect(await missing()).toEqual({ ok: true, value: ['view_payments:acme-prod'] });
    await world.close();
  });
});

describe('Saleor subscriptions', () => {
  it('are one webhook, which gets the events that it lacks', async () => {
    const world = await startSaleorWorld();
    const { address, source, webhooks } = world;
    await of('saleor').repair(source, { address }, soon());
    const [[id = '', made] = []] = webhooks;
    if (made !== undefined) webhooks.set(id, { ...made, asyncEvents: ['ORDER_UPDATED'] });
    expect(statesOf(await of('saleor').read(source, { address }, soon()))).toMatchObject({
      order_updated: 'active',
      order_refunded: 'missing',
    });
    expect(await of('saleor').repair(source, { address }, soon())).toMatchObject({ ok: true });
    expect([...webhooks.values()]).toEqual([made]);
    await world.close();
  });

  it('need a permission that the app reports', async () => {
    const world = await startSaleorWorld();
    const missing = async () => translators['saleor']?.missingScopes?.(world.source, soon());
    expect(await missing()).toEqual({ ok: true, value: [] });
    world.permissions.clear();
    expect(await missing()).toEqual({ ok: true, value: ['MANAGE_ORDERS'] });
    await world.close();
  });
});

describe('VTEX subscription', () => {
  it('differs where the app key has another hook, or ours another token', async () => {
    const world = await startVtexWorld();
    const { address, source, hook } = world;
    const read = async () => of('vtex').read(source, { address, secret }, soon());
    const filter = { type: 'FromWorkflow', status: ['invoiced'] };
    hook.set({ filter, hook: { url: 'https://erp.example/vtex?key=private', headers: {} } });
    const seen = 'https://erp.example/vtex';
    expect(await read()).toEqual({ ok: true, value: [{ topic: 'order', state: 'differs', seen }] });
    hook.set({ filter, hook: { url: address, headers: { 'X-Webhook-Token': 'the token before' } } });
    expect(statesOf(await read())).toEqual({ order: 'differs' });
    expect(await of('vtex').repair(source, { address, secret }, soon())).toMatchObject({ ok: true });
    expect(hook.config()?.hook).toEqual({ url: address, headers: { 'x-webhook-token': secret } });
    hook.set(undefined);
    expect(await of('vtex').repair(source, { address }, soon())).toEqual(failed('hook_secret_missing'));
    await world.close();
  });
});

describe('Shopify subscriptions', () => {
  it('may go through EventBridge', async () => {
    const world = await startShopifyWorld();
    const address = 'arn:aws:events:eu-central-1::event-source/aws.partner/shopify.com/1/returns';
    await of('shopify').repair(world.source, { address }, soon());
    expect(new Set(world.addresses())).toEqual(new Set([address]));
    const result = await of('shopify').read(world.source, {}, soon());
    expect(result.ok && result.value.every(({ state }) => state === 'active')).toBe(true);
    await world.close();
  });

  it('are all sent when the shop rejects each', async () => {
    const world = await startShopifyWorld();
    const address = 'http://hooks.example/webhooks/shopify';
    const result = await of('shopify').repair(world.source, { address }, soon());
    expect(result).toEqual(failed('shop_rejected_subscription'));
    expect(world.writes()).toBe(Object.keys(translators['shopify']?.topics() ?? {}).length);
    await world.close();
  });

  it('know whether the version of the API is still supported', async () => {
    const world = await startShopifyWorld();
    const version = async () => of('shopify').readApiVersion?.(world.source, soon());
    const pinned = { version: '2026-10', supportedUntil: '2027-10-01' };
    expect(await version()).toEqual({ ok: true, value: { ...pinned, isSupported: true } });
    world.versions.splice(0);
    expect(await version()).toEqual({ ok: true, value: { ...pinned, isSupported: false } });
    await world.close();
  });
});

describe('readHook', () => {
  const read = (entry: object) =>
    parseSource('api/vtex', JSON.stringify({ sources: { acme: entry } }), 'acme', readHook);

  it('returns the address and the secret, or nothing', () => {
    expect(read({})).toBeUndefined();
    const address = 'https://hooks.example/webhooks/vtex/acme';
    expect(read({ hookAddress: address })).toEqual({ address });
    expect(read({ hookAddress: address, hookSecret: secret })).toEqual({ address, secret });
    const arn = 'arn:aws:sqs:eu-central-1:123456789012:returns-events';
    expect(read({ hookAddress: arn })).toEqual({ address: arn });
  });

  it.each(['ftp://hooks.example', 'hooks', 'arn:aws:iam::1:user/x', 'http://hooks.example/x'])(
    'rejects %s and quotes nothing of it',
    (hookAddress) => {
      expect(() => read({ hookAddress })).toThrow(/sources\["acme"\]\.hookAddress must be an https address/);
    },
  );
});
