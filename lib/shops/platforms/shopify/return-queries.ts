import { type Connection, type LineNode, lineAmounts, money, type MoneySet, type OrderNode, page } from './queries.ts';

/*
 * The queries of a return, its goods and its refunds. Each costs less than 1,000 points, see
 * lib/shops/platforms/shopify/queries.ts.
 */
const returnLines = `
      nodes {
        quantity
        processedQuantity
        returnReason
        returnReasonNote
        customerNote
        returnReasonDefinition { handle name }
        ... on ReturnLineItem { fulfillmentLineItem { lineItem { id } } }
      }
      ${page}`;

/**
 * Reads a return with its first lines: `returnLineItems` is a connection of an interface.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/objects/Return
 */
export const returnQuery = `query Return($id: ID!) {
  return(id: $id) {
    status createdAt requestApprovedAt closedAt
    decline { reason note }
    order { id taxesIncluded presentmentCurrencyCode }
    refunds(first: 50) { nodes { id } ${page} }
    reverseFulfillmentOrders(first: 50) { nodes { id } ${page} }
    exchangeLineItems(first: 40) {
      nodes { id processedQuantity unprocessedQuantity lineItems { sku title quantity ${lineAmounts} } }
      ${page}
    }
    returnLineItems(first: 100) {${returnLines}
    }
  }
}`;

/** Reads the lines after those of the first query. */
export const returnLinesQuery = `query ReturnLines($id: ID!, $after: String) {
  return(id: $id) { returnLineItems(first: 100, after: $after) {${returnLines}
  } }
}`;

const disposedLines = `
      nodes { totalQuantity dispositions { type quantity } fulfillmentLineItem { lineItem { id } } }
      ${page}`;

const reverseDeliveries = `
      nodes {
        deliverable {
          ... on ReverseDeliveryShippingDeliverable { tracking { carrierName number url } label { publicFileUrl } }
        }
        reverseDeliveryLineItems(first: 10) {
          nodes { quantity reverseFulfillmentOrderLineItem { fulfillmentLineItem { lineItem { id } } } }
          ${page}
        }
      }
      ${page}`;

/**
 * Reads the goods at one location, and their parcels.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/objects/ReverseFulfillmentOrder
 */
export const reverseOrderQuery = `query ReverseFulfillmentOrder($id: ID!) {
  reverseFulfillmentOrder(id: $id) {
    status
    lineItems(first: 100) {${disposedLines}
    }
    reverseDeliveries(first: 10) {${reverseDeliveries}
    }
  }
}`;

/** Reads the lines after those of the first query. */
export const reverseLinesQuery = `query ReverseFulfillmentOrderLines($id: ID!, $after: String) {
  reverseFulfillmentOrder(id: $id) { lineItems(first: 100, after: $after) {${disposedLines}
  } }
}`;

/** Reads the parcels after those of the first query. */
export const reverseDeliveriesQuery = `query ReverseDeliveries($id: ID!, $after: String) {
  reverseFulfillmentOrder(id: $id) { reverseDeliveries(first: 10, after: $after) {${reverseDeliveries}
  } }
}`;

/** Reads the returns that a reverse fulfillment order may belong to, because it names only its order. */
export const returnsQuery = `query ReturnsOfReverseFulfillmentOrder($id: ID!) {
  reverseFulfillmentOrder(id: $id) {
    order { returns(first: 20) { nodes { id reverseFulfillmentOrders(first: 20) { nodes { id } ${page} } } ${page} } }
  }
}`;

const refundLines = `
      nodes { quantity lineItem { id } subtotalSet { ${money} } totalTaxSet { ${money} } }
      ${page}`;

/**
 * Reads a refund with its transactions, which show the moved money.
 * https://shopify.dev/docs/api/admin-graphql/2026-10/objects/Refund
 */
