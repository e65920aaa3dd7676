import type { DecimalMoney } from '../../../domain/money/decimal.ts';

/*
 * The queries to the Admin GraphQL API, and the shapes of its responses. Page sizes limit each query to less than 1,000
 * points, the maximum of one query. An object is a point. A connection multiplies its node's cost by `first`.
 * https://shopify.dev/docs/apps/build/apis/graphql-admin/rate-limits
 */
export const money = 'presentmentMoney { amount currencyCode }';
export const page = 'pageInfo { hasNextPage endCursor }';

const taxLineFields = `ratePercentage priceSet { ${money} }`;

/** The amounts of a line: of all ordered units, except the price. */
export const lineAmounts = `
  originalUnitPriceSet { ${money} }
  discountAllocations { allocatedAmountSet { ${money} } }
  taxLines { ${taxLineFields} }`;

const lineFields = `
  id sku title vendor quantity currentQuantity
  ${lineAmounts}
  product { id productType tags }`;

const fulfillmentLines = `nodes { quantity lineItem { id } } ${page}`;

/** Reads the order, its first lines and its first fulfillments: the whole of nearly every order. */
export const orderQuery = `query Order($id: ID!) {
  order(id: $id) {
    id name processedAt cancelledAt displayRequestedEditStatus
    email presentmentCurrencyCode taxesIncluded sourceName
    customer { id displayName }
    shippingAddress { countryCodeV2 provinceCode }
    totalPriceSet { ${money} }
    totalTipReceivedSet { ${money} }
    totalRefundedShippingSet { ${money} }
    originalTotalDutiesSet { ${money} }
    shippingLines(first: 5) { nodes { originalPriceSet { ${money} } discountedPriceSet { ${money} } taxLines { ${taxLineFields} } } }
    lineItems(first: 30) { nodes { ${lineFields} } ${page} }
    fulfillments(first: 10) { id status createdAt deliveredAt fulfillmentLineItems(first: 15) { ${fulfillmentLines} } }
  }
}`;

/** Reads the lines after those of the first query. */
export const linesQuery = `query OrderLines($id: ID!, $after: String) {
  order(id: $id) { lineItems(first: 60, after: $after) { nodes { ${lineFields} } ${page} } }
}`;

/** Reads all fulfillments. The field is a list without a cursor, so it requests a longer list. */
export const fulfillmentsQuery = `query OrderFulfillments($id: ID!) {
  order(id: $id) { fulfillments(first: 250) { id status createdAt deliveredAt } }
}`;

/** Reads the units of one fulfillment. */
export const fulfillmentQuery = `query Fulfillment($id: ID!, $after: String) {
  fulfillment(id: $id) { fulfillmentLineItems(first: 100, after: $after) { ${fulfillmentLines} } }
}`;

type PageInfo = { readonly hasNextPage: boolean; readonly endCursor: string | null };
export type Connection<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: PageInfo };
export type MoneySet = { readonly presentmentMoney: DecimalMoney };
/** https://shopify.dev/docs/api/admin-graphql/2026-10/objects/TaxLine */
export type TaxLineNode = { readonly ratePercentage?: number | null; readonly priceSet: MoneySet };

export type LineNode = {
  readonly id: string;
  readonly sku: string | null;
  readonly title: string | null;
  readonly vendor: string | null;
  /** The ordered units, with those that were refunded or removed since. */
  readonly quantity: number;
  readonly currentQuantity?: number | null;
  readonly originalUnitPriceSet: MoneySet;
  readonly discountAllocations: readonly { readonly allocatedAmountSet: MoneySet }[] | null;
  readonly taxLines: readonly TaxLineNode[] | null;
  readonly product: {
    readonly id: string;
    readonly productType: string | null;
    readonly tags: readonly string[] | null;
  } | null;
};

export type FulfillmentLineNode = { readonly quantity: number | null; readonly lineItem: { readonly id: string } };

export type FulfillmentNode = {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
  readonly deliveredAt: string | null;
};

export type ShippingLineNode = {
  readonly originalPriceSet: MoneySet;
  readonly discountedPriceSet: MoneySet;
  readonly taxLines: readonly TaxLineNode[] | null;
};

export type OrderNode = {
  readonly id: string;
  readonly name: string | null;
  readonly processedAt: string | null;
  readonly cancelledAt?: string | null;
  /** `REQUESTED` while the shop has not answered a request of the consumer to edit the order. */
  readonly displayRequestedEditStatus?: string | null;
  readonly email: string | null;
  readonly presentmentCurrencyCode: string;
  readonly taxesIncluded: boolean;
  readonly sourceName: string | null;
  readonly customer: { readonly id: string; readonly displayName: string | null } | null;
  readonly shippingAddress: { readonly countryCodeV2: string | null; readonly provinceCode: string | null } | null;
  readonly totalPriceSet: MoneySet | null;
  readonly totalTipReceivedSet: MoneySet | null;
  readonly totalRefundedShippingSet: MoneySet | null;
  readonly originalTotalDutiesSet: MoneySet | null;
  readonly shippingLines: { readonly nodes: readonly ShippingLineNode[] } | null;
  readonly lineItems: Connection<LineNode>;
  readonly fulfillments:
    | readonly (FulfillmentNode & { readonly fulfillmentLineItems: Connection<FulfillmentLineNode> })[]
    | null;
};
