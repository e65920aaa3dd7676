import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { basePath } from '../../lib/contract/operation.ts';
import { contract } from '../../lib/contract/contract.ts';
import { functionEnvironment } from '../../lib/tools/local/emulators/function-spec.ts';
import { serve, type Identity } from './server.ts';

/*
 * The dependencies of the connected mode: Secrets Manager, a token endpoint and a Returns Service without work.
 * They count their requests, and each can fail on request.
 */

/**
 * The end of connections. `end` closes them in order and `reset` breaks them.
 * `mute` imitates a network that forgot them: it accepts data and returns nothing. New connections are normal.
 */
export type Severing = 'end' | 'reset' | 'mute';

export type Reply = { readonly status: number; readonly body: object };

export type World = Awaited<ReturnType<typeof startWorld>>;

type Origins = Readonly<Record<'secretsManager' | 'authUrl' | 'serviceUrl', string>>;

/** What can be set while the world runs. */
type Situation = {
  /** The body of the Returns Service's answer to every read, as JSON. */
  getReturn: string;
  /** Another reply of the token endpoint; undefined for its usual one. */
  tokenFault: ((form: URLSearchParams) => Reply | undefined) | undefined;
  /** The delay of the token endpoint in milliseconds. */
  tokenDelay: number;
  /** The stated lifetime of a token in seconds. */
  lifetime: number;
  /** Another reply of the Returns Service; undefined for its usual one. */
  apiFault: (() => Reply | undefined) | undefined;
};

export const secretId = 'returns/client';

/** Milliseconds in one direction: Secrets Manager is in the same region, the other services are elsewhere. */
export const oneWay: Readonly<Record<keyof Origins, number>> = { secretsManager: 1, authUrl: 15, serviceUrl: 7 };

/** Returns a token as long as a signed one with a few claims, with a serial number. */
const tokenOf = (number: number): string => `bench.${'t'.repeat(900)}.${number}`;

/** A token that is never rejected, for candidates that cannot request one. */
export const fixedToken = tokenOf(0);

/** No candidate calls it. */
const nowhere = 'http://127.0.0.1:9';
export const unreached = { dynamodb: nowhere, sqs: nowhere, s3: nowhere, eventBridge: nowhere, ses: nowhere };

/** Returns the environment of every candidate of the connected mode, ours as deployed by the template. */
export const environmentOf = ({ secretsManager, authUrl, serviceUrl }: Origins): Readonly<Record<string, string>> => ({
  ...functionEnvironment({ ...unreached, secretsManager }),
  SERVICE_URL: serviceUrl,
  AUTH_URL: authUrl,
  CLIENT_SECRET_ID: secretId,
  FIXED_TOKEN: fixedToken,
  LOG_LEVEL: 'info',
});

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };

const reply = (response: ServerResponse, { status, body }: Reply): void => {
  response.writeHead(status, json).end(JSON.stringify(body));
};

type State = { version: number; issued: number; revoked: number; readonly marker: string };

const passwordOf = ({ marker }: State, version: number): string => `${marker}-${version}`;

type SecretRequest = { readonly SecretId: string } & Readonly<
  Partial<Record<'VersionStage' | 'ClientRequestToken' | 'SecretString', string>>
>;

const stages: Readonly<Record<string, number>> = { AWSCURRENT: 0, AWSPREVIOUS: 1 };

const noSecret: Reply = { status: 400, body: { __type: 'ResourceNotFoundException', message: 'none' } };

/** Any other secret has the content that was stored for it. */
const storedValue = (
  stored: Map<string, object>,
  { SecretId, ClientRequestToken, SecretString }: SecretRequest,
): Reply => {
  if (SecretString !== undefined) {
    const VersionStages = ['AWSCURRENT'];
    stored.set(SecretId, { Name: SecretId, VersionId: ClientRequestToken, SecretString, VersionStages });
  }
  const body = stored.get(SecretId);
  return body === undefined ? noSecret : { status: 200, body };
};

