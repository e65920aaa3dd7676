import { isObject, type JsonObject } from '../../runtime/json.ts';
import type { Told } from '../platform.ts';
import { readEnvelope } from './envelope.ts';

/** Adobe's name among AWS's partners, whichever service of its own it stands for. */
const partner = /^aws\.partner\/adobe[\w.-]*\//;

/**
 * Reads an event that came by EventBridge: the envelope is its `detail`, or in it, as in Adobe's journal, `event`. Whose it
 * is only its recipient says, so a shop that is reached this way is named in the secret by its client id.
 * https://developer.adobe.com/events/docs/guides/amazon_eventbridge/
 */
export const readBridged = ({ source, detail }: JsonObject): Told | undefined => {
  // AWS lets its partner alone name such a source.
  if (typeof source !== 'string' || !partner.test(source) || !isObject(detail)) return undefined;
  const body = Buffer.from(JSON.stringify(isObject(detail['event']) ? detail['event'] : detail));
  const envelope = readEnvelope(body, {});
  if (envelope.kind !== 'event') return undefined;
  const [recipient, ...others] = new Set(envelope.recipients);
  if (recipient === undefined || others.length > 0) return undefined;
  return { delivery: { source: recipient, ...envelope.delivery }, body };
};
