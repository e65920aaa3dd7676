import type Type from 'typebox';
import { contract } from './contract.ts';
import { extractDefinitions } from './definitions.ts';
import { introduction, parameters, scopes, tags } from './descriptions.ts';
import { type OperationEntry, toOperation } from './entry.ts';
import { type ErrorCode, errors } from './errors.ts';
import { idempotencyKeyExpected, idempotencyKeyPattern, onBehalfOfExpected, onBehalfOfPattern } from './if-match.ts';
import { basePath, hasBody, mediaTypes, type Operation, pathNames } from './operation.ts';
import { commonResponses, responsesOf } from './responses.ts';
import { matching } from './scalars.ts';

/** Codes that any operation may answer with, whatever it does. */
const shared: readonly ErrorCode[] = [
  'invalid_request',
  'rate_limited',
  'internal_error',
  'dependency_unavailable',
  'timeout',
];
const withToken: readonly ErrorCode[] = ['invalid_token', 'insufficient_scope'];
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
  'Whom the client acts for, stored in the history until the customer of the return is erased. An integration that forwards a request puts its client in front, with a slash; of a pair that it is given it forwards 200 characters at most',
  { type: 'string', ...matching(onBehalfOfPattern, onBehalfOfExpected) },
);
const acceptLanguage = header(
  'Accept-Language',
  'The language of the texts for customers (RFC 9110, 12.5.4): en, pt, es, de or fr. `pt-BR` is served by pt; without a language that fits they are in en',
  {
    type: 'string',
    ...matching('^[A-Za-z0-9*;=,. -]*$', 'a list of languages such as pt-BR, en;q=0.5'),
    examples: ['pt-BR, en;q=0.5'],
  },
);
const idempotencyKey = header(
  'Idempotency-Key',
  'Makes a repeat of this request answer as the first one did, for 24 hours. Without it the answer is 400; a request with dryRun=true alone may leave it out',
  { type: 'string', ...matching(idempotencyKeyPattern, idempotencyKeyExpected) },
  true,
);
/** Tags are compared strongly: of a list one must be the present tag. */
const etags = '^(\\*|(W/)?"[!#-~]*"([ \\t]*,[ \\t]*(W/)?"[!#-~]*")*)$';
const etagsExpected = 'an ETag such as "3", a list of such, or *';
const ifMatch = {
  ignored: [],
  heeded: [
    header('If-Match', 'The ETag last seen: refused with 412 when it has changed since', {
      type: 'string',
      ...matching(etags, etagsExpected),
    }),
  ],
  required: [
    header(
      'If-Match',
      'The ETag last seen: refused with 412 when it has changed since, with 428 when it is missing',
      { type: 'string', ...matching(etags, etagsExpected) },
      true,
    ),
  ],
  required_or_none: [
    header(
      'If-Match',
      'The ETag last seen: refused with 412 when that has changed since, with 428 when neither it nor If-None-Match is there',
      { type: 'string', ...matching(etags, etagsExpected) },
    ),
    header(
      'If-None-Match',
      '`*` for what must not be there yet: refused with 412 when it is, with 400 beside If-Match',
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
  description: 'All checks and the would-be result; nothing is stored',
  schema: { type: 'boolean' },
};

/** The statuses an operation may refuse with, each with its codes. */
const failureCodesByStatus = (operation: Operation): Map<number, ErrorCode[]> => {
  const takesBody = hasBody(operation);
  const codes = [
    ...shared,
    ...(operation.scope === null ? [] : withToken),
    ...operation.refusals,
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

/** Whether no body, which stands for an empty one, is too little. */
const isNeeded = (body: Type.TObject): boolean => {
  const { required = [], minProperties = 0 } = body as { required?: readonly string[]; minProperties?: number };
  return required.length > 0 || minProperties > 0;
};

const describe = (operation: Operation, entry: OperationEntry) => ({
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
    ...ifMatch[operation.ifMatch],
    ...(operation.localized === true ? [acceptLanguage] : []),
    ...(operation.scope === null ? [] : [onBehalfOf]),
  ],
  ...(!hasBody(operation)
    ? {}
    : {
        requestBody: {
          description: 'JSON in UTF-8, 1 MiB at most',
          required: isNeeded(entry.body),
          content: Object.fromEntries(
            mediaTypes(operation).map((type) => [type, { schema: entry.body, example: entry.example.body }]),
          ),
        },
      }),
  responses: responsesOf(operation, entry, failureCodesByStatus(operation)),
});

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** As readers look for them: by path, reading before writing. */
const ordered = Object.entries<OperationEntry>(contract).toSorted(
  ([, a], [, b]) => a.path.localeCompare(b.path) || verbs.indexOf(a.method) - verbs.indexOf(b.method),
);

/** The OpenAPI 3.1 document of the contract. `tokenUrl` is where clients get their tokens. */
export const openApi = (tokenUrl: string) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, entry] of ordered) {
    const operation = toOperation(name, entry);
    (paths[entry.path] ??= {})[entry.method.toLowerCase()] = describe(operation, entry);
    const missing = pathNames(operation).find((parameter) => !(parameter in entry.params.properties));
    if (missing !== undefined) throw new Error(`${name}: no schema for {${missing}}`);
  }
  const { document, definitions } = extractDefinitions(
    { paths, responses: commonResponses([...shared, ...withToken]) },
    '#/components/schemas/',
  );
  const { paths: described, responses } = document as { paths: object; responses: object };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Returns Service',
      version: '1.0.0',
      summary: 'Returns of units of orders',
      description: introduction,
      contact: { name: 'Whoever runs this deployment', url: 'https://returns.example.com' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: basePath, description: 'This version of the contract' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: described,
    components: {
      responses,
      schemas: definitions,
      securitySchemes: {
        clientCredentials: {
          type: 'oauth2',
          description: 'Access tokens of OAuth 2.0 client credentials, as bearer tokens (RFC 6750)',
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
