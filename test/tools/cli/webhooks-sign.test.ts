import { randomUUID } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startContainer } from '../../../lib/runtime/container.ts';
import { receivers } from '../../../lib/shops/platforms/receivers.ts';
import { startPlatformSecret } from '../../shops/platforms/platform-secret.ts';
import { returns, temporaryFolder } from './harness.ts';

const key = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const plain = 'a-webhook-secret-of-the-shop';

const domain = 'shop.myshopify.com';

/** The platforms, with the secret, the body, and what their deliveries need. */
const cases = [
  ['bigcommerce', plain, '{"scope":"store/order/updated","producer":"stores/shop","data":{"type":"order","id":1}}', []],
  ['medusa', key, '{"type":"payment.refunded","data":{"id":"pay_1"}}', []],
  ['saleor', plain, '{"order":{"id":"T3JkZXI6MQ=="}}', ['--topic', 'order_updated', '--source', 'shop']],
  ['shopify', plain, '{"id":1}', ['--topic', 'returns/close', '--source', domain]],
  ['standard', key, '{"type":"order.changed","data":{"orderId":"1"}}', []],
  ['woocommerce', plain, '{"id":1}', ['--topic', 'order.updated']],
] as const;

let folder = '';
let store: Awaited<ReturnType<typeof startPlatformSecret>>;
beforeAll(async () => {
  folder = (await temporaryFolder()).path;
  store = await startPlatformSecret();
  return store.close;
});

const fileOf = async (content: string, mode = 0o600): Promise<string> => {
  const file = join(folder, randomUUID());
  await writeFile(file, content, { mode });
  await chmod(file, mode);
  return file;
};

describe('returns webhooks sign', () => {
  it.each(cases)('signs a delivery of %s that its receiver accepts', async (platform, secret, text, options) => {
    const source = platform === 'shopify' ? domain : 'shop';
    const address = 'http://127.0.0.1:1';
    store.put({ [source]: { webhookSecrets: [secret], apiUrl: address, keyOrigin: address } });
    startContainer();
    const args = [
      'webhooks',
      'sign',
      platform,
      '-',
      '--secret-file',
      await fileOf(`${secret}\n`),
      '--json',
      ...options,
    ];
    const { code, out, error } = await returns(args, { input: text });
    expect([code, error]).toEqual([0, '']);
    const headers = JSON.parse(out) as Record<string, string>;
    const request = { method: 'POST' as const, source, query: {}, headers, body: Buffer.from(text) };
    const verify = async (body: Buffer) =>
      receivers[platform]?.authenticate({ ...request, body }, AbortSignal.timeout(20_000));
    expect(await verify(request.body)).toMatchObject({ kind: 'authentic', delivery: { source } });
    expect(await verify(Buffer.from(`${text} `))).toMatchObject({ kind: 'rejected' });
  });

  it('prints the headers for curl, and never the secret', async () => {
    const [secretFile, body] = [await fileOf(plain), await fileOf('{"id":1}')];
    const args = ['webhooks', 'sign', 'woocommerce', body, '--secret-file', secretFile, '--topic', 'order.updated'];
    const { code, out } = await returns(args);
    expect(code).toBe(0);
    expect(out).toMatch(/^x-wc-webhook-signature: \S{44}$/m);
    expect(out).not.toContain(plain);
  });

  it.each<readonly [string, (secret: string) => readonly string[]]>([
    ['needs --topic', (secret) => ['woocommerce', '-', '--secret-file', secret]],
    ['needs --source', (secret) => ['shopify', '-', '--topic', 'returns/close', '--secret-file', secret]],
    ['Allowed choices', (secret) => ['adobe', '-', '--secret-file', secret]],
    ['cannot be read (ENOENT)', (secret) => ['bigcommerce', '/nonexistent/body.json', '--secret-file', secret]],
    ['does not exist', () => ['bigcommerce', '-', '--secret-file', '/nonexistent/secret']],
  ])('ends with 2 where it %s', async (message, argsOf) => {
    const { code, out, error } = await returns(['webhooks', 'sign', ...argsOf(await fileOf(plain))]);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
  });

  it('takes no secret that others can read', async () => {
    const { code, error } = await returns([
      'webhooks',
      'sign',
      'bigcommerce',
      '-',
      '--secret-file',
      await fileOf(plain, 0o644),
    ]);
    expect(code).toBe(2);
    expect(error).not.toContain(plain);
  });
});
