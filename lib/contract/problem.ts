import Type from 'typebox';
import { type ErrorCode, errors } from './errors.ts';
import { AllowedAction } from './returns/return.ts';
import { about, closed, oneOf, text } from './scalars.ts';

/** An error as it crosses the wire (RFC 9457), with our stable `code`. */
export const Problem = closed(
  {
    type: about(text(200), 'A URL that identifies the error code and leads to its page.'),
    title: about(text(200), 'The name of the HTTP status.'),
    status: about(Type.Integer({ minimum: 400, maximum: 599 }), 'The HTTP status.'),
    detail: about(text(1000), 'The cause of this error and the next step, for people.'),
    code: about(oneOf(...(Object.keys(errors) as (keyof typeof errors)[])), 'The stable error code, for programs.'),
    traceId: about(text(100), 'The trace id of the request. The log has the same id.'),
    errors: Type.Optional(
      about(
        Type.Array(
          closed({
            path: about(
              Type.String(),
              'The JSON Pointer (RFC 6901) of the wrong field in the body, or the parameter or header.',
            ),
            code: about(text(100), 'The code of the field error, for programs.'),
            message: about(text(1000), 'The accepted values, for people.'),
          }),
        ),
        'The wrong fields of the request.',
      ),
    ),
    allowedActions: Type.Optional(
      about(Type.Array(AllowedAction), 'The commands that the return allows now, after a conflict with its status.'),
    ),
    returnId: Type.Optional(about(text(100), 'The existing return, after `duplicate_return`.')),
    retryAfterSeconds: Type.Optional(about(Type.Integer({ minimum: 0 }), 'Seconds to wait before a repeat.')),
  },
  {
    $id: 'Problem',
    description: 'An error (RFC 9457).',
    examples: [
      {
        type: 'https://returns.example.com/docs/errors/return_not_found',
        title: 'Not Found',
        status: 404,
        detail: 'No return has this id.',
        code: 'return_not_found',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        errors: [{ path: '/returnId', code: 'unknown', message: 'must be the id of a return' }],
      },
    ],
  },
);
export type Problem = Type.Static<typeof Problem>;

/** The schema of a problem, of all deployments or of one. */
export type ProblemSchema = Type.TObject;

/** The members that only the standalone mode fills. */
const ownMembers: ReadonlySet<string> = new Set(['allowedActions', 'returnId']);

/** Returns the schema of a problem of a deployment with these codes, where the Returns Service decides. */
export const problemWith = (codes: readonly ErrorCode[]): ProblemSchema => {
  const { code, ...properties } = Problem.properties;
  const kept = Object.entries({ ...properties, code: { ...code, enum: codes } }).filter(
    ([name]) => !ownMembers.has(name),
  );
  return { ...Problem, properties: Object.fromEntries(kept) } as unknown as ProblemSchema;
};

/** The body of API Gateway's own errors. */
export const GatewayRefusal = closed(
  { message: about(text(200), 'The reason that API Gateway gives.') },
  {
    $id: 'GatewayRefusal',
    description: 'An error that API Gateway returns itself.',
    examples: [{ message: 'Unauthorized' }],
  },
);
