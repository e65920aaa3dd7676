/** The part of Shopify's Admin schema with the outcome of a return: why it was declined, and new items in exchange. */
export const returnOutcomeTypes = /* GraphQL */ `
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
