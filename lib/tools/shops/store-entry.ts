import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  CreateSecretCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { systemClock } from '../../access/net/clock.ts';
import { failureReason } from '../../access/secrets/failure-reason.ts';
import { fetchSecret, putSecret } from '../../access/secrets/fetch-secret.ts';
import { notFound, type Secret, SecretUnavailable } from '../../access/secrets/secret.ts';
import { isObject, type JsonObject, parseObject } from '../../runtime/json.ts';
import { errorName } from '../../runtime/log.ts';
import { fail, ok, type Result } from '../../runtime/result.ts';

/*
 * Writes the entry of one source into a secret that several people may change. Secrets Manager has no conditional write,
 * but it moves AWSCURRENT only from the version that the caller names. So a new version is stored under AWSPENDING first.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */

export type SecretStore = {
  readonly client: SecretsManagerClient;
  /** The key of new secrets; undefined for the one of Secrets Manager. */
  readonly keyArn: string | undefined;
};

/** A secret changed at each attempt, so people are at work on it. */
const maxAttempts = 4;
const limitMs = 15_000;

/** Reads the current version; undefined when there is none. @throws {SecretUnavailable} */
const readCurrent = async ({ client }: SecretStore, secretId: string): Promise<Secret | undefined> => {
  const options = { client, clock: systemClock, random: Math.random, attempts: 2 };
  try {
    return await fetchSecret(options, secretId, 'AWSCURRENT', AbortSignal.timeout(limitMs));
  } catch (error) {
    if (error instanceof SecretUnavailable && error.reason === notFound) return undefined;
    throw error;
  }
};

/** The sources of a secret, and its other members. */
type Content = { readonly members: JsonObject; readonly sources: JsonObject };

const contentOf = (secretId: string, secret: Secret | undefined): Result<Content, string> => {
  if (secret === undefined) return ok({ members: {}, sources: {} });
  const members = parseObject(secret.text);
  const sources = members?.['sources'];
  return members !== undefined && isObject(sources)
    ? ok({ members, sources })
    : fail(`the secret ${secretId} is not a JSON object with "sources". Correct it by hand: nothing was written.`);
};

/** Returns the name that a secret has for a source. The case does not count. */
export const nameIn = (sources: JsonObject, source: string): string =>
  Object.keys(sources).find((name) => name.toLowerCase() === source.toLowerCase()) ?? source;

/** Reads all sources of a secret; none when it does not exist. The failure is one sentence. */
export const readSources = async (store: SecretStore, secretId: string): Promise<Result<JsonObject, string>> => {
  try {
    const content = contentOf(secretId, await readCurrent(store, secretId));
    return content.ok ? ok(content.value.sources) : content;
  } catch (error) {
    return fail(`the secret ${secretId} cannot be read: ${failureOf(error)}.`);
  }
};

/** Returns the entry of a source among those of a secret. */
export const entryIn = (sources: JsonObject, source: string): JsonObject | undefined => {
  const entry = sources[nameIn(sources, source)];
  return isObject(entry) ? entry : undefined;
};

const failureOf = (error: unknown): string =>
  error instanceof SecretUnavailable ? error.reason : failureReason(error);

const isNamed = (error: unknown, ...names: readonly string[]): boolean => names.includes(errorName(error));

/** Creates a secret. Returns whether it did not exist. */
const create = async ({ client, keyArn }: SecretStore, secretId: string, text: string): Promise<boolean> => {
  const key = keyArn === undefined ? {} : { KmsKeyId: keyArn };
  const command = new CreateSecretCommand({ Name: secretId, SecretString: text, ...key });
  try {
    await client.send(command, { abortSignal: AbortSignal.timeout(limitMs) });
    return true;
  } catch (error) {
    if (isNamed(error, 'ResourceExistsException')) return false;
    throw error;
  }
};

/** Stores a text in place of a version. Returns whether that version was still the current one. */
const replace = async (
  { client }: SecretStore,
  secretId: string,
  text: string,
  current: Secret | undefined,
): Promise<boolean> => {
  const token = randomUUID();
  const signal = AbortSignal.timeout(limitMs);
  await putSecret(client, secretId, text, signal, { token, stages: ['AWSPENDING'] });
  const move = new UpdateSecretVersionStageCommand({
    SecretId: secretId,
    VersionStage: 'AWSCURRENT',
    MoveToVersionId: token,
    ...(current !== undefined && { RemoveFromVersionId: current.versionId }),
  });
  try {
    await client.send(move, { abortSignal: signal });
    return true;
  } catch (error) {
    // Another writer has moved AWSCURRENT, or has taken AWSPENDING from our version.
    if (isNamed(error, 'InvalidParameterException', notFound)) return false;
    throw error;
  }
};

/** What became of a secret. */
export type Stored = 'created' | 'changed' | 'unchanged';

/**
 * Writes the entry of a source. All other sources and members stay, also those that another writer adds at the same
 * time. The version before remains as AWSPREVIOUS.
 *
 * @returns a failure of one sentence, which quotes nothing of the secret
 */
export const storeEntry = async (
  store: SecretStore,
  secretId: string,
  source: string,
  entry: JsonObject,
): Promise<Result<Stored, string>> => {
  try {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const current = await readCurrent(store, secretId);
      const content = contentOf(secretId, current);
      if (!content.ok) return content;
      const { members, sources } = content.value;
      const wanted = { ...entryIn(sources, source), ...entry };
      if (current !== undefined && isDeepStrictEqual(entryIn(sources, source), wanted)) return ok('unchanged');
      const text = JSON.stringify({ ...members, sources: { ...sources, [nameIn(sources, source)]: wanted } });
      if (current === undefined && (await create(store, secretId, text))) return ok('created');
      // A secret may also exist without a value.
      if (await replace(store, secretId, text, current)) return ok('changed');
    }
    return fail(
      `the secret ${secretId} was changed by others at the same time, ${maxAttempts} times. Repeat the command.`,
    );
  } catch (error) {
    return fail(`the secret ${secretId} cannot be written: ${failureOf(error)}.`);
  }
};
