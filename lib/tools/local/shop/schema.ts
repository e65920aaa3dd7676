import { buildSchema } from 'graphql';
import { orderChangeTypes } from './order-changes-schema.ts';
import { returnRulesTypes } from './return-rules.ts';
import { subscriptionTypes } from './subscriptions.ts';
import { writeTypes } from './write-schema.ts';

/*
 * The part of Shopify's Admin schema, version 2026-10, that the connector uses, with its names and its nullability. A
 * query for another field fails here as it does there. https://shopify.dev/docs/api/admin-graphql/2026-10
 */
const types = /* GraphQL */ `
  scalar DateTime
  scalar Decimal
  scalar CurrencyCode
  scalar CountryCode
  scalar URL

  type QueryRoot {
    order(id: ID!): Order
    orders(first: Int, after: String, query: String, sortKey: OrderSortKeys): OrderConnection!
    fulfillment(id: ID!): Fulfillment
    return(id: ID!): Return
    reverseFulfillmentOrder(id: ID!): ReverseFulfillmentOrder
    refund(id: ID!): Refund
    currentAppInstallation: AppInstallation!
  }
  type AccessScope {
    handle: String!
    description: String!
  }
  type AppInstallation {
    id: ID!
    accessScopes: [AccessScope!]!
  }
  type Mutation {
    orderCancel(
      orderId: ID!
      reason: OrderCancelReason!
      restock: Boolean!
      notifyCustomer: Boolean
      refundMethod: OrderCancelRefundMethodInput
    ): OrderCancelPayload
  }
  schema {
    query: QueryRoot
    mutation: Mutation
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
    ratePercentage: Float
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
    currentQuantity: Int!
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
    cancelledAt: DateTime
    createdAt: DateTime!
    processedAt: DateTime!
    updatedAt: DateTime!
    email: String
    sourceName: String
    presentmentCurrencyCode: CurrencyCode!
    taxesIncluded: Boolean!
    customer: Customer
    shippingAddress: MailingAddress
    totalPriceSet: MoneyBag!
    totalTipReceivedSet: MoneyBag!
    totalRefundedShippingSet: MoneyBag!
    originalTotalDutiesSet: MoneyBag
    lineItems(first: Int, after: String): LineItemConnection!
    shippingLines(first: Int, after: String): ShippingLineConnection!
    fulfillments(first: Int): [Fulfillment!]!
    refunds(first: Int): [Refund!]!
    returns(first: Int, after: String): ReturnConnection!
  }
  enum OrderSortKeys {
    CREATED_AT
    ID
    PROCESSED_AT
    UPDATED_AT
  }
  type OrderConnection {
    nodes: [Order!]!
    pageInfo: PageInfo!
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
    processedQuantity: Int!
    customerNote: String
    returnReason: ReturnReason!
    returnReasonNote: String!
    returnReasonDefinition: ReturnReasonDefinition
  }
  type ReturnLineItem implements ReturnLineItemType {
    id: ID!
    quantity: Int!
    processedQuantity: Int!
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
    createdAt: DateTime!
    requestApprovedAt: DateTime
    closedAt: DateTime
    order: Order!
    refunds(first: Int, after: String): RefundConnection!
    returnLineItems(first: Int, after: String): ReturnLineItemTypeConnection!
    reverseFulfillmentOrders(first: Int, after: String): ReverseFulfillmentOrderConnection!
  }
  type ReturnConnection {
    nodes: [Return!]!
    pageInfo: PageInfo!
  }

  enum ReverseFulfillmentOrderStatus {
    CANCELED
    CLOSED
    OPEN
  }
  enum ReverseFulfillmentOrderDispositionType {
    MISSING
    NOT_RESTOCKED
    PROCESSING_REQUIRED
    RESTOCKED
  }
  type ReverseFulfillmentOrderDisposition {
    id: ID!
    quantity: Int!
    type: ReverseFulfillmentOrderDispositionType!
  }
  type ReverseFulfillmentOrderLineItem {
    id: ID!
    totalQuantity: Int!
    dispositions: [ReverseFulfillmentOrderDisposition!]!
    fulfillmentLineItem: FulfillmentLineItem
  }
  type ReverseFulfillmentOrderLineItemConnection {
    nodes: [ReverseFulfillmentOrderLineItem!]!
    pageInfo: PageInfo!
  }
  type ReverseDeliveryTrackingV2 {
    carrierName: String
    number: String
    url: URL
  }
  type ReverseDeliveryLabelV2 {
    createdAt: DateTime!
    publicFileUrl: URL
  }
  type ReverseDeliveryShippingDeliverable {
    label: ReverseDeliveryLabelV2
    tracking: ReverseDeliveryTrackingV2
  }
  union ReverseDeliveryDeliverable = ReverseDeliveryShippingDeliverable
  type ReverseDeliveryLineItem {
    id: ID!
    quantity: Int!
    reverseFulfillmentOrderLineItem: ReverseFulfillmentOrderLineItem!
  }
  type ReverseDeliveryLineItemConnection {
    nodes: [ReverseDeliveryLineItem!]!
    pageInfo: PageInfo!
  }
  type ReverseDelivery {
    id: ID!
    deliverable: ReverseDeliveryDeliverable
    reverseDeliveryLineItems(first: Int, after: String): ReverseDeliveryLineItemConnection!
  }
  type ReverseDeliveryConnection {
    nodes: [ReverseDelivery!]!
    pageInfo: PageInfo!
  }
  type ReverseFulfillmentOrder {
    id: ID!
    status: ReverseFulfillmentOrderStatus!
    order: Order
    lineItems(first: Int, after: String): ReverseFulfillmentOrderLineItemConnection!
    reverseDeliveries(first: Int, after: String): ReverseDeliveryConnection!
  }
  type ReverseFulfillmentOrderConnection {
    nodes: [ReverseFulfillmentOrder!]!
    pageInfo: PageInfo!
  }

  enum OrderTransactionKind {
    AUTHORIZATION
    CAPTURE
    CHANGE
    REFUND
    SALE
    VOID
  }
  enum OrderTransactionStatus {
    ERROR
    FAILURE
    PENDING
    SUCCESS
  }
  type OrderTransaction {
    id: ID!
    kind: OrderTransactionKind!
    status: OrderTransactionStatus!
    gateway: String
    processedAt: DateTime
    amountSet: MoneyBag!
  }
  type OrderTransactionConnection {
    nodes: [OrderTransaction!]!
    pageInfo: PageInfo!
  }
  type RefundLineItem {
    id: ID
    quantity: Int!
    lineItem: LineItem!
    subtotalSet: MoneyBag!
    totalTaxSet: MoneyBag!
  }
  type RefundLineItemConnection {
    nodes: [RefundLineItem!]!
    pageInfo: PageInfo!
  }
  type RefundShippingLine {
    id: ID!
    subtotalAmountSet: MoneyBag!
    taxAmountSet: MoneyBag!
  }
  type RefundShippingLineConnection {
    nodes: [RefundShippingLine!]!
    pageInfo: PageInfo!
  }
  type Refund {
    id: ID!
    createdAt: DateTime
    order: Order!
    return: Return
    totalRefundedSet: MoneyBag!
    transactions(first: Int, after: String): OrderTransactionConnection!
    refundLineItems(first: Int, after: String): RefundLineItemConnection!
    refundShippingLines(first: Int, after: String): RefundShippingLineConnection!
  }
  type RefundConnection {
    nodes: [Refund!]!
    pageInfo: PageInfo!
  }
`;

export const schema = buildSchema(types + orderChangeTypes + writeTypes + subscriptionTypes + returnRulesTypes);
