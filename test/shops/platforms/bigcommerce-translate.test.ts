import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../../lib/shops/platforms/bigcommerce/translate.ts';

const about = (data: object, scope = 'store/order/refund/created') => ({
  scope,
  store_id: '1025646',
  data: { type: 'order', ...data },
  hash: 'cb07cdbdda8b1965e812693d5988154807eeed02',
  created_at: 1561479923,
  producer: 'stores/abc123',
});

describe('BigCommerce translate', () => {
  test.each([
    ['store/order/refund/created', { id: 250, refund: { refund_id: 3 } }],
    ['store/channel/1/order/refund/created', { id: 250, refund: { refund_id: 3 } }],
    ['store/order/statusUpdated', { id: 250, status: { previous_status_id: 0, new_status_id: 14 } }],
    ['store/order/updated', { id: 250 }],
    ['store/order/created', { id: 250 }],
    ['store/channel/664179/order/updated', { id: 250 }],
    ['store/order/transaction/created', { order_id: '250', transaction_id: '215' }],
    ['store/order/transaction/updated', { order_id: '250', transaction_id: '215' }],
  ])('reads the order of %s', (scope, data) => {
    expect(translate(scope, about(data, scope))).toEqual({ kind: 'order', id: '250' });
  });

  test.each([
    [null, ''],
    [[], ''],
    [{}, '/data'],
    [{ data: [] }, '/data'],
    [about({}), '/data/id'],
    [about({ id: 0 }), '/data/id'],
    [about({ id: 2 ** 53 }), '/data/id'],
    [about({ id: '250/../../customers' }), '/data/id'],
  ])('parks an invalid body: %j', (payload, path) =>
    expect(translate('store/order/updated', payload)).toEqual({ kind: 'parked', reason: 'payload_unexpected', path }),
  );

  test.each(['store/order/archived', 'store/order/message/created', 'store/product/updated', 'unknown', 'constructor'])(
    'ignores %s',
    (scope) => expect(translate(scope, about({ id: 250 }))).toEqual({ kind: 'ignored', reason: 'topic_not_handled' }),
  );

  test('never throws, and returns only ids that are valid in a path', () => {
    fc.assert(
      fc.property(fc.constantFrom('store/order/updated', 'x'), fc.jsonValue(), (scope, payload) => {
        const subject = translate(scope, payload);
        expect(subject.kind === 'order' ? subject.id : '1').toMatch(/^\d+$/);
      }),
    );
  });
});
