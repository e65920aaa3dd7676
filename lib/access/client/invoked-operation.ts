import type { Input, OperationName, Output } from '../../contract/contract.ts';
import { errors } from '../../contract/errors.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Failure, Result } from '../../contract/result.ts';
import { fail, ok, type Result as GenericResult } from '../../runtime/result.ts';
import { backOff } from '../net/back-off.ts';
import { systemClock as clock } from '../net/clock.ts';
import { deadline as limitTo, isTimedOut, sleep } from '../net/deadline.ts';
import { isObject, parseObject } from '../../runtime/json.ts';
import { log } from '../../runtime/log.ts';
import { failureReason } from '../secrets/failure-reason.ts';
import { signInvocation } from './sign-invocation.ts';
import { sendSigned, type SignedAnswer, type SigningClient } from './sign-request.ts';

/*
 * Calls an operation by invoking its function, whose role has the rights that the operation needs. So the caller needs
 * none of them (lib/edge/http/direct-handler.ts).
 */

const maxAttempts = 3;
const firstPauseMs = 100;
const maxPauseMs = 1_000;

/** The client with credentials and connections, and the origin of Lambda; undefined for that of AWS. */
type Invoker = { readonly client: SigningClient; readonly endpoint: string | undefined };

/** An operation that is called by its function. */
type InvokedOperation<Name extends OperationName> = {
  readonly name: Name;
  /** Returns the ARN of the function's alias. */
  readonly arnOf: () => string;
  /** Whether the operation changes nothing. */
  readonly isRead: boolean;
};

/** An attempt without an answer of the operation. */
type Unanswered = {
  readonly reason: string;
  /** Whether another attempt may get an answer within the deadline. */
  readonly isTransient: boolean;
};

const outOfTime = fail<Failure>({ code: 'timeout', detail: 'The service did not respond in time. Try again.' });
const unavailable = fail<Failure>({
  code: 'dependency_unavailable',
  detail: 'The service cannot be reached. Try again.',
  retryAfterSeconds: 1,
});

/** Returns the failure that the operation threw; undefined for a failure of the function itself, such as its timeout. */
const failureIn = ({ body }: SignedAnswer): Failure | undefined => {
  const { errorType, errorMessage } = parseObject(body) ?? {};
  if (typeof errorType !== 'string' || !Object.hasOwn(errors, errorType)) return undefined;
  const problem = parseObject(String(errorMessage)) as (Failure & Record<string, unknown>) | undefined;
  if (problem?.code !== errorType) return undefined;
  const { code, detail, errors: fieldErrors, retryAfterSeconds } = problem;
  return {
    code,
    detail,
    // The input of an invocation is a field of its event.
    ...(fieldErrors && {
      errors: fieldErrors.map((fieldError) => ({ ...fieldError, path: fieldError.path.replace(/^\/input(?=\/)/, '') })),
    }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
};

const isTransientStatus = (status: number): boolean => status === 429 || status >= 500;

/** Reads the answer to an attempt. */
const resultOf = <Name extends OperationName>(
  answer: SignedAnswer,
): GenericResult<Result<Reply<Output<Name>>>, Unanswered> => {
  const { status, headers, body } = answer;
  if (status !== 200) return fail({ reason: `status_${status}`, isTransient: isTransientStatus(status) });
  if (headers['x-amz-function-error'] !== undefined) {
    const failure = failureIn(answer);
    return failure === undefined ? fail({ reason: 'function_failed', isTransient: true }) : ok(fail(failure));
  }
  const reply = parseObject(body);
  // The function is of this deployment, so a reply with a body has the type of the operation.
  return isObject(reply?.['body'])
    ? ok(ok(reply as unknown as Reply<Output<Name>>))
    : fail({ reason: 'malformed', isTransient: false });
};

const invokeOnce = async <Name extends OperationName>(
  { client, endpoint }: Invoker,
  target: { readonly arn: string; readonly event: object },
  end: number,
): Promise<GenericResult<Result<Reply<Output<Name>>>, Unanswered>> => {
  const leftMs = end - Date.now();
  if (leftMs <= 0) return fail({ reason: 'timeout', isTransient: false });
  using limit = limitTo(clock, leftMs);
  try {
    const signed = await signInvocation(client, { ...target, endpoint });
    return resultOf(await sendSigned(client, signed, limit.signal));
  } catch (error) {
    return isTimedOut(limit.signal)
      ? fail({ reason: 'timeout', isTransient: false })
      : fail({ reason: failureReason(error), isTransient: true });
  }
};

/**
 * Returns an operation that invokes its function, until the deadline of the call. An attempt that broke off or was
 * rejected for load is repeated where a repeat is safe: for a read, or with an idempotency key. A slow one is not, because
 * its function may still run.
 */
export const invokedOperation =
  <Name extends OperationName>(invokerOf: () => Invoker, { name, arnOf, isRead }: InvokedOperation<Name>) =>
  async (input: Input<Name>, call: Call): Promise<Result<Reply<Output<Name>>>> => {
    const { idempotencyKey, deadline, caller, traceId } = call;
    const invoker = invokerOf();
    const event = {
      input,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      // The history names the function that called.
      onBehalfOf: caller.clientId,
    };
    const attempts = isRead || idempotencyKey !== undefined ? maxAttempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      const answered = await invokeOnce<Name>(invoker, { arn: arnOf(), event }, deadline);
      if (answered.ok) return answered.value;
      const { reason, isTransient } = answered.failure;
      const pauseMs = backOff(firstPauseMs, maxPauseMs, attempt, Math.random());
      if (!isTransient || attempt >= attempts || Date.now() + pauseMs >= deadline) {
        log('error', 'operation not invoked', { operation: name, reason, attempts: attempt, traceId });
        return reason === 'timeout' ? outOfTime : unavailable;
      }
      await sleep(clock, pauseMs, undefined);
    }
  };
