import { randomUUID } from 'node:crypto';
import * as shapes from '#contract/answers.js';
import type { AnswerShape } from '../../contract/answer-shape.ts';
import type { OperationName } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import * as operations from '../../contract/operations.ts';
import { fail, ok } from '../../runtime/result.ts';
import { type Clock, systemClock } from '../net/clock.ts';
import { pausableClock } from '../net/pausable-clock.ts';
import { createAccess } from '../oauth/access.ts';
import { addressError, baseOf, repeatedPathError } from '../../runtime/address.ts';
import { newTraceId } from '../../runtime/new-ids.ts';
import { parseServiceAccess, type ServiceAccess } from '../../runtime/service-access.ts';
import { Secret } from '../secrets/secret.ts';
import type { SecretSource } from '../secrets/source.ts';
import { createAnswerCheck } from './check-answer.ts';
import { logAccessEvent } from './access-event-log.ts';
import { detailForOwner, misfit } from './failures.ts';
import { parseAnswerBody } from './incoming.ts';
import type { Items, Methods, ReturnsClient } from './methods.ts';
import type {
  Answer,
  ClientOptions,
  DryRunOptions,
  StaticCredentials,
  KeyOptions,
  LanguageOptions,
  RequestOptions,
  Result,
  VersionOptions,
} from './public.ts';
import type { CallOptions } from './outgoing.ts';
import { createService } from './service.ts';

/** The source of a client's credentials, and its end. */
type CredentialSource = SecretSource & { readonly secretId: string; readonly close: () => Promise<void> };

/** Returns a source of constant credentials: one version for every stage. */
const staticSource = (credentials: StaticCredentials): CredentialSource => {
  const { clientId, clientSecret, certificate, privateKey, ca, headers } = credentials;
  if (!clientId || !clientSecret) throw new TypeError('credentials must have a clientId and a clientSecret');
  const secret = new Secret('static', JSON.stringify({ clientId, clientSecret, certificate, privateKey, ca, headers }));
  return { secretId: 'static', read: async () => secret, isFresh: () => true, close: async () => undefined };
};

/** The SDK is loaded on demand: a program with its own credentials does not load it. */
const open = async () => (await import('../secrets/own-secrets.ts')).openSecrets();

const storedSource = (secretId: string): CredentialSource => {
  if (!secretId) throw new TypeError('credentials must have a secretId');
  let opening: ReturnType<typeof open> | undefined;
  let source: Awaited<ReturnType<typeof open>> | undefined;
  return {
    secretId,
    read: async (id, options) => {
      source = await (opening ??= open());
      return source.read(id, options);
    },
    isFresh: (id) => source?.isFresh(id) ?? false,
    close: async () => source?.close(),
  };
};

/** @throws {TypeError} when the credentials or a name are missing */
const credentialSource = (credentials: Partial<ClientOptions>['credentials']): CredentialSource => {
  if (credentials === undefined) throw new TypeError('credentials must be { secretId } or { clientId, clientSecret }');
  return 'secretId' in credentials ? storedSource(credentials.secretId) : staticSource(credentials);
};

/** What a program inside this repository may replace: the time, and where the secret is read. */
type Surroundings = { readonly clock?: Clock; readonly source?: Omit<CredentialSource, 'secretId'> };

type Page = { readonly items: readonly unknown[]; readonly nextCursor: string | null };

/**
 * Iterates over the items of a list. Each is a result: a failure is the last one.
 *
 * @param read reads the page at a cursor, or the first page without one
 */
export async function* items(
  read: (cursor?: string) => Promise<Result<Answer<Page>>>,
): AsyncGenerator<Result<unknown>> {
  let page = await read();
  let cursor: string | null = null;
  for (;;) {
    if (!page.ok) return yield page;
    const { items: found, nextCursor } = page.value.body;
    const isPage = Array.isArray(found) && (nextCursor === null || typeof nextCursor === 'string');
    if (!isPage) return yield fail(misfit('answered without a page', 'a list without a page'));
    for (const item of found) yield ok(item);
    // An endless list, such as events, returns the same cursor when it has no more items now.
    if (nextCursor === null || nextCursor === cursor) return undefined;
    cursor = nextCursor;
    page = await read(cursor);
  }
}

/** The shape of the answer of each operation. */
const shapeOf: Readonly<Record<OperationName, AnswerShape>> = shapes;

type Named = Operation & { readonly name: OperationName };
type MethodOptions = RequestOptions & KeyOptions & DryRunOptions & LanguageOptions & VersionOptions;

const defaultTimeout = 30_000;
/** The maximum of a timer. */
const maxTimeout = 2 ** 31 - 1;

/** @param path what is added to the address */
const address = (name: 'serviceUrl' | 'authUrl', value: string, path: string): string => {
  const failure = addressError(value) ?? repeatedPathError(value, path);
  if (failure !== undefined) throw new TypeError(`${name} ${failure}`);
  return baseOf(value);
};

