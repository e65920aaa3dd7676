import { inspect } from 'node:util';
import { TransportError } from '../net/transport-error.ts';
import { errorName } from '../../runtime/log.ts';

const mark = '[redacted]';

/** A text that only `reveal` returns: log lines, JSON, `inspect` and templates do not show it. */
export class Redacted {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return mark;
  }

  toJSON(): string {
    return mark;
  }

  [inspect.custom](): string {
    return mark;
  }
}

/** The fields of an error. `$fault` is the SDK's, which copies all fields of a response onto the error. */
type Hints = {
  readonly code?: unknown;
  readonly $fault?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
};

/** The reason when the region of the secret is unknown. */
export const noRegion = 'AWS_REGION is not set';

/**
 * Returns why Secrets Manager failed, in one word. The code comes from AWS, the system (`ECONNREFUSED`), TLS
 * (`CERT_HAS_EXPIRED`), the HTTP parser (`HPE_HEADER_OVERFLOW`) or this service (`too_large`). Without a code it is the
 * status of the response. AccessDeniedException can concern the secret or its key. Only the message distinguishes the
 * two, and it is not passed on.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot.html
 */
export const failureReason = (error: unknown): string => {
  const name = errorName(error);
  if (!(error instanceof Error)) return name;
  if (name === 'AccessDeniedException' && /\bKMS\b/.test(error.message)) return 'KmsAccessDenied';
  // The SDK's error for this case has no name of its own.
  if (name === 'Error' && error.message === 'Region is missing') return noRegion;
  const { code, $fault, $metadata: { httpStatusCode: status = 200 } = {} }: Error & Hints = error;
  // ABORT_ERR has a better name below.
  if ($fault === undefined && typeof code === 'string' && /^(?!ABORT_)[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  if (error instanceof TransportError) return error.reason;
  // The SDK's names for an empty body, and for a body that is not JSON.
  return status !== 200 && /^(Unknown|SyntaxError)$/.test(name) ? `status_${status}` : name;
};
