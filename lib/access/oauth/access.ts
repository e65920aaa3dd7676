import { type Agent, createTcp } from '../net/agent.ts';
import { createBackground } from '../net/background.ts';
import { deadline } from '../net/deadline.ts';
import type { PausableClock } from '../net/pausable-clock.ts';
import type { Incoming } from '../net/request.ts';
import type { ServiceAccess } from '../../runtime/service-access.ts';
import type { Redacted } from '../secrets/failure-reason.ts';
import type { SecretSource } from '../secrets/source.ts';
import type { CertificateRejection } from './certificate-rejection.ts';
import { type Credentials, tokenKey } from './client-credentials.ts';
import { conceal } from './conceal.ts';
import { createCredentials } from './credentials.ts';
import type { OnAccessEvent } from './access-event.ts';
import type { AccessToken, TokenBinding } from './lifetime.ts';
import { obtainToken } from './obtain-token.ts';
import { requestHeaders } from './request-headers.ts';
import { createTokenProvider } from './token-provider.ts';

export type AccessOptions = {
  readonly source: SecretSource;
  readonly secretId: string;
  readonly authUrl: string;
  /** @default that of the specification */
  readonly serviceAccess?: ServiceAccess | undefined;
  /** The API that the tokens are for. */
  readonly resource: string;
  /** Shared with `source`. It pauses while background work is left open between two calls. */
  readonly clock: PausableClock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default events are dropped */
  readonly onEvent?: OnAccessEvent;
  /**
   * The secret ids of shared tokens by scopes, sorted, with single spaces.
   *
   * @default each container obtains its own tokens
   */
  readonly sharedTokenIds?: ReadonlyMap<string, string>;
};

export type Access = {
  /**
   * Waits until `until`, epoch milliseconds, or until `signal` ends, and then rejects with its reason.
   *
   * @throws {AccessError} synchronously or asynchronously
   */
  readonly token: (
    scopes: readonly string[],
    until: number,
    signal?: AbortSignal,
  ) => AccessToken | Promise<AccessToken>;
  /**
   * Returns another token after the API rejected one: a new one, or the proven one before it.
   *
   * @throws {AccessError} ApiUnauthorized before the interval of replacements is over: 10 s, doubled up to 5 min
   */
  readonly replaceToken: (
    scopes: readonly string[],
    rejected: AccessToken,
    until: number,
    signal?: AbortSignal,
  ) => AccessToken | Promise<AccessToken>;
  /**
   * Returns the connections that present the client's certificate, for calls without a token.
   *
   * @throws {AccessError} SecretUnavailable, CertificateInvalid
   */
  readonly agent: (until: number, signal?: AbortSignal) => Promise<Agent>;
  /** Records that the API accepted a token: it responded, and not with a rejection. */
  readonly acceptToken: (scopes: readonly string[], token: AccessToken) => void;
  /** Records the connections over which the API has responded: it accepts their certificate. */
  readonly take: (agent: Agent) => void;
  /** Records that the API was not reached: the secret may have got other roots. */
  readonly noteUnreached: () => void;
  /**
   * Records that the API seems to reject the certificate of connections. Returns whether another one is in use now, so
   * that the request can be sent again.
   */
  readonly replaceCertificate: (
    agent: Agent,
    rejection: CertificateRejection,
    until: number,
    signal?: AbortSignal,
  ) => Promise<boolean>;
  /** Returns the headers that a request to the API has by the access: the token, fixed ones and secret ones. */
  readonly headers: (token: Redacted | undefined) => Readonly<Record<string, string>>;
  /** Removes the token, the client secret and the secret headers of a request from a response of the API. */
  readonly conceal: (answer: Incoming, token: Redacted | undefined) => Incoming;
  /** Whether background work exists that `drain` would wait for. */
  readonly isBusy: () => boolean;
  /**
   * Waits for background work, at most a second and at most a quarter of `remainingMs`. The rest goes on in the next
   * call, and its time limits pause until then. Call it in the handler's `finally`.
   */
  readonly drain: (remainingMs: number) => Promise<void>;
  /** Ends background work and connections at once. Call it after the last call. */
  readonly close: () => Promise<void>;
};

