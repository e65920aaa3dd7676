import type { MoneyNode } from './queries.ts';

/*
 * The query and the mutations of a refund, with the fields of Saleor 3.21.
 * https://docs.saleor.io/developer/payments/refunds
 */

type EventNode = {
  readonly id: string;
  readonly type: string | null;
  readonly createdAt: string;
  readonly pspReference: string;
  readonly amount: MoneyNode;
};

export type GrantNode = {
  readonly id: string;
  readonly reason: string | null;
  readonly createdAt: string;
  /** NONE, PENDING, SUCCESS or FAILURE. */
  readonly status: string;
  readonly amount: MoneyNode;
  readonly transactionEvents: readonly EventNode[] | null;
};

/** What the refunds of an order are compared with. */
export type RefundedOrderNode = {
  readonly id: string;
  readonly total: { readonly gross: MoneyNode };
  readonly shippingPrice: { readonly gross: MoneyNode };
  readonly lines: readonly {
    readonly id: string;
    readonly quantity: number;
    readonly totalPrice: { readonly gross: MoneyNode };
  }[];
  readonly transactions: readonly {
    readonly id: string;
    /** What is left of the payment: refunds lower it. */
    readonly chargedAmount: MoneyNode;
    readonly events: readonly EventNode[];
  }[];
  readonly grantedRefunds: readonly GrantNode[];
};

const money = '{ amount currency }';
const event = `{ id type createdAt pspReference amount ${money} }`;

export const refundedOrderQuery = `query RefundedOrder($id: ID!) {
  order(id: $id) {
    id
    total { gross ${money} }
    shippingPrice { gross ${money} }
    lines { id quantity totalPrice { gross ${money} } }
    transactions { id chargedAmount ${money} events ${event} }
    grantedRefunds { id reason createdAt status amount ${money} transactionEvents ${event} }
  }
}`;

export type MutationErrors = { readonly errors: readonly { readonly code: string }[] };

export const grantMutation = `mutation Grant($id: ID!, $input: OrderGrantRefundCreateInput!) {
  orderGrantRefundCreate(id: $id, input: $input) { grantedRefund { id } errors { code } }
}`;

export type GrantAnswer = {
  readonly orderGrantRefundCreate: (MutationErrors & { readonly grantedRefund: { readonly id: string } | null }) | null;
};

export const requestMutation = `mutation Request($grant: ID!) {
  transactionRequestRefundForGrantedRefund(grantedRefundId: $grant) { errors { code } }
}`;

export type RequestAnswer = { readonly transactionRequestRefundForGrantedRefund: MutationErrors | null };
