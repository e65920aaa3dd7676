/* The orders of the local shop: every shape of currency, tax and fulfillment that a mapping may misread. */

/** Ids derive from the start time and are as large as Shopify's: beyond 2^53, and unique across starts. */
export const idSource = (startedAt: number): (() => string) => {
  let next = BigInt(startedAt) * 1_000_000n + 1n;
  return () => String(next++);
};

export type ShopLine = {
  readonly id: string;
  readonly sku: string;
  readonly title: string;
  readonly vendor: string;
  readonly productType: string;
  readonly tags: readonly string[];
  readonly productId: string;
  readonly quantity: number;
  readonly unitPrice: string;
  readonly discounts: readonly string[];
  readonly taxes: readonly string[];
  /** The rate of the taxes, in percent. */
  readonly taxRate?: number;
};

export type ShopFulfillment = {
  readonly id: string;
  readonly status: 'SUCCESS' | 'CANCELLED';
  readonly createdAt: string;
  readonly deliveredAt: string | null;
  readonly units: readonly { readonly id: string; readonly lineId: string; readonly quantity: number }[];
};

export type ShopOrder = {
  readonly id: string;
  readonly name: string;
  readonly processedAt: string;
  readonly currency: string;
  readonly taxesIncluded: boolean;
  readonly country: string;
  readonly province: string | null;
  readonly customer: { readonly id: string; readonly name: string; readonly email: string };
  readonly shipping: { readonly price: string; readonly discounted: string; readonly tax: string };
  readonly duties: string | null;
  readonly lines: readonly ShopLine[];
  readonly fulfillments: readonly ShopFulfillment[];
};

const day = 86_400_000;

type Market = {
  readonly currency: string;
  readonly digits: number;
  readonly country: string;
  readonly province: string | null;
  readonly included: boolean;
  readonly taxBps: number;
};

const europe: Market = { currency: 'EUR', digits: 2, country: 'DE', province: null, included: true, taxBps: 1900 };

const markets: readonly Market[] = [
  europe,
  { currency: 'USD', digits: 2, country: 'US', province: 'CA', included: false, taxBps: 725 },
  { currency: 'JPY', digits: 0, country: 'JP', province: 'JP-13', included: true, taxBps: 1000 },
  { currency: 'KWD', digits: 3, country: 'KW', province: null, included: false, taxBps: 0 },
];

const goods = [
  {
    title: 'Merino crew neck, charcoal',
    sku: 'MER-CRW-CHA-M',
    type: 'Knitwear',
    tags: ['merino', 'autumn'],
    minor: 8990,
  },
  { title: 'Trail running shoe 42', sku: 'TRL-RUN-42', type: 'Shoes', tags: ['running'], minor: 12900 },
  { title: 'Linen shirt & belt', sku: 'LIN-SHB-L', type: 'Shirts', tags: ['linen', 'set'], minor: 5950 },
  { title: 'Enamel mug', sku: 'ENM-MUG-BLU', type: 'Kitchen', tags: [], minor: 1450 },
  { title: 'Wool socks, three pairs', sku: 'WOL-SOC-3', type: 'Socks', tags: ['wool'], minor: 1999 },
] as const;

