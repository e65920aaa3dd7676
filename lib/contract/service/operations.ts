import Type from 'typebox';
import { reading } from '../entry.ts';
import { closed, matching, oneOf } from '../scalars.ts';

/** The service can reach what it needs to serve returns; otherwise the answer is a problem. */
const Health = closed({ status: oneOf('ok') }, { $id: 'Health' });

/** The events as AsyncAPI 3.0. */
const AsyncApiDocument = Type.Object(
  {
    asyncapi: Type.String(matching('^3\\.0\\.', 'a version such as 3.0.0')),
    info: Type.Object({}),
    channels: Type.Object({}),
  },
  { $id: 'AsyncApiDocument' },
);

/** This contract as OpenAPI 3.1. */
const OpenApiDocument = Type.Object(
  {
    openapi: Type.String(matching('^3\\.1\\.', 'a version such as 3.1.0')),
    info: Type.Object({}),
    paths: Type.Object({}),
  },
  { $id: 'OpenApiDocument' },
);

/* The operations on the service itself. */

export const health = reading({
  path: '/health',
  scope: null,
  summary: 'Tell whether returns can be served',
  description: 'Whether the service can reach what it needs: otherwise the answer is 503.',
  answers: Health,
  example: { output: { status: 'ok' } },
});

export const asyncapi = reading({
  path: '/asyncapi.json',
  scope: null,
  summary: 'Read the AsyncAPI document of the events',
  description:
    'The events of the Returns Service with their types and the schemas of their data, as AsyncAPI 3.0. Types and `source` are those of the deployment that emits the events; the server is the one that the caller used.',
  answers: AsyncApiDocument,
  example: { output: { asyncapi: '3.0.0', info: {}, channels: {} } },
});

export const openapi = reading({
  path: '/openapi.json',
  scope: null,
  summary: 'Read this document',
  description: 'This document. The server is the one that the caller used, the token endpoint that of the deployment.',
  answers: OpenApiDocument,
  example: { output: { openapi: '3.1.0', info: {}, paths: {} } },
});
