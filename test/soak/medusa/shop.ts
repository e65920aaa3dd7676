/* A shop in Medusa, by its Admin API: products with managed stock, orders that were shipped, and what became of returns. */

type Json = Readonly<Record<string, unknown>>;
type Id = { readonly id: string };

export type ShopOptions = {
  readonly url: string;
  readonly user: { readonly email: string; readonly password: string };
};

const call =
  (url: string, authorization?: string) =>
  async <Answer>(method: string, path: string, body?: Json): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(authorization && { authorization }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };

type Api = ReturnType<typeof call>;

/** Returns where goods are, and how they are shipped. */
const openWarehouse = async (api: Api) => {
  const channel = (await api<{ sales_channel: Id }>('POST', '/admin/sales-channels', { name: 'Shop' })).sales_channel
    .id;
  const location = (await api<{ stock_location: Id }>('POST', '/admin/stock-locations', { name: 'Warehouse' }))
    .stock_location.id;
  const at = `/admin/stock-locations/${location}`;
  await api('POST', `${at}/sales-channels`, { add: [channel] });
  await api('POST', `${at}/fulfillment-providers`, { add: ['manual_manual'] });
  await api('POST', `${at}/fulfillment-sets`, { name: 'Shipping', type: 'shipping' });
  const { stock_location } = await api<{ stock_location: { fulfillment_sets: Id[] } }>(
    'GET',
    `${at}?fields=*fulfillment_sets`,
  );
  const { fulfillment_set } = await api<{ fulfillment_set: { service_zones: Id[] } }>(
    'POST',
    `/admin/fulfillment-sets/${stock_location.fulfillment_sets[0]?.id}/service-zones`,
    { name: 'Germany', geo_zones: [{ type: 'country', country_code: 'de' }] },
  );
  const profile = (
    await api<{ shipping_profile: Id }>('POST', '/admin/shipping-profiles', { name: 'Goods', type: 'goods' })
  ).shipping_profile.id;
  const option = await api<{ shipping_option: Id }>('POST', '/admin/shipping-options', {
    name: 'Parcel',
    service_zone_id: fulfillment_set.service_zones[0]?.id,
    shipping_profile_id: profile,
    provider_id: 'manual_manual',
    price_type: 'flat',
    type: { label: 'Parcel', description: 'Parcel', code: 'parcel' },
    prices: [{ currency_code: 'eur', amount: 4.9 }],
  });
  return { channel, location, profile, shipping: option.shipping_option.id };
};

type Warehouse = Awaited<ReturnType<typeof openWarehouse>>;

/** Returns the ids of two variants with managed stock. */
const stockProduct = async (api: Api, { channel, location, profile }: Warehouse): Promise<readonly string[]> => {
  const sizes = ['S', 'M'];
  const { product } = await api<{ product: { variants: (Id & { sku: string })[] } }>('POST', '/admin/products', {
    title: 'Lamp',
    status: 'published',
    shipping_profile_id: profile,
    sales_channels: [{ id: channel }],
    options: [{ title: 'Size', values: sizes }],
    variants: sizes.map((size) => ({
      title: size,
      sku: `LAMP-${size}`,
      manage_inventory: true,
      options: { Size: size },
      prices: [{ currency_code: 'eur', amount: 19.99 }],
    })),
  });
  for (const { sku } of product.variants) {
    const { inventory_items } = await api<{ inventory_items: Id[] }>('GET', `/admin/inventory-items?sku=${sku}`);
    const levels = `/admin/inventory-items/${inventory_items[0]?.id}/location-levels`;
    await api('POST', levels, { location_id: location, stocked_quantity: 1_000 });
  }
  return product.variants.map(({ id }) => id);
};

export type PlacedOrder = { readonly id: string; readonly items: readonly string[] };

/** What Medusa has of an order's returns. */
export type Effects = {
  readonly returns: readonly { readonly status: string; readonly units: number; readonly received: number }[];
  /** Units of the order's items, as Medusa counts them. */
  readonly requested: number;
  readonly received: number;
};

