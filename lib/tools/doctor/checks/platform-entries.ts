import { entryReaders, type SecretCount } from '../../../shops/platforms/entry-readers.ts';
import { parseSource, SourceError } from '../../../shops/platforms/shared/http/sources.ts';
import { isObject } from '../../../runtime/json.ts';
import { sum } from '../../../runtime/sum.ts';
import { type Check, failed, notApplicable, passed, warning } from '../check.ts';
import { list } from './platform-rows.ts';
import type { PlatformSecret, SecretKind } from './platform-secrets.ts';

export type Valid = { readonly source: string; readonly shown: string; readonly count: SecretCount | undefined };
type Entries = { readonly valid: readonly Valid[]; readonly errors: readonly string[] };

/** Fields that belong into the other secret: the receiver of webhooks must not be able to read tokens of shops. */
export const misplaced: Readonly<Record<SecretKind, readonly string[]>> = {
  webhooks: ['accessToken', 'secretApiKey', 'consumerKey', 'consumerSecret', 'clientSecret', 'appKey', 'appToken'],
  api: ['webhookSecrets'],
};

/** The name of a source, if it looks like a domain or a short name. Another text may be a secret by mistake. */
const shownName = (source: string, index: number): string =>
  /^[\w.:-]{1,100}$/.test(source) ? source : `source ${index + 1}`;

const readEntry = (
  platform: string,
  { half, secret, text = '' }: PlatformSecret,
  source: string,
): SecretCount | undefined =>
  parseSource(secret, text, source, (entry) => {
    const reader = entryReaders[platform];
    if (half === 'webhooks') return reader?.webhooks(source, entry);
    reader?.api(source, entry);
    return undefined;
  });

/** Reads the entries of one secret of a platform, and compares their shops with those of the other. */
export const readEntries = (platform: string, held: PlatformSecret, other: PlatformSecret): Entries => {
  const valid: Valid[] = [];
  const errors: string[] = [];
  const elsewhere = new Set(Object.keys(other.sources).map((name) => name.toLowerCase()));
  Object.entries(held.sources).forEach(([source, entry], index) => {
    const shown = shownName(source, index);
    try {
      valid.push({ source, shown, count: readEntry(platform, held, source) });
    } catch (error) {
      // Our own message names the field and quotes no value.
      const problem = error instanceof SourceError && shown === source ? error.message : `${shown} is unreadable`;
      errors.push(problem.replace(/^the secret /, ''));
    }
    const wrong = isObject(entry) ? misplaced[held.half].filter((field) => Object.hasOwn(entry, field)) : [];
    if (wrong.length > 0) errors.push(`${shown}: ${wrong.join(' and ')} must be only in the secret ${other.secretId}`);
    if (!elsewhere.has(source.toLowerCase())) errors.push(`${shown} is missing in the secret ${other.secretId}`);
  });
  return { valid, errors };
};

/** The row of the entries of both secrets. */
export const sourcesCheck = (name: string, webhooks: Entries, api: Entries): Check => {
  const errors = [...webhooks.errors, ...api.errors];
  const remedy = 'Correct the entry. A shop needs an entry in both secrets of its platform.';
  return errors.length === 0
    ? passed(name, `${api.valid.length} valid: ${list(api.valid.map(({ shown }) => shown))}`)
    : failed(name, `${errors.length} invalid: ${list(errors)}`, remedy);
};

/** The row of the secrets that verify deliveries. */
export const webhooksCheck = (name: string, valid: readonly Valid[]): Check => {
  const counted = valid.flatMap(({ shown, count }) => (count === undefined ? [] : [{ shown, ...count }]));
  if (counted.length === 0) return notApplicable(name, 'deliveries are not signed with a shared secret');
  const none = counted.filter(({ usable }) => usable === 0).map(({ shown }) => shown);
  const remedy =
    'Copy the secret from the platform. It has at least 16 bytes; a Standard Webhooks secret begins with whsec_.';
  if (none.length > 0) return failed(name, `no secret verifies deliveries of ${list(none)}`, remedy);
  const some = counted.filter(({ listed, usable }) => usable < listed).map(({ shown }) => shown);
  if (some.length > 0) return warning(name, `a secret is too short or malformed at ${list(some)}`, remedy);
  return passed(name, `${sum(counted.map(({ usable }) => usable))} verify deliveries`);
};
