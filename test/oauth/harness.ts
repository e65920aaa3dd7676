import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerOptions } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccessError } from '../../lib/oauth/access-error.ts';
import { type Access, createAccess } from '../../lib/oauth/access.ts';
import type { AccessEvent, OnAccessEvent } from '../../lib/oauth/access-event.ts';
import type { AccessToken } from '../../lib/oauth/lifetime.ts';
import { createSecretSource } from '../../lib/secrets/source.ts';
import { plant } from '../support/emitted/record.ts';
import { type SecretVersions, startSecretVersions } from '../support/secret-versions.ts';
import { startTokenEndpoint, type TokenEndpoint } from '../support/token-endpoint.ts';
import { virtualClock, type VirtualClock } from '../support/virtual-clock.ts';

export const second = 1_000;
export const minute = 60 * second;
export const read = ['returns:read'] as const;

/** What must never be seen outside: every secret and every token of these tests holds it, or is a `token-1`. */
export const marker = 'marker-91ee';

/** A client secret, which every way of writing it down changes. */
export const secretNamed = (name: string): string => `${name}+&=% ${marker}`;

/** The one that the token endpoint knows from the start. */
export const clientSecret = secretNamed('one');

/** The text of a secret with this client secret, which is searched for from now on. */
export const secretText = (secret: string, more: Readonly<Record<string, unknown>> = {}): string => {
  plant([secret]);
  return JSON.stringify({ clientId: 'returns-client', clientSecret: secret, ...more });
};

type Setup = {
  readonly text?: string;
  readonly random?: () => number;
  readonly tls?: ServerOptions;
  readonly onDecision?: OnAccessEvent;
  /** Whether the pause before a token request is repeated waits for the test. @default it passes by itself */
  readonly pauses?: boolean;
};

/** Between 100 and 200 ms, by the random number. */
export const isPause = (ms: number): boolean => ms >= 100 && ms < 200;

export type Harness = AsyncDisposable & {
  readonly access: Access;
  readonly clock: VirtualClock;
  readonly idp: TokenEndpoint;
  readonly secrets: SecretVersions;
  /** A token for a call that has `ms` left. */
  readonly token: (ms?: number, scopes?: readonly string[]) => Promise<AccessToken>;
  /** The same, as the text of the token. */
  readonly text: (ms?: number, scopes?: readonly string[]) => Promise<string>;
  /** How often the token endpoint was asked. */
  readonly posts: () => number;
  readonly rotate: (versionId: string, text: string) => void;
  /** What was decided so far, in order. */
  readonly decisions: readonly AccessEvent[];
  /** Hears what is decided outside of `access`, too. */
  readonly onDecision: OnAccessEvent;
};

/** The access of one container, against a real token endpoint and a real Secrets Manager endpoint of the test's own. */
export const startHarness = async ({
  text,
  random = () => 0.5,
  tls,
  onDecision,
  pauses = false,
}: Setup = {}): Promise<Harness> => {
  const clock = virtualClock((ms) => !pauses && isPause(ms));
  const idp = await startTokenEndpoint([clientSecret], tls);
  const secrets = await startSecretVersions({ versionId: 'v1', text: text ?? secretText(clientSecret) }, clock);
  const source = createSecretSource({ client: secrets.client, clock, random });
  // The token endpoint's own: it is connected to already.
  const resource = idp.server.origin;
  const decisions: AccessEvent[] = [];
  const hear: OnAccessEvent = (decision) => {
    decisions.push(decision);
    onDecision?.(decision);
  };
  const access = createAccess({
    source,
    secretId: 'id',
    authUrl: idp.server.origin,
    resource,
    clock,
    random,
    onDecision: hear,
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
    decisions,
    onDecision: hear,
    [Symbol.asyncDispose]: async () => {
      await access.settle(0);
      await idp[Symbol.asyncDispose]();
      await secrets[Symbol.asyncDispose]();
    },
  };
};

/** What a promise was rejected with. */
export const failureOf = async (promise: Promise<unknown>): Promise<AccessError> => {
  try {
    await promise;
  } catch (error) {
    return error as AccessError;
  }
  throw new Error('it did not fail');
};

/** Resolves once bytes of an answer from this origin were read and handed on, not only sent. */
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
