import { type DocumentTexts, ownTexts } from './descriptions.ts';
import { errorTexts, type ErrorText } from './error-texts.ts';
import type { ErrorCode } from './errors.ts';
import { firstSentence } from './neutral-text.ts';

/*
 * The texts of the OpenAPI document of a deployment with an adapter. The Returns Service behind it decides, so they state
 * nothing about orders, policies or checks of our own.
 */

const introduction = (
  title: string,
): string => `The API manages returns at the Returns Service of this deployment: ${title}. An adapter maps each
operation. An operation that the service does not have is not in this document, and gets 501 \`operation_not_offered\`.

- Requests and responses are JSON in UTF-8. An unknown field or query parameter gets 400: the service could not honour it.
- Ids are those of the service, as text. A field that the service does not know is absent. Examples of responses have only
  the fields that are always there.
- Times are RFC 3339, in UTC with \`Z\`. Amounts are integers in minor units of their currency (ISO 4217).
- A POST that stores something needs an \`Idempotency-Key\`. No request can be rehearsed or bound to a version.
- Errors are problems (RFC 9457) with a stable \`code\`. API Gateway rejects some requests itself with
  \`{"message": …}\`, which is JSON but no problem.
- Responses to commands contain no personal data and no texts that people wrote. Read the return to see them.`;

/** The codes that a deployment gives itself, where our own text names a part that it does not have. */
const deploymentErrors: Readonly<Partial<Record<ErrorCode, Partial<ErrorText>>>> = {
  payload_too_large: {
    cause: 'The request body is larger than 1 MiB.',
    fix: 'Send less in one request.',
  },
  unsupported_media_type: { fix: 'Send `application/json`.' },
  rate_limited: { cause: 'The caller sends too many requests.' },
  internal_error: { cause: 'The deployment has a defect.' },
  dependency_unavailable: {
    cause: 'The Returns Service, its token endpoint or the journal of commands does not answer correctly.',
  },
};

/** The causes of codes that the service gives, where our own text states facts of the whole contract. */
const serviceCauses: Readonly<Partial<Record<ErrorCode, string>>> = {
  return_not_found: 'The Returns Service has no return with this id.',
  order_not_found: 'The Returns Service has no such order.',
  invalid_transition: 'The Returns Service does not allow this command in the present state of the return.',
  not_eligible: 'The Returns Service does not accept a line for a return.',
  resolution_not_allowed: 'The Returns Service does not allow this resolution.',
  reason_unknown: 'The Returns Service has no such reason.',
};

/** The codes that a deployment gives itself. All others say what the service decided. */
const deploymentCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid_request',
  'invalid_cursor',
  'idempotency_key_required',
  'idempotency_key_in_progress',
  'idempotency_key_reused',
  'invalid_token',
  'insufficient_scope',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'operation_not_offered',
  'dependency_refused',
  'dependency_unavailable',
  'timeout',
]);

const errorTextOf = (code: ErrorCode, own: ErrorText): ErrorText =>
  deploymentCodes.has(code)
    ? { ...own, ...deploymentErrors[code] }
    : {
        cause: serviceCauses[code] ?? own.cause,
        check: 'The Returns Service decides. Compare the request with the order or the return there.',
        fix: 'Change the request. The same request fails again until the service has changed.',
      };

/** The texts of a deployment that speaks to this kind of service. */
export const adapterTexts = (title: string): DocumentTexts => ({
  summary: 'Product returns of an existing Returns Service',
  introduction: introduction(title),
  tags: { ...ownTexts.tags, reasons: 'Return reasons', returns: 'Returns, and the commands that change them' },
  parameters: {
    ...Object.fromEntries(Object.entries(ownTexts.parameters).map(([name, text]) => [name, firstSentence(text)])),
    orderNumber: 'Only returns of the orders with this number',
    include: '`customer` adds the name and address of each customer',
  },
  idempotencyKey:
    'Identifies the request for 24 hours. A repeat with the same key gets the response of the first request',
  scopes: { ...ownTexts.scopes, 'returns:read': 'Read returns', 'returns:write': 'Create and change returns' },
  errors: Object.fromEntries(
    Object.entries(errorTexts).map(([code, own]) => [code, errorTextOf(code as ErrorCode, own)]),
  ) as Record<ErrorCode, ErrorText>,
});
