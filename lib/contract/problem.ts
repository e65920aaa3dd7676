import Type from 'typebox';
import { errors } from './errors.ts';
import { AllowedAction } from './returns/return.ts';
import { closed, oneOf, text } from './scalars.ts';

/** An error as it crosses the wire (RFC 9457), with our stable `code`. */
export const Problem = closed(
  {
    type: text(200),
    title: text(200),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: text(1000),
    code: oneOf(...(Object.keys(errors) as (keyof typeof errors)[])),
    traceId: text(100),
    errors: Type.Optional(Type.Array(closed({ path: Type.String(), code: text(100), message: text(1000) }))),
    allowedActions: Type.Optional(Type.Array(AllowedAction)),
    returnId: Type.Optional(text(100)),
    retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  {
    $id: 'Problem',
    examples: [
      {
        type: 'urn:returns:problem:return_not_found',
        title: 'Not Found',
        status: 404,
        detail: 'No such return.',
        code: 'return_not_found',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        errors: [{ path: '/returnId', code: 'unknown', message: 'must be the id of a return' }],
      },
    ],
  },
);
export type Problem = Type.Static<typeof Problem>;

/** The body of API Gateway's own refusals. */
export const GatewayRefusal = closed(
  { message: text(200) },
  { $id: 'GatewayRefusal', examples: [{ message: 'Unauthorized' }] },
);
