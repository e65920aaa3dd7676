import { errorName } from '../log.ts';
import { TransportError } from '../net/transport-error.ts';

/** Of the system, of TLS, of the HTTP parser and of undici. Node gives its own errors codes too: their names say more. */
const told = /^(?:E|HPE_|UND_ERR_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)[A-Z0-9_]{2,60}$/;

/** What the SDK calls answers that are none of AWS's: without a body, and with one that is no JSON. */
const nameless: ReadonlySet<string> = new Set(['Unknown', 'SyntaxError']);

const statusOf = (error: Error & { readonly $metadata?: { readonly httpStatusCode?: number } }): number =>
  error.$metadata?.httpStatusCode ?? 200;

/**
 * Why Secrets Manager gave nothing, in a word: AWS's own, the status of an answer that has none, or where there was no
 * answer the system's (`ECONNREFUSED`), TLS's (`CERT_HAS_EXPIRED`), the HTTP parser's (`HPE_HEADER_OVERFLOW`) or ours
 * (`too_large`). It says AccessDeniedException of the secret's key as of the secret itself: only the message, which goes
 * no further, tells them apart.
 * https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot.html
 */
export const faultName = (error: unknown): string => {
  const name = errorName(error);
  if (!(error instanceof Error)) return name;
  if (name === 'AccessDeniedException' && /\bKMS\b/.test(error.message)) return 'KmsAccessDenied';
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && told.test(code)) return code;
  if (error instanceof TransportError) return error.reason;
  const status = statusOf(error);
  return nameless.has(name) && status !== 200 ? `status_${status}` : name;
};