/** Opens a shop: it signs in, and creates an API key for the front. */
export const openShop = async ({ url, user }: ShopOptions) => {
  const { token } = await call(url)<{ token: string }>('POST', '/auth/user/emailpass', user);
  const api = call(url, `Bearer ${token}`);
  const { api_key } = await api<{ api_key: { token: string } }>('POST', '/admin/api-keys', {
    title: 'returns',
    type: 'secret',
  });
  const region = await api<{ region: Id }>('POST', '/admin/regions', {
    name: 'Germany',
    currency_code: 'eur',
    countries: ['de'],
  });
  await api('POST', '/admin/return-reasons', { value: 'too_small', label: 'Too small' });
  const warehouse = await openWarehouse(api);
  const variants = await stockProduct(api, warehouse);

  /** Places an order of two and three units, and ships it. */
  const placeOrder = async (): Promise<PlacedOrder> => {
    const { draft_order } = await api<{ draft_order: Id }>('POST', '/admin/draft-orders', {
      email: 'buyer@example.com',
      region_id: region.region.id,
      sales_channel_id: warehouse.channel,
      shipping_address: {
        first_name: 'A',
        last_name: 'B',
        address_1: 'C 1',
        city: 'D',
        postal_code: '1',
        country_code: 'de',
      },
      items: variants.map((variant_id, index) => ({ variant_id, quantity: 2 + index })),
      shipping_methods: [{ shipping_option_id: warehouse.shipping, name: 'Parcel', amount: 4.9 }],
    });
    const { order } = await api<{ order: Id & { items: (Id & { quantity: number })[] } }>(
      'POST',
      `/admin/draft-orders/${draft_order.id}/convert-to-order`,
    );
    await api('POST', `/admin/orders/${order.id}/fulfillments`, {
      location_id: warehouse.location,
      items: order.items.map(({ id, quantity }) => ({ id, quantity })),
    });
    return { id: order.id, items: order.items.map(({ id }) => id) };
  };

  /** Places an order like {@link placeOrder}, which is paid in full. */
  const placePaidOrder = async (): Promise<PlacedOrder> => {
    const placed = await placeOrder();
    const { order } = await api<{ order: { total: number } }>('GET', `/admin/orders/${placed.id}?fields=total`);
    const due = { order_id: placed.id, amount: order.total };
    const { payment_collection } = await api<{ payment_collection: Id }>('POST', '/admin/payment-collections', due);
    await api('POST', `/admin/payment-collections/${payment_collection.id}/mark-as-paid`, { order_id: placed.id });
    return placed;
  };

  /** Returns the amounts of the refunds of an order, as Medusa has them. */
  const refundsOf = async (orderId: string): Promise<readonly number[]> => {
    const { order } = await api<{
      order: { payment_collections: { payments: { refunds: { amount: number }[] }[] }[] };
    }>('GET', `/admin/orders/${orderId}?fields=payment_collections.payments.refunds.amount`);
    return order.payment_collections.flatMap(({ payments }) =>
      payments.flatMap(({ refunds }) => refunds.map(({ amount }) => amount)),
    );
  };

  const effectsOn = async (orderId: string): Promise<Effects> => {
    const { returns } = await api<{
      returns: { status: string; items: { quantity: number; received_quantity: number }[] }[];
    }>('GET', `/admin/returns?order_id=${orderId}&fields=status,items.quantity,items.received_quantity`);
    const { order } = await api<{
      order: { items: { detail: { return_requested_quantity: number; return_received_quantity: number } }[] };
    }>(
      'GET',
      `/admin/orders/${orderId}?fields=items.detail.return_requested_quantity,items.detail.return_received_quantity`,
    );
    const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);
    return {
      returns: returns.map(({ status, items }) => ({
        status,
        units: sum(items.map(({ quantity }) => quantity)),
        received: sum(items.map(({ received_quantity }) => received_quantity)),
      })),
      requested: sum(order.items.map(({ detail }) => detail.return_requested_quantity)),
      received: sum(order.items.map(({ detail }) => detail.return_received_quantity)),
    };
  };

  return { apiKey: api_key.token, placeOrder, placePaidOrder, refundsOf, effectsOn };
};

export type Shop = Awaited<ReturnType<typeof openShop>>;
