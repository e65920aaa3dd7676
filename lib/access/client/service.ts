import type { Input, OperationName } from '../../contract/contract.ts';
import { basePath, type Operation } from '../../contract/operation.ts';
import { ok } from '../../runtime/result.ts';
import type { Clock } from '../net/clock.ts';
import type { Access } from '../oauth/access.ts';
import type { OnAccessEvent } from '../oauth/access-event.ts';
import { exchange } from './exchange.ts';
import { parseServiceAnswer, type ServiceAnswer } from './incoming.ts';
import { type CallOptions, serviceRequest } from './outgoing.ts';
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

/**
 * Creates the calls of the Returns Service over HTTP. Expected failures of the service and of the access to it are
 * values, not exceptions.
 */
export const createService =
  ({ serviceUrl, servicePath = basePath, access, clock, random, reserveMs, onEvent }: ServiceOptions): Call =>
  async <Name extends OperationName>(
    operation: Operation & { readonly name: Name },
    input: Input<Name>,
    options: CallOptions,
  ) => {
    const request = serviceRequest(`${serviceUrl}${servicePath}`, operation, input, options);
    if (!request.ok) return request;
    const { method, scope } = operation;
    const readsOnly = method === 'GET' || scope === 'returns:read';
    // After a success the condition fails: a retry would report that another client was faster.
    const replaces = method === 'PUT' && options.ifMatch === undefined;
    const answer = await exchange({
      access,
      clock,
      random,
      request: request.value,
      scopes: options.scopes,
      until: options.deadline - reserveMs,
      traceId: options.traceId,
      repeatable: readsOnly || replaces || options.dryRun || options.idempotencyKey !== undefined,
      signal: options.signal,
      onEvent,
    });
    return answer.ok ? withOwnLocation(parseServiceAnswer(answer.value, clock), servicePath) : answer;
  };
