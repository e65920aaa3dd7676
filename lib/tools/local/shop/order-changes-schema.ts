/**
 * The part of Shopify's Admin schema with changes of an order: its cancellation, and requests of consumers to edit it,
 * which version 2026-10 has added.
 */
export const orderChangeTypes = /* GraphQL */ `
  enum OrderCancelReason {
    CUSTOMER
    OTHER
    STAFF
  }
  enum OrderCancelUserErrorCode {
    INTERNAL_ERROR
    INVALID
    NOT_FOUND
  }
  input OrderCancelRefundMethodInput {
    originalPaymentMethodsRefund: Boolean
  }
  type Job {
    id: ID!
    done: Boolean!
  }
  type OrderCancelUserError {
    code: OrderCancelUserErrorCode
    field: [String!]
    message: String!
  }
  type OrderCancelPayload {
    job: Job
    orderCancelUserErrors: [OrderCancelUserError!]!
  }

  extend type Order {
    displayRequestedEditStatus: OrderRequestedEditStatus!
    requestedOrderEdits(first: Int, after: String): RequestedOrderEditConnection!
  }
  enum OrderRequestedEditStatus {
    DENIED
    NONE
    REQUESTED
    RESOLVED
  }
  enum RequestedOrderEditStatus {
    DECLINED
    REQUESTED
    RESOLVED
  }
  type RequestedOrderEditLineItem {
    id: ID!
    quantity: Int!
    resolvedQuantity: Int!
    lineItem: LineItem!
  }
  type RequestedOrderEditLineItemConnection {
    nodes: [RequestedOrderEditLineItem!]!
    pageInfo: PageInfo!
  }
  type RequestedOrderEditLineItems {
    removals(first: Int, after: String): RequestedOrderEditLineItemConnection!
  }
  type RequestedOrderEdit {
    id: ID!
    status: RequestedOrderEditStatus!
    requestedAt: DateTime!
    requestDeclinedAt: DateTime
    requestResolvedAt: DateTime
    lineItems: RequestedOrderEditLineItems!
    order: Order!
  }
  type RequestedOrderEditConnection {
    nodes: [RequestedOrderEdit!]!
    pageInfo: PageInfo!
  }
`;
