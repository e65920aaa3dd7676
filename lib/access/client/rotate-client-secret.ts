import { isDeepStrictEqual } from 'node:util';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { type Agent, createAgent } from '../net/agent.ts';
import { systemClock as clock } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import { send } from '../net/request.ts';
import { TransportError } from '../net/transport-error.ts';
import { AccessError } from '../oauth/access-error.ts';
import { buildCredentials } from '../oauth/client-credentials.ts';
import { fieldNames, parseClientSecret } from '../oauth/client-secret.ts';
import { requestToken } from '../oauth/token-request.ts';
import { rotationHookConfig, serviceConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { sha256 } from '../../runtime/hash.ts';
import { parseObject } from '../../runtime/json.ts';
import { log } from '../../runtime/log.ts';
import { fetchSecret } from '../secrets/fetch-secret.ts';
import { requestHandler } from '../secrets/request-handler.ts';
import { type Rotation, type RotationEvent, RotationFailed, runRotation } from '../secrets/rotation.ts';
import { notFound, type Secret, SecretUnavailable } from '../secrets/secret.ts';
import { secretsManager } from '../secrets/source.ts';
import { logAccessEvent as onEvent } from './access-event-log.ts';
import { signInvocation } from './sign-invocation.ts';

/*
 * The rotation of the client secret. The issuer differs between deployments, so a Lambda function of the operator, the
 * hook, creates the new secret at the issuer. lib/tools/guides/security.md documents its requests and responses.
 */

const config = configured(serviceConfig);
const hookConfig = configured(rotationHookConfig);
const { random } = Math;

/** Time reserved before the function's timeout, to report the failure. */
const reserveMs = 1_000;
/** The deadline of one call of the hook. It creates a secret at a foreign service. */
const hookMs = 20_000;
const maxHookBytes = 64 * 1024;

/**
 * A request to the hook. Versions are the ids that secrets had in `newVersion` when they were created. With `keep`, all
 * other secrets of the client go. Without it, only that of `version` goes.
 */
type HookRequest =
  | {
      readonly action: 'create';
      readonly clientId: string;
      readonly currentVersion: string;
      readonly newVersion: string;
    }
  | {
      readonly action: 'remove';
      readonly clientId: string;
      readonly version?: string;
      readonly keep?: readonly string[];
    };

type Call = {
  readonly agent: Agent;
  readonly client: SecretsManagerClient;
  readonly signal: AbortSignal;
};

/**
 * Invokes the hook and returns its response.
 *
 * @throws {RotationFailed} with one word; no text of the hook is passed on, because it may contain the secret
 */
const callHook = async ({ agent, client, signal }: Call, request: HookRequest): Promise<object> => {
  const { hookArn, endpoint } = hookConfig();
  try {
    const signed = await signInvocation(client, { arn: hookArn, event: request, endpoint });
    const { method, url, headers, body } = signed;
    const answer = await send({ agent, method, url, headers, body, timeoutMs: hookMs, signal, maxBytes: maxHookBytes });
    if (answer.status !== 200) throw new RotationFailed(`hook_status_${answer.status}`);
    if (answer.headers['x-amz-function-error'] !== undefined) throw new RotationFailed('hook_failed');
    return parseObject(answer.body.toString()) ?? {};
  } catch (error) {
    throw error instanceof TransportError ? new RotationFailed(`hook_${error.reason}`) : error;
  }
};

/** Returns a client secret that the token request can send, or undefined. */
const secretIn = (response: object): string | undefined => {
  const { clientSecret }: { readonly clientSecret?: unknown } = response;
  return typeof clientSecret === 'string' && clientSecret !== '' && clientSecret.isWellFormed()
    ? clientSecret
    : undefined;
};

/** Returns the instant at which the new secret expires, if the hook reports one. */
const expiryIn = (response: object): string | undefined => {
  const { expiresAt }: { readonly expiresAt?: unknown } = response;
  return typeof expiresAt === 'string' && !Number.isNaN(Date.parse(expiresAt))
    ? new Date(expiresAt).toISOString()
    : undefined;
};

const fieldsOf = (text: string): Readonly<Record<string, unknown>> => parseObject(text.replace(/^\ufeff/, '')) ?? {};

/** A client secret that the hook has created, as its version stores it. */
type Created = {
  readonly clientSecret: string;
  /** The id of the version that created it. A later version may hold the same secret with a new certificate. */
  readonly clientSecretVersion: string;
  readonly expiresAt: string | undefined;
};

/**
 * Replaces the client secret in the text of a version. The other fields stay, such as the certificate. The hash binds
 * the id to the secret: an operator who replaces the secret by hand may leave the id.
 */
const withClientSecret = (text: string, { clientSecret, clientSecretVersion, expiresAt }: Created): string => {
  const { expiresAt: _, ...fields } = fieldsOf(text);
  const name = fieldNames.clientSecret.find((written) => fields[written] !== undefined) ?? 'clientSecret';
  return JSON.stringify({
    ...fields,
    [name]: clientSecret,
    clientSecretVersion,
    clientSecretSha256: sha256(clientSecret, 'hex'),
    ...(expiresAt !== undefined && { expiresAt }),
  });
};

/** The fields that a rotation replaces. */
const rotatedFields = new Set([...fieldNames.clientSecret, 'clientSecretVersion', 'clientSecretSha256', 'expiresAt']);

const retainedFields = (text: string) =>
  Object.fromEntries(Object.entries(fieldsOf(text)).filter(([field]) => !rotatedFields.has(field)));

/** Whether another field changed since the new version was made, such as the certificate. It would be reverted. */
const isOutdated = (pending: Secret, current: Secret): boolean =>
  !isDeepStrictEqual(retainedFields(pending.text), retainedFields(current.text));

/** Returns the id of the version that created the client secret, or undefined for a secret made by hand. */
const creatorOf = (text: string): string | undefined => {
  const { clientSecretVersion, clientSecretSha256 } = fieldsOf(text);
  const isBound = clientSecretSha256 === sha256(parseClientSecret(text).clientSecret, 'hex');
  return isBound && typeof clientSecretVersion === 'string' ? clientSecretVersion : undefined;
};

/** Returns the id that the former client secret had at its creation. It is undefined while that secret is in use. */
const formerVersion = async (call: Call, secretId: string, current: string): Promise<string | undefined> => {
  try {
    const options = { client: call.client, clock, random, attempts: 2 };
    const { text, versionId } = await fetchSecret(options, secretId, 'AWSPREVIOUS', call.signal);
    return parseClientSecret(text).clientSecret === current ? undefined : (creatorOf(text) ?? versionId);
  } catch (error) {
    if (error instanceof SecretUnavailable && error.reason === notFound) return undefined;
    throw error;
  }
};

/**
 * Removes client secrets that are not in use at the issuer, which may permit two at a time: the former one, one made by
 * hand, and those of rotations that were given up. A failure is not fatal, because the issuer then rejects the next
 * secret, or permits it.
 */
const removeUnused = async (call: Call, secretId: string, current: Secret): Promise<void> => {
  const { clientId, clientSecret } = parseClientSecret(current.text);
  try {
    const version = await formerVersion(call, secretId, clientSecret);
    // The hook does not know the id of a secret made by hand, so nothing but the former one may go without `keep`.
    const creator = creatorOf(current.text);
    if (version === undefined && creator === undefined) return;
    await callHook(call, {
      action: 'remove',
      clientId,
      ...(version !== undefined && { version }),
      ...(creator !== undefined && { keep: [creator] }),
    });
    log('info', 'unused client secrets removed', { versionId: version, keptVersion: creator });
  } catch (error) {
    const isNamed =
      error instanceof RotationFailed || error instanceof SecretUnavailable || error instanceof AccessError;
    log('warn', 'unused client secrets not removed', { reason: isNamed ? error.reason : 'unexpected' });
  }
};

const createClientSecret = async (call: Call, event: RotationEvent, current: Secret): Promise<string> => {
  const { clientId } = parseClientSecret(current.text);
  await removeUnused(call, event.SecretId, current);
  const response = await callHook(call, {
    action: 'create',
    clientId,
    currentVersion: current.versionId,
    newVersion: event.ClientRequestToken,
  });
  const clientSecret = secretIn(response);
  if (clientSecret === undefined) throw new RotationFailed('hook_response_malformed');
  const expiresAt = expiryIn(response);
  log('info', 'client secret created', { versionId: event.ClientRequestToken, expiresAt });
  return withClientSecret(current.text, { clientSecret, clientSecretVersion: event.ClientRequestToken, expiresAt });
};

/** Obtains a token with a version of the secret. */
const testClientSecret = async (pending: Secret, signal: AbortSignal): Promise<void> => {
  const { authUrl, serviceAccess } = config();
  const credentials = buildCredentials(pending, undefined, { authUrl, serviceAccess, clock, onEvent });
  try {
    const scopes = ['returns:read'];
    const outcome = await requestToken({ credentials, scopes, attempts: 2, signal, clock, random, onEvent });
    if (!outcome.ok) throw new RotationFailed(`${outcome.failure.kind}:${outcome.failure.reason}`);
  } finally {
    await credentials.agent.end();
  }
};

/** Throws a failure of the credentials, whose message quotes no secret, as that of a rotation. */
const throwNamed = (error: unknown): never => {
  throw error instanceof AccessError ? new RotationFailed(`${error.kind}:${error.reason}`) : error;
};

const rotationOf = (call: Call, event: RotationEvent): Rotation => ({
  create: async (current) => createClientSecret(call, event, current).catch(throwNamed),
  test: async (pending) => testClientSecret(pending, call.signal).catch(throwNamed),
  isOutdated,
});

/**
 * Rotates the client secret: the hook creates one, a token request tests it, then it becomes AWSCURRENT.
 *
 * @throws {RotationFailed} when a step failed; AWSCURRENT is unchanged
 */
export const rotateClientSecret = async (
  event: RotationEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<void> => {
  const agent = createAgent({ clock });
  const client = secretsManager({ requestHandler: requestHandler(agent) });
  using limit = deadline(clock, getRemainingTimeInMillis() - reserveMs);
  const call = { agent, client, signal: limit.signal };
  try {
    await runRotation(client, rotationOf(call, event), event, limit.signal);
  } finally {
    await agent.end();
  }
};
