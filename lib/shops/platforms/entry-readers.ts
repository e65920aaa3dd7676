import { readApiCredentials as adobe, readWebhookCredentials as adobeProof } from './adobe/api.ts';
import { readApiCredentials as bigcommerce, readWebhookCredentials as bigcommerceProof } from './bigcommerce/api.ts';
import {
  readApiCredentials as commercetools,
  readWebhookCredentials as commercetoolsProof,
} from './commercetools/credentials.ts';
import { readApiCredentials as medusa } from './medusa/api.ts';
import { readApiCredentials as saleor, readWebhookCredentials as saleorProof } from './saleor/api.ts';
import type { SourceEntry } from './shared/http/sources.ts';
import { usableSecrets } from './shared/signatures/hmac.ts';
import { standardKey, standardPublicKey } from './shared/signatures/standard-webhooks.ts';
import { readApiCredentials as shopify, readWebhookCredentials as shopifyProof } from './shopify/api.ts';
import { readApiCredentials as standard } from './standard/read.ts';
import { readApiCredentials as vtex, readWebhookCredentials as vtexProof } from './vtex/api.ts';
import { readApiCredentials as woocommerce, readWebhookCredentials as woocommerceProof } from './woocommerce/api.ts';

/** The number of webhook secrets in an entry, and how many of them can verify a delivery. */
export type SecretCount = { readonly listed: number; readonly usable: number };

/**
 * Reads the entries of one source as the functions do.
 * Each throws an error that names the invalid field and quotes nothing.
 */
export type EntryReaders = {
  /** Reads the webhook entry; undefined for a platform that signs without a shared secret. */
  readonly webhooks: (source: string, entry: SourceEntry) => SecretCount | undefined;
  /** Reads the API entry. */
  readonly api: (source: string, entry: SourceEntry) => unknown;
};

const countUsableSecrets = ({ webhookSecrets }: { readonly webhookSecrets: readonly string[] }): SecretCount => ({
  listed: webhookSecrets.length,
  usable: usableSecrets(webhookSecrets).length,
});

const isStandardSecret = (secret: string): boolean => (standardKey(secret) ?? standardPublicKey(secret)) !== undefined;

const countStandardSecrets = (_source: string, { texts }: SourceEntry): SecretCount => {
  const secrets = texts('webhookSecrets');
  return { listed: secrets.length, usable: secrets.filter(isStandardSecret).length };
};

/** The readers of each platform's two secrets, by the platform's name. */
export const entryReaders: Readonly<Record<string, EntryReaders>> = {
  // Adobe and commercetools sign with a key pair, or send through AWS.
  adobe: { webhooks: (_, entry) => void adobeProof(entry), api: (_, entry) => adobe(entry) },
  commercetools: { webhooks: (_, entry) => void commercetoolsProof(entry), api: (_, entry) => commercetools(entry) },
  // Saleor signs with its own key unless a webhook has a secret.
  saleor: {
    webhooks: (source, entry) => {
      const proof = saleorProof(source)(entry);
      return proof.webhookSecrets.length === 0 ? undefined : countUsableSecrets(proof);
    },
    api: (source, entry) => saleor(source)(entry),
  },
  bigcommerce: {
    webhooks: (_, entry) => countUsableSecrets(bigcommerceProof(entry)),
    api: (source, entry) => bigcommerce(source)(entry),
  },
  shopify: {
    webhooks: (_, entry) => countUsableSecrets(shopifyProof(entry)),
    api: (source, entry) => shopify(source)(entry),
  },
  vtex: { webhooks: (_, entry) => countUsableSecrets(vtexProof(entry)), api: (source, entry) => vtex(source)(entry) },
  // One of the forms of a usable secret is its own text.
  woocommerce: {
    webhooks: (_, entry) => countUsableSecrets(woocommerceProof(entry)),
    api: (_, entry) => woocommerce(entry),
  },
  medusa: { webhooks: countStandardSecrets, api: (_, entry) => medusa(entry) },
  standard: { webhooks: countStandardSecrets, api: (_, entry) => standard(entry) },
};
