import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import { countryOf } from '../../../lib/shops/platforms/vtex/buyer.ts';
import { moneyOf } from '../../../lib/shops/platforms/vtex/numbers.ts';
import { translate } from '../../../lib/shops/platforms/vtex/order.ts';
import { reasonOf } from '../../../lib/shops/platforms/vtex/return.ts';
import { builtInReasonRows } from '../../../lib/domain/returns/rules/reasons.ts';
import { input, order, output } from './vtex-account.ts';

describe('VTEX translate', () => {
  test('reads the order or the request of a delivery', () => {
    expect(translate('order', { OrderId: 'SLR-1172452900788-01', State: 'invoiced' })).toEqual({
      kind: 'order',
      orderId: 'SLR-1172452900788-01',
    });
    const requestId = '5f9b3c1a-7a1f-11ed-83ab-0a1b2c3d4e5f';
    expect(translate('return-request', { id: requestId })).toEqual({ kind: 'return-request', requestId });
  });

  test.each([
    ['order', null, ''],
    ['order', [], ''],
    ['order', {}, '/OrderId'],
    ['order', { OrderId: 1172452900788 }, '/OrderId'],
    ['order', { OrderId: '../feed' }, '/OrderId'],
    ['order', { OrderId: '..' }, '/OrderId'],
    ['return-request', 'text', ''],
    ['return-request', {}, '/id'],
    ['return-request', { id: '{!id}' }, '/id'],
    ['return-request', { id: 2 ** 60 }, '/id'],
  ])('parks an invalid %s: %j at %j', (topic, payload, path) => {
    expect(translate(topic, payload)).toEqual({ kind: 'parked', reason: 'payload_unexpected', path });
  });

  test.each(['orders', '', 'constructor'])('ignores the topic %j', (topic) => {
    expect(translate(topic, {})).toEqual({ kind: 'ignored', reason: 'topic_not_handled' });
  });

  test('never throws, and returns only ids that are valid in a path', () => {
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('OrderId', 'State', 'id'), fc.oneof(fc.jsonValue(), fc.string())),
    );
    fc.assert(
      fc.property(fc.constantFrom('order', 'return-request'), body, (topic, payload) => {
        const read = translate(topic, payload);
        const named = ('orderId' in read && read.orderId) || ('requestId' in read && read.requestId) || '';
        expect(encodeURIComponent(named)).toBe(named);
        expect(['order', 'return-request', 'parked', 'ignored']).toContain(read.kind);
      }),
    );
  });
});

describe('VTEX reasons', () => {
  test.each([
    ['accidentalOrder', 'order_error.customer_ordered_wrong'],
    ['betterPrice', 'preference.better_price'],
    ['performance', 'product.performance'],
    ['incompatible', 'product.incompatible'],
    ['itemDamaged', 'condition.damaged_in_transit'],
    ['missedDelivery', 'delivery.not_delivered'],
    ['missingParts', 'fulfilment.missing_parts'],
    ['boxDamaged', 'condition.packaging_damaged'],
    ['differentProduct', 'fulfilment.wrong_item'],
    ['defective', 'condition.defective'],
    ['arrivedInAddition', 'fulfilment.extra_item'],
    ['noLongerNeeded', 'preference.changed_mind'],
    ['unauthorizedPurchase', 'order_error.unauthorized'],
    ['differentFromWebsite', 'description.not_as_described'],
    ['otherReason', 'other'],
    ['Accidental Order', 'order_error.customer_ordered_wrong'],
    ['reasonDefective', 'condition.defective'],
    ['Arrependimento', 'other'],
    ['constructor', 'other'],
  ])('map %s to %s, with the original word as note', (word, code) => {
    expect(reasonOf({ reason: word, otherReason: ' too loud ' })).toEqual({
      code,
      note: 'too loud',
      source: { system: 'vtex', code: word },
    });
    expect(builtInReasonRows.map(([known]) => known)).toContain(code);
  });

  test.each([undefined, null, '', ' ', 7])('map %j to unknown', (reason) => {
    expect(reasonOf({ reason })).toEqual({ code: 'unknown' });
  });
});

test.each([
  ['BRA', 'BR'],
  ['arg', 'AR'],
  ['ROU', 'RO'],
  ['PT', 'PT'],
  ['XXX', undefined],
  ['ZZ', undefined],
  ['', undefined],
  [55, undefined],
])('VTEX country %j is %j', (three, two) => expect(countryOf(three)).toBe(two));

describe('VTEX amounts', () => {
  test.each([
    [1234, 'BRL', 1234],
    [5, 'EUR', 5],
    [0, 'USD', 0],
    [1999000, 'CLP', 19990],
    [1250, 'KWD', 12500],
  ])('read %d hundredths %s as %d', (hundredths, currency, amount) => {
    expect(moneyOf(hundredths, currency)).toEqual({ amount, currency });
  });

  test.each([
    [1950, 'CLP'],
    [-1, 'BRL'],
    [12.5, 'BRL'],
    ['12', 'BRL'],
    [2 ** 53, 'BRL'],
    [Number.NaN, 'BRL'],
    [null, 'BRL'],
    [1, 'XYZ'],
  ])('reject %j of %s', (hundredths, currency) => expect(moneyOf(hundredths, currency)).toBeUndefined());

  test('are unchanged in a currency of two decimals', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000_000 }), (amount) => {
        expect(moneyOf(amount, 'EUR')).toEqual({ amount, currency: 'EUR' });
      }),
    );
  });
});

describe('VTEX hook filter of the guide', async () => {
  const guide = await readFile('lib/tools/guides/receive-webhooks-from-shops.md', 'utf8');
  const [, filter = ''] = /Its filter is\s+`([^`]+)`/.exec(guide) ?? [];
  const fires = async (...packages: readonly object[]) =>
    jsonata(filter).evaluate(order({ packageAttachment: { packages } }));

  test.each([
    ['an invoice of returned goods', [output(), input()], true],
    ['an invoice without restitutions', [output(), input({ restitutions: {} })], true],
    ['only an invoice with null restitutions', [input({ restitutions: null })], true],
    ['sales invoices', [output(), output()], false],
    ['no invoice', [], false],
  ])('matches only returned goods: %s', async (_, packages, expected) => {
    expect(await fires(...packages)).toBe(expected);
  });
});
