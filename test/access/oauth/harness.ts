import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerOptions } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pausableClock } from '../../../lib/access/net/pausable-clock.ts';
import type { AccessError } from '../../../lib/access/oauth/access-error.ts';
import { type Access, createAccess } from '../../../lib/access/oauth/access.ts';
import type { AccessEvent, OnAccessEvent } from '../../../lib/access/oauth/access-event.ts';
import type { AccessToken } from '../../../lib/access/oauth/lifetime.ts';
import { createSecretSource } from '../../../lib/access/secrets/source.ts';
import { plant } from '../../support/emitted/record.ts';
import { type SecretVersions, startSecretVersions } from '../../support/secret-versions.ts';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/token-endpoint.ts';
import { virtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

export const second = 1_000;
export const minute = 60 * second;
export const read = ['returns:read'] as const;

/** A text that must never leak: every secret and token of these tests contains it, or is a `token-1`. */
export const marker = 'marker-91ee';

/** Returns a client secret that every encoding changes. */
export const secretNamed = (name: string): string => `${name}+&=% ${marker}`;

/** The client secret that the token endpoint accepts from the start. */
export const clientSecret = secretNamed('one');

/** Returns the text of a secret with this client secret, and registers it for the leak search. */
export const secretText = (secret: string, more: Readonly<Record<string, unknown>> = {}): string => {
  plant([secret]);
  return JSON.stringify({ clientId: 'returns-client', clientSecret: secret, ...more });
};

type Setup = {
  readonly text?: string;
  readonly random?: () => number;
  readonly tls?: ServerOptions;
  readonly onEvent?: OnAccessEvent;
  /** Whether the test ends the pause before a second token request. @default it ends by itself */
  readonly pauses?: boolean;
};

/** Returns whether a pause is between 100 and 200 ms. The random number decides. */
export const isPause = (ms: number): boolean => ms >= 100 && ms < 200;

export type Harness = AsyncDisposable & {
  readonly access: Access;
  readonly clock: VirtualClock;
  readonly idp: TokenEndpoint;
  readonly secrets: SecretVersions;
  /** Returns a token for a call with `ms` left. */
  readonly token: (ms?: number, scopes?: readonly string[]) => Promise<AccessToken>;
  /** Returns the text of that token. */
  readonly text: (ms?: number, scopes?: readonly string[]) => Promise<string>;
  /** Returns the number of requests to the token endpoint. */
  readonly posts: () => number;
  readonly rotate: (versionId: string, text: string) => void;
  /** The access events so far, in order. */
  readonly events: readonly AccessEvent[];
  /** Also receives the access events from outside of `access`. */
  readonly onEvent: OnAccessEvent;
};

/** Starts the access of one container, with a real token endpoint and a real Secrets Manager endpoint of its own. */
export const startHarness = async ({
  text,
  random = () => 0.5,
  tls,
  onEvent,
  pauses = false,
}: Setup = {}): Promise<Harness> => {
  const clock = virtualClock((ms) => !pauses && isPause(ms));
  const idp = await startTokenEndpoint([clientSecret], tls);
  const secrets = await startSecretVersions({ versionId: 'v1', text: text ?? secretText(clientSecret) }, clock);
  const limits = pausableClock(clock);
  const source = createSecretSource({ client: secrets.client, clock: limits, random });
  // The origin of the token endpoint: it has open connections already.
  const resource = idp.server.origin;
  const events: AccessEvent[] = [];
  const hear: OnAccessEvent = (event) => {
    events.push(event);
    onEvent?.(event);
  };
  const access = createAccess({
    source,
    secretId: 'id',
    authUrl: idp.server.origin,
    resource,
    clock: limits,
    random,
    onEvent: hear,
  });
  const token = async (ms = 30 * second, scopes: readonly string[] = read) => access.token(scopes, clock.now() + ms);
  return {
    access,
    clock,
    idp,
    secrets,
    token,
    text: async (ms, scopes) => (await token(ms, scopes)).token.reveal(),
    posts: () => idp.server.requests.length,
    rotate: (versionId, next) => {
      const current = secrets.versions.get('AWSCURRENT');
      if (current !== undefined) secrets.versions.set('AWSPREVIOUS', current);
      secrets.versions.set('AWSCURRENT', { versionId, text: next });
    },
    events,
    onEvent: hear,
    [Symbol.asyncDispose]: async () => {
      await access.close();
      await idp[Symbol.asyncDispose]();
      await secrets[Symbol.asyncDispose]();
    },
  };
};

/** Returns the error that a promise was rejected with. */
export const failureOf = async (promise: Promise<unknown>): Promise<AccessError> => {
  try {
    await promise;
  } catch (error) {
    return error as AccessError;
  }
  throw new Error('it did not fail');
};

/** Resolves once the client has read bytes of a response from this origin. That the server sent them is not enough. */
export const bytesRead = async (origin: string) => {
  const channel = 'undici:request:bodyChunkReceived';
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (message: unknown) => {
    const { request } = message as { readonly request: { readonly origin: string } };
    if (request.origin === origin) resolve();
  };
  subscribe(channel, hear);
  await promise.finally(() => unsubscribe(channel, hear));
  await nextTurn();
};
