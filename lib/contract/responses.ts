import type { ErrorText } from './error-texts.ts';
import { errors, type ErrorCode } from './errors.ts';
import { pathNames, type Operation } from './operation.ts';
import { GatewayRefusal, type ProblemSchema } from './problem.ts';
import { Language, matching } from './scalars.ts';
import type { ResponseSchema, OperationEntry } from './entry.ts';

/** Statuses that API Gateway returns itself: before a function runs, or when a function fails or is too slow. */
const gatewayStatuses: readonly number[] = [400, 413, 429, 431, 500, 503];

/** Statuses with the same meaning for all operations: their responses are written once. */
const commonStatuses: readonly number[] = [401, 429, 431, 500, 502, 503];

const nameOf = (status: number) => `Refused${status}`;

const header = (description: string, schema: object, required = false) => ({
  description,
  required,
  schema: { type: 'string', ...schema },
});

const retryAfterHeader = {
  'Retry-After': header('Seconds to wait, when they are known', matching('^[0-9]+$', 'a number such as 2')),
};
const challengeHeader = {
  'WWW-Authenticate': header('The problem of the token (RFC 6750)', matching('^Bearer', 'a challenge such as Bearer')),
};

/** Headers of error responses, by status. */
const failureHeaders: Readonly<Record<number, object>> = {
  401: challengeHeader,
  403: challengeHeader,
  409: retryAfterHeader,
  429: retryAfterHeader,
  503: retryAfterHeader,
};

/** A past state of a return has a version that If-Match cannot name: the response may have no ETag. */
const isPresentOnly = ({ query }: Operation): boolean => !query.includes('asOf');

const fieldsOf = (output: ResponseSchema): object => ('properties' in output ? output.properties : {});

/** Whether a response always has its version. A service behind an adapter may know none. */
const hasVersion = ({ required = [] }: { readonly required?: readonly string[] }): boolean =>
  required.includes('version') || required.includes('revision');

const headersOf = (operation: Operation, status: number, output: ResponseSchema) => ({
  'Cache-Control': header('No cache may store the response', { const: 'no-store' }, true),
  ...('version' in fieldsOf(output) || 'revision' in fieldsOf(output)
    ? {
        ETag: header(
          'The version of the resource, or its `revision` where it has one',
          matching('^"[0-9]+"$', 'an ETag such as "3"'),
          isPresentOnly(operation) && hasVersion(output as { readonly required?: readonly string[] }),
        ),
      }
    : {}),
  // A PUT creates the resource at its own path (RFC 9110, 15.3.2).
  ...(status === 201 && operation.method === 'POST'
    ? { Location: header('The path of the new resource', matching('^/', 'a path such as /v1/jobs'), true) }
    : {}),
  ...(operation.localized === true
    ? {
        'Content-Language': header('The language of the texts for customers', Language, true),
        Vary: header('The header that selects the texts', { const: 'Accept-Language' }, true),
      }
    : {}),
  ...(operation.idempotencyKey
    ? {
        'Idempotency-Replayed': header('Present when the response repeats the first response to this key', {
          const: 'true',
        }),
      }
    : {}),
});

const success = (operation: Operation, status: number, { answers, example }: OperationEntry) => ({
  description: status === 201 ? 'Created' : 'OK',
  headers: headersOf(operation, status, answers),
  content: { 'application/json': { schema: answers, example: example.output } },
});

/** The errors of an operation, or of all operations of a document. */
type Failures = {
  readonly codes: ReadonlySet<ErrorCode>;
  readonly errorTexts: Readonly<Record<ErrorCode, ErrorText>>;
  readonly problem: ProblemSchema;
};

const codesWith = ({ codes }: Failures, status: number): readonly ErrorCode[] =>
  [...codes].filter((code) => errors[code] === status);

/** A problem with this status and one of these codes. */
const problemOf = (problem: ProblemSchema, status: number, codes: readonly ErrorCode[]) => ({
  type: 'object',
  allOf: [problem],
  properties: { status: { const: status }, code: { enum: codes } },
});

/** An error response: a problem with one of the codes of this status, a body of API Gateway, or both. */
const failureResponse = (failures: Failures, status: number, byGateway: boolean) => {
  const codes = codesWith(failures, status);
  return {
    description: [
      ...codes.map((code) => `- \`${code}\`: ${failures.errorTexts[code].cause}`),
      ...(byGateway ? ['- API Gateway rejects the request itself, with a body that is no problem.'] : []),
    ].join('\n'),
    ...(status in failureHeaders ? { headers: failureHeaders[status] } : {}),
    content: {
      ...(codes.length === 0
        ? {}
        : { 'application/problem+json': { schema: problemOf(failures.problem, status, codes) } }),
      ...(byGateway ? { 'application/json': { schema: GatewayRefusal } } : {}),
    },
  };
};

/** The responses that operations share, by name. The codes are those that any operation may return. */
export const commonResponses = (failures: Failures): Record<string, object> =>
  Object.fromEntries(
    // The gateway never returns 502.
    commonStatuses.map((status) => [nameOf(status), failureResponse(failures, status, status !== 502)]),
  );

/** Every response of an operation. */
export const responsesOf = (
  operation: Operation,
  entry: OperationEntry,
  failures: Failures,
): Record<string, object> => {
  const statuses = new Set(Array.from(failures.codes, (code): number => errors[code]));
  const byGateway = [
    ...gatewayStatuses,
    // The gateway checks tokens for operations that need one.
    ...[401, 403].filter((status) => statuses.has(status)),
    // The value of a path parameter can form a path without a route.
    ...(pathNames(operation).length === 0 ? [] : [404]),
  ];
  const responses: Record<string, object> = {};
  for (const status of operation.success) responses[status] = success(operation, status, entry);
  for (const status of new Set([...statuses, ...byGateway])) {
    responses[status] = commonStatuses.includes(status)
      ? { $ref: `#/components/responses/${nameOf(status)}` }
      : failureResponse(failures, status, byGateway.includes(status));
  }
  return responses;
};
