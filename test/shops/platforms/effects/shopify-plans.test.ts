import { describe, expect, test } from 'vitest';
import type { Wanted } from '../../../../lib/shops/platforms/effect.ts';
import { planCreation } from '../../../../lib/shops/platforms/shopify/effects/create.ts';
import {
  planRefundedUnits,
  type Suggestion,
  withMoney,
} from '../../../../lib/shops/platforms/shopify/effects/refund.ts';
import { planParcel, type ShippingState } from '../../../../lib/shops/platforms/shopify/effects/ship.ts';
import type { RefundState, ReturnState } from '../../../../lib/shops/platforms/shopify/effects/state.ts';
import { openShopifyCase, ownReturn } from './shopify-case.ts';
import { acceptedLine } from './wanted.ts';

const { shop, requested, opened, sellLike, lineIdOf, wantedOf, effectOf, act } = await openShopifyCase();

const gid = 'gid://shopify/Return/1';
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const money = (amount: string) => ({ amount, currencyCode: 'EUR' });
const refund = {
  refundId: 'rfd_1',
  amount: eur(1_000),
  lines: [{ orderLineId: '1', quantity: 1, gross: 1_000 }],
  shipping: 0,
  rest: 0,
};
const wanted: Wanted = { key: 'key', action: 'refund', orderId: '7', refund, paysRefunds: true };
const refundState = (id: string, changes: Partial<RefundState> = {}): RefundState => ({
  id,
  gid: `gid://shopify/Refund/${id}`,
  note: null,
  isOfReturn: true,
  status: 'paid',
  amount: eur(1_000),
  ...changes,
});
const state = (processed: number, refunds: readonly RefundState[] = []): ReturnState => ({
  gid,
  status: 'OPEN',
  currency: 'EUR',
  lines: [{ gid: 'line', orderLineId: '1', fulfillmentLineGid: 'unit', quantity: 2, processed }],
  reverseLines: [],
  hasExchange: false,
  refunds,
});
const own = ownReturn([acceptedLine('1', 2)], gid);
const plan = (found: ReturnState, changes: Partial<Wanted> = {}) =>
  planRefundedUnits(found, { ...wanted, ...changes }, own, refund, undefined);

describe('the plan of a refund of Shopify', () => {
  test.each([
    ['an equal one is of this or of another unit', [refundState('1')], {}, 'refund_unclear'],
    ['two are equal', [refundState('1'), refundState('2')], { others: { returns: [], refunds: [] } }, 'refund_unclear'],
  ] as const)('is left to people where %s', (_, refunds, changes, reason) => {
    expect(plan(state(1, refunds), changes)).toMatchObject({ kind: 'blocked', reason });
  });

  test('finds its own by the note, and the only unknown one by the amount', () => {
    const ours = refundState('2', { note: 'returns:key' });
    expect(plan(state(1, [refundState('1'), ours]))).toMatchObject({ kind: 'done', externalId: '2', isOurs: true });
    const others = { returns: [], refunds: ['1'] };
    expect(plan(state(2, [refundState('1'), refundState('2')]), { others })).toMatchObject({ externalId: '2' });
    expect(plan(state(1, [refundState('1', { note: 'returns:other' })]))).toMatchObject({ kind: 'open' });
  });

  test('waits a while for the refund of units that a lost request has processed', () => {
    expect(plan(state(2), { askedAt: new Date().toISOString() })).toEqual({ kind: 'pending' });
    expect(plan(state(2), { askedAt: '2026-11-20T08:00:00.000Z' })).toMatchObject({ reason: 'units_processed' });
  });

  const transaction = { amount: money('10.0'), parentGid: 'gid://shopify/OrderTransaction/1', gateway: 'card' };
  const suggestion: Suggestion = { kind: 'refund', amount: eur(1_000), transactions: [transaction] };
  const priced = (changes: Partial<Suggestion>) =>
    withMoney({ returnGid: gid, lines: [] }, { ...suggestion, ...changes }, wanted, refund, []);

  test.each([
    ['the shop claims money', { kind: 'invoice' }, 'shop_claims_payment'],
    ['the shop would pay nothing', { kind: 'nothing', amount: undefined }, 'amount_differs'],
    ['its payments do not add up', { transactions: [{ ...transaction, amount: money('9.99') }] }, 'payment_unknown'],
    ['a payment is unknown', { transactions: [{ ...transaction, parentGid: undefined }] }, 'payment_unknown'],
  ] as const)('is left to people where %s', (_, changes, reason) => {
    expect(priced(changes)).toMatchObject({ kind: 'blocked', reason });
  });

  test('is split like the payments of the shop', () => {
    const parts = [
      { ...transaction, amount: money('4.0') },
      { ...transaction, amount: money('6.00'), parentGid: 'gid://shopify/OrderTransaction/2' },
    ];
    expect(priced({ transactions: parts })).toMatchObject({
      request: {
        variables: {
          input: {
            financialTransfer: {
              issueRefund: {
                orderTransactions: [
                  { parentId: 'gid://shopify/OrderTransaction/1', transactionAmount: money('4.0') },
                  { parentId: 'gid://shopify/OrderTransaction/2', transactionAmount: money('6.00') },
                ],
              },
            },
          },
        },
      },
    });
  });
});

