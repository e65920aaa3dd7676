/*
 * The queries to Saleor's API, and the shapes of its responses. Lines, fulfillments, transactions and granted refunds
 * are lists without pages, so one query reads a whole order. The fields are those of Saleor 3.20.
 * https://docs.saleor.io/api-reference/orders/objects/order
 */

/** An amount is a JSON number: a decimal with no more digits than a double holds. */
export type MoneyNode = { readonly amount: unknown; readonly currency: string };
type Taxed = { readonly gross: MoneyNode; readonly net: MoneyNode };
type OfLine = { readonly orderLine: { readonly id: string } | null };

export type LineNode = {
  readonly id: string;
  readonly productName: string;
  readonly variantName: string;
  readonly productSku: string | null;
  readonly quantity: number;
  readonly quantityFulfilled: number;
  readonly undiscountedUnitPrice: Pick<Taxed, 'gross'>;
  readonly totalPrice: Taxed;
  /** A part of one: 0.19 is 19 %. */
  readonly taxRate: number;
  readonly variant: {
    readonly product: { readonly id: string; readonly category: { readonly name: string } | null } | null;
  } | null;
};

export type FulfillmentNode = {
  readonly id: string;
  readonly status: string;
  readonly created: string;
  readonly totalRefundedAmount: MoneyNode | null;
  readonly shippingRefundedAmount: MoneyNode | null;
  readonly lines: readonly (OfLine & { readonly id: string; readonly quantity: number })[] | null;
};

export type EventNode = {
  readonly id: string;
  readonly type: string | null;
  readonly createdAt: string;
  readonly amount: MoneyNode;
  readonly pspReference: string;
};

export type GrantNode = {
  readonly id: string;
  readonly status: string;
  readonly updatedAt: string;
  readonly amount: MoneyNode;
  readonly shippingCostsIncluded: boolean;
  readonly lines: readonly (OfLine & { readonly quantity: number })[] | null;
  readonly transactionEvents: readonly { readonly id: string }[] | null;
};

export type OrderNode = {
  readonly id: string;
  readonly number: string;
  readonly created: string;
  readonly origin: string;
  readonly userEmail: string | null;
  readonly channel: { readonly slug: string } | null;
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
  } | null;
  readonly billingAddress: { readonly firstName: string; readonly lastName: string } | null;
  readonly shippingAddress: { readonly country: { readonly code: string }; readonly countryArea: string } | null;
  readonly total: Pick<Taxed, 'gross'>;
  readonly shippingPrice: Taxed;
  readonly shippingTaxRate: number;
  readonly giftCards: readonly { readonly id: string }[];
  readonly lines: readonly LineNode[];
  readonly fulfillments: readonly FulfillmentNode[];
  readonly transactions: readonly { readonly events: readonly EventNode[] }[];
  readonly grantedRefunds: readonly GrantNode[];
};

const money = '{ amount currency }';

export const orderQuery = `query Order($id: ID!) {
  order(id: $id) {
    id number created origin userEmail
    channel { slug }
    user { id email firstName lastName }
    billingAddress { firstName lastName }
    shippingAddress { country { code } countryArea }
    total { gross ${money} }
    shippingPrice { gross ${money} net ${money} }
    shippingTaxRate
    giftCards { id }
    lines {
      id productName variantName productSku quantity quantityFulfilled taxRate
      undiscountedUnitPrice { gross ${money} }
      totalPrice { gross ${money} net ${money} }
      variant { product { id category { name } } }
    }
    fulfillments {
      id status created totalRefundedAmount ${money} shippingRefundedAmount ${money}
      lines { id quantity orderLine { id } }
    }
    transactions { events { id type createdAt pspReference amount ${money} } }
    grantedRefunds {
      id status updatedAt shippingCostsIncluded amount ${money}
      lines { quantity orderLine { id } }
      transactionEvents { id }
    }
  }
}`;

/** Why something was returned: a text, and a page that the shop created for the reason. */
export type ReasonNode = {
  readonly id: string;
  readonly reason: string | null;
  readonly reasonReference: { readonly slug: string; readonly title: string } | null;
};

export type ReasonsNode = {
  readonly fulfillments: readonly (ReasonNode & { readonly lines: readonly ReasonNode[] | null })[];
};

const reason = 'id reason reasonReference { slug title }';

/** Queried separately, because Saleor has these fields since 3.23. An older version would reject the whole query. */
export const reasonsQuery = `query Reasons($id: ID!) {
  order(id: $id) { fulfillments { ${reason} lines { ${reason} } } }
}`;

/** The fields of an order that show whether it has returns. */
export type ChangedNode = {
  readonly id: string;
  readonly updatedAt: string;
  readonly fulfillments: readonly { readonly status: string }[];
  readonly transactions: readonly { readonly refundedAmount: MoneyNode }[];
  readonly grantedRefunds: readonly { readonly id: string }[];
};

export type ChangedPage = {
  readonly orders: {
    readonly edges: readonly { readonly node: ChangedNode }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  } | null;
};

/** The orders that changed since a time, oldest first, at most 50 a page. */
export const changedQuery = `query Changed($since: DateTime!, $after: String) {
  orders(first: 50, after: $after, filter: { updatedAt: { gte: $since } }, sortBy: { field: LAST_MODIFIED_AT, direction: ASC }) {
    edges { node { id updatedAt fulfillments { status } transactions { refundedAmount ${money} } grantedRefunds { id } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
