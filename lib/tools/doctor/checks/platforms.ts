import { entryReaders, type SecretCount } from '../../../shops/platforms/entry-readers.ts';
import { parseSource, type ShopSecret, SourceError } from '../../../shops/platforms/shared/http/sources.ts';
import { translators } from '../../../shops/platforms/translators.ts';
import { isObject, type JsonObject, parseObject } from '../../../runtime/json.ts';
import { errorName } from '../../../runtime/log.ts';
import { sum } from '../../../runtime/sum.ts';
import { notFound, SecretUnavailable } from '../../../access/secrets/secret.ts';
import { secrets, type SecretSource } from '../../../access/secrets/source.ts';
import { type Check, failed, notApplicable, passed, skipped, type CheckContext, warning } from '../check.ts';
import { reasonOf, remedyOf } from './secret.ts';
import { shopFailures, type ShopFailure } from './shop-failure.ts';

/*
 * Checks the secrets and the shops of each platform with the code of the functions. Import it only when
 * PLATFORM_SECRETS is set: the platforms read the variable while they load.
 */

export type PlatformExamination = {
  readonly platforms: readonly string[];
  readonly secretPrefix: string;
  /** A source that has read nothing yet, so that no row shows a cached value. */
  readonly source: SecretSource;
};

/** Shops of a platform that are read, and concurrent reads over all platforms. */
const maxShops = 10;
const workers = 4;
/** Deadline of one read of a shop. */
const shopMs = 6_000;
const maxNames = 5;
const sinceMs = 60_000;

const rowsOf = (platform: string) =>
  ({
    secret: `platform ${platform}`,
    sources: `platform ${platform} sources`,
    webhooks: `platform ${platform} webhook secrets`,
    api: `platform ${platform} API`,
    scopes: `platform ${platform} scopes`,
  }) as const;

/** The name of a source, if it looks like a domain or a short name. Another text may be a secret by mistake. */
const shownName = (source: string, index: number): string =>
  /^[\w.:-]{1,100}$/.test(source) ? source : `source ${index + 1}`;

const list = (names: readonly string[]): string =>
  `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}`;

/** The two secrets of a platform: one verifies deliveries, the other authenticates reads of the shops. */
const secretKinds = ['webhooks', 'api'] as const;
type SecretKind = (typeof secretKinds)[number];

/** The content of one of them; `text` is undefined when the secret does not exist. */
type PlatformSecret = {
  readonly half: SecretKind;
  readonly secret: ShopSecret;
  readonly secretId: string;
  readonly text: string | undefined;
  readonly sources: JsonObject;
};

type Valid = { readonly source: string; readonly shown: string; readonly count: SecretCount | undefined };
type Entries = { readonly valid: readonly Valid[]; readonly errors: readonly string[] };

/** Fields that belong into the other secret: the receiver of webhooks must not be able to read tokens of shops. */
export const misplaced: Readonly<Record<SecretKind, readonly string[]>> = {
  webhooks: ['accessToken', 'secretApiKey', 'consumerKey', 'consumerSecret', 'clientSecret', 'appKey', 'appToken'],
  api: ['webhookSecrets'],
};

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