export const refundQuery = `query Refund($id: ID!) {
  refund(id: $id) {
    createdAt
    order { id taxesIncluded }
    return { id }
    transactions(first: 20) { nodes { kind status gateway processedAt amountSet { ${money} } } ${page} }
    refundShippingLines(first: 10) { nodes { subtotalAmountSet { ${money} } taxAmountSet { ${money} } } ${page} }
    refundLineItems(first: 100) {${refundLines}
    }
  }
}`;

/** Reads the lines after those of the first query. */
export const refundLinesQuery = `query RefundLines($id: ID!, $after: String) {
  refund(id: $id) { refundLineItems(first: 100, after: $after) {${refundLines}
  } }
}`;

type Identified = { readonly id: string };
type FulfilledLine = { readonly lineItem: Identified };

export type ReturnLineNode = {
  readonly quantity: number;
  /** The units that `returnProcess` handled. It need not dispose of any. */
  readonly processedQuantity: number | null;
  readonly returnReason: string | null;
  readonly returnReasonNote: string | null;
  readonly customerNote: string | null;
  readonly returnReasonDefinition: { readonly handle: string; readonly name: string } | null;
  readonly fulfillmentLineItem?: FulfilledLine;
};

/** A new item for units of a return. Its `quantity` also counts removed units, unlike these two. */
export type ExchangeLineNode = {
  readonly id: string;
  readonly processedQuantity: number;
  readonly unprocessedQuantity: number;
  readonly lineItems:
    | readonly Pick<
        LineNode,
        'sku' | 'title' | 'quantity' | 'originalUnitPriceSet' | 'discountAllocations' | 'taxLines'
      >[]
    | null;
};

export type ReturnNode = {
  readonly status: string;
  readonly createdAt: string;
  readonly requestApprovedAt: string | null;
  readonly closedAt: string | null;
  readonly decline: { readonly reason: string; readonly note: string | null } | null;
  readonly order: (Identified & Pick<OrderNode, 'taxesIncluded' | 'presentmentCurrencyCode'>) | null;
  readonly refunds: Connection<Identified>;
  readonly reverseFulfillmentOrders: Connection<Identified>;
  readonly exchangeLineItems: Connection<ExchangeLineNode>;
  readonly returnLineItems: Connection<ReturnLineNode>;
};

export type ReverseLineNode = {
  readonly totalQuantity: number;
  readonly dispositions: readonly { readonly type: string; readonly quantity: number }[];
  readonly fulfillmentLineItem: FulfilledLine | null;
};

export type ReverseDeliveryNode = {
  readonly deliverable: {
    readonly tracking?: {
      readonly carrierName: string | null;
      readonly number: string | null;
      readonly url: string | null;
    } | null;
    readonly label?: { readonly publicFileUrl: string | null } | null;
  } | null;
  readonly reverseDeliveryLineItems: Connection<{
    readonly quantity: number;
    readonly reverseFulfillmentOrderLineItem: { readonly fulfillmentLineItem: FulfilledLine | null };
  }>;
};

export type ReverseOrderNode = {
  readonly status: string;
  readonly lineItems: Connection<ReverseLineNode>;
  readonly reverseDeliveries: Connection<ReverseDeliveryNode>;
};

export type ReturnsNode = {
  readonly order: {
    readonly returns: Connection<Identified & { readonly reverseFulfillmentOrders: Connection<Identified> }>;
  } | null;
};

export type RefundLineNode = {
  readonly quantity: number;
  readonly lineItem: Identified;
  readonly subtotalSet: MoneySet;
  readonly totalTaxSet: MoneySet;
};

export type RefundNode = {
  readonly createdAt: string | null;
  readonly order: Identified & { readonly taxesIncluded: boolean };
  readonly return: Identified | null;
  readonly transactions: Connection<{
    readonly kind: string;
    readonly status: string;
    readonly gateway: string | null;
    readonly processedAt: string | null;
    readonly amountSet: MoneySet;
  }>;
  readonly refundShippingLines: Connection<{ readonly subtotalAmountSet: MoneySet; readonly taxAmountSet: MoneySet }>;
  readonly refundLineItems: Connection<RefundLineNode>;
};
