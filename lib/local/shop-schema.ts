import { buildSchema } from 'graphql';

/*
 * The part of Shopify's Admin schema, version 2026-07, that we use, with its names and its nullability. A query for
 * anything else fails here as it would there. https://shopify.dev/docs/api/admin-graphql/2026-07
 */
export const schema = buildSchema(/* GraphQL */ `
  scalar DateTime
  scalar Decimal
  scalar CurrencyCode
  scalar CountryCode

  type QueryRoot {
    order(id: ID!): Order
    fulfillment(id: ID!): Fulfillment
    return(id: ID!): Return
  }
  schema {
    query: QueryRoot
  }

  type MoneyV2 {
    amount: Decimal!
    currencyCode: CurrencyCode!
  }
  type MoneyBag {
    presentmentMoney: MoneyV2!
    shopMoney: MoneyV2!
  }
  type PageInfo {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }
  type TaxLine {
    title: String!
    priceSet: MoneyBag!
  }
  type DiscountAllocation {
    allocatedAmountSet: MoneyBag!
  }
  type Product {
    id: ID!
    productType: String!
    tags: [String!]!
    title: String!
    vendor: String!
  }
  type Customer {
    id: ID!
    displayName: String!
  }
  type MailingAddress {
    countryCodeV2: CountryCode
    provinceCode: String
  }

  type LineItem {
    id: ID!
    sku: String
    title: String!
    vendor: String
    quantity: Int!
    originalUnitPriceSet: MoneyBag!
    discountAllocations: [DiscountAllocation!]!
    taxLines(first: Int): [TaxLine!]!
    product: Product
  }
  type LineItemConnection {
    nodes: [LineItem!]!
    pageInfo: PageInfo!
  }

  type ShippingLine {
    title: String!
    originalPriceSet: MoneyBag!
    discountedPriceSet: MoneyBag!
    taxLines: [TaxLine!]!
  }
  type ShippingLineConnection {
    nodes: [ShippingLine!]!
    pageInfo: PageInfo!
  }

  enum FulfillmentStatus {
    CANCELLED
    ERROR
    FAILURE
    SUCCESS
    OPEN
    PENDING
  }
  type FulfillmentLineItem {
    id: ID!
    quantity: Int
    lineItem: LineItem!
  }
  type FulfillmentLineItemConnection {
    nodes: [FulfillmentLineItem!]!
    pageInfo: PageInfo!
  }
  type Fulfillment {
    id: ID!
    status: FulfillmentStatus!
    createdAt: DateTime!
    deliveredAt: DateTime
    fulfillmentLineItems(first: Int, after: String): FulfillmentLineItemConnection!
  }

  type Order {
    id: ID!
    name: String!
    createdAt: DateTime!
    processedAt: DateTime!
    email: String
    sourceName: String
    presentmentCurrencyCode: CurrencyCode!
    taxesIncluded: Boolean!
    customer: Customer
    shippingAddress: MailingAddress
    totalRefundedShippingSet: MoneyBag!
    originalTotalDutiesSet: MoneyBag
    lineItems(first: Int, after: String): LineItemConnection!
    shippingLines(first: Int, after: String): ShippingLineConnection!
    fulfillments(first: Int): [Fulfillment!]!
  }

  enum ReturnStatus {
    CANCELED
    CLOSED
    DECLINED
    OPEN
    REQUESTED
  }
  enum ReturnReason {
    COLOR
    DEFECTIVE
    NOT_AS_DESCRIBED
    OTHER
    SIZE_TOO_LARGE
    SIZE_TOO_SMALL
    STYLE
    UNKNOWN
    UNWANTED
    WRONG_ITEM
  }
  type ReturnReasonDefinition {
    id: ID!
    handle: String!
    name: String!
    deleted: Boolean!
  }
  interface ReturnLineItemType {
    id: ID!
    quantity: Int!
    customerNote: String
    returnReason: ReturnReason!
    returnReasonNote: String!
    returnReasonDefinition: ReturnReasonDefinition
  }
  type ReturnLineItem implements ReturnLineItemType {
    id: ID!
    quantity: Int!
    customerNote: String
    returnReason: ReturnReason!
    returnReasonNote: String!
    returnReasonDefinition: ReturnReasonDefinition
    fulfillmentLineItem: FulfillmentLineItem!
  }
  type ReturnLineItemTypeConnection {
    nodes: [ReturnLineItemType!]!
    pageInfo: PageInfo!
  }
  type Return {
    id: ID!
    name: String!
    status: ReturnStatus!
    order: Order!
    returnLineItems(first: Int, after: String): ReturnLineItemTypeConnection!
  }
`);
