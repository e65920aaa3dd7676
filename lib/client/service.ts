import { serviceConfig } from '../config.ts';
import type { Operation } from '../contract/operation.ts';
import type { Result } from '../contract/result.ts';
import { systemClock, type Clock } from '../net/clock.ts';
import { createAccess, type Access } from '../oauth/access.ts';
import { secrets } from '../secrets/source.ts';
import type { CallOptions } from './call-options.ts';
import { exchange } from './exchange.ts';
import { serviceAnswer, type ServiceAnswer } from './incoming.ts';
import { serviceRequest } from './outgoing.ts';

export type ServiceOptions = {
  readonly serviceUrl: string;
  readonly access: Access;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
};

type Call = (operation: Operation, input: object, options: CallOptions) => Promise<Result<ServiceAnswer>>;

/** What is kept back of the caller's deadline, for our own answer. */
const reserve = 500;

/** The Returns Service over HTTP. Expected refusals, of the service and of access to it, are failures, not exceptions. */
export const createService =
  ({ serviceUrl, access, clock, random }: ServiceOptions): Call =>
  async (operation, input, options) => {
    const request = serviceRequest(serviceUrl, operation, input, options);
    if (!request.ok) return request;
    const { method } = operation;
    const answer = await exchange({
      access,
      clock,
      random,
      request: request.value,
      scopes: options.scopes,
      until: options.deadline - reserve,
      traceId: options.traceId,
      repeatable: method === 'GET' || method === 'PUT' || options.dryRun || options.idempotencyKey !== undefined,
    });
    return answer.ok ? serviceAnswer(answer.value, clock.now()) : answer;
  };

type Container = { readonly access: Access; readonly call: Call };
const { serviceUrl, authUrl, clientSecretId } = serviceConfig();
let container: Container | undefined;

const open = (): Container => {
  const shared = { clock: systemClock, random: Math.random };
  const access = createAccess({
    source: secrets(),
    secretId: clientSecretId,
    authUrl,
    resource: serviceUrl,
    ...shared,
  });
  return { access, call: createService({ serviceUrl, access, ...shared }) };
};

/** Calls an operation of the Returns Service, with this container's token and connections. */
export const callService: Call = (operation, input, options) => (container ??= open()).call(operation, input, options);

/**
 * Ends what runs beside an invocation, a token refresh above all, within min(1 s, 25 % of the remaining time). Belongs
 * into the handler's `finally`; costs nothing when nothing runs.
 */
export const settleRefresh = async (remainingMs: number): Promise<void> => container?.access.settle(remainingMs);
