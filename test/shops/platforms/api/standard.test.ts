import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../../support/http-server.ts';
import { fieldErrors } from '../field-errors.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { startSender, type Node } from '../standard-sender.ts';
import { receiver, translator } from '../../../../lib/shops/platforms/standard/platform.ts';

const { origin, answers, requests, documented, example, delivery, changed, close } = await startSender();
const store = await startPlatformSecret();
const portal = { ...documented, apiUrl: `${origin}/api` };
store.put({ portal });

afterAll(async () => {
  await close();
  await store.close();
});
beforeEach(() => {
  answers.clear();
  answers.set('/api/returns/R-1042', example);
  answers.set('/api/orders/O-77', example);
  answers.set('/api/changes?since=2026-11-21T00%3A00%3A00.000Z', changed);
});

const soon = () => Date.now() + 20_000;
const run = (topic: string, body: unknown, source = 'portal') => translator.prepare({ source, topic, body }, soon());
const prepareEvent = (data: Node, topic = 'return.changed') => run(topic, { type: topic, data });
const answering = (answer: Answer | Node) => {
  answers.set('/api/returns/R-1042', answer);
  return prepareEvent({ returnId: 'R-1042' });
};

describe('standard snapshot', () => {
  test('is read completely, under the platform of its source', async () => {
    const snapshot = await run('return.changed', delivery);
    expect(snapshot).toEqual({
      kind: 'snapshot',
      order: { ...example.order, platform: 'portal', observedAt: expect.any(String) },
      returns: [
        {
          remote: {
            platform: 'portal',
            externalId: 'R-1042',
            orderId: 'O-77',
            status: 'approved',
            createdAt: '2026-11-10T09:00:00.000Z',
            fetchedAt: expect.any(String),
            initiatedBy: 'customer',
            lines: example.returns[0]['lines'],
            parcels: example.returns[0]['parcels'],
            units: example.returns[0]['units'],
          },
          refunds: [
            {
              platform: 'portal',
              orderId: 'O-77',
              externalId: 'F-9',
              amount: { amount: 1990, currency: 'EUR' },
              method: 'original_payment',
              occurredAt: '2026-11-12T09:00:00.000Z',
            },
          ],
        },
      ],
      refunds: [],
    });
  });

  test('passes the schema of the contract', async () => {
    const prepared = await run('return.changed', delivery);
    if (prepared.kind !== 'snapshot') throw new Error(prepared.reason);
    expect(fieldErrors('registerOrder', prepared.order)).toEqual([]);
    const [first] = prepared.returns;
    const request = { order: { platform: 'portal', orderId: 'O-77' }, lines: first?.remote.lines };
    expect(fieldErrors('createReturn', request)).toEqual([]);
    const refund = first?.refunds[0] ?? {};
    expect(fieldErrors('recordRefund', refund)).toEqual([]);
  });

  test.each([
    ['order.changed', { orderId: 'O-77' }],
    ['refund.changed', { orderId: 'O-77' }],
    ['refund.changed', { returnId: 'R-1042' }],
    ['refund.changed', { returnId: 'R-1042', orderId: 'O-77' }],
  ])('is read after %s of %j', async (topic, data) => {
    expect(await prepareEvent(data, topic)).toMatchObject({ kind: 'snapshot', returns: [{}] });
  });

  test('is refetched with its current state', async () => {
    expect(await translator.refetchReturn('portal', 'R-1042', soon())).toMatchObject({
      ok: true,
      value: { status: 'approved' },
    });
    answers.set('/api/returns/R-1042', { ...example, returns: [{ ...example.returns[0], status: 'completed' }] });
    expect(await translator.refetchReturn('portal', 'R-1042', soon())).toMatchObject({
      ok: true,
      value: { status: 'completed' },
    });
    expect(await translator.refetchReturn('portal', 'R-1', soon())).toMatchObject({
      failure: { reason: 'shop_status_404' },
    });
  });

  test('may be a return with only planned units', async () => {
    const bare = {
      externalId: 'R-1042',
      status: 'rejected',
      createdAt: '2026-11-10T09:00:00Z',
      rejection: { code: 'Too late!', note: 'four weeks' },
      lines: [
        { orderLineId: '1', quantity: 1, reason: 'zu klein' },
        { orderLineId: '1', quantity: 1 },
      ],
    };
    expect(await answering({ order: example.order, returns: [bare] })).toMatchObject({
      returns: [
        {
          remote: {
            status: 'rejected',
            initiatedBy: 'customer',
            rejection: { code: 'other', note: 'four weeks' },
            lines: [
              { reason: { code: 'other', source: { system: 'portal', code: 'zu klein' } } },
              { reason: { code: 'unknown' } },
            ],
            parcels: [],
            units: [],
          },
          refunds: [],
        },
      ],
      refunds: [],
    });
  });

  test('may be a refund without a return', async () => {
    const refund = { externalId: 'F-1', amount: { amount: 1, currency: 'EUR' }, occurredAt: '2026-11-12T09:00:00Z' };
    answers.set('/api/orders/O-77', { order: example.order, refunds: [refund] });
    expect(await prepareEvent({ orderId: 'O-77' }, 'order.changed')).toMatchObject({
      returns: [],
      refunds: [{ platform: 'portal', orderId: 'O-77', externalId: 'F-1' }],
    });
  });
});

