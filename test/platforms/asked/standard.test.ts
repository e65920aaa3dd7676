import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../support/http-server.ts';
import { faults } from '../faults.ts';
import { startPlatformSecret } from '../platform-secret.ts';
import { startSender, type Node } from '../standard-sender.ts';
import { receiver, translator } from '../../../lib/platforms/standard/platform.ts';

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
const toldOf = (data: Node, topic = 'return.changed') => run(topic, { type: topic, data });
const answering = (answer: Answer | Node) => {
  answers.set('/api/returns/R-1042', answer);
  return toldOf({ returnId: 'R-1042' });
};

describe('what a sender tells of', () => {
  test('is seen as it stands, under the platform of the source', async () => {
    const seen = await run('return.changed', delivery);
    expect(seen).toEqual({
      kind: 'seen',
      order: { ...example.order, platform: 'portal', observedAt: expect.any(String) },
      returns: [
        {
          seen: {
            platform: 'portal',
            externalId: 'R-1042',
            orderId: 'O-77',
            status: 'approved',
            createdAt: '2026-11-10T09:00:00.000Z',
            seenAt: expect.any(String),
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

  test('is what the contract accepts', async () => {
    const prepared = await run('return.changed', delivery);
    if (prepared.kind !== 'seen') throw new Error(prepared.reason);
    expect(faults('registerOrder', prepared.order)).toEqual([]);
    const [first] = prepared.returns;
    const request = { order: { platform: 'portal', orderId: 'O-77' }, lines: first?.seen.lines };
    expect(faults('createReturn', request)).toEqual([]);
    const refund = first?.refunds[0] ?? {};
    expect(faults('recordRefund', refund)).toEqual([]);
  });

  test.each([
    ['order.changed', { orderId: 'O-77' }],
    ['refund.changed', { orderId: 'O-77' }],
    ['refund.changed', { returnId: 'R-1042' }],
    ['refund.changed', { returnId: 'R-1042', orderId: 'O-77' }],
  ])('is seen after %s of %j', async (topic, data) => {
    expect(await toldOf(data, topic)).toMatchObject({ kind: 'seen', returns: [{}] });
  });

  test('is looked at again as it is then', async () => {
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

  test('may be a return of which nothing is known but what is to come', async () => {
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
          seen: {
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

  test('may be money that is of no return', async () => {
    const refund = { externalId: 'F-1', amount: { amount: 1, currency: 'EUR' }, occurredAt: '2026-11-12T09:00:00Z' };
    answers.set('/api/orders/O-77', { order: example.order, refunds: [refund] });
    expect(await toldOf({ orderId: 'O-77' }, 'order.changed')).toMatchObject({
      returns: [],
      refunds: [{ platform: 'portal', orderId: 'O-77', externalId: 'F-1' }],
    });
  });
});

describe('a delivery that says nothing usable', () => {
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
  ])('%s', async (topic, body, expected) => expect(await run(topic, body)).toMatchObject(expected));

  test('leads to no other place of the API', async () => {
    await toldOf({ returnId: '../orders/O-77?x=' });
    expect(requests.at(-1)?.path).toBe('/api/returns/..%2Forders%2FO-77%3Fx%3D');
  });

  test('never throws, whatever it says', async () => {
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

describe('an answer that is not as agreed', () => {
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
  ])('is parked with its place: %s', async (pointer, answer) => {
    expect(await answering(answer)).toEqual({ kind: 'parked', reason: `snapshot_unexpected:${pointer}` });
  });

  test('is one of another order, too', async () => {
    answers.set('/api/orders/O-78', example);
    expect(await toldOf({ orderId: 'O-78' }, 'order.changed')).toEqual({
      kind: 'parked',
      reason: 'snapshot_unexpected:/order/orderId',
    });
  });

  test('is no JSON, or no object', async () => {
    expect(await answering({ status: 200, body: '[]' })).toEqual({ kind: 'parked', reason: 'snapshot_unexpected:/' });
    expect(await answering({ status: 403 })).toEqual({ kind: 'retry', reason: 'shop_status_403' });
  });
});

describe('translator.changedSince', () => {
  const since = '2026-11-21T00:00:00.000Z';
  const ask = async (cursor?: string) =>
    translator.fetchChanges?.('portal', { since, ...(cursor !== undefined && { cursor }) }, soon());

  test('asks by an instant at first, and by the cursor of the sender from then on', async () => {
    const first = await ask();
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
    expect(await ask(String(changed['cursor']))).toEqual({
      ok: true,
      value: { found: [], cursor: 'next', more: true },
    });
  });

  test('does not go round where the cursor stays', async () => {
    answers.set('/api/changes?cursor=same', { changes: [], cursor: 'same', more: true });
    expect(await ask('same')).toMatchObject({ value: { more: false } });
  });

  test.each<[string, Node]>([
    ['/cursor', { changes: [] }],
    ['/changes', { changes: {}, cursor: 'a' }],
    ['/changes/0', { changes: ['return.changed'], cursor: 'a' }],
  ])('tells where what is answered is not as agreed: %s', async (pointer, answer) => {
    answers.set('/api/changes?cursor=here', answer);
    const failure = { kind: 'permanent', reason: `snapshot_unexpected:${pointer}` };
    expect(await ask('here')).toEqual({ ok: false, failure });
  });

  test.each<[string, Node]>([
    ['/changes/0/data', { type: 'return.changed', version: '1' }],
    ['/changes/0/data', { type: 'return.changed', version: '1', data: { returnId: '..' } }],
    ['/changes/0/version', { type: 'return.changed', data: { returnId: '1' } }],
  ])('finds what comes behind one that nobody can look at, which is parked: %s', async (at, change) => {
    const next = { type: 'order.changed', version: '2', data: { orderId: '9', more: 'x'.repeat(1_000_000) } };
    answers.set('/api/changes?cursor=here', { changes: [change, next], cursor: 'a' });
    const read = await ask('here');
    const [odd, good] = read?.ok === true ? read.value.found : [];
    expect(odd).toMatchObject({
      deliveryId: expect.stringMatching(/^unreadable:[\w-]{43}$/),
      body: { unreadable: at },
    });
    // As small as it can be: the store takes no more than 400 KB.
    expect(good?.body).toEqual({ type: 'order.changed', data: { orderId: '9' } });
    const { topic = '', body } = odd ?? {};
    expect(await translator.prepare({ source: 'portal', topic, body }, soon())).toEqual({
      kind: 'parked',
      reason: 'payload_unexpected',
      path: '/data',
    });
  });

  test('passes over what it does not know', async () => {
    answers.set('/api/changes?cursor=here', { changes: [{ type: 'label.printed' }], cursor: 'a' });
    expect(await ask('here')).toMatchObject({ value: { found: [] } });
  });
});

describe('receiver.authenticate', () => {
  const { signal } = new AbortController();
  const key = Buffer.alloc(32, 1);
  const body = Buffer.from(JSON.stringify(delivery));
  const judge = (by: Buffer, source = 'portal') => {
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', by).update(`msg_1.${at}.`).update(body).digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
    return receiver.authenticate({ method: 'POST', query: {}, headers, body, source }, signal);
  };

  test('takes what is signed as agreed, by a new key as soon as it is stored and by the old one', async () => {
    expect(await judge(key)).toEqual({
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
    expect((await judge(next)).kind).toBe('authentic');
    expect((await judge(key)).kind).toBe('authentic');
  });

  test('refuses others', async () => {
    expect(await judge(Buffer.alloc(32, 2))).toEqual({ kind: 'refused', reason: 'signature_mismatch' });
    expect(await judge(key, 'elsewhere')).toEqual({ kind: 'refused', reason: 'unknown_source' });
  });
});
