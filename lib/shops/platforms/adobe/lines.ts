import type { JsonObject } from '../../../runtime/json.ts';
import type { OrderFacts, OrderLine } from '../platform.ts';
import { discrepancy, lineDiscrepancies, type OrderDiscrepancy } from '../shared/fields/completeness.ts';
import { clip, idOf, latest, objectsOf, reasonBy, utcInstant } from '../shared/fields/fields.ts';
import { pricesOf } from '../shared/fields/sold-line.ts';
import type { RemoteLine } from '../shared/sync/remote-return.ts';
import { amountOf, extensionOf, roundedMoney, sumOf, unitsOf } from './amounts.ts';
import { taxesOfItem } from './taxes.ts';

/*
 * A shop's labels of reasons, conditions and resolutions. The shop may edit them. The first of each are those of a new
 * installation, the others are common additions.
 * https://experienceleague.adobe.com/en/docs/commerce-admin/stores-sales/order-management/returns/returns
 */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'preference.color': ['wrong color', 'wrong colour'],
  'fit.other': ['wrong size', 'does not fit', "doesn't fit"],
  'condition.defective': ['out of service', 'defective', 'faulty'],
  other: ['other'],
  'preference.changed_mind': ['changed my mind', 'no longer needed', 'unwanted'],
  'preference.better_price': ['better price', 'found a better price'],
  'fit.too_small': ['too small', 'size too small'],
  'fit.too_large': ['too large', 'too big', 'size too large'],
  'order_error.customer_ordered_wrong': ['ordered wrong item', 'ordered by mistake'],
  'fulfilment.wrong_item': ['wrong item', 'received wrong item', 'wrong item received', 'wrong product'],
  'fulfilment.missing_parts': ['missing parts'],
  'delivery.late': ['arrived late', 'arrived too late', 'late delivery'],
  'condition.damaged_in_transit': ['damaged in transit', 'damaged on arrival', 'arrived damaged'],
  'condition.damaged_or_defective': ['damaged', 'damaged or defective'],
  'description.not_as_described': ['not as described', 'item not as described'],
  'product.quality': ['quality', 'poor quality'],
  'product.incompatible': ['incompatible', 'not compatible'],
  unknown: ['unknown'],
};

const codes = new Map(Object.entries(reasons).flatMap(([code, words]) => words.map((word) => [word, code] as const)));

const resolutions: Readonly<Record<string, RemoteLine['resolution']>> = {
  exchange: 'exchange',
  replacement: 'exchange',
  refund: 'refund',
  'store credit': 'store_credit',
  repair: 'repair',
};

const findByLabel = <Value>(table: Readonly<Record<string, Value>>, label = ''): Value | undefined => {
  const word = label.trim().toLowerCase();
  return Object.hasOwn(table, word) ? table[word] : undefined;
};

/**
 * Returns the reason of an item.
 * A custom label is `other`. An option without a label, or no option, is `unknown`. The number and label of the option
 * are stored as the source.
 */
export const reasonOf = (
  option: string | undefined,
  label: string | undefined,
  note: unknown,
): RemoteLine['reason'] => {
  const code = label === undefined ? 'unknown' : (codes.get(label.trim().toLowerCase()) ?? 'other');
  return reasonBy(code, { system: 'adobe', word: option, label, note });
};

/** Returns the condition of an item as the shop's label. */
export const conditionOf = (label: string | undefined): string | undefined => clip(label?.toLowerCase(), 100);

/** Returns the requested resolution; undefined for a custom label. */
export const resolutionOf = (label: string | undefined): RemoteLine['resolution'] => findByLabel(resolutions, label);

/** The lines of an order, and their discrepancies. */
type Lines = { readonly lines: readonly OrderLine[]; readonly found: readonly OrderDiscrepancy[] };

type Rows = {
  readonly order: JsonObject;
  readonly items: readonly JsonObject[];
  readonly shipments: readonly JsonObject[];
  readonly currency: string;
  readonly paidFor: RowTotalReader;
};

const parentIdOf = (item: JsonObject): string | undefined => idOf(item['parent_item_id']);

/**
 * Returns the items that are lines.
 * A configurable product has a sold item and one that only names its variant: the first is the line. The parts of a
 * bundle are returned one by one, so they are lines as well. If they have prices of their own, the bundle's price is
 * their sum, and the bundle is no line.
 */
const soldItems = (items: readonly JsonObject[]): readonly JsonObject[] => {
  const byId = new Map(items.map((item) => [idOf(item['item_id']), item]));
  const isPart = (item: JsonObject): boolean => byId.get(parentIdOf(item))?.['product_type'] === 'bundle';
  const isPriced = (bundle: JsonObject): boolean =>
    items.some(
      (item) =>
        parentIdOf(item) === idOf(bundle['item_id']) && sumOf(item['row_total'], item['row_total_incl_tax']) > 0n,
    );
  return items.filter((item) => {
    if (parentIdOf(item) !== undefined) return isPart(item);
    return item['product_type'] !== 'bundle' || !isPriced(item);
  });
};

/** Returns the amount paid for a row, with tax and after all discounts. */
type RowTotalReader = (row: JsonObject) => bigint | undefined;

const whenReported =
  (field: string, paidFor: (row: JsonObject) => bigint): RowTotalReader =>
  (row) =>
    amountOf(row[field]) === undefined ? undefined : paidFor(row);

const withTax = (row: JsonObject): bigint =>
  sumOf(
    row['row_total'],
    row['tax_amount'],
    row['discount_tax_compensation_amount'],
    row['weee_tax_applied_row_amount'],
  );

