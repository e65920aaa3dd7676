import { describe, expect, it } from 'vitest';
import { maxNames, namesIn } from '../../../lib/shops/inbox/names-in.ts';

const named = (body: unknown, topic = 'unknown') => {
  const names = namesIn(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), topic);
  return names.map(({ kind, value }) => `${kind} ${value}`).toSorted();
};

describe('namesIn', () => {
  it.each([
    [
      'a return of Shopify',
      'returns/request',
      {
        id: 12,
        admin_graphql_api_id: 'gid://shopify/Return/12',
        order: { id: 7, name: '#1001' },
        name: '#1001-R1',
        return_line_items: [{ id: 13, quantity: 2, customer_note: 'call me' }],
      },
      ['order 7', 'return 12', 'return gid://shopify/Return/12'],
    ],
    [
      'an order of WooCommerce',
      'order.updated',
      {
        id: 727,
        number: '727',
        customer_id: 26,
        billing: { first_name: 'Ada', email: 'ada@example.com', phone: '1' },
        line_items: [{ id: 315, product_id: 93, order_item_id: 4 }],
        total: '29.35',
      },
      ['customer 26', 'email ada@example.com', 'order 727'],
    ],
    ['an order of a guest', 'order.updated', { id: 727, customer_id: 0, billing: { email: '' } }, ['order 727']],
    [
      'an event of Adobe Commerce',
      'sales_order_creditmemo_save_commit_after',
      { event: { data: { value: { entity_id: 3, order_id: '9', increment_id: '000003' } } } },
      ['order 9'],
    ],
    ['a hook of BigCommerce', 'store/order/updated', { data: { type: 'order', id: 173 } }, ['order 173']],
    ['a hook of VTEX', 'order-status', { OrderId: 'v1-01', State: 'invoiced' }, ['order v1-01']],
    [
      'a message of commercetools',
      'ReturnInfoAdded',
      { resource: { typeId: 'order', id: 'o-1' }, order: { orderNumber: '5', customerId: 'c-1' } },
      ['customer c-1', 'order o-1'],
    ],
    ['an order with only a number', 'order.created', { order: { order_number: 1001 } }, ['number 1001']],
    [
      'lists of ids',
      'x',
      { orders: ['a', 'b'], customer_ids: [1, 2] },
      ['customer 1', 'customer 2', 'order a', 'order b'],
    ],
    ['goods and persons without ids', 'orders/create', { items: [{ id: 1 }], customer: { name: 'Ada' } }, []],
    ['a single text', 'orders/create', '"ada@example.com"', ['email ada@example.com']],
  ])('finds the names in %s', (_, topic, body, names) => {
    expect(named(body, topic)).toEqual(names);
  });

  it.each([
    ['{"truncated": "ada@example.com", "em', ['email ada@example.com']],
    ['from=Ada&email=ada%40example.com&x=1', ['email ada@example.com']],
    ['{"note":"write to <ada@example.com>, or eva@example.com."}', ['email ada@example.com', 'email eva@example.com']],
    ['not JSON', []],
    ['', []],
    ['null', []],
    ['[[["a"]],1]', []],
  ])('finds the names in %j', (body, names) => {
    expect(named(body)).toEqual(names);
  });

  it('finds at most 20 names, addresses first', () => {
    const many = Array.from({ length: 100 }, (_, id) => ({ order_id: `o-${id}`, customer_id: `c-${id}` }));
    const names = named({ many, email: 'ada@example.com' });
    expect(names).toHaveLength(maxNames);
    expect(names).toContain('email ada@example.com');
    expect(names.filter((name) => name.startsWith('customer '))).toHaveLength(maxNames - 1);
  });

  // A search with a cost that is not linear would not end.
  it.each([
    ['signs', `"${'a'.repeat(1_000_000)}"`],
    ['addresses', `"${'@'.repeat(1_000_000)}"`],
    ['nested lists', `"${'a@b.c '.repeat(175_000)}"`],
    ['ids', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['a long field name', JSON.stringify(Array.from({ length: 75_000 }, (_, id) => ({ id })))],
    ['finds names in linear time in a large body of %s', `{"${'aB'.repeat(500_000)}Id":1}`],
  ])('are read from a large body %s', (_, body) => {
    expect(named(body, 'orders/create').length).toBeLessThanOrEqual(maxNames);
  });
});
