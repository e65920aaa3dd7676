import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientSettings } from '../../lib/tools/local/emulators/function-spec.ts';
import { documentedOrder, documentedProduct } from '../shops/platforms/bigcommerce-store.ts';
import { addSources } from '../shops/platforms/platform-secret.ts';
import { api } from '../support/api.ts';
import { lambda } from '../support/lambda.ts';
import { type OwnStack, startOwnStack } from '../support/own-stack.ts';
import { oneMode, runsEveryCase } from '../support/samples.ts';
import { stack as shared } from '../support/stack.ts';
import { type Mode, modes } from '../../lib/tools/template/functions/function-row.ts';
import { openAdobe } from './platforms/adobe.ts';
import { openBigCommerce } from './platforms/bigcommerce.ts';
import { openCommercetools } from './platforms/commercetools.ts';
import { openMedusa } from './platforms/medusa.ts';
import { openSaleor } from './platforms/saleor.ts';
import { orderPlatform, type Shop, type Step, type SentEvent } from './platforms/shop.ts';
import { openShopify } from './platforms/shopify.ts';
import { openStandard } from './platforms/standard.ts';
import { openVtex } from './platforms/vtex.ts';
import { openWooCommerce } from './platforms/woocommerce.ts';
import { hooksOf, type Row } from './support.ts';

const platforms = [
  'adobe',
  'bigcommerce',
  'commercetools',
  'medusa',
  'saleor',
  'shopify',
  'standard',
  'vtex',
  'woocommerce',
] as const;

/** The connected mode runs the same platform code: shopify.test.ts and commercetools.test.ts send deliveries to it. */
const tested = () => oneMode('standalone');
const ownFiles: ReadonlySet<string> = new Set(['commercetools', 'shopify']);
/** Where a sample runs, only the platforms without a delivery test of their own. */
const covered = () => platforms.filter((platform) => runsEveryCase() || !ownFiles.has(platform));

let stack: OwnStack;
let bigCommerce: Awaited<ReturnType<typeof openBigCommerce>>;
const shops = new Map<string, Shop>();

beforeAll(async () => {
  // Without schedules: reconciliation of one mode would find the changes that the other mode's deliveries report.
  stack = await startOwnStack({ platforms: platforms.join(','), modes: tested() });
  bigCommerce = await openBigCommerce();
  const others = [
    openAdobe(),
    openCommercetools(),
    openMedusa(),
    openSaleor(),
    openStandard(),
    openVtex(),
    openWooCommerce(),
  ];
  for (const shop of [bigCommerce, openShopify(stack), ...(await Promise.all(others))]) {
    shops.set(shop.platform, shop);
    const { platform, sources } = shop;
    if (sources !== undefined) await addSources(stack.secrets, platform, sources);
  }
});
afterAll(async () => {
  await stack.close();
  await Promise.all([...shops.values()].map((shop) => shop.close()));
});

const shopOf = (platform: string): Shop => {
  const shop = shops.get(platform);
  if (shop === undefined) throw new Error(`there is no shop of ${platform}`);
  return shop;
};

const send = async (mode: Mode, sent: SentEvent): Promise<void> => {
  if (sent.by === 'http') {
    expect(await hooksOf(stack, mode).deliver(sent, sent.path)).toEqual({ status: 200, text: '' });
  } else if (sent.by === 'bus') {
    expect((await lambda(mode, stack.info)('receiveEvents', sent.message)).error).toBeUndefined();
  } else {
    const { aws } = stack.info;
    await new SQSClient({ ...clientSettings, endpoint: aws.sqs }).send(
      new SendMessageCommand({
        QueueUrl: aws.queues[`${mode}.EventsQueue`],
        MessageBody: JSON.stringify(sent.message),
      }),
    );
  }
};

/** Sends a delivery of a platform and returns its settled row. */
const heard = async (mode: Mode, platform: string, sent: SentEvent): Promise<Row> => {
  const hooks = hooksOf(stack, mode);
  const before = new Set((await hooks.rows({ platform })).map(({ pk }) => pk));
  await send(mode, sent);
  const rows = await hooks.settledRows({ platform }, ({ pk }) => before.has(pk));
  expect(rows).toHaveLength(1);
  return rows[0] ?? {};
};

/** Expects the state of the order, the return and the refund in the service of a mode. */
const expectStands = async (mode: Mode, { order, refund, ...step }: Step, { returnId }: Row): Promise<void> => {
  const service = api(mode, stack.info);
  const at = `/orders/${order.platform}/${encodeURIComponent(order.orderId)}`;
  expect(await service.get(at)).toMatchObject({ status: 200, body: order.facts ?? {} });
  if (step.return === undefined) expect(returnId).toBeUndefined();
  else expect(await service.get(`/returns/${String(returnId)}`)).toMatchObject({ status: 200, body: step.return });
  if (refund === undefined) return;
  // The service accepts the same refund again and rejects one with other facts.
  const path = `${at}/refunds/${refund.externalId}`;
  expect(await service.put(path, refund.facts)).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  const otherwise = { ...refund.facts, occurredAt: '2026-01-01T00:00:00.000Z' };
  expect(await service.put(path, otherwise)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
};

/** Returns the first HTTP delivery of a platform's shop. */
const firstSent = (platform: string, mode: Mode): Extract<SentEvent, { by: 'http' }> => {
  const sent = shopOf(platform).life(mode)[0]?.happens();
  if (sent?.by !== 'http') throw new Error(`${platform} does not send by HTTP`);
  return sent;
};

const failureOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
};

