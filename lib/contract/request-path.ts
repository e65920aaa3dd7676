import { type Operation, pathNames } from './operation.ts';
import type { Failure } from './result.ts';
import { fail, ok, type Result } from '../runtime/result.ts';

/** Encodes text as a part of a URL (RFC 3986, 2.1). Ids need no encoding, so they take a fast path. */
export const percentEncoded = (text: string): string => (/^[\w.~-]*$/.test(text) ? text : encodeURIComponent(text));

/** The pattern of an id of a foreign service. `.` and `..` are steps of a path, even encoded (WHATWG URL, 4.1). */
export const opaqueIdPattern = '^(?!\\.{1,2}$)[A-Za-z0-9._~:-]{1,128}$';

type Unsendable = Required<Pick<Failure, 'code' | 'detail' | 'errors'>>;

/** Returns the failure of a request that cannot be sent. `path` names the field (RFC 6901) or the header. */
export const unsendable = (path: string, message: string): Unsendable => ({
  code: 'invalid_request',
  detail: 'The request cannot be sent. Correct the named value.',
  errors: [{ path, code: 'pattern', message }],
});

/**
 * Fills the parameters of an operation into its path, or fails with the name of a parameter that no URL can contain.
 * Without the check, a parameter `..` would give the path of another operation.
 */
export const requestPath = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Result<string, Unsendable> => {
  let path: string = operation.path;
  for (const name of pathNames(operation)) {
    const member = input[name];
    const value = Number.isSafeInteger(member) ? String(member) : member;
    // URL parsers interpret these as path steps, even percent-encoded (WHATWG URL, 4.1).
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value) || !value.isWellFormed())
      return fail(unsendable(`/${name}`, 'must be text that fits into a URL path'));
    path = path.replace(`{${name}}`, percentEncoded(value));
  }
  return ok(path);
};
