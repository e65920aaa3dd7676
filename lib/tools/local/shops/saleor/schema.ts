import { webhookTypes } from './webhooks.ts';

/**
 * The used part of Saleor's schema, as in its reference. The fields of reasons exist since 3.23.
 * https://docs.saleor.io/api-reference
 */
export const schemaOf = ({ reasons }: { readonly reasons: boolean }): string => `
scalar DateTime
scalar Decimal
type Money { amount: Float! currency: String! }
type TaxedMoney { currency: String! gross: Money! net: Money! tax: Money! }
type CountryDisplay { code: String! country: String! }
type Address { id: ID! firstName: String! lastName: String! city: String! country: CountryDisplay! countryArea: String! postalCode: String! }
type Category { id: ID! name: String! }
type Product { id: ID! name: String! category: Category }
type ProductVariant { id: ID! name: String! product: Product! }
type Channel { id: ID! slug: String! }
type User { id: ID! email: String! firstName: String! lastName: String! }
type GiftCard { id: ID! }
type Page { id: ID! slug: String! title: String! }
type OrderLine {
  id: ID! productName: String! variantName: String! productSku: String quantity: Int! quantityFulfilled: Int!
  unitPrice: TaxedMoney! undiscountedUnitPrice: TaxedMoney! totalPrice: TaxedMoney! taxRate: Float! variant: ProductVariant
}
type FulfillmentLine { id: ID! quantity: Int! orderLine: OrderLine ${reasons ? 'reason: String reasonReference: Page' : ''} }
enum FulfillmentStatus { FULFILLED REFUNDED RETURNED REPLACED REFUNDED_AND_RETURNED CANCELED WAITING_FOR_APPROVAL }
type Fulfillment {
  id: ID! fulfillmentOrder: Int! status: FulfillmentStatus! trackingNumber: String! created: DateTime!
  lines: [FulfillmentLine!] shippingRefundedAmount: Money totalRefundedAmount: Money
  ${reasons ? 'reason: String reasonReference: Page' : ''}
}
enum TransactionEventTypeEnum {
  AUTHORIZATION_SUCCESS CHARGE_SUCCESS REFUND_SUCCESS REFUND_FAILURE REFUND_REVERSE REFUND_REQUEST CANCEL_SUCCESS INFO
}
type TransactionEvent {
  id: ID! createdAt: DateTime! pspReference: String! message: String! amount: Money! type: TransactionEventTypeEnum
}
type TransactionItem { id: ID! name: String! refundedAmount: Money! chargedAmount: Money! events: [TransactionEvent!]! }
enum OrderGrantedRefundStatusEnum { NONE PENDING SUCCESS FAILURE }
type OrderGrantedRefundLine { id: ID! quantity: Int! orderLine: OrderLine! reason: String }
type OrderGrantedRefund {
  id: ID! createdAt: DateTime! updatedAt: DateTime! amount: Money! reason: String shippingCostsIncluded: Boolean!
  lines: [OrderGrantedRefundLine!] status: OrderGrantedRefundStatusEnum! transactionEvents: [TransactionEvent!]
}
enum OrderOriginEnum { CHECKOUT DRAFT REISSUE BULK_CREATE }
type Order {
  id: ID! created: DateTime! updatedAt: DateTime! number: String! origin: OrderOriginEnum! user: User userEmail: String
  shippingAddress: Address billingAddress: Address channel: Channel! fulfillments: [Fulfillment!]! lines: [OrderLine!]!
  transactions: [TransactionItem!]! grantedRefunds: [OrderGrantedRefund!]! giftCards: [GiftCard!]!
  total: TaxedMoney! shippingPrice: TaxedMoney! shippingTaxRate: Float!
}
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type OrderCountableEdge { node: Order! cursor: String! }
type OrderCountableConnection { pageInfo: PageInfo! edges: [OrderCountableEdge!]! totalCount: Int }
input DateTimeRangeInput { gte: DateTime lte: DateTime }
input OrderFilterInput { updatedAt: DateTimeRangeInput search: String }
enum OrderSortField { NUMBER CREATED_AT LAST_MODIFIED_AT CUSTOMER STATUS }
enum OrderDirection { ASC DESC }
input OrderSortingInput { direction: OrderDirection! field: OrderSortField! }
input OrderGrantRefundCreateLineInput { id: ID! quantity: Int! reason: String }
input OrderGrantRefundCreateInput {
  amount: Decimal reason: String lines: [OrderGrantRefundCreateLineInput!] grantRefundForShipping: Boolean transactionId: ID!
}
type OrderGrantRefundCreateError { field: String message: String code: String! }
type OrderGrantRefundCreate { order: Order grantedRefund: OrderGrantedRefund errors: [OrderGrantRefundCreateError!]! }
type TransactionRequestRefundForGrantedRefundError { field: String message: String code: String! }
type TransactionRequestRefundForGrantedRefund {
  transaction: TransactionItem errors: [TransactionRequestRefundForGrantedRefundError!]!
}
${webhookTypes}
type Mutation {
  webhookCreate(input: WebhookCreateInput!): WebhookCreate
  webhookUpdate(id: ID, input: WebhookUpdateInput!): WebhookUpdate
  orderGrantRefundCreate(id: ID!, input: OrderGrantRefundCreateInput!): OrderGrantRefundCreate
  transactionRequestRefundForGrantedRefund(grantedRefundId: ID!): TransactionRequestRefundForGrantedRefund
}
type Query {
  app(id: ID): App
  order(id: ID, externalReference: String): Order
  orders(sortBy: OrderSortingInput, filter: OrderFilterInput, after: String, first: Int): OrderCountableConnection
}`;
