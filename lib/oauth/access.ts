import { type Agent, createTcp } from '../net/agent.ts';
import { createBackground } from '../net/background.ts';
import type { Clock } from '../net/clock.ts';
import { deadline } from '../net/deadline.ts';
import type { Incoming } from '../net/request.ts';
import type { Redacted } from '../secrets/failure-reason.ts';
import type { SecretSource } from '../secrets/source.ts';
import type { CertificateRejection } from './certificate-rejection.ts';
import { type Credentials, tokenKey } from './client-credentials.ts';
import { createCredentials } from './credentials.ts';
import type { OnAccessEvent } from './access-event.ts';
import type { AccessToken } from './lifetime.ts';
import { obtainToken } from './obtain-token.ts';
import { createTokenProvider } from './token-provider.ts';

/** Shorter secrets occur in too many texts by chance. */
const minLength = 8;
const mark = '[redacted]';
const known = new WeakMap<Redacted, readonly string[]>();

/** The forms of a secret in a response: as it is, in JSON, and in a URL or a form. */
const writtenForms = (secret: Redacted): readonly string[] => {
  const found = known.get(secret);
  if (found !== undefined) return found;
  const text = secret.reveal();
  const inJson = JSON.stringify(text).slice(1, -1);
  const inForm = new URLSearchParams({ '': text }).toString().slice(1);
  const all = [text, inJson, inJson.replaceAll('/', '\\/'), inForm, encodeURIComponent(text)];
  const forms = text.length < minLength ? [] : [...new Set(all)].toSorted((a, b) => b.length - a.length);
  known.set(secret, forms);
  return forms;
};

const redactForms = (text: string, forms: readonly string[]): string => {
  let left = text;
  for (const form of forms) if (left.includes(form)) left = left.replaceAll(form, mark);
  return left;
};

/** Removes the secrets of the request from a response, because callers get its content. */
const conceal = (answer: Incoming, secrets: readonly (Redacted | undefined)[]): Incoming => {
  const forms = secrets.flatMap((secret) => (secret === undefined ? [] : writtenForms(secret)));
  const { body, headers } = answer;
  const inBody = forms.some((form) => body.includes(form));
  const inHeaders = Object.values(headers).some((value) => forms.some((form) => value.includes(form)));
  if (!inBody && !inHeaders) return answer;
  return {
    ...answer,
    body: inBody ? Buffer.from(redactForms(body.toString('utf8'), forms)) : body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactForms(value, forms)])),
  };
};

export type AccessOptions = {
  readonly source: SecretSource;
  readonly secretId: string;
  readonly authUrl: string;
  /** The path of the token endpoint below `authUrl`. @default '/connect/token' */
  readonly tokenPath?: string | undefined;
  /** The API that the tokens are for. */
  readonly resource: string;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** @default events are dropped */
  readonly onDecision?: OnAccessEvent;
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
  /** @throws {AccessError} ApiUnauthorized when the API rejects a token that was replaced less than 10 s ago */
  readonly replaceToken: (
    scopes: readonly string[],
    refused: AccessToken,
    until: number,
    signal?: AbortSignal,
  ) => AccessToken | Promise<AccessToken>;
  /**
   * Returns the connections that present the client's certificate, for calls without a token.
   *
   * @throws {AccessError} SecretUnavailable, CertificateInvalid
   */
  readonly agent: (until: number, signal?: AbortSignal) => Promise<Agent>;
  /** Records the connections over which the API has responded: it accepts their certificate. */
  readonly take: (agent: Agent) => void;
  /**
   * Records that the API seems to reject the certificate of connections. Returns whether another one is in use now, so
   * that the request can be sent again.
   */
  readonly replaceCertificate: (
    agent: Agent,
    refusal: CertificateRejection,
    until: number,
    signal?: AbortSignal,
  ) => Promise<boolean>;
  /** Removes the token and the client secret of a request from a response of the API. */
  readonly conceal: (answer: Incoming, token: Redacted | undefined) => Incoming;
  /** Whether background work exists that `settle` would end. */
  readonly isBusy: () => boolean;
  /**
   * Waits for background work, at most a second and at most a quarter of `remainingMs`, then ends it. Call it in the
   * handler's `finally`.
   */
  readonly settle: (remainingMs: number) => Promise<void>;
  /** Ends background work and connections at once. Call it after the last call. */
  readonly close: () => Promise<void>;
};

/** The key and connections of a token, cached for the credentials in use and the scopes. */
type TokenBinding = Pick<AccessToken, 'key' | 'agent'> & { readonly credentials: Credentials };

/** The maximum of milliseconds that a slow token endpoint delays a call that has its token. */
const maxSettling = 1_000;
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
    tokenPath,
    resource,
    clock,
    random,
    sharedTokenIds,
    onDecision = ignore,
  } = options;
  const background = createBackground(clock);
  const tcp = createTcp(clock);
  // With shared tokens, the token endpoint is called only as a fallback.
  const urls = (sharedTokenIds?.size ?? 0) > 0 ? [resource] : [authUrl, resource];
  const credentials = createCredentials({
    source,
    secretId,
    authUrl,
    tokenPath,
    clock,
    onDecision,
    early: { tcp, urls },
  });
  const obtain = obtainToken({ credentials, resource, sharedTokenIds, source, clock, random, onDecision });
  const holders = new WeakMap<readonly string[], TokenBinding>();
  const holderOf = (scopes: readonly string[]) => {
    const inUse = credentials.inUse();
    if (inUse === undefined) return undefined;
    const known = holders.get(scopes);
    if (known?.credentials === inUse) return known;
    const holder = { credentials: inUse, key: tokenKey(inUse, scopes, resource), agent: inUse.agent };
    holders.set(scopes, holder);
    return holder;
  };
  const tokens = createTokenProvider({
    obtain,
    bindingOf: holderOf,
    isValid: credentials.isValid,
    background,
    clock,
    random,
    onDecision,
  });
  const revisitSecret = (until: number) => {
    if (credentials.inUse() === undefined || !credentials.isDue() || until <= clock.now()) return;
    background.run(credentials.read);
  };
  return {
    token: (scopes, until, signal) => {
      revisitSecret(until);
      return tokens.get(scopes, until, signal);
    },
    replaceToken: tokens.replace,
    agent: async (until, signal) => {
      revisitSecret(until);
      using limit = deadline(clock, until - clock.now(), ...(signal === undefined ? [] : [signal]));
      return (credentials.inUse() ?? (await credentials.read(limit.signal))).agent;
    },
    take: credentials.take,
    replaceCertificate: async (agent, refusal, until, signal) => {
      using limit = deadline(clock, until - clock.now(), ...(signal === undefined ? [] : [signal]));
      return await credentials.replaceCertificate(agent, refusal, limit.signal);
    },
    conceal: (answer, token) => conceal(answer, [token, credentials.inUse()?.clientSecret]),
    isBusy: () => background.isBusy() || tcp.hasPrepared() || credentials.inUse()?.agent.hasPrepared() === true,
    settle: async (remainingMs) => {
      await background.settle(Math.min(maxSettling, Math.max(0, remainingMs) / 4));
      await tcp.drop();
      await credentials.inUse()?.agent.dropPrepared();
    },
    close: async () => {
      await background.settle(0);
      await tcp.drop();
      await credentials.end();
    },
  };
};
