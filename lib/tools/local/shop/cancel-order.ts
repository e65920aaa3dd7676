import { type Books, type CancelRequest, idIn } from './books.ts';

const cancelError = (code: string, message: string) => ({
  job: null,
  orderCancelUserErrors: [{ code, field: ['orderId'], message }],
});

/** Starts a job that cancels an order. Like Shopify, it rejects a cancelled order, and one with sent units. */
export const cancelOrder = (books: Books, request: CancelRequest): object => {
  const orderId = idIn(request.orderId, 'Order');
  const order = books.orders.get(orderId);
  if (order === undefined) return cancelError('NOT_FOUND', 'Order does not exist');
  if (books.cancellations.at(orderId) !== null) return cancelError('INVALID', 'Order has already been cancelled');
  if (order.fulfillments.some(({ status }) => status === 'SUCCESS'))
    return cancelError('INVALID', 'Order has fulfillments');
  books.cancellations.start({ ...request, orderId });
  return { job: { id: `gid://shopify/Job/${orderId}`, done: false }, orderCancelUserErrors: [] };
};
