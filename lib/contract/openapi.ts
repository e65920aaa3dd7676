import type Type from 'typebox';
import { contract } from './contract.ts';
import { extractDefinitions } from './definitions.ts';
import { adapterIntroduction, introduction, parameters, scopes, tags } from './descriptions.ts';
import { type OperationEntry, toOperation } from './entry.ts';
import { type ErrorCode, errors } from './errors.ts';
import { idempotencyKeyExpected, idempotencyKeyPattern, onBehalfOfExpected, onBehalfOfPattern } from './if-match.ts';
import { basePath, hasBody, mediaTypes, type Operation, pathNames } from './operation.ts';
import { commonResponses, responsesOf } from './responses.ts';
import { matching } from './scalars.ts';

/** Codes that any operation may return. */
const shared: readonly ErrorCode[] = [
  'invalid_request',
  'rate_limited',
  'internal_error',
  'dependency_refused',
  'dependency_unavailable',
  'timeout',
];
const withToken: readonly ErrorCode[] = ['invalid_token', 'insufficient_scope', 'cross_site_request'];
const withBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];
const withKey: readonly ErrorCode[] = [
  'idempotency_key_required',
  'idempotency_key_reused',
  'idempotency_key_in_progress',
];

const header = (name: string, description: string, schema: object, required = false) => ({
  name,
  in: 'header',
  description,
  required,
  schema,
});

const onBehalfOf = header(
  'Returns-On-Behalf-Of',
  'The person or client for whom the client acts. The history stores it until the customer of the return is erased. An integration that forwards a request adds its own client and a slash in front. It forwards at most 200 characters of such a pair',
  { type: 'string', ...matching(onBehalfOfPattern, onBehalfOfExpected) },
);
const acceptLanguage = header(
  'Accept-Language',
  'The language of the texts for customers (RFC 9110, 12.5.4): en, pt, es, de or fr. `pt-BR` gets pt. Other languages get en',
  {
    type: 'string',
    ...matching('^[A-Za-z0-9*;=,. -]*$', 'a list of languages such as pt-BR, en;q=0.5'),
    examples: ['pt-BR, en;q=0.5'],
  },
);
const idempotencyKey = header(
  'Idempotency-Key',
  'Identifies the request for 24 hours. A repeat with the same key gets the response of the first request. Only a request with dryRun=true may omit it',
  { type: 'string', ...matching(idempotencyKeyPattern, idempotencyKeyExpected) },
  true,
);
/** Tags are compared strongly: one of a list must be the current tag. */
const etags = '^(\\*|(W/)?"[!#-~]*"([ \\t]*,[ \\t]*(W/)?"[!#-~]*")*)$';
const etagsExpected = 'an ETag such as "3", a list of ETags, or *';
const ifMatch = {
  ignored: [],
  optional: [
    header(
      'If-Match',
      'The ETag of the version that the caller read. The request gets 412 when the resource has changed',
      {
        type: 'string',
        ...matching(etags, etagsExpected),
      },
    ),
  ],
  required: [
    header(
      'If-Match',
      'The ETag of the version that the caller read. The request gets 412 when the resource has changed, and 428 without the header',
      { type: 'string', ...matching(etags, etagsExpected) },
      true,
    ),
  ],
  required_or_none: [
    header(
      'If-Match',
      'The ETag of the version that the caller read. The request gets 412 when the resource has changed, and 428 without this header and If-None-Match',
      { type: 'string', ...matching(etags, etagsExpected) },
    ),
    header(
      'If-None-Match',
      '`*` to create a resource. The request gets 412 when the resource exists, and 400 together with If-Match',
      {
        type: 'string',
        const: '*',
      },
    ),
  ],
};
const dryRun = {
  name: 'dryRun',
  in: 'query',
  description: 'Runs all checks and returns the result, but stores nothing',
  schema: { type: 'boolean' },
};

/** The error statuses of an operation, each with its codes. */
const failureCodesByStatus = (operation: Operation): Map<number, ErrorCode[]> => {
  const takesBody = hasBody(operation);
  const codes = [
    ...shared,
    ...(operation.scope === null ? [] : withToken),
    ...operation.errors,
    ...(takesBody ? withBody : []),
    ...(operation.idempotencyKey ? withKey : []),
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(errors[code], [...(byStatus.get(errors[code]) ?? []), code]);
  return byStatus;
};

const properties = (operation: string, schema: Type.TObject, where: 'path' | 'query') =>
  Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    description: parameters[`${operation}.${name}`] ?? parameters[name],
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));

