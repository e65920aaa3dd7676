import { ok, type Result } from '../../contract/result.ts';
import type { JsonObject } from '../../json.ts';
import { exponent } from '../../money/currency.ts';
import { customerFacts, destinationFacts } from '../read/buyer.ts';
import { idOf, objectOf, objectsOf, optional } from '../read/fields.ts';
import { utcInstant } from '../read/instants.ts';
import type { OrderFacts, ShopFailure } from '../platform.ts';
import { permanent } from '../ask/shop-failure.ts';
import { clip, countryCode } from '../read/text.ts';
import { amountOf, nearest, sumOf } from './amounts.ts';
import { linesOf, wrappingOf } from './lines.ts';
import { extensionOf } from './values.ts';

/** Numbers of orders are texts that a shop may shape; ours stand in paths. */
const numberForm = /^(?!\.{1,2}$)[\x21-\x2e\x30-\x7e]{1,100}$/;

/** An order may be sent to several places; the first is where it went. */
const shippingAddress = (order: JsonObject): JsonObject =>
  objectOf(objectOf(objectOf(objectsOf(extensionOf(order)['shipping_assignments'])[0])['shipping'])['address']);

const placeFacts = (order: JsonObject): Pick<OrderFacts, 'country' | 'destination'> => {
  const { country_id: country, region_code: region } = shippingAddress(order);
  const destination = destinationFacts(country, region);
  const billed = countryCode(objectOf(order['billing_address'])['country_id']);
  return { ...optional('country', destination?.country ?? billed), ...optional('destination', destination) };
};

const shippingFacts = (order: JsonObject, currency: string): OrderFacts['shipping'] => {
  if (amountOf(order['shipping_amount']) === undefined) return undefined;
  const paid = nearest(
    sumOf(order['shipping_amount'], order['shipping_tax_amount'], order['shipping_discount_tax_compensation_amount']) -
      sumOf(order['shipping_discount_amount']),
    currency,
  );
  const tax = nearest(sumOf(order['shipping_tax_amount']), currency);
  const refunded = nearest(sumOf(order['shipping_refunded'], order['shipping_tax_refunded']), currency);
  if (paid === undefined || tax === undefined || tax.amount > paid.amount) return undefined;
  return { paid, tax, ...(refunded !== undefined && { refunded }) };
};

const customerOf = (order: JsonObject): OrderFacts['customer'] =>
  customerFacts({
    id: idOf(order['customer_id']),
    email: order['customer_email'],
    names: [order['customer_firstname'], order['customer_lastname']],
  });

const paymentFacts = (order: JsonObject, currency: string): OrderFacts['payments'] => {
  const payment = objectOf(order['payment']);
  const [id, method] = [idOf(payment['entity_id']), clip(payment['method'], 100)];
  const amount = amountOf(payment['amount_paid']);
  const paid = amount === undefined ? undefined : nearest(amount, currency);
  return id === undefined || method === undefined || paid === undefined ? undefined : [{ id, method, paid }];
};

/** What the facts of an order are read from. */
export type OrderReading = {
  readonly platform: string;
  readonly order: JsonObject;
  readonly shipments: readonly JsonObject[];
  /** Whether every shipment could be read. */
  readonly whole: boolean;
  readonly observedAt: string;
};

/**
 * An order in the contract's words: amounts as the customer was charged, tax inside. It is known by its increment id, the
 * number that stands on its papers and that people look up; the REST API has another, `entity_id`.
 *
 * @returns the input of registerOrder, or the reason why there can be none
 */
export const orderFacts = (reading: OrderReading): Result<OrderFacts, ShopFailure> => {
  const { platform, order, shipments, observedAt } = reading;
  const { increment_id: number, order_currency_code: currency } = order;
  if (typeof number !== 'string' || !numberForm.test(number)) return permanent('order_number_unreadable');
  if (typeof currency !== 'string' || exponent(currency) === undefined) return permanent('order_currency_unknown');
  const { lines, whole } = linesOf({ items: objectsOf(order['items']), shipments, currency });
  if (lines.length === 0) return permanent('order_without_lines');
  if (lines.length > 500) return permanent('order_too_large');
  const shipping = shippingFacts(order, currency);
  const [placedAt, customer] = [utcInstant(order['created_at']), customerOf(order)];
  const [charges, payments] = [wrappingOf(order, currency), paymentFacts(order, currency)];
  return ok({
    platform,
    orderId: number,
    number,
    currency,
    channel: platform,
    lines: [...lines],
    completeness: whole && reading.whole && shipping !== undefined ? 'full' : 'partial',
    source: 'adobe',
    observedAt,
    ...placeFacts(order),
    ...(placedAt !== undefined && { placedAt }),
    ...(customer !== undefined && { customer }),
    // Orders that staff or a cash desk have entered have no such address.
    ...(clip(order['remote_ip'], 100) !== undefined && { saleType: 'distance' as const }),
    ...(shipping !== undefined && { shipping }),
    ...(charges !== undefined && { charges }),
    ...(payments !== undefined && { payments }),
  });
};
