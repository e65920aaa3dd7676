import type { Call } from '../../contract/port.ts';
import { sha256 } from '../../runtime/hash.ts';

/**
 * Covers the whole input, so that a change on the platform between two attempts gives another key. It covers the shop
 * too: a stored response is for one spelling of a shop, and a secret may spell it in another case than a webhook.
 */
export const idempotencyKeyOf = ({ caller }: Call, ...sent: readonly unknown[]): string =>
  `inbox-${sha256(JSON.stringify([caller.onBehalfOf, ...sent]), 'base64url')}`;
