import type Type from 'typebox';
import { nameDefinitions } from './definitions.ts';
import { errors, type ErrorCode } from './errors.ts';
import { basePath, mediaTypes, pathNames, type Operation } from './operation.ts';
import * as operations from './operations.ts';
import { idempotencyKeyPattern, onBehalfOfPattern } from './headers.ts';
import { Problem } from './problem.ts';
import { schemas } from './schemas.ts';

/** Codes that any operation may answer with, whatever it does. */
const shared: readonly ErrorCode[] = ['invalid_request', 'internal_error', 'dependency_unavailable', 'timeout'];
const withToken: readonly ErrorCode[] = ['insufficient_scope'];
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

const onBehalfOf = header('Returns-On-Behalf-Of', 'Whom the client acts for, kept in the history', {
  type: 'string',
  pattern: onBehalfOfPattern,
});
const idempotencyKey = header(
  'Idempotency-Key',
  'Makes a repeat of this request answer as the first one did, for 24 hours; not needed with dryRun',
  { type: 'string', pattern: idempotencyKeyPattern },
);
const ifMatch = {
  ignored: [],
  heeded: [
    header('If-Match', 'The ETag last seen: refused with 412 when the return has changed since', {
      type: 'string',
      pattern: '^("[0-9]{1,15}"|\\*)$',
    }),
  ],
  required: [
    header(
      'If-Match',
      'The ETag last seen: refused with 412 when the return has changed since, with 428 when it is missing',
      { type: 'string', pattern: '^"[0-9]{1,15}"$' },
      true,
    ),
  ],
};
const dryRun = {
  name: 'dryRun',
  in: 'query',
  description: 'All checks and the would-be result; nothing is stored',
  schema: { type: 'boolean' },
};

const answerHeaders = {
  ETag: { description: 'The version of the resource, where it has one', schema: { type: 'string' } },
  Location: { description: 'The path of what was created', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description: '`true` when the first answer to this key is given again',
    schema: { type: 'string' },
  },
};

/** The statuses an operation may refuse with, each with its codes. */
const refusalsOf = (operation: Operation): Map<number, ErrorCode[]> => {
  const takesBody = operation.method !== 'GET';
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

const properties = (schema: Type.TObject, where: 'path' | 'query') =>
  Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: property,
  }));

const responsesOf = (operation: Operation, output: Type.TObject) => {
  const success = operation.success.map((status): [string, object] => [
    String(status),
    {
      description: status === 201 ? 'Created' : 'OK',
      headers: answerHeaders,
      content: { 'application/json': { schema: output } },
    },
  ]);
  const refusals = Array.from(refusalsOf(operation), ([status, codes]): [string, object] => [
    String(status),
    {
      description: codes.join(', '),
      content: { 'application/problem+json': { schema: Problem } },
    },
  ]);
  const problem = { 'application/problem+json': { schema: Problem } };
  const gateway = { 'application/json': { schema: { type: 'object', properties: { message: { type: 'string' } } } } };
  return {
    ...Object.fromEntries([...success, ...refusals]),
    ...(operation.scope === null
      ? {}
      : {
          '401': {
            description: 'Refused by API Gateway, with its own body, or invalid_token',
            content: { ...gateway, ...problem },
          },
        }),
    '429': {
      description: 'Refused by API Gateway, with its own body, or rate_limited',
      content: { ...gateway, ...problem },
    },
  };
};

const describe = (operation: Operation, parts: (typeof schemas)[keyof typeof schemas]) => ({
  operationId: operation.name,
  summary: operation.summary,
  tags: [operation.path.split('/')[1]],
  security: operation.scope === null ? [] : [{ clientCredentials: [operation.scope] }],
  parameters: [
    ...properties(parts.path, 'path'),
    ...properties(parts.query, 'query'),
    ...(operation.dryRun ? [dryRun] : []),
    ...(operation.idempotencyKey ? [idempotencyKey] : []),
    ...ifMatch[operation.ifMatch],
    ...(operation.scope === null ? [] : [onBehalfOf]),
  ],
  ...(operation.method === 'GET'
    ? {}
    : {
        requestBody: {
          required: (parts.body.required ?? []).length > 0,
          content: Object.fromEntries(mediaTypes(operation).map((type) => [type, { schema: parts.body }])),
        },
      }),
  responses: responsesOf(operation, parts.output),
});

/** The OpenAPI 3.1 document of the contract. `tokenUrl` is where clients get their tokens. */
export const openApi = (tokenUrl: string) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of Object.values(operations)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = describe(operation, schemas[operation.name]);
    for (const name of pathNames(operation)) {
      if (!(name in schemas[operation.name].path.properties))
        throw new Error(`${operation.name}: no schema for {${name}}`);
    }
  }
  const { document, definitions } = nameDefinitions(paths, '#/components/schemas/');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Returns Service',
      version: '1.0.0',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: basePath }],
    paths: document,
    components: {
      schemas: definitions,
      securitySchemes: {
        clientCredentials: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl,
              scopes: {
                'returns:read': 'Read returns and their history',
                'returns:write': 'Create and update returns',
                'returns:admin': 'Manage policies and backoffice',
              },
            },
          },
        },
      },
    },
  };
};
