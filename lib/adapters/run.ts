import { drainRefresh } from '../access/client/container.ts';
import { withoutReason } from '../access/client/failures.ts';
import { basePath, type Operation } from '../contract/operation.ts';
import type { Call, Reply } from '../contract/port.ts';
import { percentEncoded } from '../contract/request-path.ts';
import type { Failure, Result } from '../contract/result.ts';
import { fail, ok } from '../runtime/result.ts';
import { isObject, type JsonObject } from '../runtime/json.ts';
import { errorName, log } from '../runtime/log.ts';
import { type ActionRules, completeReturn } from './actions.ts';
import { cursors } from './cursor.ts';
import { type CoreShape, fitCore } from './fit-core.ts';
import { misfit, OperationFailure, unsupported } from './failure.ts';
import { UnsafePath } from './path.ts';
import type { Service } from './send.ts';
import { type AnswerRules, openService, type Opening } from './service.ts';
import { completeList } from './status.ts';

/** An adapter as the runner needs it. */
export type RunnableAdapter = AnswerRules & ActionRules;

/** A mapping as the runner needs it. The types of the adapter have checked its input and its answer. */
export type RunnableMapping = {
  readonly run: (input: never, service: Service) => Promise<unknown>;
};

export type Offered = {
  readonly adapter: RunnableAdapter;
  readonly operation: Operation;
  readonly mapping: RunnableMapping;
  /** What the contract of the deployment says of the answer. */
  readonly shape: CoreShape;
};

/** What an operation needs besides its mapping. The bundle of a function has the parts of its operation only. */
export type Parts = {
  /** Gives returns their status. Absent for answers without returns. */
  readonly complete?: (rules: RunnableAdapter, operation: Operation, mapped: JsonObject) => JsonObject;
  /** For a list with further pages. */
  readonly cursors?: typeof cursors;
};

const absent = 'must be absent: the Returns Service does not support it';

/** Returns the failure for a condition or a person that the service cannot honour. */
export const unsupportedFailure = ({ caller, ifMatch, dryRun }: Call): Failure | undefined => {
  if (dryRun) return unsupported('/dryRun', absent).failure;
  if (ifMatch !== undefined) return unsupported('header:If-Match', absent).failure;
  return caller.onBehalfOf === undefined ? undefined : unsupported('header:Returns-On-Behalf-Of', absent).failure;
};

/** An operation whose mapping failed. */
type FailedRun = Pick<Opening, 'operation' | 'call' | 'progress'> & { readonly input: JsonObject };

/** Whether the caller sent the value. Before the first answer of the service, no other values are known. */
const isOfCaller = ({ value }: UnsafePath, { input, progress }: FailedRun): boolean =>
  progress.calls === 0 || JSON.stringify(input).includes(JSON.stringify(value));

/** Converts what a mapping threw. A mapping that meets an unexpected answer fails with any error of JavaScript. */
export const failureOf = (error: unknown, failed: FailedRun): Failure => {
  if (error instanceof OperationFailure) return withoutReason(error.failure);
  if (error instanceof UnsafePath)
    return isOfCaller(error, failed)
      ? unsupported('/', 'must be an id that can stand in a path of the Returns Service').failure
      : misfit('', `must have an id that can stand in the path ${error.template}`);
  const { operation, call } = failed;
  log('error', 'answer not mapped', { operation: operation.name, traceId: call.traceId, error: errorName(error) });
  return misfit('', 'must have the members that its description names');
};

const replyOf = ({ operation }: Offered, body: JsonObject): Reply<never> => {
  const [status = 200] = operation.success;
  const { version, returnId } = body;
  return {
    status,
    body: body as never,
    ...(typeof version === 'number' && { version }),
    ...(status === 201 &&
      typeof returnId === 'string' && { location: `${basePath}/returns/${percentEncoded(returnId)}` }),
  };
};

/** @throws {TypeError} for a further page of a list whose contract has one page */
const pageOf = (
  { operation: { name } }: Offered,
  { cursors: pages }: Parts,
  input: JsonObject,
  { next, ...page }: JsonObject,
) => {
  if (typeof next !== 'string') return { ...page, nextCursor: null };
  if (pages === undefined) throw new TypeError(`${name} has one page`);
  return { ...page, nextCursor: pages.make(name, input, next) };
};

/** Finds the answer with another return than the caller asked for, which may be another person's. */
const otherReturn = ({ returnId: asked }: JsonObject, { returnId }: JsonObject) =>
  typeof asked !== 'string' || typeof returnId !== 'string' || returnId.toLowerCase() === asked.toLowerCase()
    ? undefined
    : { path: '/returnId', expected: 'the id of the request' };

/** Completes and checks what a mapping returned. Nothing that the core does not allow leaves. */
export const answerOf = (offered: Offered, parts: Parts, input: JsonObject, mapped: unknown): Result<Reply<never>> => {
  const { adapter, operation, shape } = offered;
  if (!isObject(mapped)) return fail(misfit('', 'must be an object'));
  const completed = parts.complete?.(adapter, operation, mapped) ?? mapped;
  const body = Array.isArray(completed['items']) ? pageOf(offered, parts, input, completed) : completed;
  const difference = otherReturn(input, body) ?? fitCore(body, shape);
  if (difference === undefined) return ok(replyOf(offered, body));
  const { path, expected } = difference;
  log('error', 'answer rejected', { operation: operation.name, path, expected });
  return fail(misfit(path, `must be ${expected}`));
};

/** Lets a token refresh end before the container freezes. */
export const draining = async <Value>(call: Call, run: () => Promise<Value>): Promise<Value> => {
  try {
    return await run();
  } finally {
    const refresh = drainRefresh(call.deadline);
    if (refresh !== undefined) await refresh;
  }
};

/** Makes an operation of the port from a mapping that only reads, with the parts that it needs. */
export const offerReadWith =
  (parts: Parts, offered: Offered) =>
  (input: JsonObject, call: Call): Promise<Result<Reply<never>>> =>
    draining(call, async () => {
      const failure = unsupportedFailure(call);
      if (failure !== undefined) return fail(failure);
      const { adapter, operation, mapping } = offered;
      const progress = { calls: 0 };
      try {
        const service = openService({ rules: adapter, operation, call, progress });
        const known = parts.cursors?.read(operation.name, input) ?? input;
        return answerOf(offered, parts, input, await mapping.run(known as never, service));
      } catch (error) {
        return fail(failureOf(error, { operation, call, input, progress }));
      }
    });

/** Makes an operation of the port from a mapping that only reads. */
export const offerRead = (offered: Offered) => {
  const { query } = offered.operation;
  return offerReadWith(
    {
      complete: (rules, operation, mapped) =>
        (Array.isArray(mapped['items']) ? completeList : completeReturn)(rules, operation, mapped),
      ...(query.includes('cursor') && { cursors }),
    },
    offered,
  );
};
