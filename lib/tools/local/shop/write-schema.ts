/** The part of Shopify's Admin schema that changes returns and refunds, with their outcome and what it suggests to pay. */
export const writeTypes = /* GraphQL */ `
  directive @idempotent(key: String!) on FIELD
  scalar Money
  enum ReturnErrorCode {
    BLANK
    INVALID
    INVALID_STATE
    NOT_FOUND
    TOO_LONG
  }
  type ReturnUserError {
    code: ReturnErrorCode
    field: [String!]
    message: String!
  }
  type UserError {
    field: [String!]
    message: String!
  }
  input ReturnApproveRequestInput {
    id: ID!
    notifyCustomer: Boolean
  }
  input ReturnDeclineRequestInput {
    id: ID!
    declineReason: ReturnDeclineReason!
    declineNote: String
    notifyCustomer: Boolean
  }
  input ReturnLineItemInput {
    fulfillmentLineItemId: ID!
    quantity: Int!
    returnReasonDefinitionId: ID
    returnReasonNote: String
  }
  input ReturnInput {
    orderId: ID!
    requestedAt: DateTime
    returnLineItems: [ReturnLineItemInput!]!
  }
  input ReverseFulfillmentOrderDisposeInput {
    reverseFulfillmentOrderLineItemId: ID!
    quantity: Int!
    dispositionType: ReverseFulfillmentOrderDispositionType!
    locationId: ID
  }
  input ReturnProcessReturnLineItemInput {
    id: ID!
    quantity: Int!
    dispositions: [ReverseFulfillmentOrderDisposeInput!]
  }
  input MoneyInput {
    amount: Decimal!
    currencyCode: CurrencyCode!
  }
  input RefundShippingInput {
    fullRefund: Boolean
    shippingRefundAmount: MoneyInput
  }
  input ReturnRefundOrderTransactionInput {
    parentId: ID!
    transactionAmount: MoneyInput!
  }
  input ReturnProcessRefundInput {
    allowOverRefunding: Boolean
    orderTransactions: [ReturnRefundOrderTransactionInput!]!
  }
  input ReturnProcessFinancialTransferInput {
    issueRefund: ReturnProcessRefundInput
  }
  input ReturnProcessInput {
    returnId: ID!
    returnLineItems: [ReturnProcessReturnLineItemInput!]
    refundShipping: RefundShippingInput
    financialTransfer: ReturnProcessFinancialTransferInput
    note: String
    notifyCustomer: Boolean
  }
  enum RefundLineItemRestockType {
    CANCEL
    NO_RESTOCK
    RETURN
  }
  input RefundLineItemInput {
    lineItemId: ID!
    quantity: Int!
    restockType: RefundLineItemRestockType
    locationId: ID
  }
  input OrderTransactionInput {
    amount: Money!
    gateway: String!
    kind: OrderTransactionKind!
    orderId: ID!
    parentId: ID
  }
  input ShippingRefundInput {
    amount: Money
    fullRefund: Boolean
  }
  input RefundInput {
    orderId: ID!
    currency: CurrencyCode
    note: String
    notify: Boolean
    refundLineItems: [RefundLineItemInput!]
    shipping: ShippingRefundInput
    transactions: [OrderTransactionInput!]
  }
  input ReverseDeliveryLineItemInput {
    reverseFulfillmentOrderLineItemId: ID!
    quantity: Int!
  }
  input ReverseDeliveryTrackingInput {
    number: String
    url: URL
  }
  type ReturnPayload {
    return: Return
    userErrors: [ReturnUserError!]!
  }
  type ReverseDeliveryCreateWithShippingPayload {
    reverseDelivery: ReverseDelivery
    userErrors: [ReturnUserError!]!
  }
  type RefundCreatePayload {
    refund: Refund
    order: Order
    userErrors: [UserError!]!
  }
  extend type Mutation {
    returnApproveRequest(input: ReturnApproveRequestInput!): ReturnPayload
    returnDeclineRequest(input: ReturnDeclineRequestInput!): ReturnPayload
    returnCancel(id: ID!, notifyCustomer: Boolean): ReturnPayload
    returnClose(id: ID!): ReturnPayload
    returnCreate(returnInput: ReturnInput!): ReturnPayload
    returnProcess(input: ReturnProcessInput!): ReturnPayload
    reverseDeliveryCreateWithShipping(
      reverseFulfillmentOrderId: ID!
      reverseDeliveryLineItems: [ReverseDeliveryLineItemInput!]!
      trackingInput: ReverseDeliveryTrackingInput
      notifyCustomer: Boolean
    ): ReverseDeliveryCreateWithShippingPayload
    refundCreate(input: RefundInput!): RefundCreatePayload
  }

  enum SuggestedOrderTransactionKind {
    SUGGESTED_REFUND
  }
  type SuggestedOrderTransaction {
    kind: SuggestedOrderTransactionKind!
    gateway: String
    amountSet: MoneyBag!
    maximumRefundableSet: MoneyBag
    parentTransaction: OrderTransaction
  }
  type RefundReturnOutcome {
    amount: MoneyBag!
    suggestedTransactions: [SuggestedOrderTransaction!]!
  }
  type InvoiceReturnOutcome {
    amount: MoneyBag!
  }
  union ReturnOutcomeFinancialTransfer = InvoiceReturnOutcome | RefundReturnOutcome
  type SuggestedReturnFinancialOutcome {
    financialTransfer: ReturnOutcomeFinancialTransfer
  }
  type SuggestedRefund {
    amountSet: MoneyBag!
    maximumRefundableSet: MoneyBag!
    suggestedTransactions: [SuggestedOrderTransaction!]!
  }
  input SuggestedOutcomeReturnLineItemInput {
    id: ID!
    quantity: Int!
  }
  input SuggestedOutcomeExchangeLineItemInput {
    id: ID!
    quantity: Int!
  }
  extend type Return {
    suggestedFinancialOutcome(
      returnLineItems: [SuggestedOutcomeReturnLineItemInput!]!
      exchangeLineItems: [SuggestedOutcomeExchangeLineItemInput!]!
      refundShipping: RefundShippingInput
    ): SuggestedReturnFinancialOutcome
  }
  extend type Refund {
    note: String
  }
  extend type Order {
    suggestedRefund(refundLineItems: [RefundLineItemInput!], shippingAmount: Money): SuggestedRefund
  }

  type ReturnReasonDefinitionConnection {
    nodes: [ReturnReasonDefinition!]!
    pageInfo: PageInfo!
  }
  type ReturnableFulfillmentLineItem {
    quantity: Int!
    fulfillmentLineItem: FulfillmentLineItem!
  }
  type ReturnableFulfillmentLineItemConnection {
    nodes: [ReturnableFulfillmentLineItem!]!
    pageInfo: PageInfo!
  }
  type ReturnableFulfillment {
    id: ID!
    returnableFulfillmentLineItems(first: Int, after: String): ReturnableFulfillmentLineItemConnection!
  }
  type ReturnableFulfillmentConnection {
    nodes: [ReturnableFulfillment!]!
    pageInfo: PageInfo!
  }
  extend type QueryRoot {
    returnReasonDefinitions(first: Int, handles: [String!]): ReturnReasonDefinitionConnection!
    returnableFulfillments(orderId: ID!, first: Int, after: String): ReturnableFulfillmentConnection!
  }
  extend type Return {
    decline: ReturnDecline
    exchangeLineItems(first: Int, after: String): ExchangeLineItemConnection!
  }
  enum ReturnDeclineReason {
    FINAL_SALE
    OTHER
    RETURN_PERIOD_ENDED
  }
  type ReturnDecline {
    reason: ReturnDeclineReason!
    note: String
  }
  type ExchangeLineItem {
    id: ID!
    quantity: Int!
    processedQuantity: Int!
    unprocessedQuantity: Int!
    lineItems: [LineItem!]
  }
  type ExchangeLineItemConnection {
    nodes: [ExchangeLineItem!]!
    pageInfo: PageInfo!
  }
`;
