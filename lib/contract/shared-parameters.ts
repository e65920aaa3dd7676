import { idempotencyKeyExpected, idempotencyKeyPattern, onBehalfOfExpected, onBehalfOfPattern } from './if-match.ts';
import { matching } from './scalars.ts';

/* The parameters of requests that many operations share, as the OpenAPI document has them. */

const header = (name: string, description: string, schema: object, required = false) => ({
  name,
  in: 'header',
  description,
  required,
  schema,
});

export const onBehalfOf = header(
  'Returns-On-Behalf-Of',
  'The person or client for whom the client acts. The history stores it until the customer of the return is erased. An integration that forwards a request adds its own client and a slash in front. It forwards at most 200 characters of such a pair',
  { type: 'string', ...matching(onBehalfOfPattern, onBehalfOfExpected) },
);
export const acceptLanguage = header(
  'Accept-Language',
  'The language of the texts for customers (RFC 9110, 12.5.4): en, pt, es, de or fr. `pt-BR` gets pt. Other languages get en',
  {
    type: 'string',
    ...matching('^[A-Za-z0-9*;=,. -]*$', 'a list of languages such as pt-BR, en;q=0.5'),
    examples: ['pt-BR, en;q=0.5'],
  },
);
export const idempotencyKey = (description: string) =>
  header(
    'Idempotency-Key',
    description,
    { type: 'string', ...matching(idempotencyKeyPattern, idempotencyKeyExpected) },
    true,
  );
/** Tags are compared strongly: one of a list must be the current tag. */
const etags = '^(\\*|(W/)?"[!#-~]*"([ \\t]*,[ \\t]*(W/)?"[!#-~]*")*)$';
const etagsExpected = 'an ETag such as "3", a list of ETags, or *';
export const ifMatch = {
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
export const dryRun = {
  name: 'dryRun',
  in: 'query',
  description: 'Runs all checks and returns the result, but stores nothing',
  schema: { type: 'boolean' },
};
