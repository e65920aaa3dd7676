import { readAccess as adobe, readProof as adobeProof } from './adobe/api.ts';
import { readAccess as bigcommerce, readProof as bigcommerceProof } from './bigcommerce/api.ts';
import { readAccess as commercetools, readProof as commercetoolsProof } from './commercetools/access.ts';
import { readAccess as medusa } from './medusa/api.ts';
import { readAccess as saleor, readProof as saleorProof } from './saleor/api.ts';
import type { Entry } from './shared/http/sources.ts';
import { usableSecrets } from './shared/signatures/hmac.ts';
import { standardKey, standardPublicKey } from './shared/signatures/standard-webhooks.ts';
import { readAccess as shopify, readProof as shopifyProof } from './shopify/api.ts';
import { readAccess as standard } from './standard/read.ts';
import { readAccess as vtex, readProof as vtexProof } from './vtex/api.ts';
import { readAccess as woocommerce, readProof as woocommerceProof } from './woocommerce/api.ts';

/** How many webhook secrets an entry lists, and how many of them verify a delivery. */
export type SecretCount = { readonly listed: number; readonly usable: number };

/** Reads the entries of one source as the functions do. Each throws an error that names the faulty field and quotes nothing. */
export type EntryReaders = {
  /** What its deliveries are believed by; undefined for a platform that signs without a shared secret. */
  readonly webhooks: (source: string, entry: Entry) => SecretCount | undefined;
  /** What it is asked with. */
  readonly api: (source: string, entry: Entry) => unknown;
};

const byLength = ({ webhookSecrets }: { readonly webhookSecrets: readonly string[] }): SecretCount => ({
  listed: webhookSecrets.length,
  usable: usableSecrets(webhookSecrets).length,
});

const isStandardSecret = (secret: string): boolean => (standardKey(secret) ?? standardPublicKey(secret)) !== undefined;

const byStandardWebhooks = (_source: string, { texts }: Entry): SecretCount => {
  const secrets = texts('webhookSecrets');
  return { listed: secrets.length, usable: secrets.filter(isStandardSecret).length };
};

/** How the entries of each platform's two secrets are read, by the platform's name. */
export const entryReaders: Readonly<Record<string, EntryReaders>> = {
  // Adobe and commercetools sign with a key pair, or send through AWS.
  adobe: { webhooks: (_, entry) => void adobeProof(entry), api: (_, entry) => adobe(entry) },
  commercetools: { webhooks: (_, entry) => void commercetoolsProof(entry), api: (_, entry) => commercetools(entry) },
  // Saleor signs with its own key unless a webhook has a secret.
  saleor: {
    webhooks: (source, entry) => {
      const proof = saleorProof(source)(entry);
      return proof.webhookSecrets.length === 0 ? undefined : byLength(proof);
    },
    api: (source, entry) => saleor(source)(entry),
  },
  bigcommerce: {
    webhooks: (_, entry) => byLength(bigcommerceProof(entry)),
    api: (source, entry) => bigcommerce(source)(entry),
  },
  shopify: { webhooks: (_, entry) => byLength(shopifyProof(entry)), api: (source, entry) => shopify(source)(entry) },
  vtex: { webhooks: (_, entry) => byLength(vtexProof(entry)), api: (source, entry) => vtex(source)(entry) },
  // Of the forms of a usable secret, the text itself is one.
  woocommerce: { webhooks: (_, entry) => byLength(woocommerceProof(entry)), api: (_, entry) => woocommerce(entry) },
  medusa: { webhooks: byStandardWebhooks, api: (_, entry) => medusa(entry) },
  standard: { webhooks: byStandardWebhooks, api: (_, entry) => standard(entry) },
};