describe('the plan of a parcel of Shopify', () => {
  const reverse = (reverseOrderGid: string): ShippingState['lines'][number] => ({
    gid: `line of ${reverseOrderGid}`,
    reverseOrderGid,
    fulfillmentLineGid: 'unit',
    orderLineId: '1',
    quantity: 1,
    disposed: {},
    packed: 0,
  });
  const parcel = { parcelId: 'par', trackingNumber: 'T-1', contents: [{ orderLineId: '1', quantity: 2 }] };

  test.each([
    ['its units are at two locations', { lines: [reverse('a'), reverse('b')] }, parcel, 'several_locations'],
    ['it has no units', {}, { ...parcel, contents: [] }, 'units_not_in_return'],
    ['the return is closed', { status: 'CLOSED' }, parcel, 'return_state_differs'],
  ])('is left to people where %s', (_, changes, added, reason) => {
    const found = { status: 'OPEN', numbers: [], lines: [reverse('a')], ...changes };
    expect(planParcel(found, gid, added)).toMatchObject({ kind: 'blocked', reason });
  });
});

describe('the plan of a new return of Shopify', () => {
  test('is left to people without a reason of Shopify', () => {
    const returnable = [{ orderLineId: '1', quantity: 2, fulfillmentLineGid: 'unit' }];
    expect(planCreation({ existing: [], returnable, reasons: new Map() }, wanted, own)).toMatchObject({
      reason: 'reason_unknown',
    });
  });
});

describe('an action of Shopify', () => {
  test('without what it needs is left to people', async () => {
    const { orderId, own: found } = opened(1);
    const absent = ownReturn(found.lines);
    expect(await act('refund', orderId, found)).toMatchObject({ reason: 'refund_missing' });
    expect(await act('ship', orderId, found)).toMatchObject({ reason: 'parcel_missing' });
    expect(await act('ship', orderId, absent)).toMatchObject({ reason: 'return_missing' });
    expect(await act('inspect', orderId, absent)).toMatchObject({ reason: 'return_missing' });
    expect(await act('close', orderId, ownReturn([], gid))).toMatchObject({ reason: 'shop_return_not_found' });
    expect(await act('approve', '1', absent)).toMatchObject({ reason: 'shop_order_not_found' });
  });

  const sendTo = async (body: object, wantedNow: Wanted) => {
    const sight = await effectOf(wantedNow.action).see(shop.shopDomain, wantedNow, Date.now() + 9_000);
    if (!sight.ok || sight.value.kind !== 'open') throw new Error('not open');
    shop.fail({ times: 1, status: 200, body: JSON.stringify(body) });
    return sight.value.send(Date.now() + 9_000);
  };
  const denied = [{ extensions: { code: 'ACCESS_DENIED' } }];

  test.each([
    [
      { data: { returnApproveRequest: { return: null, userErrors: [{ code: 'INTERNAL_ERROR' }] } } },
      { kind: 'retryable', reason: 'shop_error', mayHaveEffect: true },
    ],
    [
      { data: { returnApproveRequest: { return: null, userErrors: [{ code: 'a name' }] } } },
      { kind: 'permanent', reason: 'shop_refused:UNKNOWN' },
    ],
    [
      { data: { returnApproveRequest: null }, errors: denied },
      { kind: 'retryable', reason: 'shop_denied_access' },
    ],
  ])('reads the answer %j', async (body, failure) => {
    const { orderId, own: found } = requested();
    expect(await sendTo(body, wantedOf('approve', orderId, found))).toEqual({ ok: false, failure });
  });

  test.each([
    [
      { errors: [{ extensions: { code: 'IDEMPOTENCY_CONCURRENT_REQUEST' } }] },
      { kind: 'retryable', reason: 'shop_works', mayHaveEffect: true },
    ],
    [
      { data: { refundCreate: { refund: null, userErrors: [] } } },
      { kind: 'retryable', reason: 'refund_not_shown', mayHaveEffect: true },
    ],
  ])('reads the answer %j to a refund', async (body, failure) => {
    const order = sellLike(1);
    const money = {
      refundId: 'rfd',
      amount: { amount: 100, currency: order.currency },
      lines: [],
      shipping: 0,
      rest: 100,
    };
    const found = ownReturn([acceptedLine(lineIdOf(order.id), 1)]);
    expect(await sendTo(body, wantedOf('refund', order.id, found, { refund: money }))).toEqual({ ok: false, failure });
  });
});
