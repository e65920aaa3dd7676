import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { returnInput, translate } from '../../lib/platforms/shopify/translate.ts';

/** Shopify's documented sample, version 2026-07: two lines are announced and none is told. */
const documented: unknown = JSON.parse(`{
  "id": 123456,
  "admin_graphql_api_id": "gid://shopify/Return/123456",
  "status": "requested",
  "order": { "id": 820982911946154508, "admin_graphql_api_id": "gid://shopify/Order/820982911946154508" },
  "total_return_line_items": 2,
  "name": null,
  "return_line_items": [],
  "return_shipping_fees": [],
  "exchange_line_items": [],
  "total_exchange_line_items": 0
}`);

/** The shape of a delivery captured from a shop, with ids beyond 2^53. */
const captured = {
  id: 5012345678901234,
  admin_graphql_api_id: 'gid://shopify/Return/9007199254740995',
  status: 'requested',
  order: { id: 820982911946154500, admin_graphql_api_id: 'gid://shopify/Order/820982911946154509' },
  total_return_line_items: 1,
  name: '#1106-R2',
  return_line_items: [
    {
      id: 6200524949,
      admin_graphql_api_id: 'gid://shopify/ReturnLineItem/6200524949',
      fulfillment_line_item: {
        id: 866550311766439000,
        admin_graphql_api_id: 'gid://shopify/FulfillmentLineItem/866550311766439021',
        line_item: { id: 703073504703073500, admin_graphql_api_id: 'gid://shopify/LineItem/703073504703073511' },
      },
      quantity: 2,
      return_reason: 'unwanted',
      return_reason_note: '',
      customer_note: null as string | null,
    },
  ],
};

const item = captured.return_line_items[0];
const withItem = (changes: object) => ({ ...captured, return_line_items: [{ ...item, ...changes }] });

const noteOf = (changes: object) => {
  const translation = translate('returns/request', withItem(changes));
  return translation.kind === 'requested' ? translation.lines[0]?.reason.note : undefined;
};

describe('translate', () => {
  test('reads a delivery with its lines; ids keep all their digits', () => {
    expect(translate('returns/request', captured)).toEqual({
      kind: 'requested',
      returnGid: 'gid://shopify/Return/9007199254740995',
      orderGid: 'gid://shopify/Order/820982911946154509',
      complete: true,
      lines: [
        {
          orderLineId: '703073504703073511',
          quantity: 2,
          reason: { code: 'preference.changed_mind', source: { system: 'shopify', code: 'unwanted' } },
        },
      ],
    });
  });

  test('asks the shop for what the documented sample leaves out', () => {
    expect(translate('returns/request', documented)).toMatchObject({
      kind: 'requested',
      returnGid: 'gid://shopify/Return/123456',
      orderGid: 'gid://shopify/Order/820982911946154508',
      lines: [],
      complete: false,
    });
  });

  test.each([
    ['fewer lines than announced', { ...captured, total_return_line_items: 2 }],
    ['no order', { ...captured, order: undefined }],
    ['no list of lines', { ...captured, return_line_items: undefined, total_return_line_items: undefined }],
    ['a line without its order line', withItem({ fulfillment_line_item: null })],
    ['a line without a quantity', withItem({ quantity: undefined })],
  ])('asks the shop when there is %s', (_, payload) => {
    expect(translate('returns/request', payload)).toMatchObject({ kind: 'requested', complete: false });
  });

  test.each([
    ['', null],
    ['', 'text'],
    ['', []],
    ['/admin_graphql_api_id', {}],
    ['/admin_graphql_api_id', { ...captured, admin_graphql_api_id: 'gid://shopify/Order/1' }],
    ['/order/admin_graphql_api_id', { ...captured, order: { admin_graphql_api_id: 7 } }],
    ['/return_line_items', { ...captured, return_line_items: 'none' }],
    ['/return_line_items/0', { ...captured, return_line_items: [7] }],
    ['/return_line_items/0/quantity', withItem({ quantity: '2' })],
    ['/return_line_items/0/quantity', withItem({ quantity: 0 })],
    [
      '/return_line_items/0/fulfillment_line_item/line_item/admin_graphql_api_id',
      withItem({ fulfillment_line_item: { line_item: { admin_graphql_api_id: 'gid://shopify/Product/1' } } }),
    ],
  ])('parks what is not a returns/request, naming %j', (path, payload) => {
    expect(translate('returns/request', payload)).toEqual({ kind: 'parked', reason: 'payload_unexpected', path });
  });

  test.each(['returns/approve', 'orders/create', 'Return', ''])('ignores the topic %j', (topic) => {
    expect(translate(topic, captured)).toEqual({ kind: 'ignored', reason: 'topic_not_handled' });
  });

  test("keeps the customer's words before the shop's", () => {
    expect(noteOf({ customer_note: ' too warm ', return_reason_note: 'see mail' })).toBe('too warm');
    expect(noteOf({ customer_note: '', return_reason_note: 'see mail' })).toBe('see mail');
    expect(noteOf({ customer_note: null, return_reason_note: '' })).toBeUndefined();
    expect(noteOf({ customer_note: 'x'.repeat(5000) })).toHaveLength(4000);
  });

  test.each([[null], [undefined], [7], ['SOMETHING_NEW'], [''], [{}]])(
    'does not stumble over the reason %j',
    (reason) => {
      expect(translate('returns/request', withItem({ return_reason: reason }))).toMatchObject({
        kind: 'requested',
        complete: true,
      });
    },
  );

  test('never throws', () => {
    const keys = fc.constantFrom(
      'admin_graphql_api_id',
      'order',
      'return_line_items',
      'fulfillment_line_item',
      'line_item',
      'quantity',
      'return_reason',
    );
    const gid = fc.constantFrom('gid://shopify/Return/1', 'gid://shopify/Order/2', 'gid://shopify/LineItem/3');
    const tree = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        gid,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
      ),
    })).value;
    fc.assert(
      fc.property(tree, fc.record({ lines: tree, order: tree }), (payload, { lines, order }) => {
        expect(['requested', 'parked']).toContain(translate('returns/request', payload).kind);
        const near = { ...captured, order, return_line_items: [lines] };
        expect(['requested', 'parked']).toContain(translate('returns/request', near).kind);
      }),
    );
  });
});

test('returnInput: the shop goes on managing the return', () => {
  expect(returnInput('gid://shopify/Order/820982911946154509', 'gid://shopify/Return/5', [])).toEqual({
    order: { platform: 'shopify', orderId: '820982911946154509' },
    lines: [],
    managedBy: 'platform',
    initiatedBy: 'customer',
    channel: 'shopify',
    externalRefs: [{ platform: 'shopify', id: 'gid://shopify/Return/5' }],
  });
});
