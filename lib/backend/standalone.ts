/* The port's side that is the Returns Service itself, on DynamoDB. */
export { registerOrder } from './standalone/register-order.ts';
export { getOrder } from './standalone/get-order.ts';
export { getReturnable } from './standalone/get-returnable.ts';
export { createReturn } from './standalone/create-return.ts';
export { getReturn } from './standalone/get-return.ts';
export { approve } from './standalone/approve.ts';
export { reject } from './standalone/reject.ts';
export { getHistory } from './standalone/get-history.ts';
