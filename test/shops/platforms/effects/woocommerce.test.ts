import { describe, expect, it, vi } from 'vitest';
import { translator } from '../../../../lib/shops/platforms/woocommerce/platform.ts';
import type { WireFault } from '../../../../lib/tools/local/shops/faults.ts';
import type { Json } from '../../../../lib/tools/local/shops/woocommerce/refunds.ts';
import { openWooCommerce, siteCases, wireCases, woocommerceOrder as order } from './woocommerce-case.ts';
import { type Options, wordOf } from './drive-intent.ts';
import { keyOf, requestedAt, wanted, wantedLine, wantedRefund, wantedReturn } from './wanted.ts';
import { wireFaults } from './wire-faults.ts';

const { site, server, effectOf, run, refundIntent, writes, bodyOfLast, paidFor, next, notesOf, permitWrites } =
  await openWooCommerce();

const lineOf = (id: number): Json => (order(723)['line_items'] as Json[]).find((line) => line['id'] === id) ?? {};

describe('WooCommerce refund', () => {
  it('has lines with tax by rate, our key in reason and metadata, and both switches', async () => {
    const number = next();
    const outcome = await run(refundIntent(number));
    const [refund] = site.refundsOf('723');
    expect(outcome).toEqual({ kind: 'confirmed', externalId: String(refund?.['id']) });
    expect(bodyOfLast()).toEqual({
      amount: '11.90',
      reason: `Return RMA-1 [${keyOf(number)}]`,
      api_refund: true,
      api_restock: true,
      line_items: [{ id: 311, quantity: 1, refund_total: '10.00', refund_tax: [{ id: 1, refund_total: '1.90' }] }],
      meta_data: [{ key: '_returns_refund', value: keyOf(number) }],
    });
    expect(paidFor(number)).toEqual([{ orderId: '723', amount: '11.90', reason: `Return RMA-1 [${keyOf(number)}]` }]);
  });

  it('is reported by the translator under the id that the intent has', async () => {
    const outcome = await run(refundIntent(next()));
    const snapshot = await translator.prepare(
      { source: 'shop', topic: 'order.updated', body: { id: 723 } },
      Date.now() + 9_000,
    );
    expect(snapshot).toMatchObject({
      refunds: [
        {
          externalId: outcome.kind === 'confirmed' ? outcome.externalId : '',
          amount: { amount: 1190, currency: 'USD' },
          lines: [{ orderLineId: '311', quantity: 1, amount: { amount: 1190 }, tax: { amount: 190 } }],
        },
      ],
    });
  });

  it('gives back shipping with its tax, and less than its lines for a deduction', async () => {
    await run(refundIntent(next(), [{ orderLineId: '311', quantity: 1, gross: 1190 }], { shipping: 476, rest: -300 }));
    expect(bodyOfLast()).toMatchObject({
      amount: '13.66',
      line_items: [
        { id: 311, quantity: 1 },
        { id: 312, quantity: 0, refund_total: '4.00', refund_tax: [{ id: 1, refund_total: '0.76' }] },
      ],
    });
  });

  it('adds up to the tax of the line over several refunds', async () => {
    site.put(
      order(723, {
        line_items: [{ ...lineOf(311), total: '20.00', total_tax: '3.80', taxes: [{ id: 1, total: '3.80' }] }],
      }),
    );
    for (const gross of [793, 794, 793]) {
      const outcome = await run(refundIntent(next(), [{ orderLineId: '311', quantity: 1, gross }]));
      expect(outcome.kind).toBe('confirmed');
    }
    const items = site.refundsOf('723').flatMap(({ line_items: found }) => found as Json[]);
    const sumOf = (field: string) => items.reduce((sum, item) => sum + Math.round(Number(item[field]) * 100), 0);
    expect([sumOf('total'), sumOf('total_tax')]).toEqual([-2000, -380]);
  });

  it.each([
    [[{ outcome: 'accept', disposition: 'quarantine', quantity: 1 } as const]],
    [[{ outcome: 'refuse', disposition: 'restock', quantity: 1 } as const]],
    [[]],
  ])('restocks nothing for the findings %j', async (found) => {
    const intent = refundIntent(next());
    await run({ ...intent, return: wantedReturn([wantedLine('311', { received: 1, found })]) });
    expect(bodyOfLast()).toMatchObject({ api_restock: false });
  });

  it('of an amount without lines is sent as such', async () => {
    await run(refundIntent(next(), [], { rest: 490 }));
    expect(bodyOfLast()).toMatchObject({ amount: '4.90', line_items: [], api_restock: false });
  });

  it.each([
    ['amount_differs', [{ orderLineId: '311', quantity: 1, gross: 1192 }], {}, { amount: 1192, shop: 1190 }],
    ['amount_differs', [{ orderLineId: '311', quantity: 2, gross: 1190 }], {}, { amount: 1190, shop: 2380 }],
    ['amount_differs', [{ orderLineId: '313', quantity: 0, gross: 536 }], {}, { amount: 536, paid: 535 }],
    ['amount_differs', [], { shipping: 477 }, { part: 'shipping', amount: 477, shop: 476 }],
    ['units_refunded', [{ orderLineId: '313', quantity: 2, gross: 1070 }], {}, { quantity: 2, left: 1 }],
    ['order_line_unreadable', [{ orderLineId: '999', quantity: 1, gross: 100 }], {}, { orderLineId: '999' }],
    ['exceeds_payment', [], { rest: 4582 }, { amount: 4582, left: 4581 }],
  ])('is blocked as %s for %j %j', async (reason, lines, more, seen) => {
    const before = writes().length;
    expect(await run(refundIntent(next(), lines, more))).toMatchObject({ kind: 'parked', reason, seen });
    expect(writes().length).toBe(before);
  });

  it('gives the rest of a line whose price was reduced at the shop', async () => {
    site.refundByHand('723', {
      amount: '5.00',
      api_refund: false,
      line_items: [{ id: 313, refund_total: '4.67', refund_tax: [{ id: 2, refund_total: '0.33' }] }],
    });
    const outcome = await run(refundIntent(next(), [{ orderLineId: '313', quantity: 1, gross: 35 }]));
    expect(outcome.kind).toBe('confirmed');
    expect(bodyOfLast()).toMatchObject({
      line_items: [{ refund_total: '0.33', refund_tax: [{ refund_total: '0.02' }] }],
    });
  });

  it('has no tax of a free line, and is blocked for a line without units', async () => {
    const free = { ...lineOf(311), total: '0.00', total_tax: '0.00', taxes: [{ id: 1, total: '0.00' }] };
    const lines = [
      { orderLineId: '311', quantity: 1, gross: 0 },
      { orderLineId: '313', quantity: 1, gross: 535 },
    ];
    site.put(order(723, { line_items: [free, lineOf(313)] }));
    expect(wordOf(await run(refundIntent(next(), lines)))).toBe('confirmed');
    expect(bodyOfLast()).toMatchObject({
      line_items: [{ id: 311, refund_total: '0.00', refund_tax: [] }, { id: 313 }],
    });
    site.put(order(723, { line_items: [{ ...free, quantity: 0 }, lineOf(313)] }));
    expect(wordOf(await run(refundIntent(next(), lines)))).toBe('order_line_unreadable');
  });

  it('is blocked in another currency', async () => {
    const intent = {
      ...refundIntent(next()),
      refund: wantedRefund('EUR', [{ orderLineId: '311', quantity: 1, gross: 1190 }]),
    };
    expect(await run(intent)).toMatchObject({ kind: 'parked', reason: 'currency_differs' });
  });

  it('is blocked when a person has made the same refund since the return', async () => {
    site.refundByHand('723', { amount: '11.90', api_refund: false, reason: 'by phone' });
    const outcome = await run(refundIntent(next()));
    expect(outcome).toMatchObject({ kind: 'parked', reason: 'refund_exists', seen: { amount: 1190 } });
    expect(JSON.stringify(outcome)).not.toContain('by phone');
    const others = { returns: [], refunds: site.refundsOf('723').map(({ id }) => String(id)) };
    expect((await run({ ...refundIntent(next()), others })).kind).toBe('confirmed');
  });

  it('is sent when the same amount was refunded before the return, or by another intent', async () => {
    vi.setSystemTime(new Date(Date.parse(requestedAt) - 1_000));
    site.refundByHand('723', { amount: '11.90', api_refund: false });
    vi.setSystemTime(new Date('2026-11-29T12:00:00Z'));
    const [first, second] = [next(), next()];
    expect((await run(refundIntent(first))).kind).toBe('confirmed');
    expect((await run(refundIntent(second))).kind).toBe('confirmed');
    expect([paidFor(first).length, paidFor(second).length]).toEqual([1, 1]);
  });

  it('of a key without write permission is not sent until it has it', async () => {
    permitWrites(false);
    const number = next();
    let reads = 0;
    const before: Options['before'] = (step) => {
      if (step === 'read') permitWrites((reads += 1) > 2);
    };
    expect((await run(refundIntent(number), { before })).kind).toBe('confirmed');
    expect(paidFor(number)).toHaveLength(1);
  });
});

