import { inspect } from 'node:util';
import { TransportError } from '../net/transport-error.ts';
import { errorName } from '../runtime/log.ts';

const mark = '[redacted]';

/** A text that shows itself only when asked by name: never in a log line, in JSON, in `inspect` or in a template. */
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

/** What an error may have to tell: `$fault` is the SDK's, which copies all that an answer says onto what it throws. */
type Hints = {
  readonly code?: unknown;
  readonly $fault?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
};

/** The reason where nothing says in which region the secret is. */
export const noRegion = 'AWS_REGION is not set';

/**
 * Why Secrets Manager gave nothing, in a word: AWS's own, the status of an answer without it, or where there was none the
 * system's (`ECONNREFUSED`), TLS's (`CERT_HAS_EXPIRED`), the HTTP parser's (`HPE_HEADER_OVERFLOW`) or ours (`too_large`).
 * It says AccessDeniedException of the secret's key as of the secret itself: only the message, which goes no further,
 * tells them apart.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot.html
 */
export const failureReason = (error: unknown): string => {
  const name = errorName(error);
  if (!(error instanceof Error)) return name;
  if (name === 'AccessDeniedException' && /\bKMS\b/.test(error.message)) return 'KmsAccessDenied';
  // The SDK's word for it has no name of its own.
  if (name === 'Error' && error.message === 'Region is missing') return noRegion;
  const { code, $fault, $metadata: { httpStatusCode: status = 200 } = {} }: Error & Hints = error;
  // ABORT_ERR is the code of what is named better.
  if ($fault === undefined && typeof code === 'string' && /^(?!ABORT_)[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  if (error instanceof TransportError) return error.reason;
  // The SDK's names for a body that is empty, and for one that is no JSON.
  return status !== 200 && /^(Unknown|SyntaxError)$/.test(name) ? `status_${status}` : name;
};
