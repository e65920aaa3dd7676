import { parseObject } from '../../runtime/json.ts';
import type { Headers, Verdict } from '../platform.ts';
import { verifyStandardWebhook } from '../shared/signatures/standard-webhooks.ts';

const hashForm = /^[a-z0-9]{1,40}$/;

/** The hash of the store that a body says it comes from; a claim until the body is verified. */
export const producerOf = (body: Buffer): string | undefined => {
  const producer = parseObject(body.toString())?.['producer'];
  const hash = typeof producer === 'string' ? /^stores\/(.+)$/.exec(producer)?.[1]?.toLowerCase() : undefined;
  return hash !== undefined && hashForm.test(hash) ? hash : undefined;
};

/** Both stand in the body, which is signed. */
const claimsOf = (body: Buffer): { readonly topic: string; readonly triggeredAt?: string } => {
  const { scope, created_at: created } = parseObject(body.toString()) ?? {};
  const time = typeof created === 'number' ? new Date(created * 1000) : undefined;
  return {
    topic: typeof scope === 'string' && /^store\/[\w/]{1,100}$/.test(scope) ? scope : 'unknown',
    ...(time !== undefined && !Number.isNaN(time.getTime()) && { triggeredAt: time.toISOString() }),
  };
};

/**
 * Verifies a webhook delivery after Standard Webhooks; the key is the client secret of the app, as it is. Its `hash` is no
 * signature (https://github.com/bigcommerce/dev-docs/issues/1920), and one for deliveries of different events. One app
 * has one secret for all stores that it is installed in, so what another of them sends is refused here.
 * https://docs.bigcommerce.com/developer/docs/integrations/webhooks/https-webhooks
 *
 * @param source the store whose secrets these are
 * @param now epoch milliseconds
 * @returns a verdict for lib/inbox/receive.ts
 */
export const verify = (
  source: string,
  body: Buffer,
  headers: Headers,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: number },
): Verdict => {
  const keys = secrets.map((secret) => Buffer.from(secret));
  const verdict = verifyStandardWebhook(body, headers, keys, now);
  if (verdict.kind !== 'authentic') return verdict;
  const producer = producerOf(body);
  if (producer !== undefined && producer !== source) return { kind: 'refused', reason: 'unknown_source' };
  return { kind: 'authentic', delivery: { source, deliveryId: verdict.id, ...claimsOf(body) } };
};
