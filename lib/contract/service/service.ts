import Type from 'typebox';
import { closed, matching, oneOf } from '../scalars.ts';

/** The service can reach what it needs to serve returns; otherwise the answer is a problem. */
export const Health = closed({ status: oneOf('ok') }, { $id: 'Health' });

/** The events as AsyncAPI 3.0. */
export const AsyncApiDocument = Type.Object(
  {
    asyncapi: Type.String(matching('^3\\.0\\.', 'a version such as 3.0.0')),
    info: Type.Object({}),
    channels: Type.Object({}),
  },
  { $id: 'AsyncApiDocument' },
);

/** This contract as OpenAPI 3.1. */
export const OpenApiDocument = Type.Object(
  {
    openapi: Type.String(matching('^3\\.1\\.', 'a version such as 3.1.0')),
    info: Type.Object({}),
    paths: Type.Object({}),
  },
  { $id: 'OpenApiDocument' },
);
