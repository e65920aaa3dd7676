import { isObject, type JsonObject } from '../../runtime/json.ts';
import type { Told } from '../platform.ts';
import { readHeaders } from './headers.ts';

const textsOf = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};

/**
 * Reads a delivery that came by EventBridge: the names of its headers stand in `detail.metadata`, in some deliveries in
 * `detail` itself. The body is written anew, which takes the last digits off numbers above 2^53, as reading it would.
 * https://shopify.dev/docs/apps/build/webhooks/subscribe/get-started?deliveryMethod=eventBridge
 */
export const readBridged = ({ source, detail }: JsonObject): Told | undefined => {
  // AWS lets its partner alone name such a source.
  if (typeof source !== 'string' || !source.startsWith('aws.partner/shopify.com/')) return undefined;
  if (!isObject(detail)) return undefined;
  const { metadata, payload } = detail;
  const delivery = readHeaders({ ...textsOf(detail), ...textsOf(metadata) });
  if ('missing' in delivery || payload === undefined) return undefined;
  return { delivery, body: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)) };
};
