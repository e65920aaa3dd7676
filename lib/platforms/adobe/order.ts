import type { Result } from '../../contract/result.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import type { OrderFacts, ShopFailure } from '../platform.ts';
import { ask, searchFor, type RegisteredShop } from './api.ts';
import { orderFacts } from './facts.ts';

const mostShipments = 100;

/**
 * Reads an order from the shop, with its shipments, as the input of registerOrder.
 * https://developer.adobe.com/commerce/webapi/rest/
 *
 * @param id its `entity_id`
 */
export const fetchOrder = async (shop: RegisteredShop, id: string): Promise<Result<OrderFacts, ShopFailure>> => {
  const observedAt = new Date().toISOString();
  const order = await ask(shop, `orders/${id}`);
  if (!order.ok) return order;
  const search = searchFor([{ field: 'order_id', condition: 'eq', value: id }], {
    sortBy: ['entity_id'],
    pageSize: mostShipments,
  });
  const found = await ask(shop, `shipments?${search}`);
  if (!found.ok) return found;
  const shipments = objectsOf(found.value['items']);
  return orderFacts({
    platform: shop.platform,
    order: order.value,
    shipments,
    whole: shipments.length < mostShipments,
    observedAt,
  });
};