/** The first step of the path, where that is a kind of resource. */
const tagOf = ({ path }: Operation): string => {
  const [, first = ''] = path.split('/');
  return first in tags ? first : 'service';
};

/** Whether a request without a body is invalid. A missing body means an empty object. */
const isNeeded = (body: Type.TObject): boolean => {
  const { required = [], minProperties = 0 } = body as { required?: readonly string[]; minProperties?: number };
  return required.length > 0 || minProperties > 0;
};

/** @param conditions whether the service behind the API honours If-Match and Returns-On-Behalf-Of */
const describe = (operation: Operation, entry: OperationEntry, conditions: boolean) => ({
  operationId: operation.name,
  summary: operation.summary,
  description: entry.description,
  tags: [tagOf(operation)],
  security: operation.scope === null ? [] : [{ clientCredentials: [operation.scope] }],
  parameters: [
    ...properties(operation.name, entry.params, 'path'),
    ...properties(operation.name, entry.query, 'query'),
    ...(operation.dryRun ? [dryRun] : []),
    ...(operation.idempotencyKey ? [idempotencyKey] : []),
    ...(conditions ? ifMatch[operation.ifMatch] : []),
    ...(operation.localized === true ? [acceptLanguage] : []),
    ...(operation.scope === null || !conditions ? [] : [onBehalfOf]),
  ],
  ...(!hasBody(operation)
    ? {}
    : {
        requestBody: {
          description: 'JSON in UTF-8, at most 1 MiB',
          required: isNeeded(entry.body),
          content: Object.fromEntries(
            mediaTypes(operation).map((type) => [type, { schema: entry.body, example: entry.example.body }]),
          ),
        },
      }),
  responses: responsesOf(operation, entry, failureCodesByStatus(operation)),
});

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type Entries = Readonly<Record<string, OperationEntry>>;

/** The operations that a document describes, and the kind of service behind an adapter. */
export type Described = { readonly entries: Entries; readonly adapter?: { readonly title: string } };

/** Sorts entries as readers search: by path, reading before writing. */
const ordered = (entries: Entries) =>
  Object.entries(entries).toSorted(
    ([, a], [, b]) => a.path.localeCompare(b.path) || verbs.indexOf(a.method) - verbs.indexOf(b.method),
  );

const introductionOf = ({ adapter }: Described): string =>
  adapter === undefined ? introduction : adapterIntroduction(adapter.title);

/**
 * The OpenAPI 3.1 document of a deployment.
 *
 * @param tokenUrl where clients get their tokens
 * @param described the operations that the deployment offers
 */
export const openApi = (tokenUrl: string, described: Described = { entries: contract }) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, entry] of ordered(described.entries)) {
    const operation = toOperation(name, entry);
    (paths[entry.path] ??= {})[entry.method.toLowerCase()] = describe(
      operation,
      entry,
      described.adapter === undefined,
    );
    const missing = pathNames(operation).find((parameter) => !(parameter in entry.params.properties));
    if (missing !== undefined) throw new Error(`${name}: no schema for {${missing}}`);
  }
  const { document, definitions } = extractDefinitions(
    { paths, responses: commonResponses([...shared, ...withToken]) },
    '#/components/schemas/',
  );
  const { paths: describedPaths, responses } = document as { paths: object; responses: object };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Returns Service',
      version: '1.0.0',
      summary: 'Product returns, their history and the policies that decide them',
      description: introductionOf(described),
      contact: { name: 'The operator of this deployment', url: 'https://returns.example.com' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: basePath, description: 'This version of the API' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: describedPaths,
    components: {
      responses,
      schemas: definitions,
      securitySchemes: {
        clientCredentials: {
          type: 'oauth2',
          description:
            'Access tokens of OAuth 2.0 client credentials (RFC 6749, 4.4), sent as bearer tokens (RFC 6750)',
          flows: {
            clientCredentials: {
              tokenUrl,
              scopes,
            },
          },
        },
      },
    },
  };
};