const readEntries = (platform: string, held: PlatformSecret, other: PlatformSecret): Entries => {
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

const sourcesCheck = (name: string, webhooks: Entries, api: Entries): Check => {
  const errors = [...webhooks.errors, ...api.errors];
  const remedy = 'Correct the entry. A shop needs an entry in both secrets of its platform.';
  return errors.length === 0
    ? passed(name, `${api.valid.length} valid: ${list(api.valid.map(({ shown }) => shown))}`)
    : failed(name, `${errors.length} invalid: ${list(errors)}`, remedy);
};

const webhooksCheck = (name: string, valid: readonly Valid[]): Check => {
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

/** Reads the changes of the last minute: a small read with the scopes of the reconciliation. */
const readShopChanges = async (
  platform: string,
  source: string,
  { clock, end }: CheckContext,
): Promise<string | undefined> => {
  const now = clock.now();
  const from = { since: new Date(now - sinceMs).toISOString() };
  try {
    const read = await translators[platform]?.fetchChanges?.(source, from, Math.min(end, now + shopMs));
    return read === undefined || read.ok ? undefined : read.failure.reason;
  } catch (error) {
    return error instanceof SecretUnavailable ? error.reason : errorName(error);
  }
};

/** Returns a function that limits the concurrency of its callers. */
const limiter = (limit: number) => {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async <Value>(run: () => Promise<Value>): Promise<Value> => {
    if (free === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
    else free -= 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
};

type Limit = ReturnType<typeof limiter>;

const apiCheck = async (
  platform: string,
  valid: readonly Valid[],
  underway: CheckContext,
  limit: Limit,
): Promise<Check> => {
  const name = rowsOf(platform).api;
  if (translators[platform]?.fetchChanges === undefined)
    return notApplicable(name, 'the platform has no query for changes');
  const examined = valid.slice(0, maxShops);
  const reasons = await Promise.all(
    examined.map(async ({ source, shown }) =>
      limit(async () => {
        const reason = underway.signal.aborted ? 'no_time_left' : await readShopChanges(platform, source, underway);
        return reason === undefined ? undefined : { source: shown, reason };
      }),
    ),
  );
  const failures = reasons.filter((failure): failure is ShopFailure => failure !== undefined);
  if (failures.length > 0) return shopFailures(name, failures, examined.length);
  const rest = valid.length > examined.length ? `; ${valid.length - examined.length} more not read` : '';
  return passed(name, `${examined.length} answered a read${rest}`);
};

/** Reads the missing scopes of each shop's credentials, where the platform reports scopes. */
const scopesCheck = async (
  platform: string,
  valid: readonly Valid[],
  { clock, end, signal }: CheckContext,
  limit: Limit,
): Promise<readonly Check[]> => {
  const name = rowsOf(platform).scopes;
  const readMissingScopes = translators[platform]?.missingScopes;
  if (readMissingScopes === undefined) return [];
  const examined = await Promise.all(
    valid.slice(0, maxShops).map(async ({ source, shown }) =>
      limit(async () => {
        const read = signal.aborted
          ? undefined
          : await readMissingScopes(source, Math.min(end, clock.now() + shopMs)).catch(() => undefined);
        return { shown, missing: read?.ok === true ? read.value : undefined };
      }),
    ),
  );
  const lacking = examined.filter(({ missing = [] }) => missing.length > 0);
  if (lacking.length > 0) {
    const detail = lacking.map(({ shown, missing = [] }) => `${shown} lacks ${missing.join(', ')}`);
    return [
      failed(
        name,
        list(detail),
        'Grant the app these scopes and install it again. Until then its orders are incomplete.',
      ),
    ];
  }
  const unknown = examined.filter(({ missing }) => missing === undefined).map(({ shown }) => shown);
  // The API row has the reason of a shop that does not answer.
  if (unknown.length > 0) return skipped([name], `${list(unknown)} did not report its scopes`);
  return [passed(name, `${examined.length} ${examined.length === 1 ? 'has' : 'have'} all scopes`)];
};

/** Reads one of the secrets; returns a failed row when it is unreadable. */
const readPlatformSecret = async (
  platform: string,
  half: SecretKind,
  { secretPrefix, source }: PlatformExamination,
  signal: AbortSignal,
): Promise<PlatformSecret | Check> => {
  const row = rowsOf(platform).secret;
  const secret: ShopSecret = `${half}/${platform}`;
  const secretId = `${secretPrefix}/${secret}`;
  const held = { half, secret, secretId };
  try {
    const { text } = await source.read(secretId, { signal });
    // The cache of the platforms may hold an older version.
    if (half === 'api') await secrets().read(secretId, { signal, force: true });
    const sources = parseObject(text)?.['sources'];
    return isObject(sources)
      ? { ...held, text, sources }
      : failed(
          row,
          `the secret ${secretId} is not a JSON object with "sources"`,
          'Write it as lib/tools/guides/receive-webhooks-from-shops.md shows.',
        );
  } catch (error) {
    if (!(error instanceof SecretUnavailable)) throw error;
    const { reason } = error;
    if (reason === notFound) return { ...held, text: undefined, sources: {} };
    const detail = `the secret ${secretId} is unreadable: ${reasonOf(reason)}`;
    return failed(row, detail, remedyOf(reason, 'PLATFORM_SECRETS'));
  }
};

/** The row of the two secrets: it does not pass when one is missing or both are empty. */
const secretsCheck = (platform: string, webhooks: PlatformSecret, api: PlatformSecret): Check => {
  const row = rowsOf(platform).secret;
  const both = `${webhooks.secretId} and ${api.secretId}`;
  const missing = [webhooks, api].filter(({ text }) => text === undefined);
  if (missing.length === 2) {
    const remedy = `Add the shops to the secrets ${both}, or remove ${platform} from the parameter Platforms.`;
    return warning(row, `the secrets ${both} do not exist: no delivery is accepted`, remedy);
  }
  const [one] = missing;
  if (one !== undefined)
    return failed(row, `the secret ${one.secretId} does not exist`, `Add the shops to ${one.secretId} too.`);
  if ([webhooks, api].every(({ sources }) => Object.keys(sources).length === 0))
    return warning(
      row,
      'the secrets have no source',
      `Add a shop, or remove ${platform} from the parameter Platforms.`,
    );
  return passed(row, `${both} are readable`);
};

const checkPlatform = async (
  platform: string,
  examination: PlatformExamination,
  underway: CheckContext,
  limit: Limit,
): Promise<readonly Check[]> => {
  const rows = rowsOf(platform);
  const hasScopeCheck = translators[platform]?.missingScopes !== undefined;
  const answered = [rows.api, ...(hasScopeCheck ? [rows.scopes] : [])];
  const others = [rows.sources, rows.webhooks, ...answered];
  if (!Object.hasOwn(translators, platform)) {
    const known = Object.keys(translators).join(', ');
    return [failed(rows.secret, 'unknown platform', `PLATFORMS accepts ${known}.`)];
  }
  const [webhooks, api] = await Promise.all([
    readPlatformSecret(platform, 'webhooks', examination, underway.signal),
    readPlatformSecret(platform, 'api', examination, underway.signal),
  ]);
  if ('check' in webhooks) return [webhooks, ...skipped(others, 'a secret is unreadable')];
  if ('check' in api) return [api, ...skipped(others, 'a secret is unreadable')];
  const head = secretsCheck(platform, webhooks, api);
  if ([webhooks, api].every(({ sources }) => Object.keys(sources).length === 0))
    return [head, ...skipped(others, 'there is no source')];
  const proofs = readEntries(platform, webhooks, api);
  const accesses = readEntries(platform, api, webhooks);
  const none = 'no source is valid';
  return [
    head,
    sourcesCheck(rows.sources, proofs, accesses),
    ...(proofs.valid.length === 0 ? skipped([rows.webhooks], none) : [webhooksCheck(rows.webhooks, proofs.valid)]),
    ...(accesses.valid.length === 0
      ? skipped(answered, none)
      : [
          await apiCheck(platform, accesses.valid, underway, limit),
          ...(await scopesCheck(platform, accesses.valid, underway, limit)),
        ]),
  ];
};

/** Checks the secrets of each platform, and reads each shop with its credentials. */
export const checkPlatforms = async (
  examination: PlatformExamination,
  underway: CheckContext,
): Promise<readonly Check[]> => {
  const limit = limiter(workers);
  const platforms = [...new Set(examination.platforms)];
  const checks = platforms.map(async (platform) => checkPlatform(platform, examination, underway, limit));
  return (await Promise.all(checks)).flat();
};
