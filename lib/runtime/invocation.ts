import { perContainer } from './container.ts';
import { newTraceId } from './new-ids.ts';

/*
 * The invocation that a container runs. Lambda gives a container one invocation at a time, so the container holds its
 * ids. An asynchronous context would cost every call more. The local stack runs concurrent invocations of a function in
 * one container: such a line may carry the ids of the latest one.
 */

/** The part of Lambda's context that identifies an invocation. */
type Identified = { readonly awsRequestId?: string };

/** The texts are the ends of JSON objects, such as `,"coldStart":true`. */
type Invocation = { isCold: boolean; traceId: string | undefined; ids: string; idsAndTrace: string };

const invocation = perContainer((): Invocation => ({ isCold: true, traceId: undefined, ids: '', idsAndTrace: '' }));

/** The request ids of Lambda are UUIDs, whose digits fit a trace id. */
const digitsOfTraceId = /^(?!0+$)[0-9a-f]{32}$/;

/**
 * Makes a trace id the one of the invocation: all further lines carry it. Outside of an invocation it does nothing.
 *
 * @param traceId 32 hex digits
 */
export const traceInvocation = (traceId: string): void => {
  const current = invocation();
  if (current.traceId === undefined) return;
  current.traceId = traceId;
  current.idsAndTrace = `${current.ids},"traceId":"${traceId}"`;
};

/**
 * Returns the trace id of the invocation; a random one outside of an invocation.
 *
 * It consists of the digits of Lambda's request id, until a request brings its own. So a line of the gateway's access
 * log, which has the request id and no header of the request, leads to all lines and events of the request.
 */
export const invocationTraceId = (): string => invocation().traceId ?? newTraceId();

/**
 * Returns the ids of the invocation, as the end of a JSON object: `lambdaRequestId`, `coldStart` in the first
 * invocation of a container, and `traceId`. Empty outside of an invocation.
 *
 * @param hasTrace whether the object already has a `traceId`
 */
export const invocationFields = (hasTrace: boolean): string => {
  const { ids, idsAndTrace } = invocation();
  return hasTrace ? ids : idsAndTrace;
};

const begin = ({ awsRequestId = '' }: Identified): void => {
  const current = invocation();
  const digits = awsRequestId.replaceAll('-', '');
  const isUuid = digitsOfTraceId.test(digits);
  // A UUID needs no escapes.
  const id = isUuid ? `"${awsRequestId}"` : JSON.stringify(awsRequestId);
  const ids = awsRequestId === '' ? '' : `,"lambdaRequestId":${id}`;
  current.ids = current.isCold ? `${ids},"coldStart":true` : ids;
  current.isCold = false;
  current.traceId = isUuid ? digits : newTraceId();
  traceInvocation(current.traceId);
};

/** Wraps the handler of a function, so that its lines carry the ids of their invocation. Each bundle calls it. */
export const withInvocation =
  <Event, Context extends Identified, Answer>(handler: (event: Event, context: Context) => Answer) =>
  (event: Event, context: Context): Answer => {
    begin(context);
    return handler(event, context);
  };
