import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../../lib/shops/platforms/woocommerce/translate.ts';
import { documentedOrder } from './woocommerce-site.ts';

describe('WooCommerce translate', () => {
  test.each(['order.created', 'order.updated', 'order.restored'])('reads the order of %s', (topic) => {
    expect(translate(topic, documentedOrder())).toEqual({ kind: 'order', id: '723' });
    expect(translate(topic, { id: 5 })).toEqual({ kind: 'order', id: '5' });
  });

  test('woocommerce/woocommerce#68698: parks an error that the site signed', () => {
    const error = {
      code: 'woocommerce_rest_shop_order_invalid_id',
      message: 'Invalid ID.',
      data: { status: 404 },
    };
    expect(translate('order.updated', error)).toEqual({ kind: 'parked', reason: 'shop_sent_error', path: '/code' });
  });

  test.each([
    ['order.updated', null, ''],
    ['order.updated', [], ''],
    ['order.updated', 'text', ''],
    ['order.updated', {}, '/id'],
    ['order.updated', { id: 0 }, '/id'],
    ['order.updated', { id: -5 }, '/id'],
    ['order.updated', { id: 1.5 }, '/id'],
    ['order.updated', { id: '../products/1' }, '/id'],
    ['order.updated', { id: 2 ** 53 }, '/id'],
  ])('parks an invalid body of %s: %j', (topic, payload, path) =>
    expect(translate(topic, payload)).toEqual({ kind: 'parked', reason: 'payload_unexpected', path }),
  );

  test.each([
    ['order.deleted', { id: 723 }, 'order_deleted'],
    ['product.updated', { id: 723 }, 'topic_not_handled'],
    ['action.woocommerce_add_to_cart', { action: 'woocommerce_add_to_cart', arg: 'x' }, 'topic_not_handled'],
    ['constructor', { id: 1 }, 'topic_not_handled'],
  ])('ignores %s', (topic, payload, reason) => expect(translate(topic, payload)).toEqual({ kind: 'ignored', reason }));

  test('never throws, and returns only ids that are valid in a path', () => {
    fc.assert(
      fc.property(fc.constantFrom('order.updated', 'order.deleted', 'x'), fc.jsonValue(), (topic, payload) => {
        const subject = translate(topic, payload);
        expect(subject.kind === 'order' ? subject.id : '1').toMatch(/^\d+$/);
      }),
    );
  });
});
