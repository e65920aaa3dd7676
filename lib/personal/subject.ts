import type { Order } from '../returns/model/order.ts';

/** Whose personal data an order carries: the shop's customer, or the order itself where the shop names none. */
export const subjectOf = ({ platform, orderId, facts }: Pick<Order, 'platform' | 'orderId' | 'facts'>): string =>
  facts.customer?.id === undefined ? `${platform}:order:${orderId}` : `${platform}:customer:${facts.customer.id}`;
