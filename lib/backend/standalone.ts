/* The port's side that is the Returns Service itself, on DynamoDB. */
export { registerOrder } from './standalone/register-order.ts';
export { getOrder } from './standalone/get-order.ts';
export { getReturnable } from './standalone/get-returnable.ts';
export { recordRefund } from './standalone/record-refund.ts';
export { createReturn } from './standalone/create-return.ts';
export { listReturns } from './standalone/list-returns.ts';
export { getReturn } from './standalone/get-return.ts';
export { updateReturn } from './standalone/update-return.ts';
export { approve } from './standalone/approve.ts';
export { reject } from './standalone/reject.ts';
export { cancel } from './standalone/cancel.ts';
export { getHistory } from './standalone/get-history.ts';
export { health } from './standalone/health.ts';
export { openapi } from './openapi.ts';