describe.each(tested())('webhooks of all platforms in the %s mode', (mode) => {
  const hooks = () => hooksOf(stack, mode);
  const post = async (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${hooks().url}/${path}`, { method: 'POST', body, headers });
  const rowCount = async (platform: string) => (await hooks().rows({ platform })).length;

  it.each(covered())('syncs each event in a shop of %s', async (platform) => {
    for (const step of shopOf(platform).life(mode)) {
      const row = await heard(mode, platform, step.happens());
      expect(row).toMatchObject({ status: 'done', orderId: step.order.orderId, attempts: 1 });
      await expectStands(mode, step, row);
    }
  });

  it.each(platforms.filter((platform) => platform !== 'commercetools'))(
    'returns 401 for a delivery of %s with a missing or wrong proof',
    async (platform) => {
      const before = await rowCount(platform);
      const { path, headers, body } = firstSent(platform, mode);
      const isProof = (name: string) => shopOf(platform).proofs.includes(name);
      const entries = Object.entries(headers);
      const unproven = Object.fromEntries(entries.filter(([name]) => !isProof(name)));
      // Changes one character. The last characters are unsuitable, because base64 ignores some of their bits.
      const bent = Object.fromEntries(
        entries.map(([name, value]) => [
          name,
          isProof(name) ? value.replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A')) : value,
        ]),
      );
      for (const wrong of [unproven, bent])
        expect(await failureOf(await post(path, body.toString(), wrong))).toEqual([401, 'invalid_signature']);
      expect(await rowCount(platform)).toBe(before);
    },
  );

  it('returns 401 over HTTP for platforms that send by AWS, unknown platforms and unknown shops', async () => {
    const { headers, body } = firstSent('standard', mode);
    for (const path of [
      'commercetools',
      'commercetools/acme-project',
      'nosuchplatform',
      'standard/unknown',
      '__proto__',
    ])
      expect([path, ...(await failureOf(await post(path, body.toString(), headers)))]).toEqual([
        path,
        401,
        'invalid_signature',
      ]);
  });

  it('returns 401 for platforms that are not enabled in the deployment', async () => {
    // The stack of all test files enables only Shopify.
    const { hooks: connected, standalone } = shared();
    const origin = mode === 'connected' ? connected.url : standalone.hooksUrl;
    for (const platform of platforms.filter((one) => !['commercetools', 'shopify'].includes(one))) {
      const { path, headers, body } = firstSent(platform, mode);
      const response = await fetch(`${origin}/webhooks/${path}`, { method: 'POST', headers, body: body.toString() });
      expect([platform, ...(await failureOf(response))]).toEqual([platform, 401, 'invalid_signature']);
    }
  });

  it('answers the verification requests of platforms and stores nothing', async () => {
    const verifying = ['adobe', 'vtex', 'woocommerce'] as const;
    const before = await Promise.all(verifying.map(rowCount));
    const statusAndText = async (response: Response) => [response.status, await response.text()];
    const challenge = '8ec8d794-0fde-4b3c-a0d4-5f2d0e2b7d5e';
    const challenged = await fetch(`${hooks().url}/adobe/${mode}?challenge=${challenge}`);
    expect(challenged.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await statusAndText(challenged)).toEqual([200, challenge]);
    expect((await fetch(`${hooks().url}/adobe/unknown?challenge=${challenge}`)).status).toBe(401);
    const validation = JSON.stringify({ validationUrl: 'https://csm.adobe.io/csm/registrations/validate?id=1' });
    expect(await statusAndText(await post(`adobe/${mode}`, validation))).toEqual([200, '']);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await statusAndText(await post(`woocommerce/${mode}`, 'webhook_id=7', form))).toEqual([200, '']);
    expect(await statusAndText(await post(`vtex/${mode}`, '{"hookConfig":"ping"}'))).toEqual([200, '']);
    expect(await Promise.all(verifying.map(rowCount))).toEqual(before);
  });

  it('settles a parked delivery by a replay once the data of its shop is correct', async () => {
    const orderId = String(9000 + modes.indexOf(mode));
    const { store, makeEvent } = bigCommerce;
    const order = documentedOrder({ id: Number(orderId) });
    store.put(order, [documentedProduct({ total_tax: 'unreadable' })]);
    const row = await heard(mode, 'bigcommerce', makeEvent(mode, 'store/order/updated', Number(orderId)));
    expect(row).toMatchObject({ status: 'parked', reason: 'order_line_unreadable' });
    const service = api(mode, stack.info);
    const at = `/orders/${orderPlatform('bigcommerce', mode)}/${orderId}`;
    expect((await service.get(at)).status).toBe(404);

    const parked = await service.get('/inbox/deliveries?status=parked&platform=bigcommerce');
    const [item] = (parked.body as unknown as { items: { deliveryKey: string; deliveryId: string }[] }).items;
    expect(item).toMatchObject({ deliveryId: row['deliveryId'] });
    store.put(order, [documentedProduct()]);
    expect((await service.post(`/inbox/deliveries/${item?.deliveryKey}/replay`)).status).toBe(200);
    expect(await hooks().settled(String(row['deliveryId']))).toMatchObject([{ status: 'done', attempts: 2 }]);
    expect(await service.get(at)).toMatchObject({ status: 200, body: { orderId, completeness: 'full' } });
  });
});
