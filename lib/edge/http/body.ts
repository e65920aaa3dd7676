import { hasBody, mediaTypes, type Operation } from '../../contract/operation.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { isObject, parseJson } from '../../runtime/json.ts';
import { jsonErrorPlace } from '../../runtime/json-error.ts';
import type { HttpEvent } from './event.ts';

/** The limit of contract section 1. */
export const maxBodyBytes = 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const malformed = (message: string) =>
  fail({
    code: 'invalid_request' as const,
    detail: 'The body is not a JSON object.',
    errors: [{ path: '', code: 'json', message }],
  });

const parse = (bytes: Buffer): Result<Record<string, unknown>> => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return malformed('must be JSON in UTF-8 (RFC 8259)');
  }
  const value = parseJson(text);
  if (value === undefined) return malformed(`must be JSON (RFC 8259); the error is at ${jsonErrorPlace(text)}`);
  return isObject(value) ? ok(value) : malformed('must be a JSON object');
};

/** Returns the JSON object of a request body; an empty object when the request has none. */
export const bodyOf = (event: HttpEvent, operation: Pick<Operation, 'method'>): Result<Record<string, unknown>> => {
  if (!hasBody(operation)) return ok({});
  if (event.body === undefined || event.body === '') return ok({});
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyBytes) {
    return fail({
      code: 'payload_too_large',
      detail: `The body has ${bytes.length} bytes. The maximum is ${maxBodyBytes}.`,
    });
  }
  const accepted = mediaTypes(operation);
  const mediaType = event.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!accepted.includes(mediaType)) {
    return fail({
      code: 'unsupported_media_type',
      detail: 'The body must be JSON.',
      errors: [{ path: 'header:Content-Type', code: 'media_type', message: `must be ${accepted.join(' or ')}` }],
    });
  }
  return parse(bytes);
};
