import type { ErrorCode, FieldError } from '../../contract/errors.ts';
import type { Output } from '../../contract/contract.ts';

type AllowedActions = NonNullable<Output<'getReturn'>['allowedActions']>;

/**
 * Why a request has no result. A response has the code of the service. Without a response the code is `offline`,
 * `unreachable`, or `invalid_request` for input that no address can contain.
 */
export type Problem = {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The errors of the input, each with its path. */
  readonly errors?: readonly FieldError[];
  readonly allowedActions?: AllowedActions;
  readonly returnId?: string;
  /** Epoch milliseconds from which a repeat makes sense. */
  readonly retryAt?: number;
  readonly traceId?: string;
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads an error response (RFC 9457). The gateway answers some requests itself, in another form. */
export const problemOf = (response: Response, body: unknown): Problem => {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const seconds = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    code: text(fields['code']) ?? `http_${response.status}`,
    detail: text(fields['detail']) ?? text(fields['message']) ?? response.statusText,
    ...(Array.isArray(fields['errors']) && { errors: fields['errors'] as readonly FieldError[] }),
    ...(Array.isArray(fields['allowedActions']) && { allowedActions: fields['allowedActions'] as AllowedActions }),
    ...(typeof fields['returnId'] === 'string' && { returnId: fields['returnId'] }),
    ...(seconds > 0 && { retryAt: Date.now() + seconds * 1000 }),
    ...(typeof fields['traceId'] === 'string' && { traceId: fields['traceId'] }),
  };
};

/** Codes with a status of an outage that no repeat corrects. */
const lasting: ReadonlySet<string> = new Set(['dependency_refused', 'operation_not_offered'] satisfies ErrorCode[]);

/** Whether the same request may succeed later without a change. */
export const isTemporary = ({ status, code }: Problem): boolean =>
  code === 'offline' || code === 'unreachable' || status === 429 || (status >= 500 && !lasting.has(code));

/** Rejections that leave open whether the command, or an earlier attempt at it, has an effect. */
const open: ReadonlySet<string> = new Set(['dependency_refused', 'idempotency_key_in_progress'] satisfies ErrorCode[]);

/** Whether a rejection says that the command had no effect. Otherwise an earlier attempt may still have one. */
export const isFinal = (problem: Problem): boolean =>
  !isTemporary(problem) && problem.status !== 401 && !open.has(problem.code);

/** Whether the resource has another state than the person has seen: another person or a lost request changed it. */
export const isStale = ({ status, code }: Problem): boolean => status === 412 || code === 'idempotency_key_reused';
