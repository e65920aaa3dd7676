import type { Failure } from '../../contract/result.ts';

export const deliveryNotFound: Failure = {
  code: 'delivery_not_found',
  detail: 'No such delivery; deliveries are kept for 30 days.',
  errors: [{ path: '/deliveryKey', code: 'unknown', message: 'must be the key of a delivery' }],
};

export const orderNeedsPlatform: Failure = {
  code: 'invalid_request',
  detail: 'An order is known by its platform and its id.',
  errors: [{ path: '/platform', code: 'required', message: 'is required with orderId' }],
};
