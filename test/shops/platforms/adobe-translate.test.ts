import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../../lib/shops/platforms/adobe/envelope.ts';
import { event, topic } from './adobe-shop.ts';

const handled = [
  ['rma_save_commit_after', 'return', false],
  ['rma_save_after', 'return', true],
  ['sales_order_creditmemo_save_commit_after', 'creditmemo', false],
  ['sales_order_creditmemo_save_after', 'creditmemo', true],
  ['sales_order_shipment_track_save_commit_after', 'order', false],
  ['sales_order_shipment_track_save_after', 'order', true],
] as const;

describe('Adobe Commerce translate', () => {
  // magento2#30983: API changes did not send the event after the commit, so we also accept the one before it.
  test.each(handled)('magento2#30983: reads the resource of %s', (name, kind, early) => {
    const subject = { kind, id: '12', early };
    expect(translate(topic(name), event(name, { entity_id: 12, order_id: '12' }))).toEqual(subject);
    const prefixed = `com.adobe.commerce.northfold.observer.${name}`;
    expect(translate(prefixed, event(name, { entity_id: '12', order_id: 12 }))).toEqual(subject);
  });

  test.each([
    '',
    'constructor',
    'observer.rma_save_commit_after',
    'com.adobe.commerce.observer.sales_order_save_commit_after',
    'com.adobe.commerce.observer.constructor',
    'com.adobe.commerce.observer.rma_save_commit_after.more',
    'com.evil.observer.rma_save_commit_after',
  ])('ignores the topic %j', (name) => {
    expect(translate(name, {})).toEqual({ kind: 'ignored', reason: 'topic_not_handled' });
  });

  test.each([
    [null, ''],
    ['text', ''],
    [[], ''],
    [{}, '/data'],
    [{ data: [] }, '/data'],
    [{ data: {} }, '/data/value'],
    // Commerce sends only the fields of the subscription.
    [{ data: { value: { status: 'authorized' } } }, '/data/value/entity_id'],
    [{ data: { value: { entity_id: 2 ** 53 } } }, '/data/value/entity_id'],
    [{ data: { value: { entity_id: -1 } } }, '/data/value/entity_id'],
    [{ data: { value: { entity_id: '../orders/1' } } }, '/data/value/entity_id'],
    [{ data: { value: { entity_id: '32444.000000' } } }, '/data/value/entity_id'],
  ])('parks %j at %j', (body, path) => {
    expect(translate(topic('rma_save_after'), body)).toEqual({ kind: 'parked', reason: 'payload_unexpected', path });
  });

  test('never throws, and returns only numeric ids', () => {
    const value = fc.dictionary(fc.constantFrom('entity_id', 'order_id', 'status'), fc.jsonValue());
    const body = fc.oneof(fc.jsonValue(), fc.record({ data: fc.oneof(fc.jsonValue(), fc.record({ value })) }));
    fc.assert(
      fc.property(fc.constantFrom(...handled.map(([name]) => topic(name))), body, (name, payload) => {
        const subject = translate(name, payload);
        expect('id' in subject ? /^\d+$/.test(subject.id) : subject.kind === 'parked').toBe(true);
      }),
    );
  });
});