const serviceAccessOf = (options: ClientOptions): ServiceAccess => {
  const parsed = parseServiceAccess(options);
  if (parsed.ok) return parsed.value;
  throw new TypeError(parsed.failure.map(({ setting, error }) => `${setting} ${error}`).join('; '));
};

/** Creates the access to the service. */
const connect = (options: ClientOptions, clock: Clock, given: Surroundings['source']) => {
  const serviceAccess = serviceAccessOf(options);
  const { servicePath, tokenPath } = serviceAccess;
  const serviceUrl = address('serviceUrl', options.serviceUrl, servicePath);
  const authUrl = address('authUrl', options.authUrl, tokenPath);
  const source = { ...credentialSource(options.credentials), ...given };
  const shared = { random: Math.random, onEvent: logAccessEvent };
  const access = createAccess({
    source,
    secretId: source.secretId,
    authUrl,
    serviceAccess,
    resource: serviceUrl,
    clock: pausableClock(clock),
    ...shared,
  });
  const close = async () => {
    await access.close();
    await source.close();
  };
  return {
    call: createService({ serviceUrl, servicePath, access, clock, reserveMs: 0, ...shared }),
    close,
  };
};

const scopesOf = ({ scope }: Operation, { admin = false }: MethodOptions): CallOptions['scopes'] => {
  if (scope === null) return [];
  return admin && scope !== 'returns:admin' ? [scope, 'returns:admin'] : [scope];
};

const callOptions = (
  operation: Operation,
  methodOptions: MethodOptions,
  clock: Clock,
  defaultMs = defaultTimeout,
): CallOptions => {
  const { timeoutMs = defaultMs, dryRun = false, ifMatch, onBehalfOf, acceptLanguage, signal } = methodOptions;
  if (!(timeoutMs > 0 && timeoutMs <= maxTimeout)) {
    throw new RangeError(`timeoutMs must be above 0 and at most ${maxTimeout}`);
  }
  const ownKey = operation.idempotencyKey && !dryRun ? randomUUID() : undefined;
  const { idempotencyKey = ownKey } = methodOptions;
  return {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    ...(acceptLanguage === undefined ? {} : { acceptLanguage }),
    ...(signal === undefined ? {} : { signal }),
    dryRun,
    traceId: methodOptions.traceId ?? newTraceId(),
    deadline: clock.now() + timeoutMs,
    scopes: scopesOf(operation, methodOptions),
  };
};

/** Counts calls, to wait for the running ones. It rejects new calls after that. */
const countCalls = () => {
  const underWay = new Set<Promise<void>>();
  let open = true;
  return {
    begin: async <Value>(call: () => Promise<Value>): Promise<Value> => {
      if (!open) throw new Error('the client is closed');
      const outcome = call();
      const forget = () => void underWay.delete(ended);
      const ended: Promise<void> = outcome.then(forget, forget);
      underWay.add(ended);
      return outcome;
    },
    end: async () => {
      open = false;
      await Promise.all(underWay);
    },
  };
};

/**
 * Creates a client of the Returns Service. It caches one token for each scope, and its connections. It does not read
 * the environment. A failure of the service or of the access to it is a value. A promise rejects only for a defect of
 * the program, or with the reason of the program's signal.
 *
 * @throws {TypeError} for an invalid address or invalid credentials
 */
export const createReturnsClient = (
  options: ClientOptions,
  { clock = systemClock, source }: Surroundings = {},
): ReturnsClient => {
  const connection = connect(options, clock, source);
  const calls = countCalls();
  const checkAnswer = createAnswerCheck();
  const send = (operation: Named, input: object, methodOptions: MethodOptions): Promise<Result<Answer<unknown>>> =>
    calls.begin(async () => {
      const how = callOptions(operation, methodOptions, clock, options.timeoutMs);
      const answer = await connection.call(operation, input, how);
      const checked = answer.ok ? checkAnswer(operation.name, shapeOf[operation.name], answer.value) : answer;
      if (checked.ok) return parseAnswerBody(checked.value);
      const { failure } = checked;
      return fail({ ...failure, detail: detailForOwner(failure, how.scopes) });
    });
  const page = (operation: Named, input: object, methodOptions: MethodOptions) =>
    send(operation, input, methodOptions) as Promise<Result<Answer<Page>>>;
  const method =
    (operation: Named) =>
    (input: object = {}, methodOptions: MethodOptions = {}) =>
      send(operation, input, methodOptions);
  const itemsOf =
    (operation: Named) =>
    (input: object = {}, methodOptions: MethodOptions = {}) =>
      items((cursor) => page(operation, cursor === undefined ? input : { ...input, cursor }, methodOptions));
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= calls.end().then(connection.close));

  const named = Object.values(operations);
  const lists = named.filter(({ query }) => query.some((name) => name === 'cursor'));
  return {
    ...(Object.fromEntries(named.map((operation) => [operation.name, method(operation)])) as Methods),
    items: Object.fromEntries(lists.map((operation) => [operation.name, itemsOf(operation)])) as unknown as Items,
    close,
    [Symbol.asyncDispose]: close,
  };
};
