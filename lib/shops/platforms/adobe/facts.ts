import { ok, type Result } from '../../../runtime/result.ts';
import { exponent } from '../../../domain/money/currency.ts';
import type { JsonObject } from '../../../runtime/json.ts';
import { type OrderFacts, type ShopFailure, permanentFailure } from '../platform.ts';
import { addsUpTo, discrepancy, withCompleteness } from '../shared/fields/completeness.ts';
import {
  clip,
  countryCode,
  customerFacts,
  destinationFacts,
  idOf,
  objectOf,
  objectsOf,
  optional,
  utcInstant,
} from '../shared/fields/fields.ts';
import { amountOf, extensionOf, roundedMoney, sumOf } from './amounts.ts';
import { linesOf, rowTotalReaders, wrappingOf } from './lines.ts';
import { paymentFacts } from './payments.ts';
import { taxesOfShipping } from './taxes.ts';

/** Matches order numbers. A shop may define their form; our ids are part of paths. */
const numberForm = /^(?!\.{1,2}$)[\x21-\x2e\x30-\x7e]{1,100}$/;

/** Returns the first shipping address. An order may be sent to several. */
const shippingAddress = (order: JsonObject): JsonObject =>
  objectOf(objectOf(objectOf(objectsOf(extensionOf(order)['shipping_assignments'])[0])['shipping'])['address']);

const locationFacts = (order: JsonObject): Pick<OrderFacts, 'country' | 'destination'> => {
  const { country_id: country, region_code: region } = shippingAddress(order);
  const destination = destinationFacts(country, region);
  const billed = countryCode(objectOf(order['billing_address'])['country_id']);
  return { ...optional('country', destination?.country ?? billed), ...optional('destination', destination) };
};

const shippingFacts = (order: JsonObject, currency: string): OrderFacts['shipping'] => {
  if (amountOf(order['shipping_amount']) === undefined) return undefined;
  const paid = roundedMoney(
    sumOf(order['shipping_amount'], order['shipping_tax_amount'], order['shipping_discount_tax_compensation_amount']) -
      sumOf(order['shipping_discount_amount']),
    currency,
  );
  const tax = roundedMoney(sumOf(order['shipping_tax_amount']), currency);
  const refunded = roundedMoney(sumOf(order['shipping_refunded'], order['shipping_tax_refunded']), currency);
  if (paid === undefined || tax === undefined || tax.amount > paid.amount) return undefined;
  const taxes = taxesOfShipping(order, tax);
  return { paid, tax, ...optional('taxes', taxes), ...optional('refunded', refunded) };
};

const customerOf = (order: JsonObject): OrderFacts['customer'] => {
  const { firstname, lastname } = objectOf(order['billing_address']);
  return customerFacts({
    id: idOf(order['customer_id']),
    email: order['customer_email'],
    names: [order['customer_firstname'], order['customer_lastname']],
    billedNames: [firstname, lastname],
  });
};

/** The input of order facts. */
export type OrderReading = {
  readonly platform: string;
  readonly order: JsonObject;
  readonly shipments: readonly JsonObject[];
  /** Whether every shipment is readable. */
  readonly whole: boolean;
  readonly observedAt: string;
};

/** Returns the total charge. Commerce subtracts gift cards and store credit from the grand total, so they are added. */
const totalOf = (order: JsonObject, currency: string): number | undefined => {
  const extension = extensionOf(order);
  const credits = sumOf(
    extension['gift_cards_amount'],
    extension['customer_balance_amount'],
    extension['reward_currency_amount'],
  );
  const total = amountOf(order['grand_total']);
  return total === undefined ? undefined : roundedMoney(total + credits, currency)?.amount;
};

/**
 * Returns the facts of an order: amounts as charged to the customer, tax included.
 * The order id is the increment id, the number on its papers that people look up. The REST API uses another,
 * `entity_id`.
 *
 * @returns the input of registerOrder, or the reason for a failure
 */
export const orderFacts = (reading: OrderReading): Result<OrderFacts, ShopFailure> => {
  const { platform, order, shipments, observedAt } = reading;
  const { increment_id: number, order_currency_code: currency } = order;
  if (typeof number !== 'string' || !numberForm.test(number)) return permanentFailure('order_number_unreadable');
  if (typeof currency !== 'string' || exponent(currency) === undefined)
    return permanentFailure('order_currency_unknown');
  const shipping = shippingFacts(order, currency);
  const charges = wrappingOf(order, currency);
  const total = totalOf(order, currency);
  const others = { ...(shipping !== undefined && { shipping }), ...(charges !== undefined && { charges }) };
  const rows = { order, items: objectsOf(order['items']), shipments, currency };
  const read = rowTotalReaders.map((paidFor) => linesOf({ ...rows, paidFor }));
  const maxLines = Math.max(...read.map(({ lines }) => lines.length));
  // The first reader whose lines match the total. Without a match, the newest one that can read the lines.
  const known = read.filter(({ lines }) => lines.length === maxLines);
  const fitting = known.find(({ lines }) => total !== undefined && addsUpTo({ lines: [...lines], ...others }, total));
  const { lines, found } = fitting ?? known[0] ?? { lines: [], found: [] };
  if (lines.length === 0) return permanentFailure('order_without_lines');
  if (lines.length > 500) return permanentFailure('order_too_large');
  const [placedAt, customer] = [utcInstant(order['created_at']), customerOf(order)];
  const facts = {
    platform,
    orderId: number,
    number,
    currency,
    channel: platform,
    lines: [...lines],
    source: 'adobe',
    observedAt,
    ...locationFacts(order),
    ...(placedAt !== undefined && { placedAt }),
    ...(customer !== undefined && { customer }),
    // Orders that staff or a cash desk entered have no such address.
    ...(clip(order['remote_ip'], 100) !== undefined && { saleType: 'distance' as const }),
    ...others,
    ...paymentFacts(order, currency),
  };
  return ok(
    withCompleteness(facts, {
      totals: [total],
      found: [
        ...found,
        ...(reading.whole ? [] : [discrepancy('order_shipments_unread')]),
        ...(shipping === undefined ? [discrepancy('order_shipping_unreadable')] : []),
      ],
    }),
  );
};
