import { shopifyConfig } from '../../config.ts';
import { isObject, parseObject } from '../../json.ts';
import { log } from '../../log.ts';
import { secrets } from '../../secrets/source.ts';

const { secretId } = shopifyConfig();

/** What we hold of a shop: the secrets its webhooks may be signed with, and the token of its Admin API. */
export type Shop = { readonly webhookSecrets: readonly string[]; readonly accessToken: string };

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const checkShop = (domain: string, value: unknown): Shop => {
  const { webhookSecrets, accessToken } = (value ?? {}) as Record<string, unknown>;
  if (!isTexts(webhookSecrets))
    throw new Error(`the Shopify secret: shops["${domain}"].webhookSecrets must be a list of texts`);
  if (typeof accessToken !== 'string' || accessToken === '') {
    throw new Error(`the Shopify secret: shops["${domain}"].accessToken must be a text`);
  }
  return { webhookSecrets, accessToken };
};

/**
 * One shop of the secret `{ "shops": { "<shop>.myshopify.com": { "webhookSecrets": ["…"], "accessToken": "…" } } }`, or
 * undefined for one that is not in it. A fault in one shop's entry does not touch the others.
 *
 * @throws an error that names the faulty place and quotes nothing of the secret
 */
export const parseShop = (text: string, domain: string): Shop | undefined => {
  const secret = parseObject(text);
  if (secret === undefined) throw new Error('the Shopify secret is not a JSON object');
  const { shops } = secret;
  if (!isObject(shops)) throw new Error('the Shopify secret must hold an object "shops"');
  const [, entry] = Object.entries(shops).find(([name]) => name.toLowerCase() === domain) ?? [];
  return entry === undefined ? undefined : checkShop(domain, entry);
};

/**
 * What the secret says of a shop, or undefined for one that is not ours. `fresh` reads the secret again, for when the
 * values at hand did not fit and it may have been rotated; lib/secrets bounds how often.
 *
 * @throws {SecretUnavailable} when the secret cannot be read
 */
export const findShop = async (
  domain: string,
  { fresh = false, signal }: { readonly fresh?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Shop | undefined> => {
  const { text } = await secrets().read(secretId, { ...(signal && { signal }), force: fresh });
  try {
    return parseShop(text, domain);
  } catch (error) {
    // Its messages are made here and quote nothing; whoever is called at night needs the place.
    log('error', 'shop secret malformed', { fault: error instanceof Error ? error.message : undefined });
    throw error;
  }
};
