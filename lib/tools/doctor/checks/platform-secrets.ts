import { isObject, type JsonObject, parseObject } from '../../../runtime/json.ts';
import { notFound, SecretUnavailable } from '../../../access/secrets/secret.ts';
import { secrets, type SecretSource } from '../../../access/secrets/source.ts';
import type { ShopSecret } from '../../../shops/platforms/shared/http/sources.ts';
import { type Check, failed, passed, warning } from '../check.ts';
import { rowsOf } from './platform-rows.ts';
import { reasonOf, remedyOf } from './secret.ts';

export type PlatformExamination = {
  readonly platforms: readonly string[];
  readonly secretPrefix: string;
  /** A source that has read nothing yet, so that no row shows a cached value. */
  readonly source: SecretSource;
};

/** The two secrets of a platform: one verifies deliveries, the other authenticates reads of the shops. */
export type SecretKind = 'webhooks' | 'api';

/** The content of one of them; `text` is undefined when the secret does not exist. */
export type PlatformSecret = {
  readonly half: SecretKind;
  readonly secret: ShopSecret;
  readonly secretId: string;
  readonly text: string | undefined;
  readonly sources: JsonObject;
};

/** Reads one of the secrets; returns a failed row when it is unreadable. */
export const readPlatformSecret = async (
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
export const secretsCheck = (platform: string, webhooks: PlatformSecret, api: PlatformSecret): Check => {
  const row = rowsOf(platform).secret;
  const both = `${webhooks.secretId} and ${api.secretId}`;
  const missing = [webhooks, api].filter(({ text }) => text === undefined);
  if (missing.length === 2) {
    const remedy = `Add the shops to the secrets ${both}, or remove ${platform} from the parameter Platforms.`;
    return warning(row, `the secrets ${both} do not exist: no delivery is accepted`, remedy);
  }
  const [first] = missing;
  if (first !== undefined)
    return failed(row, `the secret ${first.secretId} does not exist`, `Add the shops to ${first.secretId} too.`);
  if ([webhooks, api].every(({ sources }) => Object.keys(sources).length === 0))
    return warning(
      row,
      'the secrets have no source',
      `Add a shop, or remove ${platform} from the parameter Platforms.`,
    );
  return passed(row, `${both} are readable`);
};