describe('WooCommerce refund with a fault', () => {
  it.each(wireCases)('of the wire, %j, is paid %d times and %s', async (fault, payments, word) => {
    const number = next();
    server.faults.push(fault);
    // A request without an answer waits for its time-out.
    const outcome = await run(refundIntent(number), fault === 'silent' ? { requestMs: 300 } : {});
    server.carryOutLate();
    expect(wordOf(outcome)).toBe(word);
    expect(paidFor(number)).toHaveLength(payments);
  });

  it.each(siteCases)('inside the site, %s, is paid %d times and %s', async (fault, payments, word) => {
    const number = next();
    site.failRefund(fault);
    expect(wordOf(await run(refundIntent(number)))).toBe(word);
    expect(paidFor(number)).toHaveLength(payments);
  });

  it('that people decide shows the amount, and what is left of the order', async () => {
    server.faults.push('cut_before');
    const seen = { amount: 1190, left: 4581, currency: 'USD' };
    expect(await run(refundIntent(next()))).toEqual({ kind: 'parked', reason: 'effect_unknown', seen });
  });

  it('shows people the second refund of a plugin', async () => {
    const number = next();
    site.failRefund('second_refund');
    server.faults.push('answer_lost');
    await run(refundIntent(number));
    const { value } = (await effectOf('refund').see('shop', refundIntent(number), Date.now() + 9_000)) as {
      value: Json;
    };
    const [ours, second] = site.refundsOf('723').map(({ id }) => String(id));
    expect(value).toEqual({ kind: 'done', externalId: ours, isOurs: true, seen: { refundId: ours, others: [second] } });
  });
});