/** Formats minor units like the shop: a decimal whose digits do not follow the currency ("1000.0" JPY). */
const decimal = (minor: number, digits: number): string => {
  if (digits === 0) return `${minor}.0`;
  const text = String(minor).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

const lineOf = (index: number, lineIndex: number, market: Market, nextId: () => string): ShopLine => {
  const item = goods[(index + lineIndex) % goods.length] ?? goods[0];
  const quantity = 1 + ((index + lineIndex) % 3);
  const discount = (index + lineIndex) % 2 === 0 ? [Math.round(item.minor / 10), 7] : [];
  const paid = item.minor * quantity - discount.reduce((sum, part) => sum + part, 0);
  const tax = market.included
    ? paid - Math.round((paid * 10_000) / (10_000 + market.taxBps))
    : Math.round((paid * market.taxBps) / 10_000);
  return {
    id: nextId(),
    productId: nextId(),
    sku: item.sku,
    title: item.title,
    vendor: 'Northfold',
    productType: item.type,
    tags: item.tags,
    quantity,
    unitPrice: decimal(item.minor, market.digits),
    discounts: discount.map((part) => decimal(part, market.digits)),
    taxes: market.taxBps === 0 ? [] : [decimal(tax, market.digits)],
    taxRate: market.taxBps / 100,
  };
};

/**
 * Returns the fulfillments of an order: complete, in two parcels, in part, in transit, or after a cancelled attempt.
 */
const fulfillmentsOf = (
  index: number,
  lines: readonly ShopLine[],
  placedAt: number,
  nextId: () => string,
): ShopFulfillment[] => {
  const parcel = (
    units: readonly (readonly [ShopLine, number])[],
    days: number,
    delivered: boolean,
  ): ShopFulfillment => ({
    id: nextId(),
    status: 'SUCCESS',
    createdAt: new Date(placedAt + days * day).toISOString(),
    deliveredAt: delivered ? new Date(placedAt + (days + 2) * day).toISOString() : null,
    units: units
      .filter(([, quantity]) => quantity > 0)
      .map(([line, quantity]) => ({ id: nextId(), lineId: line.id, quantity })),
  });
  const ordered = lines.map((line) => [line, line.quantity] as const);
  if (index % 5 === 1) return [parcel(ordered.slice(0, 1), 1, true), parcel(ordered.slice(1), 3, true)];
  if (index % 5 === 2)
    return [
      parcel(
        lines.map((line, lineIndex) => [line, lineIndex === 0 ? line.quantity : line.quantity - 1] as const),
        1,
        true,
      ),
    ];
  if (index % 5 === 3) return [parcel(ordered, 2, false)];
  if (index % 5 === 4) return [{ ...parcel(ordered, 1, false), status: 'CANCELLED' }, parcel(ordered, 2, true)];
  return [parcel(ordered, 1, true)];
};

/** Returns the fulfillments of an order with several pages of each list. */
const largeFulfillments = (lines: readonly ShopLine[], placedAt: number, nextId: () => string): ShopFulfillment[] =>
  Array.from({ length: 12 }, (_, part) => ({
    id: nextId(),
    status: 'SUCCESS' as const,
    createdAt: new Date(placedAt + (part + 1) * day).toISOString(),
    deliveredAt: new Date(placedAt + (part + 3) * day).toISOString(),
    units: lines
      .filter((_line, lineIndex) => (part === 0 ? lineIndex < 40 : lineIndex % 12 === part && lineIndex >= 40))
      .map((line) => ({ id: nextId(), lineId: line.id, quantity: line.quantity })),
  }));

/** Returns `count` usual orders, and a large one of 130 lines at the end. */
export const makeOrders = (startedAt: number, nextId: () => string, count = 24): ShopOrder[] =>
  Array.from({ length: count + 1 }, (_, index) => {
    const market = markets[index % markets.length] ?? europe;
    const placedAt = startedAt - (6 + (index % 9)) * day;
    const size = index === count ? 130 : 2 + (index % 3);
    const lines = Array.from({ length: size }, (_line, lineIndex) => lineOf(index, lineIndex, market, nextId));
    return {
      id: nextId(),
      name: `#${1001 + index}`,
      processedAt: new Date(placedAt).toISOString(),
      currency: market.currency,
      taxesIncluded: market.included,
      country: market.country,
      province: market.province,
      customer: { id: nextId(), name: `Customer ${index + 1}`, email: `customer-${index + 1}@example.com` },
      shipping: {
        price: decimal(590, market.digits),
        discounted: decimal(index % 2 === 0 ? 590 : 0, market.digits),
        tax: decimal(0, market.digits),
      },
      duties: index % 8 === 5 ? decimal(350, market.digits) : null,
      lines,
      fulfillments:
        index === count ? largeFulfillments(lines, placedAt, nextId) : fulfillmentsOf(index, lines, placedAt, nextId),
    };
  });
