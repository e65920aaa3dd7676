import { afterAll, describe, expect, test } from 'vitest';
import { snapshotWithout } from '../field-errors.ts';
import { startCase } from '../saleor-case.ts';
import { eur, event, fulfillment, grant, mug, shirt, transaction } from '../saleor-shop.ts';

const here = await startCase();
afterAll(here.close);

const sent = fulfillment(1, 'FULFILLED', [[shirt, 1]]);
const back = fulfillment(2, 'RETURNED', [[shirt, 1]]);
const backToo = fulfillment(3, 'RETURNED', [[shirt, 1]]);
const reportedAmounts = { totalRefundedAmount: eur(18), shippingRefundedAmount: null };
const backAndRefunded = fulfillment(2, 'REFUNDED_AND_RETURNED', [[shirt, 1]], reportedAmounts);

type Orders = Parameters<typeof here.fetchSnapshot>[0];
/** Returns the refunds by return, in order, and those without a return. */
const moneyOf = async (more: Orders) => {
  const { returns, refunds } = await here.fetchSnapshot(more);
  return {
    returns: returns.map((one) => one.refunds.map(({ amount }) => amount.amount)),
    others: refunds.map(({ amount }) => amount.amount),
  };
};

describe('Saleor refund with several reports', () => {
  const success = event(1, 'REFUND_SUCCESS', 18);

  test('is counted once, by the event of its transaction', async () => {
    const counted = {
      fulfillments: [sent, backAndRefunded],
      transactions: [transaction(event(0, 'CHARGE_SUCCESS', 50.9), event(0, 'REFUND_REQUEST', 18), success)],
      grantedRefunds: [grant(1, 18, [[shirt, 1]], [success])],
    };
    expect(await moneyOf(counted)).toEqual({ returns: [[1800]], others: [] });
    expect((await here.fetchSnapshot(counted)).returns[0]?.refunds).toEqual([
      {
        platform: 'saleor',
        orderId: expect.any(String),
        externalId: success.id,
        amount: { amount: 1800, currency: 'EUR' },
        method: 'original_payment',
        occurredAt: '2026-11-11T10:00:00.000Z',
        lines: [{ orderLineId: shirt, quantity: 1 }],
        providerRef: 'psp-1',
      },
    ]);
  });

  test.each([
    ['requested but pending', [event(1, 'REFUND_REQUEST', 18)]],
    ['failed', [event(1, 'REFUND_REQUEST', 18), event(1, 'REFUND_FAILURE', 18)]],
    ['reversed by the provider', [success, event(2, 'REFUND_REVERSE', 18, { pspReference: 'psp-1' })]],
    ['of a transaction without amounts', []],
  ])('is omitted when it is %s, even when another source reports it', async (_, events) => {
    const fields = { fulfillments: [backAndRefunded], transactions: [transaction(...events)] };
    const granted = [grant(1, 18, [[shirt, 1]], [], { status: 'SUCCESS' })];
    expect(await moneyOf({ ...fields, grantedRefunds: granted })).toEqual({ returns: [[]], others: [] });
    const [{ remote } = {}] = (await here.fetchSnapshot(fields)).returns;
    expect(remote?.status).toBe('approved');
  });

  test('is counted once when the provider reports it twice, and twice without a reference', async () => {
    const twice = [success, event(2, 'REFUND_SUCCESS', 18, { pspReference: 'psp-1' })];
    expect(await moneyOf({ fulfillments: [back], transactions: [transaction(...twice)] })).toEqual({
      returns: [[]],
      others: [1800],
    });
    const worded = await here.fetchSnapshot({
      fulfillments: [back],
      transactions: [transaction({ ...success, pspReference: 'paid to Ada' })],
    });
    expect(worded.refunds).toHaveLength(1);
    expect(worded.refunds[0]).not.toHaveProperty('providerRef');
    const unnamed = twice.map((one) => ({ ...one, pspReference: '' }));
    const { refunds } = await here.fetchSnapshot({ fulfillments: [back], transactions: [transaction(...unnamed)] });
    expect(refunds).toHaveLength(2);
    expect(refunds[0]).not.toHaveProperty('providerRef');
  });

  test('is the granted and paid amount when there is no transaction', async () => {
    const grants = [
      grant(1, 22.9, [[shirt, 1]], [], { shippingCostsIncluded: true }),
      grant(2, 5, [], [], { status: 'PENDING' }),
      grant(3, 5, [], [], { status: 'FAILURE' }),
    ];
    const { returns, refunds } = await here.fetchSnapshot({ fulfillments: [backAndRefunded], grantedRefunds: grants });
    expect(refunds).toEqual([]);
    expect(returns[0]?.refunds).toMatchObject([
      { externalId: grants[0]?.id, amount: { amount: 2290 }, shipping: { amount: 490, currency: 'EUR' } },
    ]);
  });

  test('saleor/saleor#14498: is the amount of the fulfillments when nothing else reports it', async () => {
    const fulfillments = [
      sent,
      fulfillment(2, 'REFUNDED_AND_RETURNED', [[shirt, 1]], {
        totalRefundedAmount: eur(20.5),
        shippingRefundedAmount: eur(2.5),
      }),
      fulfillment(3, 'REFUNDED', [[mug, 2]], { totalRefundedAmount: eur(6.67) }),
      fulfillment(4, 'REFUNDED', [], { totalRefundedAmount: eur(0) }),
    ];
    const { returns, refunds } = await here.fetchSnapshot({ fulfillments });
    expect(returns).toMatchObject([
      {
        remote: { status: 'completed', closedAt: '2026-11-02T10:00:00.123Z' },
        refunds: [
          {
            externalId: fulfillments[1]?.id,
            amount: { amount: 2050 },
            shipping: { amount: 250 },
            lines: [{ orderLineId: shirt, quantity: 1 }],
          },
        ],
      },
    ]);
    expect(refunds).toMatchObject([
      { externalId: fulfillments[2]?.id, amount: { amount: 667 }, lines: [{ orderLineId: mug, quantity: 2 }] },
    ]);
  });

  test('belongs to no return when its fulfillment was emptied', async () => {
    const emptied = fulfillment(2, 'REFUNDED_AND_RETURNED', [], reportedAmounts);
    expect(await moneyOf({ fulfillments: [emptied] })).toEqual({ returns: [], others: [1800] });
    expect(await moneyOf({ fulfillments: [emptied], transactions: [transaction(success)] })).toEqual({
      returns: [],
      others: [1800],
    });
  });

  test.each([
    ['negative', eur(-1)],
    ['with more digits than its currency has', eur(1.005)],
    ['in an unknown currency', { amount: 1, currency: 'XXY' }],
  ])('is a discrepancy of its order with an amount %s', async (_, amount) => {
    const transactions = [transaction(event(1, 'REFUND_SUCCESS', 1, { amount }))];
    expect(await here.fetchSnapshot({ fulfillments: [back], transactions })).toMatchObject(
      snapshotWithout('refund_unreadable'),
    );
  });
});

