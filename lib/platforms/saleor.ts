import type { Receiver } from './platform.ts';
import { authenticate } from './saleor/verify.ts';

/** Saleor's webhooks. */
export const receiver: Receiver = {
  name: 'saleor',
  authenticate,
  // A body that tells when its event happened is in the delivery's id already.
  bodyNamesEvent: () => false,
};
