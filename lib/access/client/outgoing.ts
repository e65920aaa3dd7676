import { formatIfMatch, type IfMatch } from '../../contract/if-match.ts';
import { type Operation, requestBody, type Scope } from '../../contract/operation.ts';
import type { Via } from '../../contract/port.ts';
import { requestPath, unsendable } from '../../contract/request-path.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { newSpanId } from '../../runtime/new-ids.ts';

/** The options of one call of the Returns Service. */
export type CallOptions = {
  readonly idempotencyKey?: string;
  /** The version that the caller last read; 0 when the resource must not exist yet. */
  readonly ifMatch?: IfMatch;
  readonly dryRun: boolean;
  readonly onBehalfOf?: string;
  /** What the caller used to make the request. */
  readonly via?: Via;
  /** The value of Accept-Language, for an operation with localized texts. */
  readonly acceptLanguage?: string;
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  /** Epoch milliseconds by which the caller must have responded. */
  readonly deadline: number;
  /** The exact scopes of the access token; empty: the request has no token. */
  readonly scopes: readonly Scope[];
  /** Ends the call: its promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

/** A request to the Returns Service, complete except for the token. */
export type ServiceRequest = {
  readonly method: Operation['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

type Input = Readonly<Record<string, unknown>>;

const queryOf = (operation: Operation, input: Input, dryRun: boolean): string => {
  const present = operation.query.filter((name) => input[name] !== undefined);
  if (present.length === 0) return dryRun ? '?dryRun=true' : '';
  const query = new URLSearchParams();
  for (const name of present) for (const item of [input[name]].flat()) query.append(name, String(item));
  if (dryRun) query.append('dryRun', 'true');
  return `?${query.toString()}`;
};

/** Returns the header of a version. 0 means that the resource must not exist yet, where the operation allows that. */
const conditionOf = (operation: Operation, version: IfMatch): Record<string, string> =>
  version === 0 && operation.ifMatch === 'required_or_none'
    ? { 'if-none-match': '*' }
    : { 'if-match': formatIfMatch(version) };

const headersOf = (
  operation: Operation,
  { idempotencyKey, ifMatch, onBehalfOf, via, acceptLanguage, traceId }: CallOptions,
): Record<string, string> => {
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    'accept-encoding': 'identity',
    traceparent: `00-${traceId}-${newSpanId()}-01`,
  };
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (ifMatch !== undefined) Object.assign(headers, conditionOf(operation, ifMatch));
  if (onBehalfOf !== undefined) headers['returns-on-behalf-of'] = onBehalfOf;
  if (via !== undefined) headers['returns-via'] = via;
  if (acceptLanguage !== undefined) headers['accept-language'] = acceptLanguage;
  return headers;
};

const isUnprintable = (value: string | undefined): boolean => value !== undefined && !/^[\x20-\x7e]*$/.test(value);

/** Returns the name of a caller's header that cannot be sent. */
const findUnprintableHeader = ({
  idempotencyKey,
  ifMatch,
  onBehalfOf,
  acceptLanguage,
  traceId,
}: CallOptions): string | undefined => {
  if (isUnprintable(traceId)) return 'traceparent';
  if (isUnprintable(idempotencyKey)) return 'idempotency-key';
  // The type is a number, but a program may pass another value.
  if (ifMatch !== undefined && isUnprintable(String(ifMatch))) return 'if-match';
  if (isUnprintable(acceptLanguage)) return 'accept-language';
  return isUnprintable(onBehalfOf) ? 'returns-on-behalf-of' : undefined;
};

/**
 * Makes a request from an operation and its flat input. Fields that the path or the query names go there, the others
 * into the JSON body. The span of `traceparent` is new (W3C Trace Context, 3.2), the trace is the caller's.
 */
export const serviceRequest = (
  baseUrl: string,
  operation: Operation,
  fields: object,
  options: CallOptions,
): Result<ServiceRequest> => {
  const input: Input = { ...fields };
  const path = requestPath(operation, input);
  if (!path.ok) return path;
  const headers = headersOf(operation, options);
  const unfit = findUnprintableHeader(options);
  if (unfit !== undefined) return fail(unsendable(`header:${unfit}`, 'must be printable ASCII'));
  const body = requestBody(operation, input);
  return ok({
    method: operation.method,
    url: `${baseUrl}${path.value}${queryOf(operation, input, options.dryRun)}`,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
};
