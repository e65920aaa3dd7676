import type { Input, OperationName } from '../../contract/contract.ts';
import { basePath, type Operation } from '../../contract/operation.ts';
import { fail, ok, type Result as GenericResult } from '../../runtime/result.ts';
import type { Clock } from '../net/clock.ts';
import type { Access } from '../oauth/access.ts';
import type { OnAccessEvent } from '../oauth/access-event.ts';
import type { Incoming } from '../net/request.ts';
import { exchange } from './exchange.ts';
import { type ExchangeFailure, withoutUnsent } from './failures.ts';
import { parseServiceAnswer, type ServiceAnswer } from './incoming.ts';
import { type CallOptions, serviceRequest, type ServiceRequest } from './outgoing.ts';
import type { Result } from './public.ts';

export type ServiceOptions = {
  readonly serviceUrl: string;
  /** The text between the address and the path of an operation. @default '/v1' */
  readonly servicePath?: string;
  readonly access: Access;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Milliseconds of a caller's deadline that are reserved for its own response. */
  readonly reserveMs: number;
  /** @default events are dropped */
  readonly onEvent?: OnAccessEvent;
};

/** Calls an operation: its name determines the input. */
export type Call = <Name extends OperationName>(
  operation: Operation & { readonly name: Name },
  input: Input<Name>,
  options: CallOptions,
) => Promise<Result<ServiceAnswer>>;

/** Makes a path of the service a path of the contract. A service behind a gateway may answer with that already. */
const withOwnLocation = (answer: Result<ServiceAnswer>, servicePath: string): Result<ServiceAnswer> => {
  if (servicePath === basePath || !answer.ok) return answer;
  const { location } = answer.value;
  if (location?.startsWith(`${servicePath}/`) !== true || location.startsWith(`${basePath}/`)) return answer;
  return ok({ ...answer.value, location: `${basePath}${location.slice(servicePath.length)}` });
};

/** One request to the service, with its limits. */
export type Sending = Pick<CallOptions, 'scopes' | 'traceId' | 'deadline'> & {
  readonly request: ServiceRequest;
  /** Whether a repeated request has no further effect. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
};

/** Sends a request and returns the answer, also one with a status of an error. */
export type SendRequest = (sending: Sending) => Promise<GenericResult<Incoming, ExchangeFailure>>;

/** Creates the way to the service: its token, retries and deadlines. */
export const createSender =
  ({ access, clock, random, reserveMs, onEvent }: ServiceOptions): SendRequest =>
  ({ request, scopes, traceId, repeatable, deadline, signal }) =>
    exchange({
      access,
      clock,
      random,
      request,
      scopes,
      traceId,
      repeatable,
      until: deadline - reserveMs,
      signal,
      onEvent,
    });

/**
 * Creates the calls of the Returns Service over HTTP. Expected failures of the service and of the access to it are
 * values, not exceptions.
 */
export const createService = (options: ServiceOptions): Call => {
  const { serviceUrl, servicePath = basePath, clock } = options;
  const send = createSender(options);
  return async <Name extends OperationName>(
    operation: Operation & { readonly name: Name },
    input: Input<Name>,
    call: CallOptions,
  ) => {
    const request = serviceRequest(`${serviceUrl}${servicePath}`, operation, input, call);
    if (!request.ok) return request;
    const { method, scope } = operation;
    const readsOnly = method === 'GET' || scope === 'returns:read';
    // After a success the condition fails: a retry would report that another client was faster.
    const replaces = method === 'PUT' && call.ifMatch === undefined;
    const { scopes, traceId, deadline, signal } = call;
    const answer = await send({
      request: request.value,
      scopes,
      traceId,
      deadline,
      signal,
      repeatable: readsOnly || replaces || call.dryRun || call.idempotencyKey !== undefined,
    });
    if (!answer.ok) return fail(withoutUnsent(answer.failure));
    return withOwnLocation(parseServiceAnswer(answer.value, clock), servicePath);
  };
};
