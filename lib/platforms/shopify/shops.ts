import { shopifyConfig } from '../../config.ts';
import { isObject, parseObject } from '../../json.ts';
import { secrets } from '../../secrets/source.ts';

/** What we hold of a shop: the secrets its webhooks may be signed with, and the token of its Admin API. */
export type Shop = { readonly webhookSecrets: readonly string[]; readonly accessToken: string };

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const parseShop = (domain: string, value: unknown): Shop => {
  const { webhookSecrets, accessToken } = (value ?? {}) as Record<string, unknown>;
  if (!isTexts(webhookSecrets))
    throw new Error(`the Shopify secret: shops["${domain}"].webhookSecrets must be a list of texts`);
  if (typeof accessToken !== 'string' || accessToken === '') {
    throw new Error(`the Shopify secret: shops["${domain}"].accessToken must be a text`);
  }
  return { webhookSecrets, accessToken };
};

/**
 * Reads the secret `{ "shops": { "<shop>.myshopify.com": { "webhookSecrets": ["…"], "accessToken": "…" } } }`.
 *
 * @throws an error that names the faulty place and quotes nothing of the secret
 */
export const parseShops = (text: string): ReadonlyMap<string, Shop> => {
  const secret = parseObject(text);
  if (secret === undefined) throw new Error('the Shopify secret is not a JSON object');
  const { shops } = secret;
  if (!isObject(shops)) throw new Error('the Shopify secret must hold an object "shops"');
  return new Map(Object.entries(shops).map(([domain, value]) => [domain.toLowerCase(), parseShop(domain, value)]));
};

type Parsed = { readonly versionId: string; readonly shops: ReadonlyMap<string, Shop> };
let parsed: Parsed | undefined;

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
  const { versionId, text } = await secrets().read(shopifyConfig().secretId, {
    ...(signal && { signal }),
    force: fresh,
  });
  const current: Parsed = parsed?.versionId === versionId ? parsed : { versionId, shops: parseShops(text) };
  parsed = current;
  return current.shops.get(domain);
};