describe('Saleor return of a refund', () => {
  const [first, second] = [event(4, 'REFUND_SUCCESS', 17), event(5, 'REFUND_SUCCESS', 18)];
  const granted = [grant(1, 17, [[shirt, 1]], [first]), grant(2, 18, [[shirt, 1]], [second])];

  test('is the oldest unpaid one with its units, even after later returns', async () => {
    const one = { fulfillments: [back], transactions: [transaction(first)], grantedRefunds: granted.slice(0, 1) };
    expect(await moneyOf(one)).toEqual({ returns: [[1700]], others: [] });
    const two = {
      fulfillments: [backToo, back],
      transactions: [transaction(second, first)],
      grantedRefunds: granted,
    };
    // The younger return and the younger refund are listed first.
    expect(await moneyOf(two)).toEqual({ returns: [[1800], [1700]], others: [] });
  });

  test('is none that was created after the refund, and none with other units', async () => {
    const before = { ...first, createdAt: '2026-11-01T00:00:00Z' };
    const early = { transactions: [transaction(before)], grantedRefunds: [grant(1, 17, [[shirt, 1]], [before])] };
    expect(await moneyOf({ ...early, fulfillments: [back] })).toEqual({ returns: [[]], others: [1700] });
    const mugs = { transactions: [transaction(first)], grantedRefunds: [grant(1, 17, [[mug, 1]], [first])] };
    const { refunds } = await here.fetchSnapshot({ ...mugs, fulfillments: [back] });
    expect(refunds).toMatchObject([{ lines: [{ orderLineId: mug, quantity: 1 }] }]);
    const more = { transactions: [transaction(first)], grantedRefunds: [grant(1, 17, [[shirt, 2]], [first])] };
    const [refund] = (await here.fetchSnapshot({ ...more, fulfillments: [back] })).refunds;
    // The units are in the return. The refund must not count them twice.
    expect(refund).not.toHaveProperty('lines');
  });

  test('is found by the amount requested with it, and missing for a refund without hints', async () => {
    const transactions = [transaction(event(4, 'REFUND_SUCCESS', 18), event(5, 'REFUND_SUCCESS', 3))];
    expect(await moneyOf({ fulfillments: [backAndRefunded], transactions })).toEqual({
      returns: [[1800]],
      others: [300],
    });
    const refunded = fulfillment(3, 'REFUNDED', [[mug, 1]], { totalRefundedAmount: eur(3) });
    const { refunds } = await here.fetchSnapshot({ fulfillments: [back, refunded], transactions });
    expect(refunds.map(({ lines }) => lines)).toEqual([undefined, [{ orderLineId: mug, quantity: 1 }]]);
  });

  test('is not found by a grant that was paid in parts', async () => {
    const transactions = [transaction(first, second)];
    const grantedRefunds = [grant(1, 35, [[shirt, 1]], [first, second])];
    expect(await moneyOf({ fulfillments: [back], transactions, grantedRefunds })).toEqual({
      returns: [[]],
      others: [1700, 1800],
    });
  });
});