/** A binding, cached for the credentials in use and the scopes. */
type CachedBinding = TokenBinding & { readonly credentials: Credentials };

/** The maximum of milliseconds that a slow token endpoint delays a call that has its token. */
const maxDrain = 1_000;
const ignore = () => undefined;

/**
 * Creates the access to an API that requires tokens by client credentials (RFC 6749, 4.4). It may also require a client
 * certificate (RFC 8705). It combines the secret, the credentials and the tokens of this container.
 */
export const createAccess = (options: AccessOptions): Access => {
  const {
    source,
    secretId,
    authUrl,
    serviceAccess,
    resource,
    clock,
    random,
    sharedTokenIds,
    onEvent = ignore,
  } = options;
  const { steady } = clock;
  const background = createBackground(steady);
  const tcp = createTcp(steady);
  // With shared tokens, the token endpoint is called only as a fallback.
  const urls = (sharedTokenIds?.size ?? 0) > 0 ? [resource] : [authUrl, resource];
  const credentials = createCredentials({
    source,
    secretId,
    authUrl,
    serviceAccess,
    clock: steady,
    onEvent,
    early: { tcp, urls },
  });
  const obtain = obtainToken({ credentials, resource, sharedTokenIds, source, clock, random, onEvent });
  const bindings = new WeakMap<readonly string[], CachedBinding>();
  const bindingOf = (scopes: readonly string[]) => {
    const inUse = credentials.inUse();
    if (inUse === undefined) return undefined;
    const known = bindings.get(scopes);
    if (known?.credentials === inUse) return known;
    const binding = { credentials: inUse, key: tokenKey(inUse, scopes, resource), agent: inUse.agent };
    bindings.set(scopes, binding);
    return binding;
  };
  const tokens = createTokenProvider({
    obtain,
    bindingOf,
    isValid: credentials.isValid,
    background,
    clock,
    random,
    onEvent,
  });
  /** The number of calls that wait. The time limits pause only when there is none. */
  let waiting = 0;
  const waitFor = async <Value>(value: Promise<Value>): Promise<Value> => {
    waiting += 1;
    clock.resume();
    try {
      return await value;
    } finally {
      waiting -= 1;
    }
  };
  const whenAwaited = <Value>(value: Value | Promise<Value>): Value | Promise<Value> =>
    value instanceof Promise ? waitFor(value) : value;
  /** Starts what a call needs in the background. */
  const beginCall = (until: number) => {
    clock.resume();
    if (credentials.inUse() === undefined || !credentials.isDue() || until <= clock.now()) return;
    background.run(credentials.read);
  };
  return {
    token: (scopes, until, signal) => {
      beginCall(until);
      return whenAwaited(tokens.get(scopes, until, signal));
    },
    replaceToken: (scopes, rejected, until, signal) => whenAwaited(tokens.replace(scopes, rejected, until, signal)),
    acceptToken: tokens.accept,
    agent: async (until, signal) => {
      beginCall(until);
      using limit = deadline(steady, until - clock.now(), ...(signal === undefined ? [] : [signal]));
      return (credentials.inUse() ?? (await waitFor(credentials.read(limit.signal)))).agent;
    },
    take: credentials.take,
    noteUnreached: credentials.noteUnreached,
    replaceCertificate: async (agent, rejection, until, signal) => {
      using limit = deadline(steady, until - clock.now(), ...(signal === undefined ? [] : [signal]));
      return await waitFor(credentials.replaceCertificate(agent, rejection, limit.signal));
    },
    headers: (token) => {
      const inUse = credentials.inUse();
      return inUse === undefined ? {} : requestHeaders(inUse, token);
    },
    conceal: (answer, token) => conceal(answer, [token, ...(credentials.inUse()?.secrets ?? [])]),
    isBusy: () => background.isBusy() || tcp.hasPrepared() || credentials.inUse()?.agent.hasPrepared() === true,
    drain: async (remainingMs) => {
      clock.resume();
      await background.drain(Math.min(maxDrain, Math.max(0, remainingMs) / 4));
      await tcp.drop();
      await credentials.inUse()?.agent.dropPrepared();
      if (background.isBusy() && waiting === 0) clock.pause();
    },
    close: async () => {
      await background.end();
      await tcp.drop();
      await credentials.end();
    },
  };
};
