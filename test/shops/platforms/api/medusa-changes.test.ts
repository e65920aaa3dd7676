import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { key, openMedusa } from '../medusa-case.ts';
import { orderId, orderNode, paymentId, paymentNode, refundNode, returnId, returnNode } from '../medusa-shop.ts';

const { entry, shop, store, receiver, translator, hold, soon, requested, fetchSnapshot } = await openMedusa();
beforeEach(() => hold([returnNode()]));

describe('Medusa Admin API client', () => {
  test('uses the secret key, and a new one as soon as it is stored', async () => {
    shop.rotate('sk_the_next_key');
    store.put({ nordic: { ...entry, secretApiKey: 'sk_the_next_key' } });
    expect((await requested()).kind).toBe('snapshot');
  });

  test.each([
    [[404], { kind: 'parked', reason: 'shop_status_404' }],
    [[403], { kind: 'retry', reason: 'shop_status_403' }],
  ])('maps the answers %j to an outcome', async (statuses, expected) => {
    shop.fail(...statuses);
    expect(await requested()).toEqual(expected);
  });

  test('sends no request for an unknown source', async () => {
    const body = { data: { order_id: orderId } };
    expect(await translator.prepare({ source: 'other', topic: 'order.return_received', body }, soon())).toEqual({
      kind: 'parked',
      reason: 'unknown_source',
    });
  });

  test('reads orders with more returns than a page holds', async () => {
    hold(Array.from({ length: 120 }, (_, index) => returnNode({ id: `return_${index}` })));
    expect((await fetchSnapshot()).returns.length).toBe(120);
  });
});

describe('Medusa fetchChanges', () => {
  const since = '2026-11-10T00:00:00.000Z';
  const changes = async (cursor?: string) => {
    const read = await translator.fetchChanges?.('nordic', { since, ...(cursor !== undefined && { cursor }) }, soon());
    if (read?.ok !== true) throw new Error(read?.failure.reason);
    return read.value;
  };
  const scan = async () => {
    const found: string[] = [];
    for (let page = await changes(); ; page = await changes(page.cursor)) {
      found.push(...page.found.map(({ deliveryId }) => deliveryId));
      if (!page.more) return { found, cursor: page.cursor };
    }
  };
  const minute = (count: number) => new Date(Date.parse(since) + count * 60_000).toISOString();

  test('finds returns and refunds, oldest first, as deliveries that prepare accepts', async () => {
    const payment = paymentNode({ updated_at: minute(5), refunds: [refundNode()] });
    hold(
      [
        returnNode({ updated_at: minute(9), canceled_at: minute(9) }),
        returnNode({ id: 'return_draft', status: 'open', updated_at: minute(3) }),
        returnNode({ id: 'return_old', updated_at: minute(-1) }),
      ],
      orderNode(),
      [payment, paymentNode({ id: 'pay_2', updated_at: minute(6) })],
    );
    const { found, more } = await changes();
    expect(found).toEqual([
      { topic: 'payment.updated', deliveryId: `${paymentId}@${minute(5)}`, body: { data: { id: paymentId } } },
      {
        topic: 'return.updated',
        deliveryId: `${returnId}@${minute(9)}`,
        body: { data: { order_id: orderId, return_id: returnId } },
      },
    ]);
    expect(more).toBe(false);
    for (const { topic, body } of found)
      expect(await translator.prepare({ source: 'nordic', topic, body }, soon())).toMatchObject({ kind: 'snapshot' });
  });

  test('finds all changes on many pages, when many changed at one instant, or late', async () => {
    const nodes = Array.from({ length: 350 }, (_, index) =>
      returnNode({ id: `return_${index}`, updated_at: minute(index < 250 ? 10 : index) }),
    );
    hold(nodes);
    const { found, cursor } = await scan();
    expect(new Set(found).size).toBe(350);
    hold([...nodes, returnNode({ id: 'return_late', updated_at: minute(348) })]);
    const again = await changes(cursor);
    expect(again.found.map(({ deliveryId }) => deliveryId)).toContain(`return_late@${minute(348)}`);
    expect(again.found.length).toBeLessThan(10);
    expect(again.more).toBe(false);
  });

  test('finds all changes when many changed at one instant, and then at another', async () => {
    hold(
      Array.from({ length: 700 }, (_, index) =>
        returnNode({ id: `return_${index}`, updated_at: minute(index < 200 ? 10 : 20) }),
      ),
    );
    expect(new Set((await scan()).found).size).toBe(700);
  });

  test('ignores a return in the future in its cursor', async () => {
    const ahead = { ...returnNode({ id: 'return_ahead' }), updated_at: '2099-01-01T00:00:00.000Z' };
    hold([ahead]);
    const { cursor } = await changes();
    const now = new Date().toISOString();
    hold([ahead, returnNode({ id: 'return_now', updated_at: now })]);
    expect((await changes(cursor)).found.map(({ deliveryId }) => deliveryId)).toContain(`return_now@${now}`);
  });

  test('continues at its cursor without changes, and starts over with an unreadable one', async () => {
    hold([]);
    const { cursor } = await changes();
    hold([returnNode({ updated_at: minute(1) })]);
    expect((await changes(cursor)).found.length).toBe(1);
    expect((await changes('nonsense')).found.length).toBe(1);
  });

  test('returns the failure of a shop that does not answer', async () => {
    shop.fail(403);
    expect(await translator.fetchChanges?.('nordic', { since }, soon())).toEqual({
      ok: false,
      failure: { kind: 'retryable', reason: 'shop_status_403' },
    });
  });
});

describe('Medusa authenticate', () => {
  const { signal } = new AbortController();
  const body = Buffer.from(
    JSON.stringify({ type: 'payment.refunded', timestamp: '2026-11-12T10:00:00+01:00', data: { id: paymentId } }),
  );
  const signedBy = (by: Buffer, bytes = body, id = 'msg_1') => {
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', by).update(`${id}.${at}.`).update(bytes).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
  };
  const authenticate = (headers: Record<string, string>, bytes = body, source: string | undefined = 'nordic') =>
    receiver.authenticate({ method: 'POST', query: {}, headers, body: bytes, source }, signal);

  test('accepts a body that the subscriber signed', async () => {
    expect(await authenticate(signedBy(key))).toEqual({
      kind: 'authentic',
      delivery: {
        source: 'nordic',
        topic: 'payment.refunded',
        deliveryId: 'msg_1',
        triggeredAt: '2026-11-12T09:00:00.000Z',
      },
    });
  });

  test.each(['[]', 'no JSON', '{"type":5}', '{"type":"a b"}', ''])('rejects %j as a topic', async (text) => {
    const bytes = Buffer.from(text);
    expect(await authenticate(signedBy(key, bytes), bytes)).toMatchObject({ delivery: { topic: 'unknown' } });
  });

  test('rejects another key, another source and a missing signature', async () => {
    const unknown = { kind: 'rejected', reason: 'unknown_source' };
    expect(await authenticate(signedBy(Buffer.alloc(32, 6)))).toEqual({
      kind: 'rejected',
      reason: 'signature_mismatch',
    });
    expect(await authenticate(signedBy(key), body, 'other')).toEqual(unknown);
    const { kind } = await receiver.authenticate({ method: 'POST', query: {}, headers: signedBy(key), body }, signal);
    expect(kind).toBe('rejected');
  });

  test('bodyNamesEvent is false', () => expect(receiver.bodyNamesEvent('payment.refunded')).toBe(false));
});
