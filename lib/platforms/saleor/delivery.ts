import { sha256 } from '../../runtime/hash.ts';
import { isObject, parseJson } from '../../runtime/json.ts';
import { instant } from '../shared/fields/instants.ts';
import type { Delivery } from '../platform.ts';

/** Where a body tells when its event happened: a subscription that asks for `issuedAt`, or the payload without one. */
const issuedAt = (payload: unknown): string | undefined => {
  const told = Array.isArray(payload) ? payload[0] : payload;
  if (!isObject(told)) return undefined;
  const { data, event, meta } = told;
  const places = [told, event, meta, ...(isObject(data) ? Object.values(data) : [])].filter(isObject);
  const [time] = places.flatMap((place) => place['issuedAt'] ?? place['issued_at'] ?? []);
  return instant(time);
};

/**
 * What a verified delivery is. Saleor has no id for it, so the digest of its body serves: two attempts at one delivery
 * have the same bytes. But the bytes of a subscription that asks for the order's id alone are the same for every change
 * of that order: where the body does not tell the time, each arrival is a delivery of its own, or changes would be lost.
 * https://github.com/saleor/apps/issues/339
 */
export const deliveryOf = (source: string, event: string, body: Buffer): Delivery => {
  const digest = sha256(body, 'base64url');
  const triggeredAt = issuedAt(parseJson(body.toString()));
  return triggeredAt === undefined
    ? { source, topic: event, deliveryId: `${digest}.${Date.now()}` }
    : { source, topic: event, deliveryId: digest, triggeredAt };
};