describe('WooCommerce decision', () => {
  it.each([
    ['approve', 'Return RMA-1 approved.'],
    ['reject', 'Return RMA-1 rejected (outside_window).'],
    ['cancel', 'Return RMA-1 cancelled.'],
    ['close', 'Return RMA-1 closed.'],
  ] as const)('%s is one private note', async (action, text) => {
    const number = next();
    const intent = wanted(action, '723', { number, return: wantedReturn([], { rejection: 'outside_window' }) });
    expect(await run(intent)).toEqual({ kind: 'confirmed' });
    expect(await run(intent)).toEqual({ kind: 'confirmed' });
    expect(site.notes.get('723')).toMatchObject([{ note: `${text} [${keyOf(number)}]`, customer_note: false }]);
  });

  it.each(wireFaults)('is one note after the fault %j', async (fault) => {
    server.faults.push(fault);
    expect(await run(wanted('approve', '723', { number: next(), return: wantedReturn([]) }))).toEqual({
      kind: 'confirmed',
    });
    server.carryOutLate();
    expect(notesOf()).toHaveLength(1);
  });
});

describe('WooCommerce order', () => {
  it.each(['approve', 'refund', 'cancel_order'] as const)('of %s is a number, and no other path', async (action) => {
    const before = server.requests.length;
    const intent = wanted(action, '723/../724', { return: wantedReturn([]), refund: wantedRefund('USD', []) });
    expect(wordOf(await run(intent))).toBe('shop_order_not_found');
    expect(server.requests.length).toBe(before);
  });
});

describe('WooCommerce cancellation of an order', () => {
  const statusOf = () => site.orders.get('723')?.['status'];

  it.each<WireFault | undefined>([undefined, 'answer_lost', 'cut_before', 'late'])(
    'with the fault %j is done',
    async (fault) => {
      server.faults.push(fault);
      expect(await run(wanted('cancel_order', '723', { number: next() }))).toEqual({ kind: 'confirmed' });
      expect(statusOf()).toBe('cancelled');
    },
  );

  it.each(['completed', 'refunded', 'in-transit'])('is blocked for an order that is %s', async (status) => {
    site.put(order(723, { status }));
    expect(await run(wanted('cancel_order', '723'))).toMatchObject({ kind: 'parked', reason: 'order_shipped' });
    expect(statusOf()).toBe(status);
  });
});
