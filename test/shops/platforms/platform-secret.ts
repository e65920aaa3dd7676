import { isObject, parseObject } from '../../../lib/runtime/json.ts';
import type { Secrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { plant } from '../../support/emitted/record.ts';
import { secretsIn } from '../../support/emitted/search.ts';
import { startServer } from '../../support/http-server.ts';
import { setEnvironment } from '../../support/environment.ts';

/** Returns the entry of the fake Shopify in the secrets. */
export const shopifyEntry = (shop: {
  readonly webhookSecret: string;
  readonly accessToken: string;
  readonly url: string;
}) => ({ webhookSecrets: [shop.webhookSecret], accessToken: shop.accessToken, apiUrl: shop.url });

type Sources = Readonly<Record<string, unknown>>;

const proofFields: ReadonlySet<string> = new Set(['webhookSecrets', 'keyOrigin', 'topicArn', 'snsOrigin']);

/** The id of Adobe's client is a part of its signed body. The id of commercetools' client is for its API. */
const isProof = (field: string, entry: object): boolean =>
  proofFields.has(field) || (field === 'clientId' && !('clientSecret' in entry));

const partOf = (sources: Sources, isWanted: (field: string, entry: object) => boolean): Sources =>
  Object.fromEntries(
    Object.entries(sources).map(([name, entry]) => [
      name,
      isObject(entry) ? Object.fromEntries(Object.entries(entry).filter(([field]) => isWanted(field, entry))) : entry,
    ]),
  );

/** Splits the entries of sources into the two secrets of a platform: verification and API access. */
const secretsOf = (sources: Sources) => ({
  webhooks: { sources: partOf(sources, isProof) },
  api: { sources: partOf(sources, (field, entry) => !isProof(field, entry)) },
});

/** Adds sources of a platform to the secrets of a stack. */
export const addSources = async (secrets: Secrets, platform: string, sources: Sources): Promise<void> => {
  const { api, webhooks } = secretsOf(sources);
  for (const [half, added] of Object.entries({ api, webhooks, effects: api })) {
    const name = `returns/platforms/${half}/${platform}`;
    const before = secrets.has(name) ? parseObject(secrets.get(name).secretString ?? '')?.['sources'] : undefined;
    const content = { sources: { ...(isObject(before) && before), ...added.sources } };
    const value = { secretString: JSON.stringify(content) };
    await (secrets.has(name) ? secrets.put(name, value) : secrets.create(name, value));
  }
};

const headers = { 'content-type': 'application/x-amz-json-1.1' };

/** Starts a Secrets Manager with the replaceable secrets of a platform, and points the environment at it. */
export const startPlatformSecret = async () => {
  let written = 0;
  const held = new Map<string, { versionId: string; text: string }>();
  const putHalf = (half: 'webhooks' | 'api' | 'effects', content: unknown) => {
    if (content === undefined) held.delete(half);
    else held.set(half, { versionId: `version-${(written += 1)}`, text: JSON.stringify(content) });
  };
  const put = (sources: Sources) => {
    plant(secretsIn(sources));
    const { webhooks, api } = secretsOf(sources);
    putHalf('webhooks', webhooks);
    putHalf('api', api);
  };
  put({});
  const server = await startServer(({ body }) => {
    const { SecretId = '', VersionStage } = parseObject(body) ?? {};
    const [, half = ''] = /\/(webhooks|api|effects)\/[a-z]+$/.exec(String(SecretId)) ?? [];
    const version = VersionStage === 'AWSCURRENT' ? held.get(half) : undefined;
    if (version === undefined)
      return { status: 400, headers, body: JSON.stringify({ __type: 'ResourceNotFoundException', message: 'none' }) };
    const { versionId: VersionId, text: SecretString } = version;
    const answer = { ARN: SecretId, Name: SecretId, VersionId, SecretString, VersionStages: [VersionStage] };
    return { status: 200, headers, body: JSON.stringify(answer) };
  });
  setEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: server.origin, PLATFORM_SECRETS: 'unit' });
  return {
    put,
    /** Replaces one of the secrets; removes it without content. */
    putHalf,
    reads: (half?: 'webhooks' | 'api' | 'effects') =>
      server.requests.filter(({ body }) => half === undefined || body.includes(`/${half}/`)).length,
    close: () => server[Symbol.asyncDispose](),
  };
};
