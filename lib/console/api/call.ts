import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { basePath, hasBody, mediaTypes, type Operation, requestBody } from '../../contract/operation.ts';
import { requestPath } from '../../contract/request-path.ts';
import { requestRenewal } from '../session/renew.ts';
import { session } from '../session/session.ts';
import { language } from '../texts/language.ts';
import { isTemporary, problemOf, type Problem } from './problem.ts';

/** The record of an operation in lib/contract/operations.ts. */
export type Named<Name extends OperationName> = Operation & { readonly name: Name };

export type CallOptions = {
  /** The key of a request that stores. A repeat with the same key has no second effect. */
  readonly idempotencyKey?: string;
  /** The version that the person has seen. */
  readonly version?: number;
  /** Asks what the command would do, without doing it. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
};

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value; readonly version?: number }
  | { readonly ok: false; readonly problem: Problem };

/** The longest time of an operation at the gateway. */
const deadlineMs = 30_000;
const maxAttempts = 3;
const pauseMs = 500;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const queryOf = (operation: Operation, input: Readonly<Record<string, unknown>>, dryRun: boolean): string => {
  const query = new URLSearchParams();
  for (const name of operation.query) if (input[name] !== undefined) query.set(name, textOf(input[name]));
  if (dryRun) query.set('dryRun', 'true');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
};

const headersOf = (operation: Operation, { idempotencyKey, version, dryRun }: CallOptions): Headers => {
  const headers = new Headers({ accept: 'application/json', 'accept-language': language.peek() });
  const token = session.peek()?.token;
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (hasBody(operation)) headers.set('content-type', mediaTypes(operation)[0] ?? '');
  if (operation.idempotencyKey && dryRun !== true)
    headers.set('idempotency-key', idempotencyKey ?? crypto.randomUUID());
  if (version === 0 && operation.ifMatch === 'required_or_none') headers.set('if-none-match', '*');
  else if (version !== undefined && operation.ifMatch !== 'ignored') headers.set('if-match', `"${version}"`);
  return headers;
};

const withoutResponse = (): Problem => ({
  status: 0,
  code: navigator.onLine ? 'unreachable' : 'offline',
  detail: '',
});

const send = async <Value>(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<Answer<Value>> => {
  const path = requestPath(operation, input);
  if (!path.ok) return { ok: false, problem: { status: 0, ...path.failure } };
  const signals = [AbortSignal.timeout(deadlineMs), ...(options.signal ? [options.signal] : [])];
  const body = requestBody(operation, input);
  try {
    const response = await fetch(`${basePath}${path.value}${queryOf(operation, input, options.dryRun === true)}`, {
      method: operation.method,
      headers: headersOf(operation, options),
      signal: AbortSignal.any(signals),
      cache: 'no-store',
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (!response.ok) return { ok: false, problem: problemOf(response, value) };
    const version = Number(/\d+/.exec(response.headers.get('etag') ?? '')?.[0]);
    return { ok: true, value: value as Value, ...(version > 0 && { version }) };
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    return { ok: false, problem: withoutResponse() };
  }
};

const pause = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * Calls an operation for the signed-in person. A read is repeated after a temporary failure, a command is not: the
 * person repeats it with the same idempotency key. With an expired token the call waits for a new sign-in.
 *
 * @throws the reason of `options.signal`
 */
export const call = async <Name extends OperationName>(
  operation: Named<Name>,
  input: Input<Name>,
  options: CallOptions = {},
): Promise<Answer<Output<Name>>> => {
  // The key of a repeat after a new sign-in is that of the first attempt.
  const fixed = { idempotencyKey: crypto.randomUUID(), ...options };
  const fields = input as Readonly<Record<string, unknown>>;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send<Output<Name>>(operation, fields, fixed);
    if (answer.ok) return answer;
    const { problem } = answer;
    if (problem.status === 401 && attempt === 1 && (await requestRenewal())) continue;
    if (operation.method !== 'GET' || !isTemporary(problem) || attempt >= maxAttempts) return answer;
    if (problem.code === 'offline') return answer;
    await pause(Math.max(pauseMs * attempt, (problem.retryAt ?? 0) - Date.now()));
  }
};
