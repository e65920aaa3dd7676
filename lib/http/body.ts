import { hasBody, mediaTypes, type Operation } from '../contract/operation.ts';
import { fail, ok, type Result } from '../contract/result.ts';
import { isObject } from '../runtime/json.ts';
import type { HttpEvent } from './event.ts';

/** Contract section 1. */
export const largestBody = 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const malformed = (message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'The body is not a JSON object.',
    errors: [{ path: '', code: 'json', message }],
  });

const parse = (bytes: Buffer): Result<Record<string, unknown>> => {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return malformed('must be JSON in UTF-8 (RFC 8259)');
  }
  return isObject(value) ? ok(value) : malformed('must be a JSON object');
};

/** The JSON object that a request carries; none is an empty one. */
export const bodyOf = (event: HttpEvent, operation: Operation): Result<Record<string, unknown>> => {
  if (!hasBody(operation)) return ok({});
  if (event.body === undefined || event.body === '') return ok({});
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > largestBody) {
    return fail({
      code: 'payload_too_large',
      detail: `A body may have ${largestBody} bytes; this one has ${bytes.length}.`,
    });
  }
  const accepted = mediaTypes(operation);
  const given = event.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!accepted.includes(given)) {
    return fail({
      code: 'unsupported_media_type',
      detail: 'The body must be JSON.',
      errors: [{ path: 'header:Content-Type', code: 'media_type', message: `must be ${accepted.join(' or ')}` }],
    });
  }
  return parse(bytes);
};
