import Type from 'typebox';
import { reading } from '../entry.ts';
import { about, closed, matching, oneOf } from '../scalars.ts';

const Health = closed(
  { status: about(oneOf('ok'), 'Always `ok`. A service that cannot serve returns responds with a problem.') },
  { $id: 'Health', description: 'The service can reach the dependencies that it needs to serve returns.' },
);

const info = about(Type.Object({}), 'The title, the version and the introduction of the document.');

const AsyncApiDocument = Type.Object(
  {
    asyncapi: about(
      Type.String(matching('^3\\.0\\.', 'a version such as 3.0.0')),
      'The version of the AsyncAPI Specification.',
    ),
    info,
    channels: about(Type.Object({}), 'The channels of the events, with their messages.'),
  },
  { $id: 'AsyncApiDocument', description: 'The events of the service as AsyncAPI 3.0.' },
);

const OpenApiDocument = Type.Object(
  {
    openapi: about(
      Type.String(matching('^3\\.1\\.', 'a version such as 3.1.0')),
      'The version of the OpenAPI Specification.',
    ),
    info,
    paths: about(Type.Object({}), 'The operations, by path and method.'),
  },
  { $id: 'OpenApiDocument', description: 'The operations of the service as OpenAPI 3.1.' },
);

/* The operations on the service itself. */

export const health = reading({
  path: '/health',
  scope: null,
  summary: 'Check the health of the service',
  description: 'The operation checks that the service can reach its dependencies. Otherwise the status is 503.',
  answers: Health,
  example: { output: { status: 'ok' } },
});

export const asyncapi = reading({
  path: '/asyncapi.json',
  scope: null,
  summary: 'Read the AsyncAPI document of the events',
  description:
    'The document has the types of the events and the schemas of their data, as AsyncAPI 3.0. The types and `source` are those of the deployment that emits the events. The server is the one that the caller used.',
  answers: AsyncApiDocument,
  example: { output: { asyncapi: '3.0.0', info: {}, channels: {} } },
});

export const openapi = reading({
  path: '/openapi.json',
  scope: null,
  summary: 'Read the OpenAPI document',
  description:
    'The response is this document, as OpenAPI 3.1. The server is the one that the caller used. The token endpoint is the one of the deployment.',
  answers: OpenApiDocument,
  example: { output: { openapi: '3.1.0', info: {}, paths: {} } },
});