describe('standard delivery without usable data', () => {
  test.each([
    ['return.opened', { data: {} }, { kind: 'ignored', reason: 'topic_not_handled' }],
    ['constructor', {}, { kind: 'ignored', reason: 'topic_not_handled' }],
    ['return.changed', 'text', { kind: 'parked', reason: 'payload_unexpected', path: '' }],
    ['return.changed', {}, { kind: 'parked', reason: 'payload_unexpected', path: '/data' }],
    ['return.changed', { data: { orderId: '1' } }, { kind: 'parked', path: '/data/returnId' }],
    ['order.changed', { data: { orderId: 9_007_199_254_740_993n.toString() } }, { reason: 'shop_status_404' }],
    ['order.changed', { data: { orderId: 77 } }, { kind: 'parked', path: '/data/orderId' }],
    ['order.changed', { data: { orderId: '..' } }, { kind: 'parked', path: '/data/orderId' }],
    ['refund.changed', { data: {} }, { kind: 'parked', path: '/data/orderId' }],
  ])('%s is parked or ignored', async (topic, body, expected) =>
    expect(await run(topic, body)).toMatchObject(expected),
  );

  test('leads to no other path of the API', async () => {
    await prepareEvent({ returnId: '../orders/O-77?x=' });
    expect(requests.at(-1)?.path).toBe('/api/returns/..%2Forders%2FO-77%3Fx%3D');
  });

  test('never throws for any body', async () => {
    const topics = fc.constantFrom('return.changed', 'refund.changed', 'order.changed');
    await fc.assert(
      fc.asyncProperty(
        topics,
        fc.object({ key: fc.constantFrom('data', 'returnId', 'orderId') }),
        async (topic, body) => {
          expect(['parked', 'ignored']).toContain((await run(topic, body)).kind);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('standard answer with an error', () => {
  const [first] = example.returns;
  const withReturn = (changes: Node) => ({ ...example, returns: [{ ...first, ...changes }] });
  const [line] = first['lines'] as [Node];
  const [unit] = first['units'] as [Node];
  const [refund] = first['refunds'] as [Node];

  test.each<[string, Node]>([
    ['/order', { ...example, order: null }],
    ['/order/orderId', { ...example, order: { ...example.order, orderId: 77 } }],
    ['/returns', { ...example, returns: {} }],
    ['/returns', { ...example, returns: [] }],
    ['/returns', withReturn({ externalId: 'R-7' })],
    ['/returns/0', { ...example, returns: [null] }],
    ['/returns/0/externalId', withReturn({ externalId: 1042 })],
    ['/returns/0/status', withReturn({ status: 'open' })],
    ['/returns/0/status', withReturn({ status: 'constructor' })],
    ['/returns/0/initiatedBy', withReturn({ initiatedBy: 'bot' })],
    ['/returns/0/createdAt', withReturn({ createdAt: '2026-11-10' })],
    ['/returns/0/closedAt', withReturn({ closedAt: '2026-13-10T00:00:00Z' })],
    ['/returns/0/lines/0/orderLineId', withReturn({ lines: [{ ...line, orderLineId: '' }] })],
    ['/returns/0/lines/0/quantity', withReturn({ lines: [{ ...line, quantity: 0 }] })],
    ['/returns/0/units/0/received', withReturn({ units: [{ ...unit, received: -1 }] })],
    ['/returns/0/units/0/missing', withReturn({ units: [{ ...unit, missing: 0.5 }] })],
    ['/returns/0/units/0/found/0/outcome', withReturn({ units: [{ ...unit, found: [{ outcome: 'ok' }] }] })],
    [
      '/returns/0/units/0/found/0/quantity',
      withReturn({ units: [{ ...unit, found: [{ outcome: 'accept', disposition: 'restock', quantity: '1' }] }] }),
    ],
    ['/returns/0/parcels/0/trackingNumber', withReturn({ parcels: [{ carrier: 'DHL' }] })],
    [
      '/returns/0/parcels/0/contents/0/quantity',
      withReturn({ parcels: [{ trackingNumber: '1', contents: [{ orderLineId: '1', quantity: 1e9 }] }] }),
    ],
    ['/returns/0/refunds/0/externalId', withReturn({ refunds: [{ ...refund, externalId: null }] })],
    ['/returns/0/refunds/0/occurredAt', withReturn({ refunds: [{ ...refund, occurredAt: 5 }] })],
    ['/refunds/0', { ...example, refunds: ['F-9'] }],
  ])('is parked with the path: %s', async (pointer, answer) => {
    expect(await answering(answer)).toEqual({ kind: 'parked', reason: `snapshot_unexpected:${pointer}` });
  });

  test('is parked for another order', async () => {
    answers.set('/api/orders/O-78', example);
    expect(await prepareEvent({ orderId: 'O-78' }, 'order.changed')).toEqual({
      kind: 'parked',
      reason: 'snapshot_unexpected:/order/orderId',
    });
  });

  test('is parked when it is not JSON or not an object', async () => {
    expect(await answering({ status: 200, body: '[]' })).toEqual({ kind: 'parked', reason: 'snapshot_unexpected:/' });
    expect(await answering({ status: 403 })).toEqual({ kind: 'retry', reason: 'shop_status_403' });
  });
});

describe('standard fetchChanges', () => {
  const since = '2026-11-21T00:00:00.000Z';
  const readChanges = async (cursor?: string) =>
    translator.fetchChanges?.('portal', { since, ...(cursor !== undefined && { cursor }) }, soon());

  test('begins at a time, and continues at the sender’s cursor', async () => {
    const first = await readChanges();
    expect(first).toEqual({
      ok: true,
      value: {
        found: [
          {
            topic: 'return.changed',
            deliveryId: 'return.changed:return:R-1042@7',
            body: { type: 'return.changed', data: { returnId: 'R-1042' } },
          },
        ],
        cursor: changed['cursor'],
        more: false,
      },
    });
    answers.set(`/api/changes?cursor=${String(changed['cursor'])}`, { changes: [], cursor: 'next', more: true });
    expect(await readChanges(String(changed['cursor']))).toEqual({
      ok: true,
      value: { found: [], cursor: 'next', more: true },
    });
  });

  test('ends when the cursor does not change', async () => {
    answers.set('/api/changes?cursor=same', { changes: [], cursor: 'same', more: true });
    expect(await readChanges('same')).toMatchObject({ value: { more: false } });
  });

  test.each<[string, Node]>([
    ['/cursor', { changes: [] }],
    ['/changes', { changes: {}, cursor: 'a' }],
    ['/changes/0', { changes: ['return.changed'], cursor: 'a' }],
  ])('returns the path of the error: %s', async (pointer, answer) => {
    answers.set('/api/changes?cursor=here', answer);
    const failure = { kind: 'permanent', reason: `snapshot_unexpected:${pointer}` };
    expect(await readChanges('here')).toEqual({ ok: false, failure });
  });

  test.each<[string, Node]>([
    ['/changes/0/data', { type: 'return.changed', version: '1' }],
    ['/changes/0/data', { type: 'return.changed', version: '1', data: { returnId: '..' } }],
    ['/changes/0/version', { type: 'return.changed', data: { returnId: '1' } }],
  ])('continues after an unreadable change and parks that one: %s', async (at, change) => {
    const next = { type: 'order.changed', version: '2', data: { orderId: '9', more: 'x'.repeat(1_000_000) } };
    answers.set('/api/changes?cursor=here', { changes: [change, next], cursor: 'a' });
    const read = await readChanges('here');
    const [unreadable, good] = read?.ok === true ? read.value.found : [];
    expect(unreadable).toMatchObject({
      deliveryId: expect.stringMatching(/^unreadable:[\w-]{43}$/),
      body: { unreadable: at },
    });
    // The item must be small: the store accepts at most 400 KB.
    expect(good?.body).toEqual({ type: 'order.changed', data: { orderId: '9' } });
    const { topic = '', body } = unreadable ?? {};
    expect(await translator.prepare({ source: 'portal', topic, body }, soon())).toEqual({
      kind: 'parked',
      reason: 'payload_unexpected',
      path: '/data',
    });
  });

  test('skips unknown topics', async () => {
    answers.set('/api/changes?cursor=here', { changes: [{ type: 'label.printed' }], cursor: 'a' });
    expect(await readChanges('here')).toMatchObject({ value: { found: [] } });
  });
});

describe('standard authenticate', () => {
  const { signal } = new AbortController();
  const key = Buffer.alloc(32, 1);
  const body = Buffer.from(JSON.stringify(delivery));
  const authenticate = (by: Buffer, source = 'portal') => {
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', by).update(`msg_1.${at}.`).update(body).digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
    return receiver.authenticate({ method: 'POST', query: {}, headers, body, source }, signal);
  };

  test('accepts signatures of the contract, by a new key as soon as it is stored and by the old one', async () => {
    expect(await authenticate(key)).toEqual({
      kind: 'authentic',
      delivery: {
        source: 'portal',
        topic: 'return.changed',
        deliveryId: 'msg_1',
        triggeredAt: '2026-11-21T08:00:00.000Z',
      },
    });
    const next = Buffer.alloc(64, 9);
    const webhookSecrets = [`whsec_${next.toString('base64')}`, `whsec_${key.toString('base64')}`, 'whsec_mistyped'];
    store.put({ portal: { ...portal, webhookSecrets } });
    expect((await authenticate(next)).kind).toBe('authentic');
    expect((await authenticate(key)).kind).toBe('authentic');
  });

  test('rejects other signatures', async () => {
    expect(await authenticate(Buffer.alloc(32, 2))).toEqual({ kind: 'rejected', reason: 'signature_mismatch' });
    expect(await authenticate(key, 'elsewhere')).toEqual({ kind: 'rejected', reason: 'unknown_source' });
  });
});
