import { readAccess as adobe } from './adobe/access.ts';
import type { Entry } from './ask/sources.ts';
import { readAccess as bigcommerce } from './bigcommerce/access.ts';
import { readAccess as commercetools } from './commercetools/access.ts';
import { readAccess as medusa } from './medusa/access.ts';
import { usableSecrets } from './proof/hmac.ts';
import { standardKey, standardPublicKey } from './proof/standard-webhooks.ts';
import { readAccess as saleor } from './saleor/access.ts';
import { readAccess as shopify } from './shopify/access.ts';
import { readAccess as standard } from './standard/access.ts';
import { readAccess as vtex } from './vtex/access.ts';
import { readAccess as woocommerce } from './woocommerce/access.ts';

/** How many webhook secrets an entry lists, and how many of them verify a delivery. */
export type SecretCount = { readonly listed: number; readonly usable: number };

/**
 * Reads the entry of one source as the functions do. Returns undefined for a platform that signs without a shared secret.
 *
 * @throws an error that names the faulty field and quotes nothing
 */
export type EntryReader = (source: string, entry: Entry) => SecretCount | undefined;

const byLength = (secrets: readonly string[]): SecretCount => ({
  listed: secrets.length,
  usable: usableSecrets(secrets).length,
});

const isStandardSecret = (secret: string): boolean => (standardKey(secret) ?? standardPublicKey(secret)) !== undefined;

const byStandardWebhooks = ({ texts }: Entry): SecretCount => {
  const secrets = texts('webhookSecrets');
  return { listed: secrets.length, usable: secrets.filter(isStandardSecret).length };
};

/** How the entries of each platform's secret are read, by the platform's name. */
export const entryReaders: Readonly<Record<string, EntryReader>> = {
  // Adobe and commercetools sign with a key pair, or send through AWS.
  adobe: (_, entry) => void adobe(entry),
  commercetools: (_, entry) => void commercetools(entry),
  // Saleor signs with its own key unless a webhook has a secret.
  saleor: (source, entry) => {
    const { webhookSecrets } = saleor(source)(entry);
    return webhookSecrets.length === 0 ? undefined : byLength(webhookSecrets);
  },
  bigcommerce: (source, entry) => byLength(bigcommerce(source)(entry).webhookSecrets),
  shopify: (source, entry) => byLength(shopify(source)(entry).webhookSecrets),
  vtex: (source, entry) => byLength(vtex(source)(entry).webhookSecrets),
  // Of the forms of a usable secret, the text itself is one.
  woocommerce: (_, entry) => byLength(woocommerce(entry).webhookSecrets),
  medusa: (_, entry) => {
    medusa(entry);
    return byStandardWebhooks(entry);
  },
  standard: (_, entry) => {
    standard(entry);
    return byStandardWebhooks(entry);
  },
};
