import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sign } from '../../lib/shops/platforms/shopify/headers.ts';
import { encodeInboxKey } from '../../lib/store/inbox/inbox-row.ts';
import { api } from '../support/api.ts';
import { lambda } from '../support/lambda.ts';
import { sharedStack } from '../support/own-stack.ts';
import { oneMode } from '../support/samples.ts';
import { modes } from '../../lib/tools/template/functions/function-row.ts';
import { hooksOf } from './support.ts';

const stack = await sharedStack();
const orderIds = stack.shop.sell(6);

/** Returns text that gzip reduces by only a quarter. */
const noise = (bytes: number): string => randomBytes((bytes * 3) / 4).toString('base64');

describe.each(oneMode('connected'))('delivery larger than its row in the %s mode', (mode) => {
  const orderId = (index: number) => orderIds[2 * index + modes.indexOf(mode)] ?? '';
  const at = (row: Record<string, unknown>) => `/inbox/deliveries/${encodeInboxKey(String(row['pk']))}`;
  /** A shop that sends additional fields. */
  const large = (order: string, bytes: number) => {
    const { headers, body, returnGid } = stack.shop.webhook(order, { quantity: 1 });
    const padded = Buffer.from(body.toString().replace(/\}$/, `,"noise":${JSON.stringify(noise(bytes))}}`));
    const signature = sign(padded, stack.info.webhooks.shopify.secret);
    const signed: Record<string, string> = { ...headers, 'x-shopify-hmac-sha256': signature };
    return { headers: signed, body: padded, returnGid };
  };

  it('is processed, shown by a link, and replayed while its body is stored', async () => {
    const hooks = hooksOf(stack, mode);
    const service = api(mode, stack.info);
    const delivery = large(orderId(0), 2_000_000);
    const deliveryId = delivery.headers['x-shopify-webhook-id'] ?? '';
    expect(await hooks.deliver(delivery)).toEqual({ status: 200, text: '' });
    const [row = {}] = await hooks.settled(deliveryId);
    expect(row).toMatchObject({ status: 'done', bodyKey: expect.stringMatching(/^deliveries\//) });
    expect(await hooks.deliver(delivery)).toEqual({ status: 200, text: '' });
    expect(await service.get(`/returns/${String(row['returnId'])}`)).toMatchObject({
      body: { externalRefs: [{ platform: 'shopify', id: delivery.returnGid }] },
    });

    const read = await service.get(at(row));
    expect(read).toMatchObject({ status: 200, body: { deliveryId, body: { expiresAt: expect.any(String) } } });
    const { url } = (read.body as unknown as { body: { url: string } }).body;
    const shown = await fetch(url);
    expect([shown.status, shown.headers.get('content-disposition')]).toEqual([200, 'attachment']);
    expect(Buffer.from(await shown.arrayBuffer()).equals(delivery.body)).toBe(true);

    const replay = async () => service.post(`${at(row)}/replay`, {}, { key: randomUUID() });
    expect(await replay()).toMatchObject({ status: 200, body: { status: 'received' } });
    const [replayed = {}] = await hooks.settled(deliveryId);
    expect(replayed).toMatchObject({ status: 'done', returnId: row['returnId'] });
    // On a busy machine, a read of the body exceeds its deadline, and the worker attempts the delivery again.
    expect(Number(replayed['attempts'])).toBeGreaterThan(Number(row['attempts']));
    // The object store, without the signature check in front of it.
    const object = `${stack.info.aws.s3}/returns-${mode}-inboxbucket/${String(row['bodyKey'])}`;
    expect((await fetch(object, { method: 'DELETE' })).ok).toBe(true);
    expect(await replay()).toMatchObject({ status: 200 });
    expect(await hooks.settled(deliveryId)).toMatchObject([{ status: 'parked', reason: 'payload_missing' }]);
  });

  it('arrives by EventBridge too', async () => {
    const hooks = hooksOf(stack, mode);
    const delivery = large(orderId(1), 700_000);
    const event = {
      source: 'aws.partner/shopify.com/1/returns',
      detail: { metadata: delivery.headers, payload: JSON.parse(delivery.body.toString()) as unknown },
    };
    expect((await lambda(mode, stack.info)('receiveEvents', event)).error).toBeUndefined();
    const [row = {}] = await hooks.settled(delivery.headers['x-shopify-webhook-id']);
    expect(row).toMatchObject({ status: 'done', bodyKey: expect.any(String) });
    const read = await api(mode, stack.info).get(at(row));
    const { url } = (read.body as unknown as { body: { url: string } }).body;
    expect(await (await fetch(url)).json()).toEqual(event.detail.payload);
  });
});
