import { formatIfMatch, type IfMatch } from '../contract/if-match.ts';
import { basePath, hasBody, type Operation, pathNames } from '../contract/operation.ts';
import { fail, type Failure, ok, type Result } from '../contract/result.ts';
import { newSpanId } from '../runtime/trace-context.ts';
import type { CallOptions } from './public.ts';

/** Encodes text as a part of a URL (RFC 3986, 2.1). Ids need no encoding, so they take a fast path. */
export const percentEncoded = (text: string): string => (/^[\w.~-]*$/.test(text) ? text : encodeURIComponent(text));

/** A request to the Returns Service, complete but for the token. */
export type ServiceRequest = {
  readonly method: Operation['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

type Input = Readonly<Record<string, unknown>>;

const invalid = (path: string, message: string) =>
  fail<Failure>({
    code: 'invalid_request',
    detail: 'The request cannot be sent.',
    errors: [{ path, code: 'pattern', message }],
  });

/** Fills the parameters into the path, or fails with the name of a parameter that no URL can contain. */
const pathOf = (operation: Operation, input: Input): Result<string, string> => {
  let path: string = operation.path;
  for (const name of pathNames(operation)) {
    const given = input[name];
    const value = Number.isSafeInteger(given) ? String(given) : given;
    // A URL takes these for steps up the tree, even when they are percent-encoded (WHATWG URL, 4.1).
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value) || !value.isWellFormed()) return fail(name);
    path = path.replace(`{${name}}`, percentEncoded(value));
  }
  return ok(path);
};

const queryOf = (operation: Operation, input: Input, dryRun: boolean): string => {
  const given = operation.query.filter((name) => input[name] !== undefined);
  if (given.length === 0) return dryRun ? '?dryRun=true' : '';
  const query = new URLSearchParams();
  for (const name of given) for (const item of [input[name]].flat()) query.append(name, String(item));
  if (dryRun) query.append('dryRun', 'true');
  return `?${query.toString()}`;
};

const bodyOf = (operation: Operation, input: Input): string | undefined => {
  if (!hasBody(operation)) return undefined;
  const elsewhere = new Set([...pathNames(operation), ...operation.query]);
  return JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => !elsewhere.has(name))));
};

/** The version 0 stands for what is not there yet, where that may be asked for. */
const conditionOf = (operation: Operation, version: IfMatch): Record<string, string> =>
  version === 0 && operation.ifMatch === 'required_or_none'
    ? { 'if-none-match': '*' }
    : { 'if-match': formatIfMatch(version) };

const headersOf = (
  operation: Operation,
  { idempotencyKey, ifMatch, onBehalfOf, acceptLanguage, traceId }: CallOptions,
): Record<string, string> => {
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    'accept-encoding': 'identity',
    traceparent: `00-${traceId}-${newSpanId()}-01`,
  };
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (ifMatch !== undefined) Object.assign(headers, conditionOf(operation, ifMatch));
  if (onBehalfOf !== undefined) headers['returns-on-behalf-of'] = onBehalfOf;
  if (acceptLanguage !== undefined) headers['accept-language'] = acceptLanguage;
  return headers;
};

const isUnprintable = (value: string | undefined): boolean => value !== undefined && !/^[\x20-\x7e]*$/.test(value);

/** Of the headers that hold what a caller wrote, one that cannot be sent. */
const findUnprintableHeader = ({
  idempotencyKey,
  ifMatch,
  onBehalfOf,
  acceptLanguage,
  traceId,
}: CallOptions): string | undefined => {
  if (isUnprintable(traceId)) return 'traceparent';
  if (isUnprintable(idempotencyKey)) return 'idempotency-key';
  // A number by its type, which no program need keep to.
  if (ifMatch !== undefined && isUnprintable(String(ifMatch))) return 'if-match';
  if (isUnprintable(acceptLanguage)) return 'accept-language';
  return isUnprintable(onBehalfOf) ? 'returns-on-behalf-of' : undefined;
};

/**
 * Turns an operation and its flat input into a request: what the path and the query name goes there, the rest is the
 * JSON body. The span of `traceparent` is new (W3C Trace Context, 3.2), the trace is the caller's.
 */
export const serviceRequest = (
  serviceUrl: string,
  operation: Operation,
  fields: object,
  options: CallOptions,
): Result<ServiceRequest> => {
  const input: Input = { ...fields };
  const path = pathOf(operation, input);
  if (!path.ok) return invalid(`/${path.failure}`, 'must be text that fits into a URL path');
  const headers = headersOf(operation, options);
  const unfit = findUnprintableHeader(options);
  if (unfit !== undefined) return invalid(`header:${unfit}`, 'must be printable ASCII');
  const body = bodyOf(operation, input);
  return ok({
    method: operation.method,
    url: `${serviceUrl}${basePath}${path.value}${queryOf(operation, input, options.dryRun)}`,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
};