/**
 * The row totals in different versions of Commerce, the newest first.
 * REST responses differ from the database. Today `row_total_incl_tax` is the amount paid. Before, only `row_total` was
 * net of the discount. Before that, neither was. 2.4.8 leaves the quantity out of `row_total`. Only the order's total
 * shows which one a shop uses.
 * https://github.com/magento/magento2/issues/39984
 */
export const rowTotalReaders: readonly RowTotalReader[] = [
  whenReported('row_total_incl_tax', (row) => sumOf(row['row_total_incl_tax'])),
  whenReported('row_total', withTax),
  whenReported('row_total', (row) => withTax(row) - sumOf(row['discount_amount'])),
];

/**
 * Returns the unit price with tax, and the discount on all units, so that both equal the amount paid.
 * The discount absorbs the cents of rounded prices.
 */
const priceOf = (
  item: JsonObject,
  quantity: number,
  currency: string,
  paidFor: RowTotalReader,
): Pick<OrderLine, 'unitPrice' | 'discountTotal'> | undefined => {
  const paid = paidFor(item);
  const total = paid === undefined ? undefined : roundedMoney(paid, currency);
  if (total === undefined) return undefined;
  const listPrice = roundedMoney(sumOf(item['price_incl_tax']), currency)?.amount ?? 0;
  return pricesOf({ quantity, listed: listPrice * quantity, paid: total.amount }, currency);
};

/** Returns units that were shipped or handed over. Parts of a bundle may be shipped as the bundle. */
const fulfilledUnits = (item: JsonObject, items: readonly JsonObject[]): number => {
  if (item['is_virtual'] === 1 || item['is_virtual'] === '1' || item['is_virtual'] === true)
    return unitsOf(item['qty_invoiced']) ?? 0;
  const own = unitsOf(item['qty_shipped']) ?? 0;
  const parent = items.find((candidate) => idOf(candidate['item_id']) === parentIdOf(item));
  const [sold, sent] = [unitsOf(parent?.['qty_ordered']) ?? 0, unitsOf(parent?.['qty_shipped']) ?? 0];
  return own > 0 || sold === 0 ? own : Math.floor(((unitsOf(item['qty_ordered']) ?? 0) * sent) / sold);
};

/** Returns the time of the last parcel, so that a window that starts at shipping does not end early. */
const shippedAt = (item: JsonObject, shipments: readonly JsonObject[]): string | undefined => {
  const ids = new Set([idOf(item['item_id']), parentIdOf(item)].filter((id) => id !== undefined));
  const own = shipments.filter(({ items }) =>
    objectsOf(items).some((row) => ids.has(idOf(row['order_item_id']) ?? '')),
  );
  return latest(own.map(({ created_at: at }) => utcInstant(at)));
};

const lineOf = (item: JsonObject, { order, items, shipments, currency, paidFor }: Rows): OrderLine | undefined => {
  const lineId = idOf(item['item_id']);
  const quantity = unitsOf(item['qty_ordered']) ?? 0;
  const price = quantity < 1 ? undefined : priceOf(item, quantity, currency, paidFor);
  if (lineId === undefined || price === undefined) return undefined;
  const tax = amountOf(item['tax_amount']);
  const taxTotal = tax === undefined ? undefined : roundedMoney(tax, currency);
  const taxes = taxTotal && taxesOfItem(item, order, taxTotal);
  const [sku, title, productId] = [clip(item['sku'], 200), clip(item['name'], 500), idOf(item['product_id'])];
  const [bundleId, sentAt] = [parentIdOf(item), shippedAt(item, shipments)];
  return {
    lineId,
    quantity,
    fulfilledQuantity: Math.min(quantity, fulfilledUnits(item, items)),
    ...price,
    taxIncluded: true,
    ...(taxTotal !== undefined && { taxTotal }),
    ...(taxes !== undefined && { taxes }),
    ...(sku !== undefined && { sku }),
    ...(title !== undefined && { title }),
    ...(productId !== undefined && { productId }),
    ...(bundleId !== undefined && { bundleId }),
    ...(sentAt !== undefined && { shippedAt: sentAt }),
  };
};

const itemDiscrepancy = (code: string, item: JsonObject): OrderDiscrepancy => discrepancy(code, idOf(item['item_id']));

/**
 * Returns the lines of an order.
 * A line that is sold by weight or has no readable price is left out, and makes the order partial. So does a bundle
 * with one price for all its parts.
 */
export const linesOf = (rows: Rows): Lines => {
  const sold = soldItems(rows.items);
  const read = sold.map((item) => ({ item, line: lineOf(item, rows) }));
  const lines = read.flatMap(({ line }) => line ?? []);
  const unread = read.filter(({ line }) => line === undefined);
  const bundles = sold.filter((item) => item['product_type'] === 'bundle');
  return {
    lines,
    found: [
      ...unread.map(({ item }) => itemDiscrepancy('order_line_unreadable', item)),
      ...bundles.map((item) => itemDiscrepancy('order_bundle_price_shared', item)),
      ...lineDiscrepancies(lines, 'taxTotal'),
    ],
  };
};

/** Returns the charges for gift wrapping and cards. */
export const wrappingOf = (order: JsonObject, currency: string): OrderFacts['charges'] => {
  const extension = extensionOf(order);
  const sum = sumOf(
    extension['gw_price_incl_tax'],
    extension['gw_items_price_incl_tax'],
    extension['gw_card_price_incl_tax'],
  );
  const paid = roundedMoney(sum, currency);
  return paid !== undefined && paid.amount > 0 ? [{ type: 'gift_wrap', paid }] : undefined;
};