const secretValue = (state: State, stage: string): Reply => {
  const version = state.version - (stages[stage] ?? Number.POSITIVE_INFINITY);
  if (version < 1) return noSecret;
  const body = {
    ARN: secretId,
    Name: secretId,
    VersionId: `version-${String(version).padStart(24, '0')}`,
    SecretString: JSON.stringify({ clientId: 'bench', clientSecret: passwordOf(state, version) }),
    VersionStages: [stage],
  };
  return { status: 200, body };
};

const issue = (state: State, form: URLSearchParams, lifetime: number): Reply => {
  if (form.get('client_secret') !== passwordOf(state, state.version))
    return { status: 401, body: { error: 'invalid_client' } };
  state.issued += 1;
  const token = { access_token: tokenOf(state.issued), token_type: 'Bearer', expires_in: lifetime };
  return { status: 200, body: { ...token, scope: form.get('scope') } };
};

const isValid = ({ issued, revoked }: State, authorization: string | undefined): boolean => {
  if (authorization === `Bearer ${fixedToken}`) return true;
  const number = Number(authorization?.split('.').at(-1));
  return number > revoked && number <= issued && authorization === `Bearer ${tokenOf(number)}`;
};

/**
 * Starts all three on free local ports.
 *
 * @param identity their certificate; with it, they use TLS
 */
export const startWorld = async (identity?: Identity) => {
  const state: State = { version: 1, issued: 0, revoked: 0, marker: `bench-secret-${randomUUID()}` };
  const counts = { tokenRequests: 0, secretReads: 0, calls: 0 };
  const muted = new WeakSet<Socket>();
  const stored = new Map<string, object>();
  const situation: Situation = {
    getReturn: JSON.stringify(contract.getReturn.example.output),
    tokenFault: undefined,
    tokenDelay: 0,
    lifetime: 3600,
    apiFault: undefined,
  };

  const secrets = await serve(async (request, response) => {
    counts.secretReads += 1;
    const secretRequest = JSON.parse(await text(request)) as SecretRequest;
    const { SecretId, VersionStage = 'AWSCURRENT' } = secretRequest;
    if (muted.has(request.socket)) return;
    reply(response, SecretId === secretId ? secretValue(state, VersionStage) : storedValue(stored, secretRequest));
  }, identity);

  const identityProvider = await serve(async (request, response) => {
    counts.tokenRequests += 1;
    const form = new URLSearchParams(await text(request));
    if (situation.tokenDelay > 0) await pause(situation.tokenDelay);
    if (!muted.has(request.socket))
      reply(response, situation.tokenFault?.(form) ?? issue(state, form, situation.lifetime));
  }, identity);

  const answer = ({ method, url = '', headers, socket }: IncomingMessage, response: ServerResponse): void => {
    if (muted.has(socket)) return;
    const failure = isValid(state, headers.authorization) ? situation.apiFault?.() : { status: 401, body: {} };
    if (failure !== undefined) return reply(response, failure);
    const reads = method === 'GET' && url.startsWith(`${basePath}/returns/`);
    response.writeHead(reads ? 200 : 404, { ...json, etag: '"1"' }).end(reads ? situation.getReturn : '{}');
  };
  const service = await serve((request, response) => {
    counts.calls += 1;
    request.resume().once('end', () => answer(request, response));
  }, identity);

  const servers = [secrets, identityProvider, service];
  return {
    origins: { secretsManager: secrets.origin, authUrl: identityProvider.origin, serviceUrl: service.origin },
    counts,
    situation,
    /** The beginning of every client secret of this world. */
    marker: state.marker,
    /** Stores a new version of the secret. The token endpoint rejects the old one at once. */
    rotate: () => void (state.version += 1),
    /** Makes the Returns Service reject all tokens issued until now. */
    revoke: () => void (state.revoked = state.issued),
    /** Applies this to every connection of all three. */
    sever: (how: Severing) => {
      for (const socket of servers.flatMap(({ connections }) => connections())) {
        if (how === 'mute') muted.add(socket);
        else if (how === 'end') socket.end();
        else socket.resetAndDestroy();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(({ close }) => close()));
    },
  };
};
