import { translators } from '../../../shops/platforms/translators.ts';
import { type Check, type CheckContext, failed, skipped } from '../check.ts';
import { readEntries, sourcesCheck, webhooksCheck } from './platform-entries.ts';
import { rowsOf } from './platform-rows.ts';
import { type PlatformExamination, readPlatformSecret, secretsCheck } from './platform-secrets.ts';
import { apiCheck, type Limit, limiter, scopesCheck } from './platform-shops.ts';

/*
 * Checks the secrets and the shops of each platform with the code of the functions. Import it only when
 * PLATFORM_SECRETS is set: the platforms read the variable while they load.
 */

/** Concurrent reads over all platforms. */
const workers = 4;

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
