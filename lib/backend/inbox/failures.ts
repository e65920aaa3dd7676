import type { Failure } from '../../contract/result.ts';

export const deliveryNotFound: Failure = {
  code: 'delivery_not_found',
  detail: 'No such delivery; deliveries are kept for 30 days.',
  errors: [{ path: '/deliveryKey', code: 'unknown', message: 'must be the key of a delivery' }],
};
